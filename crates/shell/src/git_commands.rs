//! What each git sub-command loses, and whether a checkpoint brings it back.

use crate::findings::Weight;
use crate::git_names::{READS, RUNS_VALUE, WRITES, valued};
use crate::options::Options;
use crate::value::Arg;
use crate::verdict::Place;
use crate::walk::Walk;

impl Walk<'_> {
    /// Discards changes in the work tree: the checkpoint has them, unless it happens in another tree.
    pub(crate) fn git_discards(&mut self, elsewhere: bool, about: &str) {
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

    /// Judges a sub-command.
    pub(crate) fn git_command(
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
            let secret = self.reads_secret_argument(arg);
            // What is committed goes wherever the repository goes.
            if secret
                && matches!(name, "add" | "stage" | "commit" | "hash-object" | "archive" | "bundle" | "notes")
            {
                self.found.add(
                    Weight::Ask,
                    "commits_secret",
                    "puts a file that usually holds a secret into the repository",
                    about,
                );
            }
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
                self.git_runs(args, &options, about);
            }
            if matches!(name, "difftool" | "mergetool") {
                self.git_runs(args, &Options::of(args, &["-x", "--extcmd", "-t", "--tool"]), about);
            }
            self.found.verdict.network |= name == "ls-remote";
            return;
        }
        let wrote_before = self.found.verdict.can_write;
        self.found.may_write();
        let dry = has(&["--dry-run"])
            || (has(&["-n"]) && matches!(name, "clean" | "push" | "add" | "rm" | "prune"));
        if matches!(name, "checkout" | "restore" | "mv") {
            self.git_writes_settings(name, args, &options);
        }
        if matches!(name, "checkout" | "stash" | "apply")
            || name == "restore" && (!has(&["--staged", "-S"]) || has(&["--worktree", "-W"]))
        {
            self.writes_named(options.words.iter());
        }
        if matches!(name, "bundle" | "format-patch") {
            let into = Options::of(args, &["-o", "--output-directory"]);
            let folder = into.values(&["-o", "--output-directory"]).next();
            let bundle = options.words.get(1).filter(|_| name == "bundle" && options.word(0) == "create");
            if let Some(file) = folder.or(bundle).filter(|file| file.text != "-") {
                self.writes(file, "output file");
            }
        }
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
                    let moved = setting("core.worktree").is_some();
                    self.git_cleans(&Options::of(args, &["-e", "--exclude"]), elsewhere || moved, about);
                }
            }
            "read-tree" => {
                if has(&["-u", "--reset"]) {
                    self.git_discards(elsewhere, about);
                }
            }
            "checkout-index" => {
                for prefix in options.values(&["--prefix"]).cloned().collect::<Vec<_>>() {
                    self.writes(&prefix, "checkout-index");
                }
                if has(&["-f", "--force"]) && !has(&["--prefix"]) {
                    self.git_discards(elsewhere, about);
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
                let moves = has(&["-f", "--force", "-M", "-C"]) && !has(&["-d", "--delete", "-D"]);
                let deletes = has(&["-D"]) || has(&["-d", "--delete"]) && has(&["-f", "--force"]);
                if moves || deletes && (elsewhere || !self.branches_are_held(&options, wrote_before)) {
                    self.git_loses_history(
                        "deletes or moves a branch with work that may be nowhere else",
                        about,
                    );
                }
            }
            "tag" => {
                if has(&["-f", "--force"]) {
                    self.git_loses_history("moves a tag", about);
                }
                // One tag by its name is somebody's wish; all that a command prints are more than that.
                if has(&["-d", "--delete"]) && options.words.iter().any(|word| !word.known()) {
                    self.git_loses_history("deletes tags that are not named here", about);
                }
            }
            "push" => self.git_push(args, &options, settings, dry, about),
            "gc" | "prune" | "repack" => {
                let now = |text: &str| {
                    matches!(text, "now" | "all" | "0" | "" | "immediate") || text.starts_with('0')
                };
                let pruned = options.flags.iter().any(|(flag, value)| {
                    flag.len() > 2
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
                let soon = options.flags.iter().any(|(flag, _)| {
                    flag.starts_with("--expire") || flag.len() > 3 && "--expire".starts_with(flag.as_str())
                }) || options.word(0) == "delete";
                if acts && soon {
                    self.git_loses_history("removes what could still be recovered", about);
                }
            }
            "filter-branch" | "filter-repo" => {
                if !has(&["--dry-run", "--analyze"]) {
                    self.git_loses_history("rewrites the whole history", about);
                }
                self.git_runs(args, &options, about);
            }
            "update-ref" | "replace" | "fast-import" | "symbolic-ref" => {
                let moves = name == "update-ref"
                    && options.words.len() > 1
                    && (options.word(0).starts_with("refs/heads/") || options.word(0) == "HEAD");
                let always = name == "fast-import" || moves || name == "replace" && !has(&["-l", "--list"]);
                if has(&["-d", "--delete", "--stdin", "-f", "--force"]) || always {
                    self.git_loses_history("changes where branches point behind git's back", about);
                }
            }
            "worktree" => {
                if options.word(0) == "remove" {
                    // Without force git refuses where anything is not committed.
                    let forced = has(&["-f", "--force"]);
                    self.found.loses(false);
                    self.found.add(
                        if forced { Weight::Ask } else { Weight::Covered },
                        "git_removes_worktree",
                        "removes another work tree",
                        about,
                    );
                }
            }
            "rebase" | "bisect" | "submodule" | "difftool" | "mergetool" => {
                self.git_runs(args, &options, about);
                if name == "submodule" && options.word(0) == "deinit" && has(&["-f", "--force"]) {
                    self.git_discards(true, about);
                }
            }
            "config" => self.git_config(&options, about),
            "remote" => {
                if options.word(0) == "add"
                    && self.remotes.len() < 16
                    && let [_, name, url, ..] = options.words.as_slice()
                {
                    self.remotes.push((name.text.clone(), url.text.clone()));
                }
                if matches!(options.word(0), "remove" | "rm" | "set-url") {
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
            "init" => {
                if has(&["--template"]) {
                    self.found.unknown(
                        Weight::Ask,
                        "git_setting_runs",
                        "brings hooks along that git runs by itself",
                        about,
                    );
                }
            }
            "clone" | "fetch" | "pull" => {
                self.found.verdict.network = true;
                self.git_runs(args, &options, about);
                for setting in options.values(&["-c", "--config"]).cloned().collect::<Vec<_>>() {
                    let (key, value) = setting.text.split_once('=').unwrap_or((&setting.text, ""));
                    self.git_settings(&[(key.to_lowercase(), setting.with_text(value))], about);
                }
                if has(&["--template"]) {
                    self.found.unknown(
                        Weight::Ask,
                        "git_setting_runs",
                        "brings hooks along that git runs by itself",
                        about,
                    );
                }
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
                    || options.words.iter().any(|word| {
                        matches!(word.text.as_str(), "push" | "dcommit" | "submit" | "prune" | "migrate")
                    })
                {
                    self.changes_remote(about);
                }
            }
            "credential" => self.found.add(Weight::Ask, "reads_secret", "shows stored credentials", about),
            "apply" if has(&["--unsafe-paths"]) => {
                self.found.loses(false);
                self.found.add(Weight::Ask, "writes_outside", "may change files outside the project", about);
            }
            _ if WRITES.contains(&name) => {}
            // `git annex drop --force`: an extension that is told to take something away.
            _ if options.words.iter().any(|word| crate::verbs::is_loss_verb(&word.text)) => {
                self.found.loses(false);
                self.found.unknown(
                    Weight::Ask,
                    "unknown_loss",
                    "a git extension that is told to take something away",
                    about,
                );
            }
            _ => self.found.unknown(
                Weight::Covered,
                "unknown_program",
                "a git sub-command that vib does not know",
                about,
            ),
        }
    }

    /// Settings of an agent that are named: another version takes their place, or they go.
    fn git_writes_settings(&mut self, name: &str, args: &[Arg], options: &Options) {
        let after = args.iter().position(|arg| arg.text == "--").map(|at| args[at + 1..].to_vec());
        let paths = match after {
            Some(paths) if name != "mv" => paths,
            _ => options.words.clone(),
        };
        for path in paths.iter().filter(|path| path.known() && !path.glob).take(32) {
            let (full, place) = self.place_of(path);
            if place == Place::AgentSettings {
                self.writes(path, "git");
            } else if place == Place::Project && full.rsplit('/').next().is_some_and(|n| n.starts_with('.')) {
                for inner in self.special_below(&full).unwrap_or_default() {
                    let inner = Arg::new(inner);
                    if self.place_of(&inner).1 == Place::AgentSettings {
                        self.writes(&inner, "git");
                    }
                }
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

    fn git_push(
        &mut self,
        args: &[Arg],
        options: &Options,
        settings: &[(String, Arg)],
        dry: bool,
        about: &str,
    ) {
        self.found.verdict.network = true;
        if dry {
            return;
        }
        let forced = options.has(&["-f", "--force", "--mirror", "--delete", "-d", "--prune"])
            || args.iter().any(|arg| {
                arg.text.starts_with(['+', ':']) && arg.text.len() > 1 || arg.text.starts_with("--force-w")
            })
            || settings.iter().any(|(name, value)| {
                name.starts_with("remote.")
                    && (name.ends_with(".mirror") || name.ends_with(".push"))
                    && value.text != "false"
            });
        self.git_runs(args, options, about);
        let runs = options.flags.iter().any(|(flag, _)| {
            flag.len() > 4
                && ("--receive-pack".starts_with(flag.as_str()) || "--exec".starts_with(flag.as_str()))
        });
        if runs {
            self.found.unknown(
                Weight::Ask,
                "git_setting_runs",
                "a git option that makes git run something",
                about,
            );
        }
        // A repository that is named by its address is not the one this project belongs to.
        let elsewhere =
            options.words.first().or(options.values(&["--repo"]).next()).is_some_and(|remote| {
                let text = remote.text.as_str();
                !remote.known()
                    || text.contains(':')
                    || text.starts_with(['/', '.', '~', '-'])
                    || remote.taint.secret
                    || remote.taint.variable
            }) || options.words.first().is_some_and(|remote| self.is_strange_remote(&remote.text))
                || settings.iter().any(|(name, _)| {
                    name.starts_with("remote.") || name.starts_with("url.") || name.starts_with("branch.")
                });
        if forced {
            self.git_loses_history("overwrites or deletes branches on the shared repository", about);
        } else if elsewhere || options.words.iter().skip(1).any(|word| !word.known()) {
            self.found.add(
                Weight::Ask,
                "git_push",
                "publishes commits to a repository that is named on the spot",
                about,
            );
        } else if self.pushes_shared_branch(options) {
            self.found.add(
                Weight::Ask,
                "git_push",
                "publishes commits to a branch that everybody builds on",
                about,
            );
        } else {
            self.found.add(Weight::Note, "git_push", "publishes commits to the shared repository", about);
        }
    }

    /// Whether a remote other than `origin` lies on another machine than that.
    fn is_strange_remote(&self, name: &str) -> bool {
        let made_here = self.remotes.iter().any(|(remote, _)| remote == name);
        if name == "origin" && !made_here {
            return false;
        }
        let config = self.ctx.project_root.join(".git/config");
        let text = self.ctx.files.read_small(&config, 256 * 1024).unwrap_or_default();
        let known = crate::git_config::remotes(&text);
        let host_in = |list: &[(String, String)], name: &str| {
            let found = list.iter().rev().find(|(remote, _)| remote == name);
            found.map(|(_, url)| crate::git_config::host(url))
        };
        let there = host_in(&self.remotes, name).or_else(|| host_in(&known, name));
        match (there, host_in(&known, "origin")) {
            (Some(there), Some(origin)) => there != origin,
            // A remote that only this line makes; the first of all is `origin`.
            (Some(_), None) => made_here && name != "origin",
            (None, _) => false,
        }
    }

    /// Whether a push goes to `main` or its like: named, or the branch that is checked out.
    fn pushes_shared_branch(&self, options: &Options) -> bool {
        let shared = |name: &str| {
            let name = name.rsplit(':').next().unwrap_or(name);
            let name = name.strip_prefix("refs/heads/").unwrap_or(name);
            let first = name.split(['/', '-']).next().unwrap_or_default();
            matches!(name, "main" | "master" | "trunk" | "develop" | "production" | "prod" | "stable")
                || matches!(first, "release" | "releases") && name.contains(['/', '-'])
                || name == "release"
        };
        let named: Vec<&str> = options.words.iter().skip(1).map(|word| word.text.as_str()).collect();
        if options.has(&["--all", "--branches"]) {
            return true;
        }
        let checked_out = named.is_empty() || named.contains(&"HEAD") || named.contains(&"@");
        let head = if checked_out { self.checked_out_branch() } else { None };
        named.iter().any(|name| shared(name)) || head.is_some_and(|branch| shared(&branch))
    }

    /// Whether the branches that would go are branches of the project whose work is on another one, too: merged ones.
    ///
    /// A branch that is not there cannot be lost, unless this very line may have made it before (`wrote_before`).
    fn branches_are_held(&self, options: &Options, wrote_before: bool) -> bool {
        let mut names: Vec<&str> = options.words.iter().map(|word| word.text.as_str()).collect();
        let here = self.cwd.as_deref().is_some_and(|cwd| self.ctx.project_root == std::path::Path::new(cwd));
        let plain = |name: &&str| !name.contains(['@', '{', '*', '?', '[', '~', '^', ':']) && *name != "-";
        if !here
            || options.has(&["-r", "--remotes", "-a", "--all"])
            || names.is_empty()
            || !options.words.iter().all(Arg::known)
        {
            return false;
        }
        if !wrote_before
            && names.iter().all(plain)
            && let Some(there) = self.ctx.files.branches_there(&names)
        {
            names.retain(|name| there.iter().any(|known| known == name));
        }
        names.is_empty() || self.ctx.files.is_held_elsewhere(&names) == Some(true)
    }

    /// The branch that is checked out in the project.
    pub(crate) fn checked_out_branch(&self) -> Option<String> {
        let file = self.ctx.project_root.join(".git/HEAD");
        let text = self.ctx.files.read_small(&file, 4096)?;
        text.trim().strip_prefix("ref: refs/heads/").map(str::to_owned)
    }

    fn git_config(&mut self, options: &Options, about: &str) {
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
        // An alias for a command of git's own is as good or bad as that command.
        let alias =
            options.words.get(1).filter(|_| name.starts_with("alias.")).map(|value| value.text.clone());
        let harmful = alias.is_some_and(|alias| {
            alias.starts_with('!')
                || crate::run::is_harm(&self.probed(|walk| {
                    walk.script(&format!("git {alias}"), crate::value::Data::default());
                }))
        });
        let runs = RUNS_VALUE.contains(&name.as_str())
            || harmful
            || name.starts_with("alias.") && options.words.len() < 2
            || name == "include.path"
            || name == "core.worktree"
            || name.starts_with("includeif.")
            || name.starts_with("filter.")
            || name.starts_with("url.")
            || name.starts_with("remote.") && (name.ends_with("url") || name.ends_with(".pushdefault"))
            || name.ends_with(".helper")
            || name.ends_with(".textconv");
        let elsewhere = options.values(&["-f", "--file"]).any(|file| {
            !matches!(self.place_of(file).1, crate::verdict::Place::Project | crate::verdict::Place::Temp)
        });
        if options.has(&["--global", "--system", "--edit", "-e"]) || runs || elsewhere {
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
