"""The C# programs that `connect dotnet` prints: the official SDK over both transports."""

import json
from collections.abc import Sequence

from claudedo_findings import service

PLACE = "as Program.cs of a console project (dotnet new console; dotnet add package ModelContextProtocol)"
HTTP_NOTES = (
    'The first line on stdout is the ready line: {"url", "pid", "version", "keyFile"}; nothing follows it.',
    "A service that cannot start prints 'error: …' on stderr and exits with 2: the port is taken, the key is no use.",
    "The service ends with the process that --parent-pid names; on Linux and macOS SIGTERM ends it gracefully too.",
    "To use a service that runs already, skip the start: read the key from its key file or CLAUDEDO_FINDINGS_KEY.",
)

_USING = """using System.Diagnostics;
using System.Text.Json;
using ModelContextProtocol.Client;
using ModelContextProtocol.Protocol;
"""
_CALL = """
await using var client = await McpClient.CreateAsync(transport);
var result = await client.CallToolAsync("save_finding", new Dictionary<string, object?>
{
    ["slug"] = "clock-skew-in-ci",
    ["title"] = "The invoice tests fail after midnight UTC because the fixture freezes local time",
    ["body"] = "Only CI runs in UTC. Freeze with tz=UTC instead.",
});
var text = result.Content.OfType<TextContentBlock>().First().Text;
if (result.IsError == true)
    Console.Error.WriteLine(text);  // says what is wrong and what to do
else
    Console.WriteLine(JsonDocument.Parse(text).RootElement.GetProperty("path").GetString());
"""


def stdio(command: Sequence[str]) -> str:
    """Return a program that starts the server for one session and says which task is running."""
    return f"""{_USING}
var (taskId, listId, worktree) = (args[0], args[1], args[2]);
var transport = new StdioClientTransport(new StdioClientTransportOptions
{{
    Name = "findings",
    Command = {_text(command[0])},
    Arguments = [{", ".join(map(_text, command[1:]))}],
    WorkingDirectory = worktree,
    EnvironmentVariables = new Dictionary<string, string?>
    {{
        ["CLAUDEDO_TASK_ID"] = taskId,
        ["CLAUDEDO_LIST"] = listId,
    }},
}});
{_CALL}""".strip()


def http(command: Sequence[str], url: str) -> str:
    """Return a program that starts the service, reads its ready line, and calls it for a task."""
    port = url.removesuffix("/mcp").rpartition(":")[2]
    words = ", ".join(map(_text, [*command[1:], "--port", port, "--parent-pid"]))
    return f"""{_USING}
var (taskId, listId) = (args[0], args[1]);

// Start the service once per host process. It ends with this process, however that ends.
var start = new ProcessStartInfo({_text(command[0])}) {{ RedirectStandardOutput = true, UseShellExecute = false }};
foreach (var word in new[] {{ {words}, Environment.ProcessId.ToString() }})
    start.ArgumentList.Add(word);
using var service = Process.Start(start)!;
var line = await service.StandardOutput.ReadLineAsync()  // null: it could not start, stderr says why
    ?? throw new InvalidOperationException("claudedo-findings did not start");
var ready = JsonDocument.Parse(line).RootElement;
var key = Environment.GetEnvironmentVariable("{service.KEY_VARIABLE}")  // given to both, or else in the key file
    ?? File.ReadAllText(ready.GetProperty("keyFile").GetString()!).Trim();

// One client per run: the headers say which task is running, in which list.
var transport = new HttpClientTransport(new HttpClientTransportOptions
{{
    Name = "findings",
    Endpoint = new Uri(ready.GetProperty("url").GetString()!),
    TransportMode = HttpTransportMode.StreamableHttp,
    AdditionalHeaders = new Dictionary<string, string>
    {{
        ["{service.KEY_HEADER}"] = key,
        ["{service.TASK_HEADER}"] = taskId,
        ["{service.LIST_HEADER}"] = listId,
    }},
}});
{_CALL}""".strip()


def _text(value: str) -> str:
    """Return a C# string: JSON's escapes are C#'s too."""
    return json.dumps(value, ensure_ascii=False)
