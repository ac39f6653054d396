"""Water Quality Exchange results, narrow and version 3."""
