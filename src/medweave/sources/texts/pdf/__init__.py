"""PDF files: characters with their places, put together to lines, columns, tables, paragraphs."""
