//! What patterns, listings and recursion really reach: names are looked up in the folder itself, within bounds. Where a
//! folder cannot be read or is too large, the worst that the pattern could match counts.
//!
//! Only what matters is looked for: git's own data, vib's records, settings of agents, links, secrets. The other names a
//! pattern matches are files of the project, and the pattern itself stands for those.

use crate::context::Kind;
use crate::patterns::{fits, is_pattern};
use crate::place::{classify, normalise};
use crate::value::Arg;
use crate::verdict::Place;
use crate::walk::Walk;
use std::path::Path;
use std::rc::Rc;

/// Most entries that are listed in one judgement, all folders together.
const MOST_ENTRIES: usize = 60_000;

/// Most matches that are followed one by one.
const MOST_MATCHES: usize = 24;

/// Most folders that a pattern may match to be looked through.
const MOST_FOLDERS: usize = 400;

/// Names that would matter, for a folder that cannot be looked into.
const WORST: &[&str] = &[
    ".git",
    ".vibelign",
    ".claude",
    ".codex",
    ".gemini",
    ".cursor",
    ".opencode",
    ".husky",
    ".mcp.json",
    "vibelign.toml",
    "opencode.json",
    ".ssh",
    ".aws",
    ".gnupg",
    ".bashrc",
    ".zshrc",
    ".profile",
    ".netrc",
    ".config",
    ".local",
    "id_rsa",
    "id_ed25519",
    "credentials",
];

/// Whether a name in an ordinary folder may be more than a file of the project.
pub(crate) fn may_be_special(name: &str) -> bool {
    name.starts_with('.')
        || [
            "vibelign.toml",
            "opencode.json",
            "opencode.jsonc",
            "authorized_keys",
            "config.fish",
            "crontab",
            "vibelign",
        ]
        .iter()
        .any(|known| known.eq_ignore_ascii_case(name))
        || name.starts_with("Launch")
}

/// zsh: a pattern without what follows in brackets and chooses among its matches, and that.
pub(crate) fn without_qualifiers(pattern: &str) -> Option<(&str, &str)> {
    let (plain, qualifiers) = pattern.strip_suffix(')')?.rsplit_once('(')?;
    let chooses = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '/' | '@' | '^' | '-' | '+');
    (!plain.is_empty() && qualifiers.chars().all(chooses)).then_some((plain, qualifiers))
}

/// One listing, kept for the whole judgement.
pub(crate) type Listing = Option<Rc<Vec<(String, Kind)>>>;

