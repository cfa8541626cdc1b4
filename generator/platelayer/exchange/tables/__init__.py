"""Titles as tables: workbooks (.xlsx, .ods), folders of CSV files, and tab-separated text.

`sheets` reads files into plain cells, `columns` defines the columns and how their values are
written, `table` reads the rows of a sheet, `read` makes a title from sheets, and `write` makes
sheets from a title.
"""
