//! Stories with the real clients, one file per client; what they tell is in `stories`.

mod acp;
mod approving;
mod claude_code;
mod codex;
mod copilot;
mod cost;
mod fence;
mod gates;
mod gemini;
mod guard;
mod harness;
mod history;
mod mcp;
mod modes;
mod notices;
mod opencode;
mod ordinary_day;
mod outside;
mod person;
mod rules;
mod stories;
mod tools;
