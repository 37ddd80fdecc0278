//! What it means to write, delete or read at a place: one decision per kind of place, used by every command.

use crate::findings::Weight;
use crate::place::{classify, is_temp_root, locate};
use crate::secret_files::is_secret;
use crate::value::Arg;
use crate::verdict::Place;
use crate::walk::Walk;

/// Folders and endings of files that tools make and make again.
const MADE_FOLDERS: &[&str] = &[
    "node_modules",
    "target",
    "dist",
    "build",
    "out",
    "bin",
    "obj",
    "__pycache__",
    ".venv",
    "venv",
    ".tox",
    ".nox",
    ".cache",
    ".next",
    ".nuxt",
    ".svelte-kit",
    ".turbo",
    ".parcel-cache",
    ".pytest_cache",
    ".mypy_cache",
    ".ruff_cache",
    ".gradle",
    ".terraform",
    ".eggs",
    "coverage",
    "htmlcov",
    ".nyc_output",
    "tmp",
    "temp",
    "logs",
    "log",
    "_build",
    "deps",
    "Pods",
    "DerivedData",
    ".dart_tool",
    "cmake-build-debug",
    "cmake-build-release",
    "vendor",
    "generated",
    "storybook-static",
    "public/build",
    "site",
    "_site",
    ".output",
    ".vite",
    ".angular",
    "elm-stuff",
    "zig-out",
    "zig-cache",
    ".zig-cache",
    "bazel-out",
    ".hypothesis",
    ".ipynb_checkpoints",
    ".eslintcache",
    ".DS_Store",
];
const MADE_ENDINGS: &[&str] = &[
    ".log",
    ".pyc",
    ".pyo",
    ".o",
    ".a",
    ".so",
    ".obj",
    ".class",
    ".tmp",
    ".temp",
    ".swp",
    ".bak",
    ".orig",
    ".rej",
    ".egg-info",
    ".tsbuildinfo",
    ".gcda",
    ".gcno",
    ".map",
    ".cache",
    ".pid",
    ".coverage",
    "~",
];

/// Whether a path is one that tools make, by its names alone.
pub(crate) fn is_made_again(path: &str) -> bool {
    path.split('/').any(|part| MADE_FOLDERS.contains(&part))
        || MADE_ENDINGS.iter().any(|end| path.ends_with(end))
}

/// Whether a folder of this name is one that tools make.
pub(crate) fn is_made_folder(name: &str) -> bool {
    MADE_FOLDERS.contains(&name)
}

/// Most paths without a checkpoint that are looked up for one command.
pub(crate) const MOST_UNSAVED: usize = 400;

/// Ways to write that leave what was there.
const KEEPS: &[&str] = &["permissions", "mktemp", "added to", "touched"];

/// Files that a name beside theirs must not change unnoticed.
const GUARDED_FILES: &[&str] = &[
    ".git/config",
    ".git/HEAD",
    ".git/hooks/pre-commit",
    ".git/hooks/pre-push",
    ".git/hooks/post-commit",
    ".git/hooks/post-checkout",
    ".vibelign/id",
    ".vibelign/config.toml",
    ".vibelign/policy.toml",
    "vibelign.toml",
    ".claude/settings.json",
    ".claude/settings.local.json",
    ".codex/config.toml",
    ".codex/hooks.json",
    ".gemini/settings.json",
    ".cursor/hooks.json",
    ".mcp.json",
    "opencode.json",
    ".bashrc",
    ".zshrc",
    ".profile",
    ".bash_profile",
    ".gitconfig",
    ".ssh/authorized_keys",
    ".ssh/config",
    ".claude.json",
];

