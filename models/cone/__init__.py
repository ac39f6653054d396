"""The cone of depression of a scenario and the pit kept dry, answered."""
