"""The page and the HTTP service: `runoff serve`."""
