"""Laboratory deliverables: what each layout calls its columns, and one way to read a result."""
