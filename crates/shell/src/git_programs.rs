//! Programs that a repository itself makes git start: hooks, and settings that name one. Whoever can write `.git` decides what these do, so
//! a git command in such a repository runs code that vib did not read. (B1)
//!
//! Settings are known harmless or they are not: a list of those that run something is never complete. The person's own settings
//! (`~/.gitconfig`) are theirs.

use std::path::{Component, Path, PathBuf};

use crate::context::{FileView, Kind};

/// Largest file of git's own that is read.
const LARGEST: u64 = 256 * 1024;
/// Most hooks, and most submodules, that are looked at.
const MOST: usize = 200;
/// How deep names of submodules may be.
const DEEPEST: usize = 4;

/// Sections of which no setting starts a program.
const HARMLESS_SECTIONS: &[&str] = &[
    "user",
    "author",
    "committer",
    "branch",
    "color",
    "pull",
    "push",
    "fetch",
    "rebase",
    "extensions",
    "gc",
    "pack",
    "index",
    "rerere",
    "status",
    "log",
    "advice",
    "feature",
    "receive",
    "http",
    "https",
    "worktree",
    "safe",
    "lfs",
    "gitflow",
    "apply",
    "am",
    "blame",
    "checkout",
    "clean",
    "clone",
    "column",
    "format",
    "grep",
    "help",
    "notes",
    "reset",
    "revert",
    "show",
    "stash",
    "tag",
    "transfer",
    "versionsort",
    "splitindex",
    "commit",
    "maintenance",
    "fsck",
    "i18n",
    "mailinfo",
    "remotes",
    "vscode",
    "github",
    "sparse",
    "repack",
    "switch",
    "trace2",
    "bitmap",
    "committemplate",
    "pager-off",
];

/// Settings of other sections that start none.
const HARMLESS: &[&str] = &[
    "core.repositoryformatversion",
    "core.filemode",
    "core.bare",
    "core.logallrefupdates",
    "core.ignorecase",
    "core.precomposeunicode",
    "core.symlinks",
    "core.autocrlf",
    "core.eol",
    "core.safecrlf",
    "core.quotepath",
    "core.compression",
    "core.loosecompression",
    "core.bigfilethreshold",
    "core.untrackedcache",
    "core.preloadindex",
    "core.longpaths",
    "core.sparsecheckout",
    "core.sparsecheckoutcone",
    "core.splitindex",
    "core.abbrev",
    "core.commentchar",
    "core.protecthfs",
    "core.protectntfs",
    "core.excludesfile",
    "core.whitespace",
    "core.sharedrepository",
    "core.checkstat",
    "core.trustctime",
    "core.fscache",
    "core.multipackindex",
    "core.commitgraph",
    "core.hidedotfiles",
    "core.worktree",
    "init.defaultbranch",
    "diff.algorithm",
    "diff.renames",
    "diff.renamelimit",
    "diff.colormoved",
    "diff.mnemonicprefix",
    "diff.noprefix",
    "diff.submodule",
    "diff.context",
    "diff.interhunkcontext",
    "diff.ignoresubmodules",
    "diff.wserrorhighlight",
    "diff.tool",
    "merge.conflictstyle",
    "merge.ff",
    "merge.stat",
    "merge.renames",
    "merge.renamelimit",
    "merge.tool",
    "merge.log",
    "submodule.recurse",
    "submodule.active",
    "submodule.fetchjobs",
];

/// The last word of settings with a name in the middle (`remote.origin.url`) that start none.
const HARMLESS_OF_ONE: &[(&str, &[&str])] = &[
    (
        "remote",
        &[
            "url",
            "fetch",
            "push",
            "pushurl",
            "prune",
            "prunetags",
            "tagopt",
            "mirror",
            "skipdefaultupdate",
            "skipfetchall",
            "gh-resolved",
            "promisor",
            "partialclonefilter",
            "followremotehead",
        ],
    ),
    ("submodule", &["url", "active", "branch", "ignore", "path", "shallow", "fetchrecursesubmodules"]),
];

