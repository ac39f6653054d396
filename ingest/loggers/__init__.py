"""Files of instruments that log by themselves: one module for each maker's format."""
