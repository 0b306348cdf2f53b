"""Files of speech recognisers."""
