//! Typing into terminals that are open already: what the keys do there is code that nobody can see. Whoever opened the terminal may be
//! a person, with a shell that no hook watches.

use crate::findings::Weight;
use crate::value::{Arg, Data};
use crate::walk::Walk;

/// Programs that can do nothing else.
const TYPISTS: &[&str] =
    &["reptyr", "writevt", "ttyecho", "ttywrite", "dotool", "ydotool", "wtype", "conspy"];
/// Sub-commands of tmux with their short names: they type, or leave something that runs later in whatever is open.
const TMUX: &[&str] = &[
    "send-keys",
    "send",
    "send-prefix",
    "paste-buffer",
    "pasteb",
    "source-file",
    "source",
    "set-hook",
    "bind-key",
    "bind",
    "pipe-pane",
    "pipep",
];
/// Options of tmux before the sub-command that take a value.
const TMUX_VALUED: &[&str] = &["-L", "-S", "-f", "-c", "-T"];
/// Options of tmux's own that say what runs in whatever is opened next.
const TMUX_SETTINGS: &[&str] =
    &["default-command", "default-shell", "update-environment", "lock-command", "editor"];

impl Walk<'_> {
    /// Says so if a command types into something that this line did not open itself.
    pub(crate) fn types_elsewhere(&mut self, name: &str, argv: &[Arg], stdin: &Data, about: &str) {
        let args = &argv[1..];
        let has = |list: &[&str]| args.iter().any(|arg| list.contains(&arg.text.as_str()));
        let types = match name {
            "tmux" | "byobu" => self.tmux_types(args),
            "kitty" | "kitten" => {
                args.first().is_some_and(|arg| arg.text == "@")
                    && has(&["send-text", "send-key", "set-user-vars", "load-config", "action"])
            }
            "wezterm" => has(&["cli"]) && has(&["send-text"]),
            "screen" => {
                has(&["-X"]) && has(&["stuff", "paste", "readbuf", "exec", "source", "bindkey", "register"])
            }
            "zellij" => has(&["action", "ac"]) && has(&["write", "write-chars", "paste"]),
            "dtach" => has(&["-p"]),
            "vim" | "gvim" | "mvim" | "nvim" | "vi" | "nvr" | "emacsclient" => args.iter().any(|arg| {
                arg.text.starts_with("--remote")
                    || matches!(arg.text.as_str(), "-e" | "--eval" | "-es") && name == "emacsclient"
            }),
            _ => TYPISTS.contains(&name) && !args.is_empty(),
        };
        if types {
            // What is fed in is typed, too.
            let _ = stdin;
            self.found.unknown(
                Weight::Ask,
                "types_elsewhere",
                "types into a terminal or a program that is open already, where nobody can see what it does",
                about,
            );
        }
        // `abduco -A NAME COMMAND…`, `dtach -n SOCKET COMMAND…`: a command of its own.
        if matches!(name, "abduco" | "dtach")
            && let Some(at) =
                args.iter().position(|arg| matches!(arg.text.as_str(), "-A" | "-c" | "-n" | "-N"))
            && args.len() > at + 2
        {
            let command: Vec<Arg> =
                args[at + 2..].iter().skip_while(|arg| arg.text.starts_with('-')).cloned().collect();
            if !command.is_empty() {
                self.run(&command, Data::default());
            }
        }
    }

    fn tmux_types(&mut self, args: &[Arg]) -> bool {
        let mut at = 0;
        while let Some(arg) = args.get(at).filter(|arg| arg.text.starts_with('-')) {
            at += 1 + usize::from(TMUX_VALUED.contains(&arg.text.as_str()));
        }
        let Some(command) = args.get(at) else { return false };
        let rest = &args[at + 1..];
        let after = |flags: &[&str]| {
            rest.windows(2)
                .find(|pair| flags.contains(&pair[0].text.as_str()))
                .map(|pair| pair[1].text.clone())
        };
        let rest: Vec<Arg> = rest.to_vec();
        let rest = rest.as_slice();
        match command.text.as_str() {
            "new-session" | "new" | "new-window" | "neww" => {
                self.opened.extend(after(&["-s", "-n"]));
                false
            }
            "set-option" | "set" | "set-window-option" | "setw" => {
                rest.iter().any(|arg| TMUX_SETTINGS.iter().any(|name| arg.text.starts_with(name)))
            }
            // `-t NAME:window.pane`: what this very line opened is its own.
            "send-keys" | "send" => {
                let target = after(&["-t"]).unwrap_or_default();
                let session = target.split([':', '.']).next().unwrap_or_default().trim_start_matches('=');
                // What this very line opened is its own; so is, as far as a name tells, a session for a job. A number is whatever is open.
                let is_own = self.opened.iter().any(|own| own == session);
                let is_named = session.starts_with(|c: char| c.is_ascii_alphabetic());
                !(is_own || is_named && self.types_what_is_known(rest, &target))
            }
            other => TMUX.contains(&other),
        }
    }

    /// Keys that end or scroll something, and command lines of programs that are known, which nobody would be asked about.
    fn types_what_is_known(&mut self, words: &[Arg], target: &str) -> bool {
        words.iter().filter(|word| word.text != target && !word.text.starts_with('-')).all(|word| {
            let first = word.text.split_whitespace().next().unwrap_or_default();
            is_key(&word.text)
                || crate::run::is_known(first)
                    && first != "vib"
                    && !crate::run::is_harm(&self.probed(|walk| {
                        walk.script(&word.text, Data::default());
                    }))
        })
    }
}

/// The name of a key, as tmux spells it.
fn is_key(text: &str) -> bool {
    const KEYS: &[&str] = &[
        "Enter", "C-m", "C-c", "C-d", "C-l", "C-z", "Escape", "Space", "Tab", "Up", "Down", "Left", "Right",
        "PageUp", "PageDown", "PgUp", "PgDn", "Home", "End", "BSpace", "q", "y", "n",
    ];
    KEYS.contains(&text)
}
