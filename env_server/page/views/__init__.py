"""The content of pages, as plain data for the templates."""
