"""Translation, block by block: from parallel text to a translator."""
