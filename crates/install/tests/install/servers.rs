//! The MCP server in the clients' settings: in, twice, out, and what was there before.

use std::path::Path;

use install::Scope;
use install::servers::{Entry, ServerFile, ServerShape};

fn file(shape: ServerShape) -> ServerFile<'static> {
    ServerFile { shape, file: Path::new("settings"), program: Path::new("/opt/vib"), scope: Scope::User }
}

const SHAPES: [(ServerShape, &str); 4] = [
    (
        ServerShape::Plain,
        "{\n  // mine\n  \"theme\": \"dark\",\n  \"mcpServers\": {\n    \"db\": {\"command\": \"db\"},\n  },\n}\n",
    ),
    (ServerShape::Copilot, "{\"mcpServers\":{\"db\":{\"command\":\"db\",\"args\":[]}}}"),
    (ServerShape::OpenCode, "{\n\t\"$schema\": \"https://opencode.ai/config.json\",\n\t\"mcp\": {}\n}\n"),
    (ServerShape::Codex, "model = \"x\" # mine\n\n[mcp_servers.db]\ncommand = \"db\"\n"),
];

#[test]
fn it_goes_in_once_and_out_without_a_trace() {
    for (shape, text) in SHAPES {
        let file = file(shape);
        let inside = file.install(text, Some(text)).unwrap();
        assert!(matches!(file.find(&inside).unwrap(), Entry::Ours { current: true, .. }), "{inside}");
        assert_eq!(file.install(&inside, Some(text)).unwrap(), inside, "twice is once");
        assert_eq!(file.strip(&inside, Some(text)).unwrap(), text, "{shape:?}");
    }
}

#[test]
fn an_empty_file_gets_one_and_is_empty_again() {
    for (shape, _) in SHAPES {
        let file = file(shape);
        let inside = file.install("", None).unwrap();
        assert!(inside.contains("serve"), "{inside}");
        let out = file.strip(&inside, None).unwrap();
        assert!(file.is_empty(&out).unwrap(), "{out}");
    }
}

#[test]
fn what_it_looks_like() {
    assert_eq!(
        file(ServerShape::Plain).install("", None).unwrap(),
        "{\n  \"mcpServers\": {\n    \"vib\": {\n      \"command\": \"/opt/vib\",\n      \"args\": [\n        \"mcp\",\n        \"serve\"\n      ]\n    }\n  }\n}\n"
    );
    let codex = file(ServerShape::Codex).install("", None).unwrap();
    assert!(
        codex.contains("[mcp_servers.vib]\ncommand = \"/opt/vib\"\nargs = [\"mcp\", \"serve\"]\n"),
        "{codex}"
    );
    let opencode = file(ServerShape::OpenCode).install("{}", None).unwrap();
    assert!(opencode.contains("\"type\""), "{opencode}");
}

#[test]
fn somebody_elses_server_of_that_name_stays() {
    for (shape, text) in [
        (ServerShape::Plain, "{\"mcpServers\": {\"vib\": {\"command\": \"other\", \"args\": []}}}"),
        (
            ServerShape::OpenCode,
            "{\"mcp\": {\"vib\": {\"type\": \"remote\", \"url\": \"https://example.com\"}}}",
        ),
        (ServerShape::Codex, "[mcp_servers.vib]\ncommand = \"/opt/vib\"\nargs = [\"mcp\", \"serve\"]\n"),
    ] {
        let file = file(shape);
        assert_eq!(file.find(text).unwrap(), Entry::Foreign);
        assert_eq!(file.install(text, None).unwrap(), text);
        assert_eq!(file.strip(text, None).unwrap(), text);
    }
}

#[test]
fn a_vib_that_moved_is_followed() {
    let old = ServerFile { program: Path::new("/old/vib"), ..file(ServerShape::Plain) };
    let text = old.install("{}", None).unwrap();
    let new = file(ServerShape::Plain);
    assert!(matches!(new.find(&text).unwrap(), Entry::Ours { current: false, .. }));
    let text = new.install(&text, None).unwrap();
    assert!(text.contains("/opt/vib") && !text.contains("/old/vib"), "{text}");
}

#[test]
fn a_broken_file_is_not_touched() {
    for (shape, text) in [
        (ServerShape::Plain, "{\"mcpServers\": ["),
        (ServerShape::Codex, "model = \n"),
        (ServerShape::Plain, "{\"mcpServers\": 5}"),
    ] {
        assert!(file(shape).install(text, None).is_err(), "{text}");
    }
}
