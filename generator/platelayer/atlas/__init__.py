"""Random maps of the Lost Atlas: assembly, independent check and measures."""
