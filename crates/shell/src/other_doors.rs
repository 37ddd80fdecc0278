//! Files and secrets through other doors: tools that delete or copy beside what they are for, containers that are given a home folder,
//! keys in plain sight on their way to another machine.

use crate::findings::Weight;
use crate::options::Options;
use crate::value::{Arg, Data};
use crate::verdict::Place;
use crate::walk::Walk;
use std::path::Path;

/// The files that a compose command reads when none is named.
const COMPOSE_FILES: &[&str] =
    &["compose.yaml", "compose.yml", "docker-compose.yaml", "docker-compose.yml", "compose.override.yml"];
/// A compose file is small.
const MAX_COMPOSE: u64 = 256 * 1024;

impl Walk<'_> {
    /// `cmake -E rm …`: the shell commands that cmake brings along.
    pub(crate) fn cmake_tool(&mut self, argv: &[Arg], stdin: &Data) -> Option<Data> {
        let tool = argv.get(2)?.text.clone();
        let rest = &argv[3..];
        let like = |words: &[&str]| -> Vec<Arg> {
            words.iter().map(|word| Arg::new(*word)).chain(rest.iter().cloned()).collect()
        };
        let argv = match tool.as_str() {
            "rm" => like(&["rm"]),
            "remove" => like(&["rm", "-f"]),
            "remove_directory" => like(&["rm", "-rf"]),
            "copy"
            | "copy_if_different"
            | "copy_if_newer"
            | "copy_directory"
            | "copy_directory_if_different" => like(&["cp", "-r"]),
            "rename" => like(&["mv"]),
            "touch" | "touch_nocreate" => like(&["touch"]),
            "make_directory" => like(&["mkdir", "-p"]),
            "create_symlink" => like(&["ln", "-sf"]),
            "create_hardlink" => like(&["ln", "-f"]),
            "tar" => like(&["tar"]),
            "env" => like(&["env"]),
            "time" => rest.to_vec(),
            "chdir" => {
                let outer = self.cwd.clone();
                self.cwd = self.file_key(rest.first()?);
                let out = self.run(&rest[1..], stdin.clone());
                self.cwd = outer;
                return Some(out);
            }
            _ => return None,
        };
        Some(self.run(&argv, stdin.clone()))
    }

    /// `python -m zipfile -e ARCHIVE FOLDER`, `tarfile -e`: unpacks like `tar`.
    pub(crate) fn python_unpacks(&mut self, args: &[Arg], stdin: &Data) -> bool {
        let options = Options::of(args, &["-e", "--extract"]);
        let Some(archive) = options.values(&["-e", "--extract"]).next().cloned() else { return false };
        let folder = options.words.first().cloned().unwrap_or_else(|| Arg::new("."));
        self.run(&[Arg::new("tar"), Arg::new("-xf"), archive, Arg::new("-C"), folder], stdin.clone());
        true
    }

    /// A task runner that is told which shell to use, or given a command of its own.
    pub(crate) fn told_shell(&mut self, name: &str, argv: &[Arg], stdin: &Data, about: &str) {
        if name == "just"
            && let Some(at) = argv.iter().position(|arg| matches!(arg.text.as_str(), "-c" | "--command"))
        {
            self.run(&argv[at + 1..], stdin.clone());
        }
        let (mut given, mut takes_next) = (Vec::new(), false);
        for arg in &argv[1..] {
            if std::mem::take(&mut takes_next) {
                given.push(arg.text.clone());
            } else if matches!(arg.text.as_str(), "--shell" | "--script-shell") {
                takes_next = true;
            } else if let Some(value) = ["--shell=", "--script-shell=", "SHELL="]
                .iter()
                .find_map(|start| arg.text.strip_prefix(start))
            {
                given.push(value.to_owned());
            }
        }
        for shell in given.iter().filter(|shell| !is_usual_shell(shell)) {
            self.probe_script(shell, "the shell of a task runner");
            self.found.unknown(
                Weight::Ask,
                "environment_changes_program",
                "tells a task runner to use another program as its shell",
                about,
            );
        }
    }

    /// What a compose file mounts: a container that gets the home folder, the system or all rights is no container.
    pub(crate) fn compose(&mut self, options: &Options, about: &str) {
        let Some(folder) = self.cwd.clone().filter(|_| !self.remote) else { return };
        let named: Vec<String> = options.values(&["-f", "--file"]).map(|file| file.text.clone()).collect();
        let names: Vec<&str> = match named.is_empty() {
            true => COMPOSE_FILES.to_vec(),
            false => named.iter().map(String::as_str).collect(),
        };
        for name in names {
            let path = if name.starts_with('/') { name.to_owned() } else { format!("{folder}/{name}") };
            let Some(text) = self.ctx.files.read_small(Path::new(&path), MAX_COMPOSE) else { continue };
            if self.compose_reaches_out(&text) {
                self.found.verdict.leaves_project = true;
                self.found.unknown(
                    Weight::Ask,
                    "container_reaches_out",
                    format!("`{name}` gives a container files or rights of this machine"),
                    about,
                );
            }
        }
    }

    fn compose_reaches_out(&self, text: &str) -> bool {
        text.lines().map(str::trim).filter(|line| !line.starts_with('#')).any(|line| {
            if matches!(line, "privileged: true" | "pid: host" | "userns_mode: host" | "pid: \"host\"") {
                return true;
            }
            let is_long = ["source:", "device:", "- source:"].iter().any(|name| line.starts_with(name));
            let apart = |c: char| c.is_whitespace() || matches!(c, '[' | ']' | ',' | '"' | '\'');
            line.split(apart).any(|word| {
                let home = self.ctx.home.to_string_lossy();
                let word = ["${HOME}", "$HOME", "~"]
                    .iter()
                    .find_map(|name| word.strip_prefix(name))
                    .map_or_else(|| word.to_owned(), |rest| format!("{home}{rest}"));
                let source = match word.split_once(':') {
                    Some((source, _)) => source,
                    None if is_long => word.as_str(),
                    None => return false,
                };
                source.starts_with('/') && self.is_more_than_a_folder(source)
            })
        })
    }

    /// The whole machine, a whole home, or what runs and steers.
    fn is_more_than_a_folder(&self, path: &str) -> bool {
        let bare = path.trim_end_matches('/');
        let is_all = matches!(bare, "" | "/home" | "/root" | "/etc" | "/usr")
            || bare == self.ctx.home.to_string_lossy();
        let place = self.place_of(&Arg::new(bare.to_owned())).1;
        is_all || matches!(place, Place::StartupFile | Place::AgentSettings | Place::VibState | Place::Home)
    }

    /// A container of somebody else's image is handed what a secret file holds.
    pub(crate) fn secret_to_image(&mut self, options: &Options, taint_secret: bool, about: &str) {
        let from = options.words.iter().position(|word| matches!(word.text.as_str(), "run" | "create"));
        let image = from.and_then(|at| options.words.get(at + 1)).map(|image| image.text.clone());
        let pushes = options.has(&["--push"])
            || options.values(&["-t", "--tag"]).any(|tag| self.is_foreign_image(&tag.text));
        if taint_secret && (image.is_some_and(|image| self.is_foreign_image(&image)) || pushes) {
            self.sends(true, about);
        }
    }

    /// An image that somebody else made: it has a registry or an owner, and that is not the owner of this repository.
    fn is_foreign_image(&self, image: &str) -> bool {
        let Some((owner, _)) = image.rsplit_once('/') else { return false };
        let owner = owner.rsplit('/').next().unwrap_or(owner);
        let config = self.ctx.project_root.join(".git/config");
        let remotes = self.ctx.files.read_small(&config, 64 * 1024).unwrap_or_default().to_lowercase();
        let owner = owner.to_lowercase();
        let is_ours = remotes.contains(&format!("/{owner}/")) || remotes.contains(&format!(":{owner}/"));
        !is_ours && !matches!(owner.as_str(), "library" | "localhost") && !image.starts_with("localhost")
    }

    /// Another machine's containers: nothing there comes back with a checkpoint.
    pub(crate) fn is_other_machine(&self, options: &Options) -> bool {
        let far = |host: &str| {
            ["ssh://", "tcp://", "http://", "https://"]
                .iter()
                .any(|scheme| host.strip_prefix(scheme).is_some_and(|rest| !crate::net::is_loopback(rest)))
        };
        let variable = self.vars.get("DOCKER_HOST").and_then(|values| values.last());
        options.values(&["-H", "--host"]).any(|host| far(&host.text))
            || options.values(&["--context", "-c"]).any(|context| {
                !matches!(
                    context.text.as_str(),
                    "default" | "desktop-linux" | "colima" | "orbstack" | "rootless"
                )
            })
            || variable.is_some_and(|host| far(&host.text))
    }

    /// Words of an unknown program or a script that say "take it away", and a folder outside the project.
    pub(crate) fn loses_outside(&mut self, argv: &[Arg], about: &str) {
        let own = argv.first().map_or("", |arg| arg.text.rsplit('/').next().unwrap_or_default());
        let own = own.rsplit_once('.').map_or(own, |(stem, _)| stem);
        let words = argv.iter().skip(1).map(|arg| arg.text.trim_start_matches('-'));
        let says = std::iter::once(own).chain(words.take(4)).any(crate::verbs::takes_away);
        if !says {
            return;
        }
        let outside =
            argv.iter().skip(1).filter(|arg| arg.text.starts_with(['/', '~']) || arg.text.starts_with("../"));
        let outside: Vec<String> = outside
            .filter(|arg| matches!(self.place_of(arg).1, Place::Outside | Place::Home))
            .map(|arg| arg.text.clone())
            .collect();
        if let Some(path) = outside.first() {
            self.found.loses(false);
            self.found.verdict.leaves_project = true;
            self.found.unknown(
                Weight::Ask,
                "unknown_loss",
                format!("by its words, it takes away something outside the project: {path}"),
                about,
            );
        }
    }

    /// Files that a command writes by name, without more to be said about it: whoever protects one of them wants to know.
    pub(crate) fn writes_named<'w>(&mut self, words: impl Iterator<Item = &'w Arg>) {
        let named: Vec<Arg> =
            words.filter(|word| word.known() && !word.text.starts_with('-')).take(200).cloned().collect();
        for word in named {
            let (path, place) = self.place_of(&word);
            if place == Place::Project
                && self.ctx.files.kind(Path::new(&path)) == Some(crate::context::Kind::File)
            {
                self.found.wrote(&path, place);
            }
        }
    }

    /// A formatter that writes the files it is given.
    pub(crate) fn formats(&mut self, program: &str, options: &Options) {
        let writes = match program {
            "prettier" => options.has(&["--write", "-w"]),
            "black" | "isort" | "rustfmt" | "autoflake" | "pyupgrade" | "standard" | "sort-package-json" => {
                !options.has(&["--check", "--diff", "--check-only"])
            }
            "gofmt" | "goimports" | "shfmt" => options.has(&["-w", "--write"]),
            "clang-format" | "autopep8" | "yapf" => options.has(&["-i", "--in-place"]),
            "eslint" | "stylelint" | "markdownlint" | "biome" | "oxlint" | "rubocop" => {
                options.has(&["--fix", "--write", "--apply", "-a", "-A", "--autocorrect"])
            }
            "ruff" => options.word(0) == "format" || options.has(&["--fix"]),
            _ => false,
        };
        if writes {
            self.writes_named(options.words.iter());
        }
    }

    /// A secret file that a request reads through any option: a cookie, a header, a variable, a list of addresses.
    pub(crate) fn request_reads_secret(&mut self, name: &str, options: &Options) -> bool {
        const WRITTEN: &[&str] = &[
            "-o",
            "--output",
            "-O",
            "--output-document",
            "-c",
            "--cookie-jar",
            "-D",
            "--dump-header",
            "--trace",
            "--trace-ascii",
            "--stderr",
            "-a",
            "--append-output",
            "-P",
            "--directory-prefix",
            "--output-dir",
            "--output-file",
            "-w",
            "--write-out",
        ];
        // What certificates and logins are for.
        const MEANT: &[&str] =
            &["--cacert", "-E", "--cert", "--key", "--certificate", "--private-key", "--ca-certificate"];
        let mut found = false;
        let values: Vec<(String, Arg)> =
            options.flags.iter().filter_map(|(flag, value)| Some((flag.clone(), value.clone()?))).collect();
        for (flag, value) in values {
            let is_log = name == "wget" && flag == "-o";
            if WRITTEN.contains(&flag.as_str()) || MEANT.contains(&flag.as_str()) || is_log {
                continue;
            }
            let text = value.text.as_str();
            let parts = [text.rsplit('@').next().unwrap_or(text), text.rsplit("=<").next().unwrap_or(text)];
            let netrc = text.ends_with("netrc");
            found |= parts.iter().any(|part| {
                let file = part.split([';', ',']).next().unwrap_or(part);
                !netrc
                    && !file.is_empty()
                    && file.len() < 300
                    && !file.contains([' ', '=', ':'])
                    && crate::secret_files::is_secret(file)
                    && self.read_file(&value.with_text(file)).taint.secret
            });
        }
        found
    }
}

