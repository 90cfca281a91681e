"""What turns the chapters into pages, notebooks to run, slides and a PDF.

It belongs to the book's environment and is no part of the library's wheel.
"""
