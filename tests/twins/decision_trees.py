"""Slow, obvious twin of boosted decision trees: Listing 1 of Turian & Melamed 2006, by sets.

Weights are whole multiples of 1 / scale, as in native code, so that ties are the same.
"""

import math


def scale_for(biases):
    """A power of two that gives all biases together 52 bits."""
    total = sum(biases)
    return 2.0 ** (52 - math.frexp(total)[1]) if total else 1.0


def gain(total, lam):
    """G: how fast the objective falls as the value of a leaf moves away from 0."""
    return max(0, abs(total) - lam)


class Twin:
    """Examples as sets of atoms; every sum goes through all of them."""

    def __init__(self, atoms, y, bias, n_atoms, split_gain=0.0):
        self.atoms, self.y, self.bias, self.n_atoms = [set(a) for a in atoms], y, bias, n_atoms
        self.scale, self.split_gain = scale_for(bias), split_gain
        self.h = [0.0] * len(y)

    def weight(self, i, theta=0.0):
        odds = math.exp(self.y[i] * self.h[i]) * math.exp(self.y[i] * theta)
        return int(self.bias[i] / (1.0 + odds) * self.scale + 0.5)

    def total(self, examples, theta=0.0):
        """W+ - W-."""
        return sum(self.y[i] * self.weight(i, theta) for i in examples)

    def sides(self, examples, atom):
        has = [i for i in examples if atom in self.atoms[i]]
        return has, [i for i in examples if i not in has]

    def first_lambda(self):
        """The largest lambda that lets the root be split, by trying the sizes of all sides."""
        everything = range(len(self.y))
        sizes = {0}
        for atom in range(self.n_atoms):
            sizes |= {abs(self.total(side)) for side in self.sides(everything, atom)}
        tried = [size for size in sizes if size and self.split(everything, size - 1) is not None]
        return max(tried, default=0) / self.scale

    def split(self, examples, lam):
        """The atom with the largest gain over that of the node, the lowest of equals."""
        best, chosen = gain(self.total(examples), lam) + int(self.split_gain * lam), None
        for atom in range(self.n_atoms):
            gained = sum(gain(self.total(side), lam) for side in self.sides(examples, atom))
            if gained > best:
                best, chosen = gained, atom
        return chosen

    def grow(self, lam):
        """A tree as (atom, without, with) or (examples, value)."""
        return self._grow(range(len(self.y)), max(1, int(lam * self.scale + 0.5)))

    def _grow(self, examples, lam):
        atom = self.split(examples, lam)
        if atom is None:
            return list(examples), self.value(examples, lam)
        has, has_not = self.sides(examples, atom)
        return atom, self._grow(has_not, lam), self._grow(has, lam)

    def value(self, examples, lam):
        """Where the loss with its penalty is lowest, by bisection."""
        total = self.total(examples)
        if abs(total) <= lam + (lam >> 40):  # equal to 12 digits: all that is left is rounding
            return 0.0
        sign = 1 if total > 0 else -1
        low, high = 0.0, 1.0
        while sign * self.total(examples, sign * high) > lam:
            high *= 2
        for _ in range(100):
            middle = (low + high) / 2
            if sign * self.total(examples, sign * middle) > lam:
                low = middle
            else:
                high = middle
        return sign * high


def leaves(tree):
    """(examples, value) of every leaf, those without the atom first."""
    return [tree] if len(tree) == 2 else leaves(tree[1]) + leaves(tree[2])


def in_preorder(tree):
    """The atoms of the nodes; None for leaves."""
    return [None] if len(tree) == 2 else [tree[0], *in_preorder(tree[1]), *in_preorder(tree[2])]
