//! The fence in the clients: where it is on, whether it was seen, and what the person has to do for it.

use std::path::Path;

use clients::fence::bears;
use fence::{evidence, kernel, shell_file};
use project::Config;
use project::config::Source;
use serde::Serialize;

use crate::Client;

/// Which commands are fenced.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Mode {
    /// None.
    Off,
    /// Those that vib cannot see through.
    Unknown,
    /// All that may change something.
    All,
}

/// What `guard.fence` means for this client: built in it is on only where vib needs nothing from the person.
pub fn mode(config: &Config, client: Client) -> Mode {
    let Some(bears) = bears(client) else { return Mode::Off };
    let is_chosen = config.get("guard.fence").is_ok_and(|(_, source)| source != Source::Default);
    match config.word("guard.fence") {
        _ if !is_chosen && !bears.by_itself => Mode::Off,
        "all" => Mode::All,
        "unknown" => Mode::Unknown,
        _ => Mode::Off,
    }
}

/// The fence of one client.
#[derive(Debug, Clone, Serialize)]
pub struct ClientFence {
    /// The client.
    pub client: Client,
    /// Its name as its makers write it.
    pub title: &'static str,
    /// Which of its commands are fenced.
    pub mode: Mode,
    /// A marked command was seen to begin behind the fence, and none since that did not.
    pub live: bool,
    /// How it stands, in words.
    pub words: String,
    /// What the person has to set up.
    pub how: Option<String>,
}

/// Every client.
pub fn clients(config: &Config, state: &Path) -> Vec<ClientFence> {
    Client::ALL.into_iter().map(|client| of(config, state, client)).collect()
}

/// One client.
pub fn of(config: &Config, state: &Path, client: Client) -> ClientFence {
    let (mode, seen) = (mode(config, client), evidence::seen(state, client.name()));
    let live = seen.is_live();
    let bears = bears(client);
    let file = shell_file::path(state).display().to_string();
    let how = bears.and_then(|bears| bears.how).map(|how| how.replace("{file}", &file));
    let how = if mode == Mode::Off {
        how.map(|how| format!("`vib config set guard.fence unknown`, and {how}"))
    } else {
        how
    };
    let how = how.filter(|_| !live);
    let state = match (bears, mode) {
        (None, _) => "its commands cannot be fenced".to_owned(),
        (Some(_), _) if !kernel::kernel().is_there() => "no fence on this machine".to_owned(),
        (Some(_), Mode::Off) => "not fenced".to_owned(),
        (Some(_), _) if live => "fenced, as was seen with a real command".to_owned(),
        (Some(_), _) if seen.missed_ms.is_some() => {
            "not fenced: a command that was marked ran without it; vib asks as without a fence".to_owned()
        }
        (Some(_), _) => {
            "on, and not seen with a real command yet; until then vib asks as without a fence".to_owned()
        }
    };
    let hole = bears.and_then(|bears| bears.hole).map(|hole| format!("; {hole}")).unwrap_or_default();
    ClientFence { client, title: client.title(), mode, live, words: format!("{state}{hole}"), how }
}
