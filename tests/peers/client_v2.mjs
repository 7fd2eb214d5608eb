// The TypeScript SDK 2.x in one of its modes: lists the tools and makes the calls that stdin asks for.
import { readFileSync } from "node:fs";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";

const { target, mode, calls } = JSON.parse(readFileSync(0, "utf8"));
const transport = target.url
  ? new StreamableHTTPClientTransport(new URL(target.url), { requestInit: { headers: target.headers } })
  : new StdioClientTransport(target);
const pinned = !["legacy", "auto"].includes(mode);

const client = new Client({ name: "peer", version: "1" }, { versionNegotiation: { mode: pinned ? { pin: mode } : mode } });
await client.connect(transport);
const tools = (await client.listTools()).tools;
const answers = [];
for (const call of calls) answers.push(await client.callTool({ name: tools[0].name, arguments: call }));
console.log(JSON.stringify({ protocol: client.getNegotiatedProtocolVersion(), tools, answers }));
await client.close();
