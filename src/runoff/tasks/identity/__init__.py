"""Finding records that mean the same thing."""
