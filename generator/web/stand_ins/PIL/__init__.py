"""A name that reportlab imports: no picture is converted in a browser."""
