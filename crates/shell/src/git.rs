//! `git`: what a checkpoint covers (files of the work tree), what it does not (history, stashes, branches, remotes), and
//! the many settings through which git runs programs.

use crate::findings::Weight;
use crate::options::Options;
use crate::value::{Arg, Data};
use crate::walk::Walk;

/// Settings whose value git runs.
const RUNS_VALUE: &[&str] = &[
    "core.pager",
    "core.editor",
    "core.fsmonitor",
    "core.sshcommand",
    "core.gitproxy",
    "core.askpass",
    "core.hookspath",
    "diff.external",
    "sequence.editor",
    "credential.helper",
    "gpg.program",
    "gpg.ssh.program",
    "uploadpack.packobjectshook",
    "web.browser",
    "interactive.difffilter",
    "core.alternaterefscommand",
    "protocol.ext.allow",
    "ssh.variant",
    "init.templatedir",
    "man.viewer",
];

/// Sub-commands that only look.
const READS: &[&str] = &[
    "status",
    "log",
    "diff",
    "show",
    "blame",
    "annotate",
    "rev-parse",
    "rev-list",
    "ls-files",
    "ls-tree",
    "cat-file",
    "describe",
    "shortlog",
    "grep",
    "version",
    "help",
    "name-rev",
    "merge-base",
    "cherry",
    "whatchanged",
    "show-ref",
    "for-each-ref",
    "count-objects",
    "check-ignore",
    "check-attr",
    "var",
    "diff-tree",
    "diff-index",
    "diff-files",
    "range-diff",
    "verify-commit",
    "verify-tag",
    "fsck",
    "get-tar-commit-id",
    "show-branch",
    "merge-tree",
    "ls-remote",
    "patch-id",
    "stripspace",
    "check-ref-format",
    "column",
    "interpret-trailers",
    "request-pull",
    "difftool",
    "bugreport",
    "diagnose",
    "verify-pack",
    "archive",
];

/// Sub-commands that add or change files and commits, all of which stay reachable.
const WRITES: &[&str] = &[
    "add",
    "commit",
    "init",
    "clone",
    "fetch",
    "pull",
    "merge",
    "cherry-pick",
    "revert",
    "am",
    "apply",
    "format-patch",
    "notes",
    "mv",
    "bundle",
    "maintenance",
    "pack-refs",
    "repack",
    "write-tree",
    "commit-tree",
    "mktree",
    "hash-object",
    "read-tree",
    "checkout-index",
    "sparse-checkout",
    "lfs",
    "bisect",
    "rebase",
    "rm",
    "stage",
    "unpack-objects",
    "index-pack",
    "mergetool",
    "rerere",
    "flow",
    "svn",
    "imap-send",
    "send-email",
    "credential",
    "update-index",
    "fetch-pack",
    "fast-export",
    "gui",
    "citool",
    "instaweb",
    "daemon",
    "subtree",
    "submodule",
    "worktree",
    "config",
    "remote",
    "tag",
    "branch",
    "stash",
    "switch",
    "checkout",
    "restore",
    "reset",
    "clean",
    "push",
    "gc",
    "prune",
    "reflog",
    "filter-branch",
    "filter-repo",
    "replace",
    "update-ref",
    "symbolic-ref",
    "delete-branch",
    "fast-import",
    "quiltimport",
    "p4",
    "update-server-info",
    "http-push",
    "send-pack",
    "shell",
    "crypt",
];

const GLOBAL_VALUED: &[&str] = &[
    "-C",
    "-c",
    "--git-dir",
    "--work-tree",
    "--namespace",
    "--exec-path",
    "--config-env",
    "--super-prefix",
    "--attr-source",
];

