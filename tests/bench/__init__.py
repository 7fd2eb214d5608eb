"""Benchmarks: medians and ratios against bare Python, a floor and peers, side by side in one run."""
