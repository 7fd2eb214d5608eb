"""The runs that the ClaudeDo host recorded: what `report` needs, in its table `task_runs`."""

from collections.abc import Collection
from dataclasses import dataclass

from claudedo_findings import host, host_database


@dataclass(frozen=True, kw_only=True)
class HostRun:
    """A run of a task as the host recorded it; None where this version of the host says nothing."""

    task_id: str
    number: int | None = None
    session_id: str = ""
    is_retry: bool | None = None
    turns: int | None = None
    tokens_in: int | None = None
    tokens_out: int | None = None
    log: str = ""
    started_at: str = ""
    ended: bool = True
    """False while it is under way."""


def of(task_ids: Collection[str]) -> tuple[HostRun, ...] | None:
    """Return the recorded runs of some tasks, in the order of their start; None without a host that records any."""
    with host_database.opened() as connection:
        if connection is None:
            return None
        columns = host_database.columns(connection, "task_runs")
        if "task_id" not in columns:
            return None
        names = [name for name in host_database.READ["task_runs"] if name in columns]
        rows = connection.execute(f"SELECT {', '.join(names)} FROM task_runs").fetchall()  # noqa: S608  # our names
    wanted = {host.same_id(task_id) for task_id in task_ids}
    found = (dict(zip(names, row, strict=True)) for row in rows)
    mine = [_run(row) for row in found if host.same_id(str(row["task_id"])) in wanted]
    return tuple(sorted(mine, key=lambda run: (host.same_id(run.task_id), run.number or 0, run.started_at)))


def _run(row: dict[str, object]) -> HostRun:
    def whole(name: str) -> int | None:
        value = row.get(name)
        return value if isinstance(value, int) and value >= 0 else None

    retry = whole("is_retry")
    return HostRun(
        task_id=str(row["task_id"]),
        number=whole("run_number"),
        session_id=str(row.get("session_id") or ""),
        is_retry=None if retry is None else bool(retry),
        turns=whole("turn_count"),
        tokens_in=whole("tokens_in"),
        tokens_out=whole("tokens_out"),
        log=str(row.get("log_path") or ""),
        started_at=str(row.get("started_at") or ""),
        ended="finished_at" not in row or bool(row["finished_at"]),
    )
