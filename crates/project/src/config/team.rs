//! `vibelign.toml` in the project's root: what a team commits on purpose.
//!
//! It comes with every clone, so anybody may have written it: it can ask for more care and for nothing else. Settings as in
//! the other files, as far as they tighten; `[protect] paths`; `[[policy.deny]]` and `[[policy.ask]]`, which the judge
//! reads. All the rest is named in a warning and not used.

use std::path::{Path, PathBuf};

use super::{Config, Source};

/// Its name.
pub const FILE: &str = "vibelign.toml";
/// Largest file that is read, in bytes.
const LIMIT: u64 = 1 << 20;

/// The file of a project.
pub fn file(root: &Path) -> PathBuf {
    root.join(FILE)
}

/// Reads the file; none if there is none. `Err`: why it cannot be used, in words.
pub fn read(root: &Path) -> Result<Option<toml::Table>, String> {
    let file = file(root);
    let facts = match std::fs::metadata(&file) {
        Ok(facts) => facts,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error.to_string()),
    };
    if !facts.is_file() || facts.len() > LIMIT {
        return Err("it is not a small file".to_owned());
    }
    let text = std::fs::read_to_string(&file).map_err(|error| error.to_string())?;
    text.parse::<toml::Table>().map(Some).map_err(|error| error.message().to_owned())
}

impl Config {
    /// Files and folders that the team wants protected, from the root.
    pub fn protected(&self) -> &[String] {
        &self.protected
    }

    pub(super) fn apply_team(&mut self, root: &Path) {
        let mut table = match read(root) {
            Ok(None) => return,
            Ok(Some(table)) => table,
            Err(why) => {
                self.warnings.push(format!("`{FILE}` cannot be read: {why}; nothing in it is used"));
                return;
            }
        };
        // The judge reads this part, and says what is wrong with it.
        table.remove("policy");
        if let Some(protect) = table.remove("protect") {
            self.protect(&protect);
        }
        if let Err(error) = self.apply_table(&file(root), &table, Source::Team) {
            self.warnings.push(error.to_string());
        }
    }

    fn protect(&mut self, protect: &toml::Value) {
        let entries = protect.as_table().cloned().unwrap_or_default();
        let mut is_whole = protect.is_table();
        for (name, value) in entries {
            let paths = value.as_array().filter(|_| name == "paths").cloned().unwrap_or_default();
            let known: Vec<String> =
                paths.iter().filter_map(|path| Some(path.as_str()?.to_owned())).collect();
            is_whole &= name == "paths" && value.is_array() && known.len() == paths.len();
            self.protected.extend(known);
        }
        if !is_whole {
            self.warnings.push(format!(
                "`{FILE}`: `[protect]` holds `paths = [\"a/file\", \"a/folder\"]` and nothing else; the rest is not used"
            ));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn load(user: &str, team: &str) -> Config {
        let tmp = tempfile::tempdir().unwrap();
        std::fs::write(tmp.path().join("config.toml"), user).unwrap();
        std::fs::write(file(tmp.path()), team).unwrap();
        Config::load(Some(tmp.path()), tmp.path()).unwrap()
    }

    #[test]
    fn a_team_may_tighten_t15() {
        let config = load(
            "",
            "[guard]\ncovered = 'ask'\napprove = 'off'\n[retention]\ndays = 300\n[checkpoint]\nsensitive = ['*.crt']\n[protect]\npaths = ['db']\n\
             [[policy.deny]]\ncommand = 'npm publish'\n",
        );
        assert_eq!((config.word("guard.covered"), config.number("retention.days")), ("ask", 300));
        assert_eq!(config.word("guard.approve"), "off");
        assert!(config.list("checkpoint.sensitive").contains(&"*.crt".to_owned()));
        assert_eq!(config.protected(), ["db"]);
        assert_eq!(config.get("guard.covered").unwrap().1, Source::Team);
        assert!(config.warnings().is_empty(), "{:?}", config.warnings());
    }

    #[test]
    fn a_team_may_do_nothing_else_and_each_try_is_named_t15() {
        let team = "[guard]\ncovered = 'allow'\nllm_command = 'evil'\n[retention]\nturns = 1\n[checkpoint]\nskip_caches = false\n\
                    include = ['!.env']\nmax_file_size = 1\n[privacy]\nallow = ['a@b.io']\nproject_may_allow = true\n[memory]\n\
                    minimal = true\n[ui]\ncolor = 'never'\n[state]\nfolder = '/tmp/x'\n[protect]\nnone = true\n";
        let user = "[guard]\ncovered = 'ask'\n[privacy]\nproject_may_allow = true";
        let (config, plain) = (load(user, team), load(user, ""));
        for key in super::super::KEYS {
            assert_eq!(config.get(key.name).unwrap().0, plain.get(key.name).unwrap().0, "{}", key.name);
        }
        assert_eq!(config.warnings().len(), 12, "{:#?}", config.warnings());
        for (user, team, want) in [
            ("list", "covered", "list"),
            ("off", "list", "off"),
            ("covered", "list", "list"),
            ("covered", "off", "off"),
        ] {
            let line = |word: &str| format!("[guard]\napprove = '{word}'\n");
            assert_eq!(load(&line(user), &line(team)).word("guard.approve"), want, "{user}, {team}: g1");
        }
        assert!(load("", "not toml [").warnings()[0].contains("nothing in it is used"));
    }
}
