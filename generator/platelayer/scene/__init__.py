"""A display list in millimetres: inks, shapes, type and themes, without any knowledge of games."""
