"""What every family of rows works with: the installed programs, and stores of a size, made when they are asked for."""

from dataclasses import dataclass
from functools import cache
from pathlib import Path

from tests.bench import ground


@dataclass(frozen=True)
class Stage:
    """Programs, a folder for what is made, and how often to measure."""

    base: Path
    runs: int
    megabytes: int
    programs: Path
    """The folder of our installed programs."""
    epitaph: Path
    memory: tuple[Path, ...]
    """The command of server-memory."""

    @property
    def ours(self) -> Path:
        return self.programs / "claudedo-findings"

    @property
    def python(self) -> Path:
        return self.programs / "python"

    @cache  # noqa: B019  # one stage a process
    def store(self, size: int, name: str = "store") -> Path:
        """Return a repository with so many findings, and as many records of epitaph's and entities of server-memory."""
        repo = ground.repository(self.base / f"{name}-{size}")
        if size:
            ground.fill(repo, size)
            ground.fill_epitaph(self.epitaph, repo, size)
        ground.fill_memory(self.memory_file(repo), size)
        return repo

    def memory_file(self, repo: Path) -> Path:
        """Return the file of server-memory that belongs to a repository."""
        return repo.parent / f"{repo.name}.jsonl"

    def remembering(self, repo: Path) -> dict[str, str]:
        """Return the environment that points server-memory at that file."""
        return {"MEMORY_FILE_PATH": str(self.memory_file(repo))}
