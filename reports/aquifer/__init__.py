"""Tables, figures and pages of the aquifer commands."""
