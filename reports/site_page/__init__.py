"""The public page of a site: one static folder, plain data in, files out."""
