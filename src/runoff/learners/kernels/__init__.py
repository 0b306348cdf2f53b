"""Rankers by kernels over trees and taggings."""
