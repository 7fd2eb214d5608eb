"""Sources of candidates: reverts, notes and struggles. They draft, people decide; INDEX.md is never touched."""
