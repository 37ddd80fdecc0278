//! The fence as macOS reads it: a profile for `sandbox-exec`. Written from its public description; not tried on a Mac by us.

use std::fmt::Write as _;
use std::path::Path;

use crate::Fence;
use crate::places::Access;

/// The program that puts it up.
pub const PROGRAM: &str = "/usr/bin/sandbox-exec";

/// Everything is as before, but for writing outside the open places and reading of hidden ones.
pub fn profile(fence: &Fence) -> String {
    let mut text = String::from("(version 1)\n(allow default)\n(deny file-write*)\n(allow file-write*\n");
    for place in &fence.open {
        let word = match place.access {
            Access::Folder => "subpath",
            Access::File if place.path == Path::new("/dev/pts") => "subpath",
            Access::File => "literal",
        };
        let _ = writeln!(text, "  ({word} {})", quoted(&place.path));
    }
    // Terminals have names of their own there.
    text.push_str("  (regex #\"^/dev/(tty|fd/|stdout|stderr|dtracehelper)\"))\n");
    if !fence.hidden.is_empty() {
        text.push_str("(deny file-read-data\n");
        for place in &fence.hidden {
            let _ = writeln!(text, "  (subpath {})", quoted(place));
        }
        text.push_str(")\n");
    }
    text
}

fn quoted(path: &Path) -> String {
    let text = path.to_string_lossy().replace('\\', "\\\\").replace('"', "\\\"");
    format!("\"{text}\"")
}

#[cfg(test)]
mod tests {
    use crate::{Fence, Surroundings, Wishes};

    #[test]
    fn the_profile_names_what_is_open_and_nothing_else() {
        let tmp = tempfile::tempdir().unwrap();
        let base = tmp.path().canonicalize().unwrap();
        let root = base.join("a \"project\"");
        std::fs::create_dir_all(&root).unwrap();
        let around = Surroundings::bare(&root, &base.join("home"), &base.join("state"));
        let mut fence = Fence::of(&around, &Wishes::default()).unwrap();
        fence.hidden = vec![base.join("home/.ssh")];
        let text = super::profile(&fence);
        assert!(text.starts_with("(version 1)\n(allow default)\n(deny file-write*)\n"), "{text}");
        assert!(text.contains("(literal \"/dev/null\")"), "{text}");
        assert!(text.contains("(deny file-read-data\n"), "{text}");
        assert_eq!(text.matches('(').count(), text.matches(')').count(), "{text}");
    }
}
