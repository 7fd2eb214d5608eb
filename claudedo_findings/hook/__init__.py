"""The agents' hook: one short fact, late, and only when it applies. Never blocks, never fails the agent."""
