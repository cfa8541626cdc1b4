"""Titles as tables: workbooks (.xlsx, .ods), folders of CSV files, and tab-separated text.

`sheets` reads files into plain cells, `columns` says which column holds which field and how, `read`
makes a title of sheets, and `write` sheets of a title.
"""