impl Walk<'_> {
    /// Judges a git command.
    pub(crate) fn git(&mut self, argv: &[Arg], stdin: &Data, about: &str) -> Data {
        let mut at = 1;
        let mut aliases: Vec<(String, String)> = self.ctx.git_aliases.clone();
        let mut settings: Vec<(String, Arg)> = Vec::new();
        let mut elsewhere = false;
        while at < argv.len() && argv[at].text.starts_with('-') {
            let sorted = Options::of(&argv[at..argv.len().min(at + 2)], GLOBAL_VALUED);
            let text = argv[at].text.as_str();
            for (flag, value) in &sorted.flags {
                let Some(value) = value else { continue };
                match flag.as_str() {
                    "-c" | "--config-env" => {
                        let (name, setting) = value.text.split_once('=').unwrap_or((&value.text, ""));
                        let name = name.to_lowercase();
                        if let Some(alias) = name.strip_prefix("alias.") {
                            aliases.insert(0, (alias.to_owned(), setting.to_owned()));
                        }
                        settings.push((name, value.with_text(setting)));
                    }
                    "-C" => {
                        elsewhere |= !matches!(
                            self.place_of(value).1,
                            crate::verdict::Place::Project | crate::verdict::Place::ProjectRoot
                        );
                    }
                    "--git-dir" | "--work-tree" | "--exec-path" => elsewhere = true,
                    _ => {}
                }
            }
            let separate = GLOBAL_VALUED.contains(&text);
            at += 1 + usize::from(separate);
        }
        self.git_settings(&settings, about);
        let Some(command) = argv.get(at) else {
            return Data::unknown(stdin.taint);
        };
        let name = command.text.as_str();
        let args = &argv[at + 1..];
        if args.len() == 1 && matches!(args[0].text.as_str(), "--help" | "-h") {
            return Data::unknown(stdin.taint);
        }
        let builtin = READS.contains(&name) || WRITES.contains(&name);
        if !builtin && let Some((_, alias)) = aliases.iter().find(|(alias, _)| alias == name).cloned() {
            return self.git_alias(&alias, args, stdin);
        }
        if !command.known() {
            self.found.unknown(
                Weight::Ask,
                "unknown_command_name",
                "the git sub-command is only known when it runs",
                about,
            );
            return Data::unknown(stdin.taint);
        }
        if elsewhere && WRITES.contains(&name) {
            self.found.verdict.leaves_project = true;
        }
        self.git_command(name, args, &settings, elsewhere, about);
        let taint = args.iter().fold(stdin.taint, |taint, arg| taint.and(arg.taint));
        Data::unknown(taint)
    }

    fn git_settings(&mut self, settings: &[(String, Arg)], about: &str) {
        for (name, value) in settings {
            let runs = RUNS_VALUE.contains(&name.as_str())
                || name.ends_with(".textconv")
                || name.ends_with(".command")
                || name.ends_with(".cmd")
                || name.starts_with("filter.")
                || name.starts_with("url.")
                || name.starts_with("pager.")
                || (name.starts_with("credential.") && name.ends_with(".helper"));
            let harmless = matches!(
                value.text.as_str(),
                "" | "cat" | "less" | "true" | "false" | "never" | "0" | "1" | ":" | "vim" | "nano" | "vi"
            );
            if runs && !harmless {
                self.probe_script(value.text.trim_start_matches('!'), "a git setting");
                self.found.unknown(
                    Weight::Ask,
                    "git_setting_runs",
                    "a git setting that makes git run something",
                    about,
                );
            }
        }
    }

    fn git_alias(&mut self, alias: &str, args: &[Arg], stdin: &Data) -> Data {
        if !self.step(alias) {
            return Data::unknown(stdin.taint);
        }
        self.depth += 1;
        let text = match alias.strip_prefix('!') {
            Some(script) => crate::run::with_arguments(script, args),
            None => crate::run::with_arguments(&format!("git {alias}"), args),
        };
        let out = self.script(&text, stdin.clone());
        self.depth -= 1;
        out
    }

    /// Discards changes in the work tree: the checkpoint has them, unless it happens in another tree.
    fn git_discards(&mut self, elsewhere: bool, about: &str) {
        let covered = !elsewhere
            && !self.remote
            && !self.ctx.project_root.as_os_str().is_empty()
            && self
                .cwd
                .as_deref()
                .is_some_and(|cwd| std::path::Path::new(cwd).starts_with(&self.ctx.project_root));
        self.found.may_write();
        self.found.loses(covered);
        if covered {
            self.found.add(
                Weight::Covered,
                "git_discards_covered",
                "discards uncommitted changes; the checkpoint brings them back",
                about,
            );
        } else {
            self.found.add(
                Weight::Ask,
                "git_discards",
                "discards uncommitted changes that no checkpoint covers",
                about,
            );
        }
    }

    fn git_loses_history(&mut self, text: &str, about: &str) {
        self.found.may_write();
        self.found.verdict.history_rewrite = true;
        self.found.loses(false);
        self.found.add(Weight::Ask, "git_loses_history", text, about);
    }

    fn git_command(
        &mut self,
        name: &str,
        args: &[Arg],
        settings: &[(String, Arg)],
        elsewhere: bool,
        about: &str,
    ) {
        let setting = |key: &str| {
            settings.iter().find(|(name, _)| name == key).map(|(_, value)| value.text.to_lowercase())
        };
        let options = Options::of(args, valued(name));
        let has = |names: &[&str]| options.has(names);
        for arg in args {
            self.reads_secret_argument(arg);
        }
        if READS.contains(&name) {
            for file in options.values(&["--output", "-o"]).cloned().collect::<Vec<_>>() {
                if name != "grep" && name != "ls-files" {
                    self.writes(&file, "output file");
                }
            }
            if args.iter().any(|arg| {
                arg.text.starts_with("--upload-pa")
                    || arg.text.starts_with("--exec")
                    || arg.text.starts_with("ext::")
                    || arg.text.starts_with("--open-files-in-pager")
            }) {
                self.git_runs(&options, about);
            }
            self.found.verdict.network |= name == "ls-remote";
            return;
        }
        self.found.may_write();
        let dry = has(&["--dry-run"])
            || (has(&["-n"]) && matches!(name, "clean" | "push" | "add" | "rm" | "prune"));
        match name {
            "reset" => {
                if has(&["--hard", "--merge", "--keep"]) {
                    self.git_discards(elsewhere, about);
                }
            }
            "checkout" => self.git_checkout(args, &options, elsewhere, about),
            "switch" => {
                if has(&["-f", "--force", "--discard-changes"]) {
                    self.git_discards(elsewhere, about);
                } else if has(&["-C", "--force-create"]) {
                    self.git_loses_history("moves an existing branch", about);
                }
            }
            "restore" => {
                if !has(&["--staged", "-S"]) || has(&["--worktree", "-W"]) {
                    self.git_discards(elsewhere, about);
                }
            }
            "clean" => {
                let not_needed = setting("clean.requireforce")
                    .is_some_and(|value| matches!(value.as_str(), "false" | "no" | "off" | "0"));
                if !dry && (has(&["-f", "--force"]) || not_needed) {
                    if has(&["-x", "-X"]) {
                        self.found.loses(false);
                        self.found.add(
                            Weight::Ask,
                            "git_clean_ignored",
                            "deletes ignored files too, which a checkpoint may not hold",
                            about,
                        );
                    } else {
                        self.git_discards(elsewhere, about);
                    }
                }
            }
            "stash" => match options.word(0) {
                "drop" | "clear" => {
                    self.git_loses_history("discards stashed work, which no checkpoint holds", about);
                }
                "pop" | "apply" | "list" | "show" | "branch" => {}
                _ => {}
            },
            "branch" => {
                if has(&["-D", "-f", "--force", "-M", "-C"]) || has(&["-d", "--delete"]) && has(&["--force"])
                {
                    self.git_loses_history(
                        "deletes or moves a branch with work that may be nowhere else",
                        about,
                    );
                }
            }
            "tag" => {
                if has(&["-d", "--delete", "-f", "--force"]) {
                    self.git_loses_history("deletes or moves a tag", about);
                }
            }
            "push" => self.git_push(args, &options, dry, about),
            "gc" | "prune" | "repack" => {
                let now = |text: &str| {
                    matches!(text, "now" | "all" | "0" | "" | "immediate") || text.starts_with('0')
                };
                let pruned = options.flags.iter().any(|(flag, value)| {
                    flag.len() > 4
                        && ("--prune".starts_with(flag.as_str()) || "--expire".starts_with(flag.as_str()))
                        && value.as_ref().is_some_and(|value| now(&value.text))
                });
                let by_setting =
                    setting("gc.pruneexpire").is_some_and(|value| now(&value)) && !has(&["--no-prune"]);
                if !dry
                    && (name == "prune" && !options.flags.iter().any(|(_, value)| value.is_some())
                        || pruned
                        || by_setting)
                {
                    self.git_loses_history("removes what could still be recovered", about);
                }
            }
            "reflog" => {
                let acts = matches!(options.word(0), "expire" | "delete") && !dry;
                let soon = options.flags.iter().any(|(flag, _)| flag.starts_with("--expire"))
                    || options.word(0) == "delete";
                if acts && soon {
                    self.git_loses_history("removes what could still be recovered", about);
                }
            }
            "filter-branch" | "filter-repo" => {
                if !has(&["--dry-run", "--analyze"]) {
                    self.git_loses_history("rewrites the whole history", about);
                }
                self.git_runs(&options, about);
            }
            "update-ref" | "replace" | "fast-import" | "symbolic-ref" => {
                if has(&["-d", "--delete", "--stdin", "-f", "--force"]) || name == "fast-import" {
                    self.git_loses_history("changes where branches point behind git's back", about);
                }
            }
            "worktree" => {
                if options.word(0) == "remove" && has(&["-f", "--force"])
                    || options.word(0) == "remove"
                    || options.word(0) == "prune" && !dry
                {
                    self.found.loses(false);
                    self.found.add(Weight::Ask, "git_removes_worktree", "removes another work tree", about);
                }
            }
            "rebase" | "bisect" | "submodule" | "difftool" | "mergetool" => {
                self.git_runs(&options, about);
                if name == "submodule" && options.word(0) == "deinit" && has(&["-f", "--force"]) {
                    self.git_discards(true, about);
                }
            }
            "config" => self.git_config(args, &options, about),
            "remote" => {
                if matches!(options.word(0), "remove" | "rm" | "set-url" | "prune") {
                    self.found.add(
                        Weight::Ask,
                        "git_changes_remote",
                        "changes where this repository pushes to",
                        about,
                    );
                }
            }
            "rm" => {
                if !dry && !has(&["--cached"]) {
                    for path in &options.words {
                        self.deletes(path, has(&["-r"]));
                    }
                }
            }
            "clone" | "fetch" | "pull" => {
                self.found.verdict.network = true;
                self.git_runs(&options, about);
                if name != "clone"
                    && args
                        .iter()
                        .any(|arg| arg.text.starts_with('+') || arg.text == "--force" || arg.text == "-f")
                {
                    self.git_loses_history("overwrites local branches", about);
                }
                if name == "clone" && options.words.len() > 1 {
                    self.writes(&options.words[1].clone(), "clone");
                }
            }
            "lfs" | "svn" | "p4" | "crypt" | "flow" | "subtree" | "send-pack" | "http-push"
            | "send-email" | "imap-send" => {
                if matches!(name, "send-pack" | "http-push" | "send-email" | "imap-send")
                    || options
                        .words
                        .iter()
                        .any(|word| matches!(word.text.as_str(), "push" | "dcommit" | "submit" | "prune"))
                {
                    self.changes_remote(about);
                }
            }
            "credential" => self.found.add(Weight::Ask, "reads_secret", "shows stored credentials", about),
            _ if WRITES.contains(&name) => {}
            _ => self.found.unknown(
                Weight::Covered,
                "unknown_program",
                "a git sub-command that vib does not know",
                about,
            ),
        }
    }

    /// Options and words through which git runs other programs.
    fn git_runs(&mut self, options: &Options, about: &str) {
        let names = [
            "-x",
            "--exec",
            "--upload-pack",
            "-u",
            "--upload-pa",
            "--tree-filter",
            "--index-filter",
            "--msg-filter",
            "--env-filter",
            "--commit-filter",
            "--tool",
            "--extcmd",
            "--open-files-in-pager",
        ];
        for script in options.values(&names).cloned().collect::<Vec<_>>() {
            self.probe_script(&script.text, "a git option");
            self.found.unknown(
                Weight::Covered,
                "git_setting_runs",
                "a git option that makes git run something",
                about,
            );
        }
        if options.flags.iter().any(|(flag, _)| flag.starts_with("--upload-pa"))
            || options.words.iter().any(|word| word.text.starts_with("ext::"))
        {
            self.found.unknown(
                Weight::Ask,
                "git_setting_runs",
                "a git option that makes git run something",
                about,
            );
        }
        if matches!(options.word(0), "run" | "foreach") {
            let words = &options.words[1..];
            if words.len() == 1 {
                self.probe_script(&words[0].text, "git");
            } else if !words.is_empty() {
                self.run(words, Data::default());
            }
        }
    }

    fn git_checkout(&mut self, args: &[Arg], options: &Options, elsewhere: bool, about: &str) {
        if options.has(&["-f", "--force"]) {
            return self.git_discards(elsewhere, about);
        }
        if options.has(&["-B"]) {
            return self.git_loses_history("moves an existing branch", about);
        }
        let creates = options.has(&["-b", "--orphan", "--detach"]);
        let separator = args.iter().any(|arg| arg.text == "--");
        let paths = options.has(&["--ours", "--theirs", "--patch", "-p"])
            || args.iter().any(|arg| arg.text.starts_with("--pathspec-from-file"));
        // `git checkout NAME` switches branches, which git refuses to do over changes; a path discards them.
        let lone_path = options.words.len() == 1
            && (is_path_like(options.word(0)) || self.is_known_file(&options.words[0]));
        if !creates && (separator || paths || options.words.len() > 1 || lone_path) {
            self.git_discards(elsewhere, about);
        }
    }

    fn is_known_file(&self, path: &Arg) -> bool {
        self.file_key(path).is_some_and(|key| {
            self.files.contains_key(&key)
                || self.ctx.files.read_small(std::path::Path::new(&key), 1 << 20).is_some()
        })
    }

    fn git_push(&mut self, args: &[Arg], options: &Options, dry: bool, about: &str) {
        self.found.verdict.network = true;
        if dry {
            return;
        }
        let forced = options.has(&["-f", "--force", "--mirror", "--delete", "-d", "--prune"])
            || args.iter().any(|arg| {
                arg.text.starts_with(['+', ':']) && arg.text.len() > 1 || arg.text.starts_with("--force-w")
            });
        self.git_runs(options, about);
        if forced {
            self.git_loses_history("overwrites or deletes branches on the shared repository", about);
        } else {
            self.found.add(Weight::Ask, "git_push", "publishes commits to the shared repository", about);
        }
    }

    fn git_config(&mut self, args: &[Arg], options: &Options, about: &str) {
        let name = options.word(0).to_lowercase();
        let sets = options.words.len() > 1
            || options.has(&[
                "--add",
                "--replace-all",
                "--unset",
                "--unset-all",
                "--remove-section",
                "--edit",
                "-e",
            ]);
        if !sets
            || options.has(&["--get", "--list", "-l", "--get-all", "--get-regexp"])
            || matches!(name.as_str(), "list" | "get")
        {
            return;
        }
        let runs = RUNS_VALUE.contains(&name.as_str())
            || name.starts_with("alias.")
            || name.starts_with("filter.")
            || name.starts_with("url.")
            || name.ends_with(".helper")
            || name.ends_with(".textconv");
        if options.has(&["--global", "--system", "--edit", "-e"])
            || runs
            || args.iter().any(|arg| arg.text.starts_with("--file"))
        {
            self.found.add(
                Weight::Ask,
                "git_changes_config",
                "changes settings of git that outlive this command",
                about,
            );
        }
    }
}

