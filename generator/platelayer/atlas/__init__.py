"""The box of Lost Atlas in, legal random maps, their proof and their measures out."""