/// A shell that everybody has.
fn is_usual_shell(shell: &str) -> bool {
    let name = shell.split_whitespace().next().unwrap_or_default();
    let (folder, name) = name.rsplit_once('/').unwrap_or(("", name));
    matches!(folder, "" | "/bin" | "/usr/bin" | "/usr/local/bin" | "/opt/homebrew/bin")
        && matches!(
            name,
            "sh" | "bash"
                | "zsh"
                | "dash"
                | "fish"
                | "ksh"
                | "nu"
                | "pwsh"
                | "powershell"
                | "cmd"
                | "cmd.exe"
                | "env"
        )
}

/// Beginnings of keys that open something, and how long what follows has to be.
const KEYS: &[(&str, usize)] = &[
    ("sk-ant-", 20),
    ("sk-proj-", 20),
    ("sk-", 32),
    ("sk_live_", 16),
    ("rk_live_", 16),
    ("ghp_", 30),
    ("gho_", 30),
    ("ghu_", 30),
    ("ghs_", 30),
    ("ghr_", 30),
    ("github_pat_", 30),
    ("glpat-", 18),
    ("xoxb-", 20),
    ("xoxp-", 20),
    ("xoxa-", 20),
    ("xapp-", 20),
    ("AKIA", 16),
    ("ASIA", 16),
    ("AIza", 30),
    ("npm_", 30),
    ("pypi-AgE", 40),
    ("hf_", 30),
    ("dop_v1_", 40),
    ("shpat_", 30),
    ("AGE-SECRET-KEY-", 40),
];

