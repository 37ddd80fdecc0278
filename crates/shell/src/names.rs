//! Listings: output that consists of names of files below the current folder.
//!
//! `git ls-files | xargs sed -i ...` and `for f in $(find . -name '*.bak')` do not say which files they touch, but they say
//! where: inside. Without this every such line would touch "something unknown", and people would be asked for nothing.

use crate::options::Options;
use crate::value::{Arg, Data};
use crate::verdict::Place;
use crate::walk::Walk;

/// Stands for one of the listed names.
const LISTED: &str = "listed-file";

/// Programs that pass on some of the lines they read.
const PASS_ON: &[&str] =
    &["grep", "egrep", "fgrep", "rg", "sort", "uniq", "shuf", "head", "tail", "cat", "tac", "tee"];

impl Walk<'_> {
    /// Whether the output of this command is a list of names inside the project.
    pub(crate) fn lists_names(&self, name: &str, argv: &[Arg], stdin: &Data) -> bool {
        let args = &argv[1..];
        if args.iter().any(|arg| self.points_outside(arg)) {
            return false;
        }
        let has = |names: &[&str]| args.iter().any(|arg| names.contains(&arg.text.as_str()));
        let only_names = || {
            has(&["--files-with-matches", "--files-without-match", "--files", "--name-only"])
                || args.iter().any(|arg| {
                    let letters = arg.text.strip_prefix('-').unwrap_or_default();
                    !letters.starts_with('-') && letters.contains(['l', 'L']) && letters.len() < 6
                })
        };
        let lists = match name {
            "find" => !has(&["-exec", "-execdir", "-printf", "-L", "-follow", "-ls"]),
            "fd" | "fdfind" => !has(&["-x", "-X", "--exec", "--exec-batch", "-L", "--follow"]),
            "ls" => !args.iter().any(|arg| arg.text.starts_with('-') && arg.text.contains(['l', 'i', 's'])),
            "grep" | "egrep" | "fgrep" | "rg" | "ag" | "ack" => only_names(),
            "git" => match argv.get(1).map(|arg| arg.text.as_str()) {
                Some("ls-files") => !has(&["-s", "--stage"]),
                Some("diff" | "show" | "log" | "diff-tree" | "diff-index") => has(&["--name-only"]),
                Some("grep") => only_names(),
                _ => false,
            },
            _ => false,
        };
        lists || stdin.names && PASS_ON.contains(&name) && Options::of(args, &["-n", "-c"]).words.len() <= 1
    }

    fn points_outside(&self, arg: &Arg) -> bool {
        let path =
            arg.text.starts_with(['/', '~']) || arg.text.starts_with("..") || arg.text.contains("/../");
        !arg.known() || path && !matches!(self.place_of(arg).1, Place::Project | Place::ProjectRoot)
    }
}

impl Data {
    /// One of the lines that flow here, as far as it is known: a hole, or a name inside the project.
    pub(crate) fn one_line(&self) -> Arg {
        let arg = if self.names { Arg::new(LISTED) } else { Arg::hole() };
        Arg { taint: self.taint, ..arg }
    }
}
