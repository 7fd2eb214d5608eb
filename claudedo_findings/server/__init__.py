"""The edges that MCP clients reach: stdio and HTTP around one tool."""
