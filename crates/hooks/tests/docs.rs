//! `docs/clients.md` says what the table says. `VIB_UPDATE_DOCS=1` writes it anew.

#![expect(clippy::unwrap_used, reason = "a test fails where it stands")]

use std::path::Path;

use clients::table::setup;
use vib_hooks::Client;
use vib_hooks::attended::{Answer, Known, TABLE};

const START: &str = "<!-- table: generated, see crates/hooks/tests/docs.rs -->\n";
const ASKING: &str = "<!-- who can be asked: generated, see crates/hooks/src/attended.rs -->\n";
const END: &str = "<!-- end of table -->";

/// Both tables in one test: they are on one page, which it may write anew.
#[test]
fn the_page_for_users_is_true() {
    what_is_installed_where();
    who_can_be_asked_c1();
}

fn who_can_be_asked_c1() {
    let mut table =
        "| client | mode | told by | what the client does with a hook's question | vib answers | known |\n\
                     | --- | --- | --- | --- | --- | --- |\n"
            .to_owned();
    for row in TABLE {
        let answer = match row.answer {
            Answer::Ask => "ask",
            Answer::AskOrElse => "ask, with what to do if nobody is there",
            Answer::Deny => "**no**: a person has to decide",
        };
        let known = match row.known {
            Known::Measured => "measured",
            Known::MeasuredHeadless => "measured without a terminal",
            Known::Documented => "documentation only",
        };
        let client = row.client.title();
        table.push_str(&format!(
            "| {client} | {} | {} | {} | {answer} | {known} |\n",
            row.mode, row.told_by, row.client_does
        ));
    }
    is_on_the_page(ASKING, &table);
}

fn what_is_installed_where() {
    let mut table =
        "| client | your own settings | only yours in a project | a team's | events | chat command |\n\
                     | --- | --- | --- | --- | --- | --- |\n"
            .to_owned();
    for client in Client::ALL {
        let setup = setup(client);
        let events: Vec<&str> = setup.events.iter().map(|event| event.name).collect();
        let slash = match setup.slash {
            [] => "none".to_owned(),
            some => some.iter().map(|slash| format!("`{}`", slash.file)).collect::<Vec<_>>().join(", "),
        };
        table.push_str(&format!(
            "| {} (`{client}`) | `~/{}/{file}` | {private} | `{}/{file}` | {} | {slash} |\n",
            client.title(),
            setup.user_folder.home,
            setup.project_folder,
            events.join(", "),
            private = setup
                .private_file
                .map_or("none".to_owned(), |name| format!("`{}/{name}`", setup.project_folder)),
            file = setup.file,
        ));
    }
    is_on_the_page(START, &table);
}

fn is_on_the_page(start: &str, table: &str) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/clients.md");
    let text = std::fs::read_to_string(&file).unwrap();
    let (before, rest) = text.split_once(start).unwrap();
    let (_, after) = rest.split_once(END).unwrap();
    let wanted = [before, start, table, END, after].concat();
    if std::env::var_os("VIB_UPDATE_DOCS").is_some() {
        std::fs::write(&file, &wanted).unwrap();
    } else {
        assert!(
            text == wanted,
            "docs/clients.md is out of date: run VIB_UPDATE_DOCS=1 cargo test -p vib-hooks --test all docs"
        );
    }
}