impl Walk<'_> {
    /// The names in a folder; `None` where it cannot be read or the bound is reached.
    pub(crate) fn listing(&mut self, folder: &str) -> Listing {
        if self.remote || folder.contains(crate::value::HOLE) {
            return None;
        }
        if let Some(known) = self.listings.get(folder) {
            return known.clone();
        }
        let left = MOST_ENTRIES.saturating_sub(self.listed);
        let listing =
            if left == 0 { None } else { self.ctx.files.list(Path::new(folder), left).map(Rc::new) };
        self.listed += listing.as_ref().map_or(0, |names| names.len());
        self.listings.insert(folder.to_owned(), listing.clone());
        listing
    }

    /// Everything that a pattern matches and that is more than a file of the project, as absolute paths.
    pub(crate) fn special_matches(&mut self, pattern: &Arg, dots: bool) -> Vec<String> {
        if self.remote || !pattern.known() || pattern.text.len() > 4096 {
            return Vec::new();
        }
        let Some(path) = crate::place::absolute(&pattern.text, self.cwd.as_deref()) else {
            return Vec::new();
        };
        let dots = dots || self.dotglob;
        let path = normalise(&path);
        let parts: Vec<&str> = path.split('/').filter(|part| !part.is_empty()).collect();
        let mut found = Vec::new();
        self.descend((String::new(), false), &parts, (dots, false), &mut found);
        // zsh: `*(D)`, what follows in brackets chooses among the matches.
        if let Some((plain, qualifiers)) = without_qualifiers(&pattern.text) {
            found.extend(self.special_matches(&pattern.with_text(plain), dots || qualifiers.contains('D')));
        }
        // A secret that a wide pattern happens to match, `grep x *`, is read like any other file of the project.
        let wide = parts
            .last()
            .is_some_and(|last| !last.starts_with('.') || matches!(*last, ".*" | ".??*" | ".[!.]*"));
        if wide {
            found.retain(|path| {
                !matches!(classify(path, false, self.ctx), Place::Project)
                    || !crate::secret_files::is_secret(path)
                    || self.ctx.files.kind(Path::new(path)) == Some(Kind::Link)
            });
        }
        found.truncate(MOST_MATCHES);
        found
    }

    /// The files that a pattern matches in one folder, the first few: scripts that are run one by one.
    pub(crate) fn files_matching(&mut self, pattern: &Arg) -> Vec<String> {
        if !(pattern.glob || is_pattern(&pattern.text)) || !pattern.known() || self.remote {
            return Vec::new();
        }
        let Some(path) = crate::place::absolute(&pattern.text, self.cwd.as_deref()) else {
            return Vec::new();
        };
        let path = normalise(&path);
        let Some((folder, last)) = path.rsplit_once('/').filter(|(folder, _)| !is_pattern(folder)) else {
            return Vec::new();
        };
        let names = self.listing(folder).map(|names| names.to_vec()).unwrap_or_default();
        let fitting =
            names.into_iter().filter(|(name, kind)| *kind == Kind::File && fits(last, name, self.dotglob));
        fitting.take(MOST_MATCHES).map(|(name, _)| format!("{folder}/{name}")).collect()
    }

    /// The folders of the project that a pattern matches; `None` when there are too many to look through.
    pub(crate) fn matching_folders(&mut self, pattern: &Arg) -> Option<Vec<String>> {
        let path = crate::place::absolute(&pattern.text, self.cwd.as_deref()).filter(|_| !self.remote)?;
        let path = normalise(&path);
        let parts: Vec<&str> = path.split('/').filter(|part| !part.is_empty()).collect();
        let mut found = Vec::new();
        self.descend((String::new(), false), &parts, (self.dotglob, true), &mut found);
        (found.len() < MOST_FOLDERS).then_some(found)
    }

    /// Follows the parts of a pattern down from a folder. `strayed`: a link on the way led elsewhere.
    fn descend(
        &mut self,
        (here, strayed): (String, bool),
        parts: &[&str],
        (dots, folders): (bool, bool),
        found: &mut Vec<String>,
    ) {
        if found.len() >= if folders { MOST_FOLDERS } else { MOST_MATCHES } {
            return;
        }
        let Some((part, rest)) = parts.split_first() else {
            let wanted = if folders {
                classify(&here, false, self.ctx) == Place::Project
                    && self.ctx.files.kind(Path::new(&here)) == Some(Kind::Folder)
            } else {
                strayed || self.is_special(&here)
            };
            if wanted {
                found.push(here);
            }
            return;
        };
        if !is_pattern(part) {
            // What follows the last pattern is only a name.
            return self.descend((format!("{here}/{part}"), strayed), rest, (dots, folders), found);
        }
        let folder = if here.is_empty() { "/" } else { here.as_str() };
        let deep = *part == "**" && self.globstar;
        let names: Vec<(String, Kind)> = match self.listing(folder) {
            Some(names) => names.to_vec(),
            None if self.may_hold_anything(folder) => {
                WORST.iter().map(|name| ((*name).to_owned(), Kind::Folder)).collect()
            }
            None => Vec::new(),
        };
        if deep {
            self.descend((here.clone(), strayed), rest, (dots, folders), found);
        }
        for (name, kind) in names {
            if !fits(if deep { "*" } else { part }, &name, dots) {
                continue;
            }
            let mut next = (format!("{here}/{name}"), strayed);
            if kind == Kind::Link && !rest.is_empty() {
                let real = self.ctx.files.resolve(Path::new(&next.0));
                next = real.map_or(next, |path| (path.to_string_lossy().into_owned(), true));
            }
            // Without further parts only what is special by itself is of interest.
            if kind != Kind::File || rest.is_empty() && !folders {
                let again =
                    if deep && kind == Kind::Folder && self.listings.len() < 400 { parts } else { rest };
                self.descend(next, again, (dots, folders), found);
            }
        }
    }

    /// Whether a folder that could not be listed is there, or is one that surely has more than files in it.
    fn may_hold_anything(&self, folder: &str) -> bool {
        let path = Path::new(folder);
        path == self.ctx.project_root
            || path == self.ctx.home
            || self.ctx.files.kind(path) == Some(Kind::Folder)
    }

    /// Whether a path is more than a file of the project that every checkpoint holds.
    fn is_special(&mut self, path: &str) -> bool {
        let place = classify(path, false, self.ctx);
        !matches!(place, Place::Project | Place::Temp | Place::Stream | Place::Outside)
            || crate::secret_files::is_secret(path)
            || matches!(place, Place::Project) && self.ctx.files.kind(Path::new(path)) == Some(Kind::Link)
            || matches!(place, Place::Outside) && self.is_home_secret(path)
    }

    fn is_home_secret(&self, path: &str) -> bool {
        let home = self.ctx.home.to_string_lossy();
        path.strip_prefix(&*home).is_some_and(|inside| inside.starts_with("/.") && !inside[1..].contains('/'))
    }

    /// The words that a pattern becomes: itself, and what it matches that matters.
    pub(crate) fn with_matches(&mut self, arg: Arg) -> Vec<Arg> {
        if !arg.glob || arg.text.len() < 2 && !self.dotglob {
            return vec![arg];
        }
        let matches = self.special_matches(&arg, false);
        let cwd = self.cwd.clone().unwrap_or_default();
        let relative = !arg.text.starts_with('/');
        let literal = |path: String| {
            let inside = path.strip_prefix(&format!("{}/", cwd.trim_end_matches('/')));
            let text = inside.filter(|_| relative).map_or(path.clone(), str::to_owned);
            Arg { text, glob: false, taint: arg.taint }
        };
        let more: Vec<Arg> = matches.into_iter().map(literal).collect();
        std::iter::once(arg.clone()).chain(more).collect()
    }

    /// Names in a listing of this folder (`ls`, `find`) that are more than files of the project.
    pub(crate) fn special_names(&mut self, folder: &str, dots: bool) -> Vec<String> {
        let names: Vec<String> = match self.listing(folder) {
            Some(names) => names.iter().map(|(name, _)| name.clone()).collect(),
            None if self.may_hold_anything(folder) => {
                WORST.iter().take(6).map(|name| (*name).to_owned()).collect()
            }
            None => Vec::new(),
        };
        names
            .into_iter()
            .filter(|name| dots || !name.starts_with('.'))
            .filter(|name| {
                let place = classify(&format!("{}/{name}", folder.trim_end_matches('/')), false, self.ctx);
                !matches!(place, Place::Project | Place::Temp | Place::Stream | Place::Outside)
            })
            .take(MOST_MATCHES)
            .collect()
    }

    /// What lies below a folder of the project that goes as a whole, and is in no checkpoint by its kind: other
    /// repositories, vib's records, settings of agents. `None` when the folder is too large to look through.
    pub(crate) fn special_below(&mut self, folder: &str) -> Option<Vec<String>> {
        let mut found = Vec::new();
        if self.remote || self.ctx.files.kind(Path::new(folder)) != Some(Kind::Folder) {
            return Some(found);
        }
        let mut open = vec![folder.to_owned()];
        while let Some(here) = open.pop() {
            for (name, kind) in self.listing(&here)?.iter() {
                if *kind != Kind::Folder && !may_be_special(name) {
                    continue;
                }
                let path = format!("{here}/{name}");
                if may_be_special(name)
                    && !matches!(
                        classify(&path, false, self.ctx),
                        Place::Project | Place::Temp | Place::Outside
                    )
                {
                    found.push(path);
                    if found.len() >= MOST_MATCHES {
                        return Some(found);
                    }
                } else if *kind == Kind::Folder && !crate::effects::is_made_folder(name) {
                    open.push(path);
                }
            }
        }
        Some(found)
    }
}
