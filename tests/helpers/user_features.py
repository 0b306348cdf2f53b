"""An extractor outside of Runoff, for tests of `module:function`."""


def shout(input, candidate):
    return {"capitals": sum(c.isupper() for c in candidate.output)}
