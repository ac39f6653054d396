"""What a numerical model answers, told: tables, pages, figures."""
