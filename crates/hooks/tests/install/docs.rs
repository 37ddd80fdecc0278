//! `docs/clients.md` says what the table says. `VIB_UPDATE_DOCS=1` writes it anew.

use std::path::Path;

use vib_hooks::Client;
use vib_hooks::install::table::setup;

const START: &str = "<!-- table: generated, see crates/hooks/tests/install/docs.rs -->\n";
const END: &str = "<!-- end of table -->";

#[test]
fn the_page_for_users_is_true() {
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
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/clients.md");
    let text = std::fs::read_to_string(&file).unwrap();
    let (before, rest) = text.split_once(START).unwrap();
    let (_, after) = rest.split_once(END).unwrap();
    let wanted = [before, START, &table, END, after].concat();
    if std::env::var_os("VIB_UPDATE_DOCS").is_some() {
        std::fs::write(&file, &wanted).unwrap();
    } else {
        assert!(
            text == wanted,
            "docs/clients.md is out of date: run VIB_UPDATE_DOCS=1 cargo test -p vib-hooks --test install docs"
        );
    }
}
