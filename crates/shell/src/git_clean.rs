//! `git clean`: what it takes away is looked up, not guessed from its options.
//!
//! What it deletes is what git does not track in one folder. A checkpoint holds all of that but what the ignore rules leave out, so
//! the store is asked for exactly those names; what tools make again is no loss, and what nothing brings back is asked about by name.

use std::path::Path;

use crate::context::Kind;
use crate::findings::Weight;
use crate::options::Options;
use crate::patterns::{fits, is_pattern};
use crate::place::{classify, normalise};
use crate::value::Arg;
use crate::verdict::Place;
use crate::walk::Walk;

/// Names in one reason.
const MOST_NAMED: usize = 4;

impl Walk<'_> {
    /// `git clean` with force. `elsewhere`: in another tree than the project's.
    pub(crate) fn git_cleans(&mut self, options: &Options, elsewhere: bool, about: &str) {
        let ignored = options.has(&["-x", "-X"]);
        let is_force = |flag: &str| flag == "-f" || flag.len() > 2 && "--force".starts_with(flag);
        let forced = options.flags.iter().filter(|(flag, _)| is_force(flag)).count();
        let folders = self.cleaned_folders(options).filter(|_| !elsewhere);
        // Without force given twice git leaves other repositories alone, whatever else is said.
        if forced > 1 {
            self.cleans_repositories(folders.as_deref(), about);
        }
        let unsaved =
            if ignored { folders.as_deref().and_then(|all| self.cleaned_unsaved(all)) } else { None };
        match unsaved {
            Some(unsaved) => {
                self.git_discards(elsewhere, about);
                self.cleans_guarded(folders.as_deref().unwrap_or_default());
                self.cleans_unsaved(&unsaved, options);
            }
            None if ignored => {
                self.found.loses(false);
                self.found.add(
                    Weight::Ask,
                    "git_clean_ignored",
                    "deletes ignored files too, which a checkpoint may not hold",
                    about,
                );
            }
            None => self.git_discards(elsewhere, about),
        }
    }

    /// The folders and files of the project that are cleaned; `None` where that is not known, or some of it lies elsewhere.
    fn cleaned_folders(&self, options: &Options) -> Option<Vec<String>> {
        let cwd = self.cwd.as_deref().filter(|_| !self.remote)?;
        let root = &self.ctx.project_root;
        let real = self.ctx.files.resolve(Path::new(cwd))?;
        // A repository may say that its files lie somewhere else.
        let config = self.ctx.files.read_small(&root.join(".git/config"), 256 * 1024).unwrap_or_default();
        if root.as_os_str().is_empty()
            || !real.starts_with(root)
            || config.lines().any(names_work_tree)
            || options.has(&["--pathspec-from-file"])
        {
            return None;
        }
        let real = real.to_string_lossy().into_owned();
        // A pattern of git's reaches at most what lies below.
        if options.words.is_empty() || options.words.iter().any(|word| is_pattern(&word.text)) {
            return options.words.iter().all(is_plain).then(|| vec![real]);
        }
        let mut folders = Vec::new();
        for word in &options.words {
            let path = crate::place::absolute(&word.text, Some(&real)).filter(|_| is_plain(word))?;
            let path = normalise(&path);
            if !matches!(classify(&path, false, self.ctx), Place::Project | Place::ProjectRoot) {
                return None;
            }
            folders.push(path);
        }
        Some(folders)
    }

    /// What lies there and is in no checkpoint; `None` when that cannot be told.
    fn cleaned_unsaved(&self, folders: &[String]) -> Option<Vec<String>> {
        let mut all = Vec::new();
        for folder in folders {
            all.extend(self.unsaved_in(folder)?);
        }
        Some(all)
    }

    fn cleans_unsaved(&mut self, unsaved: &[String], options: &Options) {
        // `-X` takes what `-e` names, too; only `-x` spares it.
        let spared: Vec<String> = match options.has(&["-X"]) {
            true => Vec::new(),
            false => options.values(&["-e", "--exclude"]).map(|value| value.text.clone()).collect(),
        };
        let spares = |path: &str| {
            let takes_back = spared.iter().any(|pattern| pattern.starts_with('!'));
            !takes_back
                && spared.iter().map(|pattern| pattern.trim_matches('/')).any(|pattern| {
                    !pattern.contains('/')
                        && path.split('/').any(|part| part == pattern || fits(pattern, part, true))
                })
        };
        let root = self.ctx.project_root.to_string_lossy().into_owned();
        let mut named: Vec<String> = Vec::new();
        for path in unsaved {
            let inside = path.strip_prefix(&root).unwrap_or(path).trim_start_matches('/').to_owned();
            let file = Path::new(path);
            // git leaves what it tracks.
            let stays = self.ctx.files.kind(file) != Some(Kind::Folder) && self.ctx.files.is_tracked(file);
            if stays || spares(&inside) {
                continue;
            }
            if crate::effects::is_made_again(&inside) && !self.ctx.files.is_tracked(file) {
                self.deletes_unsaved(path);
            } else {
                self.is_lost(path);
                named.push(inside);
            }
        }
        if named.is_empty() {
            return;
        }
        let more = named.len().saturating_sub(MOST_NAMED);
        named.sort();
        named.truncate(MOST_NAMED);
        let mut names = named.join(", ");
        if more > 0 {
            names.push_str(&format!(" and {more} more"));
        }
        self.found.add(
            Weight::Ask,
            "deletes_ignored",
            "deletes ignored files, which no checkpoint holds, so this cannot be brought back",
            &names,
        );
    }

    /// What steers agents, what runs by itself, and what a person told vib about this project: not tracked, so it goes.
    fn cleans_guarded(&mut self, folders: &[String]) {
        let own = self.ctx.project_root.join(".vibelign");
        for folder in folders {
            for path in self.special_below(folder).unwrap_or_default() {
                let file = Path::new(&path);
                if file.starts_with(&own) {
                    continue;
                }
                let place = classify(&path, false, self.ctx);
                let is_git = matches!(place, Place::GitData | Place::GitHook);
                if !is_git && !self.ctx.files.is_tracked(file) {
                    self.deletes(&Arg::new(path), false);
                }
            }
            // The id of the project is found again by its folder; settings and policies are not.
            if own.starts_with(folder) {
                let names = self.listing(&own.to_string_lossy()).map(|names| names.to_vec());
                for (name, _) in names.unwrap_or_default() {
                    let comes_back = matches!(name.as_str(), ".gitignore" | "id" | "project.id")
                        || name.starts_with(".id");
                    if !comes_back {
                        self.deletes(&Arg::new(own.join(&name).to_string_lossy().into_owned()), false);
                    }
                }
            }
        }
    }

    /// Other repositories inside, with the history that only they have.
    fn cleans_repositories(&mut self, folders: Option<&[String]>, about: &str) {
        let own = self.ctx.project_root.join(".git");
        let all = folders.map(|folders| {
            folders.iter().map(|folder| self.special_below(folder)).collect::<Option<Vec<_>>>()
        });
        match all.flatten() {
            Some(found) => {
                let repositories: Vec<String> = found
                    .into_iter()
                    .flatten()
                    .filter(|path| {
                        Path::new(path) != own && classify(path, false, self.ctx) == Place::GitData
                    })
                    .collect();
                for path in repositories {
                    self.deletes(&Arg::new(path), false);
                }
            }
            None => {
                self.found.loses(false);
                self.found.add(
                    Weight::Ask,
                    "git_clean_repositories",
                    "deletes other repositories inside too, with their history",
                    about,
                );
            }
        }
    }
}

/// `worktree = …`, also behind the name of its section.
fn names_work_tree(line: &str) -> bool {
    let line = line.rsplit(']').next().unwrap_or_default().trim_start();
    line.get(..8).is_some_and(|name| name.eq_ignore_ascii_case("worktree"))
}

/// A path as it stands, without git's own signs before it.
fn is_plain(word: &Arg) -> bool {
    word.known() && !word.text.starts_with(':')
}
