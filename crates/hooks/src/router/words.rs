//! What is said when an agent is stopped.

use engine::spiral::{Choice, Spiral};

/// What the agent gets instead of its edit. It has to hand this on: it may not choose by itself.
pub(super) fn spiral_text(spiral: &Spiral) -> String {
    let mut text = format!(
        "vib: {}\nDo not try again. Stop here, tell the person what happened, and let them choose:\n",
        spiral.what_happened()
    );
    for choice in spiral.choices() {
        let how = match &choice {
            Choice::RollBack { .. } => " They send: /rollback (or run `vib undo`).",
            Choice::GoOnOnce { .. } => " They run: `vib spiral resume`.",
            Choice::HandOver => "",
        };
        text.push_str(&format!("- {}{how}\n", choice.text()));
    }
    text
}
