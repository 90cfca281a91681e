"""What makes the files and pieces that pages load; nothing here knows Sphinx."""
