//! What is said of a private copy, by `vib bisect` and `vib verify` alike.

use super::words::harmless;
use crate::theme::{Theme, paint};

/// Files that are named; the others are counted.
const FILES: usize = 12;

/// The folder is not as it was. `what`: "the check" or "the checks".
pub(super) fn touched(all: &[String], closed: bool, what: &str, theme: &Theme) -> String {
    if all.is_empty() {
        return String::new();
    }
    let whose = if closed {
        format!("not by {what}, for which it was closed: somebody works there")
    } else {
        format!("by {what}, or by somebody who works there")
    };
    let mark = paint(theme.warning, "note:");
    format!("{mark} changed in your folder while it ran ({whose}): {}\n", names(all))
}

/// A few names.
pub(super) fn names(all: &[String]) -> String {
    let mut shown: Vec<String> = all.iter().take(FILES).map(|name| harmless(name)).collect();
    if all.len() > FILES {
        shown.push(format!("and {} more", all.len() - FILES));
    }
    shown.join(", ")
}