impl Walk<'_> {
    /// Where a path leads, seen from the current folder.
    pub(crate) fn place_of(&self, path: &Arg) -> (String, Place) {
        self.place(path, true)
    }

    /// The same for what works on the name itself: a link that is deleted or moved stays a link.
    pub(crate) fn place_of_entry(&self, path: &Arg) -> (String, Place) {
        self.place(path, false)
    }

    fn place(&self, path: &Arg, follow: bool) -> (String, Place) {
        if self.remote {
            return (path.text.clone(), Place::Remote);
        }
        let located = locate(path, self.cwd.as_deref(), follow, self.ctx);
        // A link that this line makes first is not on the disk yet.
        for (link, target) in &self.links {
            let Some(rest) = located.path.strip_prefix(link.as_str()) else { continue };
            let through = rest.starts_with('/') || rest.is_empty() && (follow || path.text.ends_with('/'));
            if through {
                let real = locate(&path.with_text(format!("{target}{rest}")), None, true, self.ctx);
                if !matches!(real.place, Place::Project | Place::Temp) {
                    return (real.path, real.place);
                }
            }
        }
        (located.path, located.place)
    }

    /// A file is created or changed.
    pub(crate) fn writes(&mut self, path: &Arg, how: &str) {
        self.must_be_literal(path);
        let (full, mut place) = self.place_of(path);
        if place == Place::Outside && is_temp_root(&full, self.ctx) {
            place = Place::Temp;
        }
        if path.glob {
            for hit in self.special_matches(path, false) {
                self.writes(&Arg::new(hit), how);
            }
        }
        if place == Place::Project && !path.glob && path.known() {
            if let Some(other) = self.other_name(&full) {
                (_, place) = self.place_of(&Arg::new(other));
            }
            self.overwrites(&full, how);
            // `for f in uploads/*; do : > "$f"`: the variable stands for what the pattern matches.
            if crate::patterns::is_pattern(&full)
                && !KEEPS.contains(&how)
                && self.ctx.files.kind(std::path::Path::new(&full)).is_none()
            {
                self.overwrites_matches(path);
            }
        } else if place == Place::Project && path.glob && !KEEPS.contains(&how) {
            self.overwrites_matches(path);
        }
        self.found.wrote(&full, place);
        let (weight, code, text) = match place {
            Place::Stream => return,
            Place::Project => (Weight::Checkpoint, "writes_project", "changes files in the project"),
            Place::ProjectRoot => {
                (Weight::Checkpoint, "writes_project", "changes files in the project folder")
            }
            Place::Temp => (Weight::Note, "writes_temp", "writes a throw-away file"),
            Place::GitData => (Weight::Ask, "guarded_git_data", "changes git's own data behind git's back"),
            Place::Device => (Weight::Deny, "writes_device", "overwrites a raw device"),
            Place::System => (Weight::Ask, "writes_system", "changes files of the operating system"),
            Place::Home => {
                (Weight::Ask, "writes_outside", "changes files in a home folder, outside the project")
            }
            Place::VibState => (Weight::Ask, "guarded_vib", "changes vib's own records or settings"),
            Place::AgentSettings => {
                (Weight::Ask, "guarded_agent_settings", "changes the settings of an AI agent")
            }
            Place::StartupFile => {
                (Weight::Ask, "guarded_startup_file", "changes a file that runs or grants access by itself")
            }
            Place::GitHook => (Weight::Ask, "guarded_git_hook", "changes what git runs by itself"),
            Place::Outside => (
                Weight::Ask,
                "writes_outside",
                "changes files outside the project, which no checkpoint covers",
            ),
            Place::Remote => (Weight::Ask, "changes_remote", "changes something on another machine"),
            Place::Unknown => {
                self.found.unknown(
                    Weight::Covered,
                    "writes_unknown",
                    "writes somewhere that is not known here",
                    &path.text,
                );
                return;
            }
        };
        self.found.add(weight, code, format!("{text} ({how})"), &full);
    }

    /// A file or folder is deleted.
    pub(crate) fn deletes(&mut self, path: &Arg, recursive: bool) {
        self.must_be_literal(path);
        let (full, place) = self.place_of_entry(path);
        if path.glob {
            for hit in self.special_matches(path, false) {
                self.deletes(&Arg::new(hit), recursive);
            }
        }
        self.found.deleted(&full, place, recursive);
        if place == Place::Project && !path.glob && self.is_unsaved(&full) {
            return self.deletes_unsaved(&full);
        }
        if place == Place::Project && path.known() {
            if path.glob {
                self.overwrites_matches(path);
                for folder in self.matching_folders(path).filter(|_| recursive).unwrap_or_default() {
                    self.special_goes(&folder);
                }
            } else if recursive {
                self.deletes_below(&full);
            }
        }
        let strong = if recursive { Weight::Deny } else { Weight::Ask };
        let (weight, code, text) = match place {
            Place::Stream => return,
            Place::Project => (
                Weight::Covered,
                "deletes_covered",
                "deletes files of the project; the checkpoint brings them back",
            ),
            Place::ProjectRoot => {
                (Weight::Ask, "deletes_project", "deletes the whole project, with what no checkpoint holds")
            }
            Place::GitData => {
                (Weight::Ask, "deletes_git_data", "deletes git's own data, which no checkpoint holds")
            }
            Place::Temp if recursive => (Weight::Covered, "deletes_temp", "deletes throw-away files"),
            Place::Temp => (Weight::Note, "deletes_temp", "deletes a throw-away file"),
            Place::Device => (Weight::Deny, "deletes_device", "deletes or wipes a raw device"),
            Place::System => (strong, "deletes_system", "deletes files of the operating system"),
            Place::Home => (strong, "deletes_home", "deletes a whole home folder"),
            Place::VibState => (strong, "guarded_vib", "deletes vib's own records: the way back"),
            Place::AgentSettings => {
                (Weight::Ask, "guarded_agent_settings", "deletes settings of an AI agent")
            }
            Place::StartupFile => {
                (Weight::Ask, "guarded_startup_file", "deletes a file that runs or grants access by itself")
            }
            Place::GitHook => (Weight::Ask, "guarded_git_hook", "deletes what git runs by itself"),
            Place::Outside => (
                Weight::Ask,
                "deletes_outside",
                "deletes files outside the project, which no checkpoint covers",
            ),
            Place::Remote => (Weight::Ask, "changes_remote", "deletes something on another machine"),
            Place::Unknown => {
                self.found.unknown(
                    Weight::Ask,
                    "deletes_unknown",
                    "deletes something that is not known here",
                    &path.text,
                );
                return;
            }
        };
        self.found.add(weight, code, text, &full);
    }

    pub(crate) fn is_unsaved(&self, full: &str) -> bool {
        self.ctx.files.is_saved(std::path::Path::new(full)) == Some(false)
    }

    /// Another name of this very file (a hard link) that is guarded.
    fn other_name(&self, full: &str) -> Option<String> {
        let path = std::path::Path::new(full);
        if !self.ctx.files.has_other_names(path) {
            return None;
        }
        if self.ctx.files.is_vibs_record(path) {
            return Some(self.ctx.state_dir.join("x").to_string_lossy().into_owned());
        }
        let folders = [&self.ctx.project_root, &self.ctx.home];
        folders
            .iter()
            .flat_map(|folder| GUARDED_FILES.iter().map(move |name| folder.join(name)))
            .find(|guarded| self.ctx.files.is_same_file(path, guarded))
            .map(|guarded| guarded.to_string_lossy().into_owned())
    }

    /// A file is written anew: what was in it is lost unless a checkpoint holds it.
    fn overwrites(&mut self, full: &str, how: &str) {
        let path = std::path::Path::new(full);
        if KEEPS.contains(&how) || self.files.contains_key(full) {
            return;
        }
        // What is unpacked or mirrored into a folder may replace all that is in it.
        let fills = matches!(how, "rsync" | "unpacks an archive");
        let target = if how == "unpacks an archive" { path.parent().unwrap_or(path) } else { path };
        let there = match self.ctx.files.kind(target) {
            Some(crate::context::Kind::Folder) => fills,
            kind => kind.is_some(),
        };
        if !there || target == self.ctx.project_root {
            return;
        }
        let target = target.to_string_lossy().into_owned();
        if self.is_unsaved(&target) {
            self.loses_for_good(
                &target,
                "overwrites_ignored",
                "overwrites ignored files, which no checkpoint holds",
            );
        }
    }

    /// A file that a copy replaces.
    pub(crate) fn overwritten(&mut self, full: &str) {
        if classify(full, false, self.ctx) == Place::Project {
            self.overwrites(full, "cp");
        }
    }

    /// A folder goes as a whole: other repositories and the like in it.
    fn special_goes(&mut self, full: &str) {
        match self.special_below(full) {
            Some(special) => {
                for path in special {
                    let path = Arg::new(path);
                    if self.place_of_entry(&path).1 != Place::Project {
                        self.deletes(&path, false);
                    }
                }
            }
            None => self.found.unknown(
                Weight::Ask,
                "deletes_unknown",
                "deletes a folder that is too large to look through",
                full,
            ),
        }
    }

    /// A folder goes as a whole: what is in it that no checkpoint holds.
    fn deletes_below(&mut self, full: &str) {
        self.special_goes(full);
        for lost in self.unsaved_in(full).unwrap_or_default() {
            self.deletes_unsaved(&lost);
        }
    }

    /// Something is lost that nothing brings back, unless it is saved by its name first.
    pub(crate) fn loses_for_good(&mut self, full: &str, code: &'static str, text: &str) {
        let root = self.ctx.project_root.to_string_lossy();
        if is_made_again(full.strip_prefix(&*root).unwrap_or(full))
            && !self.ctx.files.is_tracked(std::path::Path::new(full))
        {
            return;
        }
        self.is_lost(full);
        self.found.add(Weight::Ask, code, format!("{text}, so this cannot be brought back"), full);
    }

    /// Written down as a loss, so that it can be saved by its name first.
    pub(crate) fn is_lost(&mut self, full: &str) {
        self.found.loses(false);
        let losses = &mut self.found.verdict.losses;
        if losses.len() < MOST_UNSAVED && !losses.iter().any(|known| known == full) {
            losses.push(full.to_owned());
        }
    }

    /// Something of the project goes elsewhere: what no checkpoint holds is lost here.
    pub(crate) fn leaves(&mut self, source: &Arg) {
        let (full, place) = self.place_of_entry(source);
        if place == Place::Project && !source.glob && self.is_unsaved(&full) {
            self.deletes_unsaved(&full);
        } else if place == Place::Project && source.glob {
            self.overwrites_matches(source);
        } else if place == Place::Project {
            self.special_goes(&full);
        }
    }

    /// Ignored files: a checkpoint does not hold them. Most are made again by the next build.
    pub(crate) fn deletes_unsaved(&mut self, full: &str) {
        self.found.loses(false);
        let root = self.ctx.project_root.to_string_lossy();
        if is_made_again(full.strip_prefix(&*root).unwrap_or(full))
            && !self.ctx.files.is_tracked(std::path::Path::new(full))
        {
            self.found.add(
                Weight::Covered,
                "deletes_made_again",
                "deletes ignored files that a tool makes again; no checkpoint holds them",
                full,
            );
        } else {
            self.loses_for_good(full, "deletes_ignored", "deletes ignored files, which no checkpoint holds");
        }
    }

    /// Whether reading this would show a secret; says so.
    pub(crate) fn reads_secret(&mut self, path: &Arg) -> bool {
        let text = path.text.trim_start_matches('@');
        let mut secret = is_secret(text);
        if !secret
            && !self.remote
            && !path.glob
            && path.known()
            && text.len() < 512
            && !text.contains('\n')
            && let Some(key) = self.file_key(path)
            && let Some(real) = self.ctx.files.resolve(std::path::Path::new(&key))
        {
            secret = real.to_string_lossy() != key && is_secret(&real.to_string_lossy());
        }
        // Settings of the project that stay on this machine: the taint tells where they go from here.
        let own = !self.remote
            && self.found.covered == crate::context::Covered::Allow
            && self.place_of(&path.with_text(text)).1 == Place::Project;
        if secret {
            self.found.add(
                if own { Weight::Note } else { Weight::Ask },
                "reads_secret",
                "uses a file that usually holds a secret",
                &path.text,
            );
        }
        secret
    }

    /// Local data leaves this machine.
    pub(crate) fn sends(&mut self, secret: bool, about: &str) {
        self.found.verdict.network = true;
        if secret {
            self.found.add(Weight::Deny, "sends_secret", "sends a secret to another machine", about);
        } else {
            self.found.add(Weight::Ask, "sends_data", "sends local data to another machine", about);
        }
    }

    /// Something on another machine or in a service changes.
    pub(crate) fn changes_remote(&mut self, about: &str) {
        self.found.verdict.network = true;
        self.found.loses(false);
        self.found.add(Weight::Ask, "changes_remote", "changes something that no checkpoint covers", about);
    }
}
