//! How a person says something to vib in the chat of a client. The table itself is [`engine::agent::phrases`]; a test holds it
//! to the chat commands that the installer writes.

use engine::agent::phrases;

use crate::Client;

/// What takes the last request back, after a preview: `/rollback` or `undo that`.
pub fn rollback(client: Client) -> &'static str {
    phrases::rollback(client.name())
}

/// What goes to a state by its id: `/rollback kmtz` or `vib rollback kmtz`.
pub fn rollback_to(client: Client, id: &str) -> String {
    phrases::rollback_to(client.name(), id)
}

/// What a lesson begins with: `/lesson` or `vib lesson:`.
pub fn lesson(client: Client) -> &'static str {
    phrases::lesson(client.name())
}

/// What lets an agent go on that was stopped because it ran in circles.
pub fn go_on(client: Client) -> &'static str {
    phrases::go_on(client.name())
}

#[cfg(test)]
mod tests {
    use super::*;
    use clients::table::setup;

    #[test]
    fn a_command_with_a_stroke_is_named_where_it_is_installed_c8() {
        for client in Client::ALL {
            let installed: Vec<&str> = setup(client).slash.iter().map(|command| command.file).collect();
            for words in [rollback(client), lesson(client), go_on(client)] {
                let Some(name) = words.strip_prefix('/') else { continue };
                let is_there = installed.iter().any(|file| file.starts_with(&format!("commands/{name}.")));
                assert!(is_there, "{client} does not know {words}");
            }
        }
    }
}
