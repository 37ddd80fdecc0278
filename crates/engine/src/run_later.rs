//! What programs outside the fence run by themselves, from files of the project: git's hooks and settings, settings of agents and editors, files
//! that shells and package managers read in a folder. A fenced command may write in the project, so it may write these, and the kernel
//! cannot leave single files of an open folder out. So they are looked at before and after: what changed is told. (B3)

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use project::platform::make_private_dir;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// The format of the file.
const VERSION: u32 = 1;
/// Largest file that is read.
const LARGEST: u64 = 1 << 20;
/// Most names in one folder, and most submodules.
const MOST: usize = 200;
/// How deep names of submodules may be.
const DEEPEST: usize = 4;

/// Files in a project that something else than the person's own words makes run.
const FILES: &[&str] = &[
    // Agents: hooks, servers, permissions.
    ".claude/settings.json",
    ".claude/settings.local.json",
    ".mcp.json",
    ".codex/config.toml",
    ".codex/hooks.json",
    ".gemini/settings.json",
    ".gemini/.env",
    "opencode.json",
    "opencode.jsonc",
    ".opencode/opencode.json",
    ".opencode/opencode.jsonc",
    ".copilot/settings.json",
    ".copilot/mcp-config.json",
    ".cursor/mcp.json",
    ".cursor/hooks.json",
    // Editors.
    ".vscode/tasks.json",
    ".vscode/settings.json",
    ".vscode/launch.json",
    ".vscode/mcp.json",
    ".zed/tasks.json",
    ".zed/settings.json",
    ".devcontainer/devcontainer.json",
    ".devcontainer.json",
    ".exrc",
    ".nvimrc",
    ".nvim.lua",
    ".vimrc",
    ".dir-locals.el",
    ".gdbinit",
    ".lldbinit",
    // Shells and managers of versions.
    ".envrc",
    ".autoenv",
    ".env.zsh",
    "mise.toml",
    ".mise.toml",
    ".tool-versions",
    // Package managers and builds: what they start besides the project's own tasks.
    ".npmrc",
    ".yarnrc",
    ".yarnrc.yml",
    ".pnpmfile.cjs",
    ".cargo/config.toml",
    ".cargo/config",
    "rust-toolchain",
    "rust-toolchain.toml",
    ".bazelrc",
    // Managers of hooks.
    ".pre-commit-config.yaml",
    "lefthook.yml",
    ".lefthook.yml",
    // Git: where its folder is, what its filters are called for.
    ".git",
    ".gitattributes",
    ".gitmodules",
];

/// Folders whose files are such.
const FOLDERS: &[&str] = &[
    ".claude/hooks",
    ".github/hooks",
    ".opencode/plugin",
    ".opencode/plugins",
    ".husky",
    ".idea/runConfigurations",
    ".yarn/plugins",
];

/// What was there: a name that a person understands, and what its content was.
type Look = BTreeMap<String, String>;

#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Kept {
    version: u32,
    root: PathBuf,
    look: Look,
}

/// What changed since this was last asked for the project; the names are as a person types them there. The first look finds nothing.
pub fn changed(state: &Path, root: &Path) -> Vec<String> {
    let now = look(root);
    let file = file(state, root);
    let kept = std::fs::read(&file).ok().and_then(|bytes| serde_json::from_slice::<Kept>(&bytes).ok());
    let before = kept.filter(|kept| kept.version == VERSION && kept.root == root).map(|kept| kept.look);
    if before.as_ref() == Some(&now) {
        return Vec::new();
    }
    let told = before.as_ref().map(|before| differences(before, &now)).unwrap_or_default();
    let kept = Kept { version: VERSION, root: root.to_path_buf(), look: now };
    if let Some(folder) = file.parent()
        && make_private_dir(folder).is_ok()
    {
        let _ = project::write_view(&file, &serde_json::to_vec(&kept).unwrap_or_default());
    }
    told
}

/// The same before a command that may change it, so that only its own changes are told after it.
pub fn since_last(state: &Path, root: &Path) -> Vec<String> {
    changed(state, root)
}

fn file(state: &Path, root: &Path) -> PathBuf {
    let name = hash(root.to_string_lossy().as_bytes());
    fence::folder(state).join("later").join(format!("{}.json", &name[..24.min(name.len())]))
}

