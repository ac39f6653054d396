"""The aquifer commands: flags, scenario files, the site as a scenario, and the files they write."""
