"""Code and titles in, the parts of the documents that are made of them out: the page of rules, the pictures."""

import gallery
import pictures
import reference
import sheet_pictures

if __name__ == "__main__":
    reference.main()
    pictures.main()
    gallery.main()
    sheet_pictures.main()
