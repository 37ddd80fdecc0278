//! Is the fence there, and does it hold? Tried with the shell, the file and the kernel of this machine; that a client's own shell is led
//! to it, only its real commands show.

use clients::fence::bears;
use fence::Surroundings;
use fence::probe::{self, Outcome, ProbeWay};
use project::Config;

use super::{Check, State};
use crate::Client;
use crate::World;
use crate::fenced::{self, Mode};

/// What is to be said about one client in whose settings vib is.
pub(super) fn check(world: &World, client: Client) -> Option<Check> {
    bears(client)?;
    let config = Config::load(world.config.as_deref(), &world.root).ok()?;
    let stands = fenced::of(&config, &world.state, client);
    let mut around = Surroundings::bare(&world.root, world.home.as_deref()?, &world.state);
    (around.config, around.program) = (world.config.clone(), Some(world.program.clone()));
    if stands.mode == Mode::Off {
        return None;
    }
    if !super::is_executable(&world.program) {
        return None;
    }
    let way = if client == Client::ClaudeCode { ProbeWay::Line } else { ProbeWay::Variable };
    let trial = match probe::run(&around, &world.program, "bash", way) {
        Ok(trial) => trial,
        Err(error) => return Some(Check::note(format!("the fence was not tried: {error}"), error.next())),
    };
    // Below `/tmp` everything is open: there is nothing to say.
    if trial.outcome == Outcome::Exposed {
        return None;
    }
    let kernel = trial.kernel.words();
    let check = match trial.outcome {
        Outcome::None | Outcome::Exposed => Check::note(
            format!("no fence: {kernel}; commands are judged by their text alone"),
            "`vib config set guard.fence off` says no more of it",
        ),
        Outcome::Holds => {
            let state = if stands.live { State::Ok } else { State::Note };
            let detail = format!("the fence holds ({kernel}); in this client: {}", stands.words);
            Check {
                state,
                detail,
                fix: stands.how.or_else(|| Some("`vib fence list` says what it does not keep".to_owned())),
            }
        }
        Outcome::Open | Outcome::Broken => Check::problem(
            format!("the fence does not hold ({kernel}): {}", trial.detail),
            "`vib fence probe` tries it again; until then vib asks as without it",
        ),
    };
    Some(check)
}
