"""Everybody at one store for minutes: servers, a service, curators, a human with an editor, and git."""