fn hash(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

fn differences(before: &Look, now: &Look) -> Vec<String> {
    let names = before.keys().chain(now.keys().filter(|name| !before.contains_key(*name)));
    names.filter(|name| before.get(*name) != now.get(*name)).map(|name| format!("`{name}`")).collect()
}

fn look(root: &Path) -> Look {
    let mut look = Look::new();
    for name in FILES {
        note(&mut look, name, &root.join(name));
    }
    for name in FOLDERS {
        for file in names_in(&root.join(name)) {
            note(&mut look, &format!("{name}/{file}"), &root.join(name).join(&file));
        }
    }
    if let Some(git) = git::Folder::of(root) {
        of_git(&mut look, root, &git.common);
        if git.own != git.common {
            of_git(&mut look, root, &git.own);
        }
        submodules(&mut look, root, &git.common.join("modules"), DEEPEST);
    }
    look
}

/// One git folder. Of its settings only those count that may start a program: the others change with every branch.
fn of_git(look: &mut Look, root: &Path, git: &Path) {
    let shown = |name: &str| {
        let path = git.join(name);
        path.strip_prefix(root).unwrap_or(&path).display().to_string()
    };
    for name in ["config", "config.worktree"] {
        let file = git.join(name);
        let is_small = file.metadata().is_ok_and(|facts| facts.is_file() && facts.len() <= LARGEST);
        match std::fs::read_to_string(&file) {
            Ok(text) if is_small => {
                for setting in shell::git_steering(&text) {
                    look.insert(format!("{} ({setting})", shown(name)), setting);
                }
            }
            _ => note(look, &shown(name), &file),
        }
    }
    for name in ["commondir", "info/attributes"] {
        note(look, &shown(name), &git.join(name));
    }
    for hook in names_in(&git.join("hooks")).iter().filter(|name| !name.ends_with(".sample")) {
        let name = format!("hooks/{hook}");
        note(look, &shown(&name), &git.join(&name));
    }
}

fn submodules(look: &mut Look, root: &Path, folder: &Path, deep: usize) {
    for name in names_in(folder) {
        let inside = folder.join(name);
        if inside.join("HEAD").is_file() {
            of_git(look, root, &inside);
            if deep > 0 {
                submodules(look, root, &inside.join("modules"), deep - 1);
            }
        } else if deep > 0 && inside.is_dir() {
            submodules(look, root, &inside, deep - 1);
        }
    }
}

fn names_in(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten().take(MOST);
    entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect()
}

/// Notes what is at a path, if anything: a folder counts only where it is a link.
fn note(look: &mut Look, name: &str, path: &Path) {
    let Ok(facts) = path.symlink_metadata() else { return };
    let what = if facts.is_symlink() {
        format!("link to {}", path.read_link().unwrap_or_default().display())
    } else if facts.is_file() && facts.len() <= LARGEST {
        hash(&std::fs::read(path).unwrap_or_default())
    } else if facts.is_file() {
        format!("{} bytes", facts.len())
    } else {
        return;
    };
    look.insert(name.to_owned(), what);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_runs_by_itself_later_is_told_when_it_changes_b3() {
        let tmp = tempfile::tempdir().unwrap();
        let (state, root) = (tmp.path().join("state"), tmp.path().join("project"));
        let git = root.join(".git");
        for folder in [
            git.join("hooks"),
            git.join("objects"),
            git.join("info"),
            git.join("modules/a/b/objects"),
            root.join(".vscode"),
        ] {
            std::fs::create_dir_all(folder).unwrap();
        }
        std::fs::write(git.join("HEAD"), "ref: refs/heads/main\n").unwrap();
        std::fs::write(git.join("modules/a/b/HEAD"), "x").unwrap();
        std::fs::write(git.join("config"), "[core]\n\tbare = false\n").unwrap();
        std::fs::write(git.join("hooks/pre-push.sample"), "x").unwrap();
        assert_eq!(changed(&state, &root), Vec::<String>::new(), "the first look");
        assert_eq!(changed(&state, &root), Vec::<String>::new());
        std::fs::write(git.join("config"), "[core]\n\tbare = false\n[branch \"a\"]\n\tremote = b\n").unwrap();
        std::fs::write(root.join("a.txt"), "x").unwrap();
        std::fs::write(git.join("hooks/pre-commit.sample"), "x").unwrap();
        assert_eq!(changed(&state, &root), Vec::<String>::new(), "none of these starts anything");
        for (file, text, told) in [
            (".git/config", "[core]\n\tfsmonitor = ./x\n", "`.git/config (core.fsmonitor = ./x)`"),
            (".git/hooks/pre-commit", "#!/bin/sh\n", "`.git/hooks/pre-commit`"),
            (".git/info/attributes", "* filter=x", "`.git/info/attributes`"),
            (
                ".git/modules/a/b/config",
                "[core]\n\tpager = ./x\n",
                "`.git/modules/a/b/config (core.pager = ./x)`",
            ),
            (".vscode/tasks.json", "{}", "`.vscode/tasks.json`"),
            (".envrc", "x", "`.envrc`"),
            (".npmrc", "script-shell=./x", "`.npmrc`"),
            (".mcp.json", "{}", "`.mcp.json`"),
        ] {
            std::fs::write(root.join(file), text).unwrap();
            assert_eq!(changed(&state, &root), [told], "{file}");
            assert_eq!(changed(&state, &root), Vec::<String>::new(), "{file}: once");
            // In git's settings a comment starts nothing; another program does.
            let more =
                if file.ends_with("config") { text.replace("./x", "./y") } else { format!("{text} # more") };
            std::fs::write(root.join(file), more).unwrap();
            assert!(!changed(&state, &root).is_empty(), "{file}: it changed");
        }
        std::fs::remove_file(root.join(".envrc")).unwrap();
        assert_eq!(changed(&state, &root), ["`.envrc`"], "gone is changed");
        std::fs::rename(root.join(".git"), root.join("git-away")).unwrap();
        std::fs::write(root.join(".git"), "gitdir: git-away\n").unwrap();
        assert!(changed(&state, &root).contains(&"`.git`".to_owned()));
    }
}
