"""What all imports share: a title as files, and what its tiles and its source say of it."""