/// Whether a text holds, in plain sight, a key that opens something. Looks at the shape alone; examples and placeholders are none.
pub fn holds_live_key(text: &str) -> bool {
    if text.contains("PRIVATE KEY-----") && text.contains("-----BEGIN") {
        return true;
    }
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    text.split(|c: char| !is_part(c)).filter(|word| word.len() >= 20).any(|word| {
        KEYS.iter().any(|(start, least)| {
            word.strip_prefix(start).is_some_and(|rest| {
                let lower = rest.to_ascii_lowercase();
                rest.len() >= *least
                    && rest.contains(|c: char| c.is_ascii_digit())
                    && rest.contains(|c: char| c.is_ascii_alphabetic())
                    && ![
                        "example",
                        "xxxx",
                        "placeholder",
                        "your",
                        "0000",
                        "1234567890123",
                        "dummy",
                        "redacted",
                    ]
                    .iter()
                    .any(|word| lower.contains(word))
            })
        })
    })
}

#[cfg(test)]
mod tests {
    use super::holds_live_key;

    #[test]
    fn keys_by_their_shape_m4() {
        for key in [
            "https://evil.example/?k=sk-proj-Ab3dEf6hIj9kLm2nOp5qRs8tUv1wXy4z",
            "token=ghp_1a2B3c4D5e6F7g8H9i0J1k2L3m4N5o6P7q8R",
            "aws=AKIAIOSFODNN7REALKEY&x",
        ] {
            assert!(holds_live_key(key), "{key}");
        }
        for none in [
            "AKIAIOSFODNN7EXAMPLE",
            "sk-test placeholder",
            "ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
            "9fceb02d0ae598e95dc970b74767f19372d61af8",
            "npm_config_registry_of_a_long_name_without_digits",
        ] {
            assert!(!holds_live_key(none), "{none}");
        }
    }
}
