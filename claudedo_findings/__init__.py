"""Findings: the traps of a project, written down by the agents that paid for them."""

__version__ = "0.1.0"
