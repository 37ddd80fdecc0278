//! The passphrase.

use engine::person::lock::Status;

use super::words::count;
use crate::theme::Theme;

pub(crate) fn lock(status: &Status, _theme: &Theme) -> String {
    if !status.set {
        return "No passphrase is set: what only a person may do is refused to agents, and needs nothing more from you.\n\
                `vib lock set` sets one.\n"
            .to_owned();
    }
    let mut out = "A passphrase is set: it is asked for whatever only a person may do.\n".to_owned();
    if status.failures > 0 {
        out.push_str(&format!(
            "{} typed since the last right one",
            count(u64::from(status.failures), "wrong one")
        ));
        match status.wait_seconds {
            0 => out.push_str(".\n"),
            wait => out.push_str(&format!("; the next try is possible in {wait} s.\n")),
        }
    }
    out.push_str(&format!("Forgotten? Delete this file by hand: {}\n", status.file.display()));
    out
}