/// Whether git started in this folder may start programs that the repository names.
pub(crate) fn starts_programs(files: &dyn FileView, folder: &Path) -> bool {
    let Some(own) = git_folder(files, folder) else { return false };
    let common = match files.read_small(&own.join("commondir"), 4096) {
        Some(text) => plain(&own.join(text.trim())),
        None => own.clone(),
    };
    steers(files, &common)
        || own != common && steers(files, &own)
        || submodules_steer(files, &common.join("modules"), DEEPEST)
        || listed_submodules_steer(files, folder)
}

/// The git folder that git finds from here, as git looks for it: `.git`, or a folder that is one itself.
fn git_folder(files: &dyn FileView, folder: &Path) -> Option<PathBuf> {
    for here in folder.ancestors() {
        let mark = here.join(".git");
        match files.kind(&mark) {
            Some(Kind::Folder) => return Some(mark),
            Some(Kind::Link) => return files.resolve(&mark),
            Some(Kind::File) => {
                let text = files.read_small(&mark, 4096)?;
                let named = text.trim().strip_prefix("gitdir:")?.trim();
                return Some(plain(&here.join(named)));
            }
            None => {}
        }
        let is_bare = files.kind(&here.join("HEAD")).is_some()
            && files.kind(&here.join("objects")).is_some()
            && files.kind(&here.join("refs")).is_some();
        if is_bare {
            return Some(here.to_path_buf());
        }
    }
    None
}

/// One git folder with hooks, or with settings that are not known to be harmless.
fn steers(files: &dyn FileView, git: &Path) -> bool {
    let hooks = git.join("hooks");
    let has_hooks = match (files.kind(&hooks), files.list(&hooks, MOST)) {
        (None, _) => false,
        (Some(Kind::Folder), Some(names)) => {
            names.iter().any(|(name, _)| !name.ends_with(".sample") && name != "README" && name != ".gitkeep")
        }
        // Too many, or elsewhere: nobody looked.
        (Some(_), _) => true,
    };
    has_hooks
        || ["config", "config.worktree"].iter().any(|name| {
            let file = git.join(name);
            match (files.kind(&file), files.read_small(&file, LARGEST)) {
                (None, _) => false,
                (Some(_), Some(text)) => settings(&text).iter().any(|(key, value)| !is_harmless(key, value)),
                (Some(_), None) => true,
            }
        })
}

fn submodules_steer(files: &dyn FileView, folder: &Path, deep: usize) -> bool {
    let Some(names) = (match files.kind(folder) {
        None => return false,
        Some(_) => files.list(folder, MOST),
    }) else {
        return true;
    };
    names.into_iter().filter(|(_, kind)| *kind != Kind::File).any(|(name, _)| {
        let inside = folder.join(name);
        if files.kind(&inside.join("HEAD")).is_some() {
            return steers(files, &inside)
                || submodules_steer(files, &inside.join("modules"), deep.saturating_sub(1));
        }
        deep == 0 || submodules_steer(files, &inside, deep - 1)
    })
}

/// Submodules whose git folder lies in their own.
fn listed_submodules_steer(files: &dyn FileView, folder: &Path) -> bool {
    let top = folder.ancestors().find(|here| files.kind(&here.join(".git")).is_some());
    let Some((top, list)) =
        top.and_then(|top| Some((top, files.read_small(&top.join(".gitmodules"), LARGEST)?)))
    else {
        return false;
    };
    let paths = settings(&list);
    let paths = paths.iter().filter(|(key, _)| key.starts_with("submodule.") && key.ends_with(".path"));
    paths.take(MOST).any(|(_, path)| {
        let git = top.join(path).join(".git");
        files.kind(&git) == Some(Kind::Folder) && steers(files, &git)
    })
}

/// Whether a setting is known to start nothing.
pub(crate) fn is_harmless(key: &str, value: &str) -> bool {
    let Some((section, rest)) = key.split_once('.') else { return false };
    let of_one = rest.rsplit_once('.').map(|(_, last)| last);
    // An address can name a program: `ext::sh -c …`.
    if matches!(of_one, Some("url" | "pushurl")) && value.contains("::") {
        return false;
    }
    if key == "core.fsmonitor" {
        return matches!(value.to_lowercase().as_str(), "true" | "false" | "0" | "1" | "");
    }
    // An alias is read where it is used, unless it is a command of the shell.
    if section == "alias" {
        return !value.trim_start().starts_with('!');
    }
    HARMLESS_SECTIONS.contains(&section)
        || HARMLESS.contains(&key)
        || HARMLESS_OF_ONE
            .iter()
            .any(|(name, last)| *name == section && of_one.is_some_and(|one| last.contains(&one)))
}

