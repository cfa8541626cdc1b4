"""A display list in millimetres: inks, shapes, type, themes. It knows no game."""
