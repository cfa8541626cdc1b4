"""Money, phases, aids and other cards."""