/// The settings in the text of a git configuration that may make git start a program: those that are not known to start none.
pub fn git_steering(text: &str) -> Vec<String> {
    let all = settings(text).into_iter().filter(|(key, value)| !is_harmless(key, value));
    all.map(|(key, value)| format!("{key} = {value}")).collect()
}

/// Every setting of a configuration file: its whole name in small letters, and its value as it is written.
fn settings(text: &str) -> Vec<(String, String)> {
    let mut found: Vec<(String, String)> = Vec::new();
    let (mut section, mut goes_on) = (String::new(), false);
    for line in text.lines() {
        let ends_open = line.trim_end().ends_with('\\');
        let mut line = line.trim();
        if goes_on {
            if let Some((_, value)) = found.last_mut() {
                value.push_str(line.trim_end_matches('\\'));
            }
            goes_on = ends_open;
            continue;
        }
        while let Some(rest) = line.strip_prefix('[') {
            let Some((name, rest)) = rest.split_once(']') else {
                // Not as git writes it: whatever it is, it is not known.
                section = "?".to_owned();
                break;
            };
            section = match name.split_once(char::is_whitespace) {
                Some((one, named)) => format!("{}.{}", one.to_lowercase(), named.trim().trim_matches('"')),
                None => name.to_lowercase(),
            };
            line = rest.trim();
        }
        if line.is_empty() || line.starts_with(['#', ';']) {
            continue;
        }
        let (name, value) = line.split_once('=').unwrap_or((line, "true"));
        let value = value.trim().trim_end_matches('\\').trim_matches('"');
        found.push((format!("{section}.{}", name.trim().to_lowercase()), value.to_owned()));
        goes_on = ends_open;
    }
    found
}

/// Without `..`, by the names alone: the window on files follows links itself.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => {
                plain.pop();
            }
            Component::CurDir => {}
            part => plain.push(part),
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_are_read_however_they_are_written() {
        let text = "[core]\n\tbare = false\n[Remote \"Up\"] url = a # x\n[filter.x]\nclean = \"run\"\n[alias]\n st = !ls \\\n  -la\n[include]\n\tpath = ../x\n";
        let found = settings(text);
        let keys: Vec<&str> = found.iter().map(|(key, _)| key.as_str()).collect();
        assert_eq!(keys, ["core.bare", "remote.Up.url", "filter.x.clean", "alias.st", "include.path"]);
        let odd: Vec<&str> = found
            .iter()
            .filter(|(key, value)| !is_harmless(key, value))
            .map(|(key, _)| key.as_str())
            .collect();
        assert_eq!(odd, ["filter.x.clean", "alias.st", "include.path"]);
    }

    #[test]
    fn what_starts_a_program_is_never_held_to_be_harmless_b1() {
        for key in crate::git_names::RUNS_VALUE {
            let value = if *key == "protocol.ext.allow" { "always" } else { "./x" };
            assert!(!is_harmless(key, value), "{key}");
        }
        for (key, value) in [
            ("filter.a.smudge", "x"),
            ("diff.a.textconv", "x"),
            ("diff.a.command", "x"),
            ("merge.a.driver", "x"),
            ("mergetool.a.cmd", "x"),
            ("credential.https://a.helper", "x"),
            ("gpg.ssh.defaultkeycommand", "x"),
            ("trailer.a.command", "x"),
            ("submodule.a.update", "!x"),
            ("remote.a.url", "ext::sh -c x"),
            ("remote.a.uploadpack", "x"),
            ("hook.a.command", "x"),
            ("includeif.gitdir:/.path", "x"),
            ("pager.log", "x"),
            ("core.attributesfile", "x"),
            ("url.ext::sh.insteadof", "x"),
            ("sendemail.smtpserver", "/x"),
        ] {
            assert!(!is_harmless(key, value), "{key}");
        }
    }
}
