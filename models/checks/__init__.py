"""One check per rule kind: (rule, question) in, findings with named lines of evidence out."""
