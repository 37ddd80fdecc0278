//! Programs that run another program: `sudo`, `timeout`, `env -S`, `flock -c`.

use crate::findings::Weight;
use crate::known::is_assignment;
use crate::options::Options;
use crate::run::with_arguments;
use crate::table::{Effect, Entry};
use crate::value::{Arg, Data, Taint};
use crate::verdict::Decision;
use crate::walk::Walk;

impl Walk<'_> {
    /// A program that runs another one. `None` when there is no other one.
    pub(crate) fn wrapper(
        &mut self,
        entry: &Entry<'_>,
        argv: &[Arg],
        stdin: &Data,
        about: &str,
    ) -> Option<Data> {
        let wraps = entry.wraps?;
        for effect in &entry.effects {
            if *effect == Effect::Privilege {
                self.effect(Effect::Privilege, argv, &Options::default(), Taint::default(), stdin, about);
            }
        }
        let mut at = 1;
        let mut skip = wraps.skip;
        let mut scripts = Vec::new();
        let outer = self.cwd.clone();
        while at < argv.len() {
            let text = argv[at].text.as_str();
            if text == "--" {
                at += 1;
                if skip == 0 {
                    break;
                }
            } else if text.starts_with('-') && text.len() > 1 {
                let sorted = Options::of(&argv[at..argv.len().min(at + 2)], &entry.valued);
                scripts.extend(sorted.values(&entry.scripts).cloned());
                for file in sorted.values(&entry.outputs).cloned().collect::<Vec<_>>() {
                    self.writes(&file, "output file");
                }
                if let Some(folder) = sorted.values(&entry.folders).next() {
                    self.cwd = folder
                        .known()
                        .then(|| crate::place::absolute(&folder.text, self.cwd.as_deref()))
                        .flatten()
                        .map(|path| crate::place::normalise(&path));
                }
                let takes_next = !text.contains('=')
                    && sorted.at.is_empty()
                    && sorted.flags.iter().any(|(_, value)| value.is_some())
                    && takes_value(text, &entry.valued);
                at += 1 + usize::from(takes_next);
            } else if text == "-" {
                at += 1;
            } else if wraps.env && is_assignment(text) {
                if let Some((name, value)) = text.split_once('=') {
                    self.environment(name, &argv[at].with_text(value));
                }
                at += 1;
            } else if skip > 0 {
                skip -= 1;
                at += 1;
            } else {
                break;
            }
        }
        // `su root -c 'script'` and `flock file -c 'script'`: the option may come after the words.
        let rest = &argv[at.min(argv.len())..];
        if scripts.is_empty()
            && !entry.scripts.is_empty()
            && rest.first().is_some_and(|arg| entry.scripts.contains(&arg.text.as_str()))
        {
            scripts.extend(rest.get(1).cloned());
        } else if scripts.is_empty() && wraps.joined && !rest.is_empty() {
            let text = rest.iter().map(|arg| arg.text.as_str()).collect::<Vec<_>>().join(" ");
            scripts.push(Arg { text, ..Arg::default() });
        } else if !rest.is_empty() && scripts.is_empty() {
            if entry.effects.contains(&Effect::Privilege) {
                self.takes_packages_away(rest, about);
            }
            let out = self.run(rest, stdin.clone());
            self.cwd = outer;
            // Which of its options take a value is not known of every wrapper: what looks like a command is one.
            if at > 1 {
                self.suspects(argv, about);
            }
            return Some(out);
        }
        if scripts.is_empty() {
            self.cwd = outer;
            return None;
        }
        let mut out = Data::default();
        for script in scripts {
            let text = with_arguments(&script.text, if wraps.env { rest } else { &[] });
            let data = Data::text(text).tainted(script.taint);
            out = self.script_data(&data, stdin.clone(), about);
        }
        self.cwd = outer;
        Some(out)
    }

    /// `sudo pip uninstall -y x`: with more rights these are the machine's own packages.
    fn takes_packages_away(&mut self, argv: &[Arg], about: &str) {
        const TOOLS: &[&str] =
            &["pip", "pip3", "npm", "pnpm", "yarn", "gem", "cpan", "conda", "luarocks", "cargo"];
        let is_tool = argv
            .first()
            .is_some_and(|program| TOOLS.contains(&program.text.rsplit('/').next().unwrap_or_default()));
        if is_tool
            && argv.iter().skip(1).any(|word| matches!(word.text.as_str(), "uninstall" | "remove" | "rm"))
        {
            self.found.add(Weight::Ask, "changes_machine", "changes this machine outside the project", about);
        }
    }

    /// Arguments that would be asked about if they were a command of their own.
    pub(crate) fn suspects(&mut self, argv: &[Arg], about: &str) {
        self.suspects_but(argv, &[], about);
    }

    /// The same, with reasons that do not count: what a container changes is the container.
    pub(crate) fn suspects_but(&mut self, argv: &[Arg], harmless: &[&str], about: &str) {
        if self.found.verdict.decision < Decision::Ask && self.ends_in_harm_but(argv, harmless) {
            self.found.loses(false);
            self.found.unknown(
                Weight::Ask,
                "unknown_wrapper",
                "a program that may run a harmful command from its arguments",
                about,
            );
        }
    }
}

/// Whether this option, as written, uses the next argument as its value.
fn takes_value(text: &str, valued: &[&str]) -> bool {
    if valued.contains(&text) {
        return true;
    }
    if text.starts_with("--") {
        return false;
    }
    // In a cluster the first option with a value takes the rest, or the next argument when nothing is left.
    for (at, c) in text.char_indices().skip(1) {
        if valued.contains(&format!("-{c}").as_str()) {
            return at + c.len_utf8() == text.len();
        }
    }
    false
}
