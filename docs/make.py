"""Parts of the documents that are generated from code and titles: the pages of rules and of places,
pictures."""

import atlas_gallery
import compare_picture
import exchange_pictures
import gallery
import pictures
import played_pictures
import reference
import sheet_pictures
import spread_picture
import studio_pictures
import where
import words

if __name__ == "__main__":
    reference.main()
    where.main()
    pictures.main()
    gallery.main()
    atlas_gallery.main()
    played_pictures.main()
    sheet_pictures.main()
    spread_picture.main()
    exchange_pictures.main()
    compare_picture.main()
    studio_pictures.main()
    words.main()
