"""Whole command-line clients, which are not run by default; see README's section "Peers"."""
