// The TypeScript SDK 1.x: lists the tools and makes the calls that stdin asks for.
import { readFileSync } from "node:fs";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

const { target, calls } = JSON.parse(readFileSync(0, "utf8"));
const transport = target.url
  ? new StreamableHTTPClientTransport(new URL(target.url), { requestInit: { headers: target.headers } })
  : new StdioClientTransport(target);
let protocol;
// Called with the version that was agreed on, by the SDK, on transports that care.
const keep = transport.setProtocolVersion?.bind(transport);
transport.setProtocolVersion = (version) => { protocol = version; keep?.(version); };

const client = new Client({ name: "peer", version: "1" });
await client.connect(transport);
const tools = (await client.listTools()).tools;
const answers = [];
for (const call of calls) answers.push(await client.callTool({ name: tools[0].name, arguments: call }));
console.log(JSON.stringify({ protocol, tools, answers }));
await client.close();