fn is_path_like(word: &str) -> bool {
    matches!(word, "." | "..")
        || word.starts_with("./")
        || word.starts_with("../")
        || word.starts_with(':')
        || word.contains('*')
        || (word.contains('/') && word.rsplit('/').next().is_some_and(|last| last.contains('.')))
        || has_extension(word)
}

fn has_extension(word: &str) -> bool {
    word.rsplit_once('.').is_some_and(|(stem, end)| {
        !stem.is_empty() && (1..=4).contains(&end.len()) && end.chars().all(|c| c.is_ascii_alphabetic())
    })
}

fn valued(name: &str) -> &'static [&'static str] {
    match name {
        "rebase" => &["-x", "--exec", "--onto", "-s", "-X", "--strategy"],
        "checkout" | "switch" => &["-b", "-B", "-c", "-C", "--orphan", "--conflict", "--pathspec-from-file"],
        "restore" => &["-s", "--source", "--pathspec-from-file"],
        "filter-branch" => &[
            "--tree-filter",
            "--index-filter",
            "--msg-filter",
            "--env-filter",
            "--commit-filter",
            "--parent-filter",
            "--subdirectory-filter",
        ],
        "filter-repo" => &["--replace-text", "--path", "--paths-from-file", "--replace-message", "--mailmap"],
        "log" | "diff" | "show" => &["--output", "-n", "--format", "-S", "-G", "-L"],
        "difftool" => &["-x", "--extcmd", "-t", "--tool"],
        "clone" | "fetch" | "pull" | "ls-remote" => {
            &["-u", "--upload-pack", "-b", "--branch", "--depth", "-c", "-o", "--origin", "-j"]
        }
        "commit" => &["-m", "-F", "-C", "-c", "--author", "--date", "--message", "--file"],
        "prune" => &["--expire"],
        "archive" => &["-o", "--output", "--format", "--prefix", "--remote", "--exec"],
        "push" => &["-o", "--push-option", "--receive-pack", "--exec", "--repo"],
        _ => &[],
    }
}
