"""A display list in millimetres: inks, shapes, type and themes. It knows nothing about games."""
