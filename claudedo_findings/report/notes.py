"""What no transcript can tell; it is printed with every report."""

NOT_KNOWN = (
    "This is association, not cause: runs differ in difficulty, and who reads more may be at work on something harder.",
    "A file can reach a context without a tool call (an @-mention, an import in CLAUDE.md), so a finding without an"
    " opening may have been read all the same.",
    "An agent that never saw the pointer had no reason to read the index: a host puts it into the system prompt, which"
    " no transcript holds, and interactive sessions may not have it.",
    "What the index listed when it was read is not recorded: today's lines are taken, but for findings whose first save"
    " is known to be later. A search that shows lines of the index or of a finding counts neither as an offer nor as an"
    " opening.",
    "Whether an error fits a finding is decided by words, with the strong hits of check: some fit by chance, and some"
    " that are the finding's own are missed.",
    "A finding that works prevents its error, and an error that never came leaves no trace; a low count of errors is no"
    " proof.",
    "Agents delete their transcripts after some weeks: what is older is gone from every count.",
    "After a compaction a text that was read may be gone from the context; it still counts as read.",
)
