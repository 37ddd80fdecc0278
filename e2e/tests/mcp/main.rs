//! vib's MCP server in the hands of other people's tools: the official Inspector and the official conformance suite.

mod conformance;
mod inspector;
mod server;
