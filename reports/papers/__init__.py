"""Papers of a case: what each says, and its form as a page and as plain text. Nothing here sends or stores."""
