//! An agent at honest work is never stopped, wherever it is started, and one that runs in circles is (T1, C2, C3, G3, G4, X1).
//! Each client uses the tools that its own model would use.

mod anywhere;
mod circles;
mod day;
mod objections;

use vib_e2e::Client;

/// The stories of this folder, once for each client.
macro_rules! stories {
    ($($client:ident => $name:ident),* $(,)?) => {$(
        mod $name {
            use super::{Client, anywhere, circles, day};

            #[test]
            fn an_ordinary_day_is_not_disturbed_t1() {
                day::is_not_disturbed(Client::$client);
            }

            #[test]
            fn work_is_saved_in_a_subfolder_in_a_worktree_and_after_a_cleaning_c3() {
                anywhere::is_saved(Client::$client);
            }

            #[test]
            fn a_file_that_stays_broken_is_held_back_within_three_requests_g3() {
                circles::a_file_stays_broken(Client::$client);
            }

            #[test]
            fn the_same_read_again_and_again_is_denied_and_nothing_else_g4() {
                circles::a_read_repeats(Client::$client);
            }
        }
    )*};
}

stories! {
    ClaudeCode => claude_code,
    Codex => codex,
    Gemini => gemini,
    OpenCode => opencode,
    Copilot => copilot,
}
