"""Input that means harm, or was made by accident: nothing written outside, no traceback for a client, no hang."""
