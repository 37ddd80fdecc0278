//! Edits of the text alone: put in, take out, nothing else changes (HK1).

use std::path::Path;

use install::Client;
use install::Scope;
use install::entries::HooksFile;
use install::table::setup;
use proptest::prelude::*;

use super::settings::{Choices, file};

const JSON_CLIENTS: [Client; 5] =
    [Client::ClaudeCode, Client::Codex, Client::Gemini, Client::Copilot, Client::Cursor];

fn hooks(client: Client, program: &str) -> HooksFile<'_> {
    HooksFile {
        setup: setup(client),
        file: Path::new("settings.json"),
        program: Path::new(program),
        scope: Scope::User,
    }
}

fn comments(text: &str) -> usize {
    text.matches("// about it").count()
        + text.matches("/* , } */").count()
        + text.matches("// \"quoted\", and more").count()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn what_goes_in_comes_out_and_nothing_else_moves(
        which in 0..JSON_CLIENTS.len(),
        bytes in prop::collection::vec(any::<u8>(), 0..160),
    ) {
        let client = JSON_CLIENTS[which];
        let text = file(client, &mut Choices::new(&bytes), true);
        let hooks = hooks(client, "/usr/bin/vib");
        let installed = hooks.install(&text, None).unwrap();
        let found = hooks.find(&installed).unwrap();
        prop_assert_eq!(found.len(), setup(client).events.len(), "{}", installed);
        prop_assert!(found.iter().all(|found| found.current));
        prop_assert_eq!(comments(&installed), comments(&text));
        // Twice is once.
        prop_assert_eq!(&hooks.install(&installed, None).unwrap(), &installed);
        // The text comes back byte for byte without any record; only a `version` that a client needs may stay.
        let stripped = hooks.strip(&installed, Some(&text)).unwrap();
        if text.contains("\"version\"") || !installed.contains("\"version\"") {
            prop_assert_eq!(&stripped, &text);
        }
        prop_assert_eq!(hooks.find(&stripped).unwrap().len(), 0);
        prop_assert_eq!(comments(&stripped), comments(&text));
        // One kind of line end stays one kind.
        if text.contains("\r\n") {
            prop_assert_eq!(installed.matches('\n').count(), installed.matches("\r\n").count());
        }
    }

    #[test]
    fn empty_places_and_moved_programs_are_fine_too(
        which in 0..JSON_CLIENTS.len(),
        bytes in prop::collection::vec(any::<u8>(), 0..160),
    ) {
        let client = JSON_CLIENTS[which];
        let text = file(client, &mut Choices::new(&bytes), false);
        let (old, new) = (hooks(client, "/old/place/vib"), hooks(client, "/new/place/vib"));
        let first = old.install(&text, None).unwrap();
        let moved = new.install(&first, Some(&text)).unwrap();
        prop_assert!(!moved.contains("/old/place"));
        let found = new.find(&moved).unwrap();
        prop_assert_eq!(found.len(), setup(client).events.len());
        prop_assert!(found.iter().all(|found| found.current));
        prop_assert_eq!(comments(&moved), comments(&text));
        let stripped = new.strip(&moved, Some(&text)).unwrap();
        prop_assert_eq!(new.find(&stripped).unwrap().len(), 0);
        prop_assert_eq!(comments(&stripped), comments(&text));
    }

    #[test]
    fn nonsense_is_refused_or_survives_but_never_panics(text in "[{}\\[\\]\",:/* \\n\\\\a1hoks]{0,60}") {
        let hooks = hooks(Client::ClaudeCode, "/usr/bin/vib");
        if let Ok(installed) = hooks.install(&text, None) {
            prop_assert_eq!(hooks.find(&installed).unwrap().len(), 11);
        }
    }
}

#[test]
fn a_new_file_reads_well() {
    let text = hooks(Client::Copilot, "/usr/bin/vib").install("", None).unwrap();
    assert!(text.starts_with(
        "{\n  \"version\": 1,\n  \"hooks\": {\n    \"sessionStart\": [\n      {\n        \"type\": \"command\",\n        \
         \"bash\": \"test -x '/usr/bin/vib' && exec '/usr/bin/vib' hook copilot sessionStart || true\",\n        \
         \"timeoutSec\": 60\n      }\n    ],\n"
    ), "{text}");
    assert!(text.ends_with("    ]\n  }\n}\n"), "{text}");
}

#[test]
fn codex_gets_no_key_that_it_does_not_know_and_whole_numbers() {
    let text = hooks(Client::Codex, "/usr/bin/vib").install("", None).unwrap();
    let value: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(value.as_object().unwrap().keys().collect::<Vec<_>>(), ["hooks"]);
    assert_eq!(value["hooks"]["SessionEnd"][0]["hooks"][0]["timeout"], serde_json::json!(3));
}

#[test]
fn gemini_counts_in_milliseconds_and_is_not_asked_before_every_request() {
    let text = hooks(Client::Gemini, "/usr/bin/vib").install("{}", None).unwrap();
    let value: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(value["hooks"]["BeforeTool"][0]["hooks"][0]["timeout"], serde_json::json!(60_000));
    assert!(value["hooks"].get("PreCompress").is_none());
}

#[test]
fn ours_come_after_everybody_elses() {
    let text = r#"{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "first"}]}]}}"#;
    let installed = hooks(Client::ClaudeCode, "/usr/bin/vib").install(text, None).unwrap();
    let value: serde_json::Value = serde_json::from_str(&installed).unwrap();
    assert_eq!(value["hooks"]["Stop"][0]["hooks"][0]["command"], "first");
    assert_eq!(value["hooks"]["Stop"].as_array().unwrap().len(), 2);
}

#[test]
fn an_entry_that_somebody_moved_into_a_group_of_theirs_is_found_and_only_it_goes() {
    let text = r#"{
  "hooks": {
    "Stop": [
      {
        "matcher": "",
        "hooks": [
          { "type": "command", "command": "mine" },
          { "type": "command", "command": "/old/vib hook claude-code" } // vib
        ]
      }
    ]
  }
}
"#;
    let stripped = hooks(Client::ClaudeCode, "/usr/bin/vib").strip(text, None).unwrap();
    let expected = text.replace(
        " },\n          { \"type\": \"command\", \"command\": \"/old/vib hook claude-code\" } // vib",
        " } // vib",
    );
    assert_eq!(stripped, expected);
}

#[test]
fn mistakes_are_named_with_their_place() {
    let hooks = hooks(Client::ClaudeCode, "/usr/bin/vib");
    let error = hooks.install("{\n  \"a\": 1\n  \"b\": 2\n}", None).unwrap_err();
    assert_eq!(error.code(), "client_config_syntax");
    assert!(error.to_string().contains("line 2, column 9"), "{error}");
    for (text, place) in [
        ("[]", "line 1, column 1"),
        ("{\n  \"hooks\": []\n}", "line 2, column 12"),
        ("{\"hooks\": {\"Stop\": {}}}", "line 1, column 20"),
        ("{\"hooks\": {}, \"hooks\": {}}", "line 1, column 15"),
        ("{\"hooks\": {\"Stop\": [], \"Stop\": []}}", "line 1, column 24"),
    ] {
        let error = hooks.install(text, None).unwrap_err();
        assert_eq!(error.code(), "client_config_shape", "{text}");
        assert!(error.to_string().contains(place), "{text}: {error}");
    }
}
