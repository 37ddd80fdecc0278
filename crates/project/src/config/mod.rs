//! Settings: one table of keys ([`KEYS`]), two files, one value in force for each key.
//!
//! The user's file (`<config>/config.toml`) may set everything. The project's file (`.vibelign/config.toml`) can be
//! written by an agent, so each key says what the project may do with it ([`ProjectRule`]): it may tighten what
//! protects the user, never loosen it. What it may not do is ignored and reported, not an error: a bad project file
//! must not stop checkpoints. A third file, `vibelign.toml` in the root, is a team's: it gets committed, comes with every
//! clone, and may tighten only; see [`team`].

mod edit;
mod keys;
pub mod team;
mod value;

use std::path::{Path, PathBuf};

pub use edit::set_in_file;
pub use keys::{KEYS, Key, Kind, ProjectRule};
pub use value::Value;

use crate::{Error, Result};

/// Where the value in force came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Source {
    /// Built in.
    Default,
    /// The user's file.
    User,
    /// The file that a team commits.
    Team,
    /// The project's file.
    Project,
}

/// All settings, resolved.
#[derive(Debug, Clone)]
pub struct Config {
    values: Vec<(Value, Source)>,
    warnings: Vec<String>,
    protected: Vec<String>,
    providers: toml::Table,
}

impl Config {
    /// Reads both files; a missing one is fine.
    pub fn load(user_folder: Option<&Path>, root: &Path) -> Result<Self> {
        let mut config = Self::default();
        if let Some(folder) = user_folder {
            config.apply(&user_file(folder), Source::User)?;
        }
        config.apply_team(root);
        let file = project_file(root);
        if let Err(error) = config.apply(&file, Source::Project) {
            config.warnings.push(format!("{error}; the settings in it are not used"));
        }
        Ok(config)
    }

    /// The settings for files that lie in no project: the user's own, with the limit for the size of that store.
    pub fn for_loose_files(user_folder: Option<&Path>) -> Result<Self> {
        let mut config = Self::default();
        if let Some(folder) = user_folder {
            config.apply(&user_file(folder), Source::User)?;
        }
        let limit = config.values[keys::position("outside.max_store_size")?].clone();
        config.values[keys::position("retention.max_store_size")?] = limit;
        Ok(config)
    }

    /// The value in force and its source.
    pub fn get(&self, name: &str) -> Result<(&Value, Source)> {
        let at = keys::position(name)?;
        let (value, source) = &self.values[at];
        Ok((value, *source))
    }

    /// The user's providers of models (`[run.providers.NAME]`), as they wrote them.
    pub fn providers(&self) -> &toml::Table {
        &self.providers
    }

    /// What was ignored, in words.
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }

    /// A list setting. Unknown names give nothing: the key table and its users are checked by a test.
    pub fn list(&self, name: &str) -> &[String] {
        match self.get(name) {
            Ok((Value::List(items), _)) => items,
            _ => &[],
        }
    }

    /// A number or size setting.
    pub fn number(&self, name: &str) -> u64 {
        match self.get(name) {
            Ok((Value::Number(number) | Value::Size(number), _)) => *number,
            _ => 0,
        }
    }

    /// A setting that is a word.
    pub fn word(&self, name: &str) -> &str {
        match self.get(name) {
            Ok((Value::Text(word), _)) => word,
            _ => "",
        }
    }

    /// A yes-or-no setting.
    pub fn flag(&self, name: &str) -> bool {
        matches!(self.get(name), Ok((Value::Flag(true), _)))
    }

    fn apply(&mut self, file: &Path, source: Source) -> Result<()> {
        let text = match std::fs::read_to_string(file) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(()),
            Err(error) => {
                return Err(Error::ConfigSyntax { file: file.to_path_buf(), message: error.to_string() });
            }
        };
        let table: toml::Table = text.parse().map_err(|error: toml::de::Error| Error::ConfigSyntax {
            file: file.to_path_buf(),
            message: error.message().to_owned(),
        })?;
        self.apply_table(file, &table, source)
    }

    fn apply_table(&mut self, file: &Path, table: &toml::Table, source: Source) -> Result<()> {
        let mut table = table.clone();
        self.take_providers(file, &mut table, source);
        for (name, raw) in flatten(&table) {
            let Ok(at) = keys::position(&name) else {
                // Left alone in the file: a newer vib may know it.
                self.warnings
                    .push(format!("`{}` has a setting `{name}` that this vib does not know", file.display()));
                continue;
            };
            match Value::from_toml(&KEYS[at], &raw) {
                Ok(value) => self.merge(at, value, source),
                Err(error) if source == Source::User => return Err(error),
                Err(error) => self.warnings.push(error.to_string()),
            }
        }
        Ok(())
    }

    /// Sections of their own, one for each provider: not settings of the table, and of the user's file alone. A project that could name one could
    /// send code and a key wherever it likes.
    fn take_providers(&mut self, file: &Path, table: &mut toml::Table, source: Source) {
        let run = table.get_mut("run").and_then(toml::Value::as_table_mut);
        match (run.and_then(|run| run.remove("providers")), source) {
            (None, _) => {}
            (Some(toml::Value::Table(providers)), Source::User) => self.providers = providers,
            (Some(_), Source::User) => self
                .warnings
                .push(format!("`{}`: `[run.providers.NAME]` has to be a section: not used", file.display())),
            (Some(_), _) => self.warnings.push(format!(
                "`{}`: `run.providers` counts in your own settings alone: not used",
                file.display()
            )),
        }
    }

    fn merge(&mut self, at: usize, value: Value, source: Source) {
        let key = &KEYS[at];
        let (current, _) = &self.values[at];
        if source == Source::User {
            let value = match (current, value) {
                // A list adds to the built-in one; `!pattern` takes one away.
                (Value::List(base), Value::List(more)) if matches!(key.kind, Kind::List(_)) => {
                    Value::List(keys::merge_list(base, &more, true))
                }
                (_, value) => value,
            };
            self.values[at] = (value, source);
            return;
        }
        let rule = match key.project_rule {
            // What comes with a clone may only tighten; taste and whatever opens something are for people.
            ProjectRule::Free | ProjectRule::MayAddIf(_) if source == Source::Team => ProjectRule::UserOnly,
            rule => rule,
        };
        let refused = match (rule, current, value) {
            (ProjectRule::MayAdd, Value::List(base), Value::List(more)) => {
                self.values[at] = (Value::List(keys::merge_list(base, &more, false)), source);
                more.iter().any(|item| item.starts_with('!'))
            }
            (ProjectRule::MayAddIf(flag), Value::List(base), Value::List(more)) if self.flag(flag) => {
                self.values[at] = (Value::List(keys::merge_list(base, &more, false)), source);
                more.iter().any(|item| item.starts_with('!'))
            }
            (ProjectRule::MayRaise, Value::Number(old) | Value::Size(old), value) => {
                // 0 means "without limit": more than any number, also where it is what counts now.
                let is_more = |new: u64| new == 0 || (*old != 0 && new >= *old);
                let raised = matches!(value, Value::Number(new) | Value::Size(new) if is_more(new));
                if raised {
                    self.values[at] = (value, source);
                }
                !raised
            }
            (
                rule @ (ProjectRule::MayTighten | ProjectRule::MayTightenBy(_)),
                Value::Text(old),
                Value::Text(new),
            ) => {
                let rank = |word: &str| match (rule, key.kind) {
                    (ProjectRule::MayTightenBy(words), _) | (_, Kind::Choice(words)) => {
                        words.iter().position(|known| *known == word)
                    }
                    _ => None,
                };
                let tightened = rank(&new) >= rank(old);
                if tightened {
                    self.values[at] = (Value::Text(new), source);
                }
                !tightened
            }
            (ProjectRule::Free, _, value) => {
                self.values[at] = (value, source);
                false
            }
            _ => true,
        };
        if refused {
            let name = key.name;
            self.warnings.push(match source {
                Source::Team => {
                    format!("`{}` may only tighten, and `{name}` there does not: not used", team::FILE)
                }
                _ => format!("the project's settings may not weaken `{name}`: that part is not used"),
            });
        }
    }
}

impl Default for Config {
    fn default() -> Self {
        let values = KEYS.iter().map(|key| (key.default_value(), Source::Default)).collect();
        Self { values, warnings: Vec::new(), protected: Vec::new(), providers: toml::Table::new() }
    }
}

/// The user's settings file.
pub fn user_file(folder: &Path) -> PathBuf {
    folder.join("config.toml")
}

/// The user's policy for commands.
pub fn user_policy_file(folder: &Path) -> PathBuf {
    folder.join("policy.toml")
}

/// The project's policy for commands.
pub fn project_policy_file(root: &Path) -> PathBuf {
    root.join(crate::identity::FOLDER).join("policy.toml")
}

/// The project's settings file.
pub fn project_file(root: &Path) -> PathBuf {
    root.join(crate::identity::FOLDER).join("config.toml")
}

/// `[a] b = 1` → `a.b`, `1`.
fn flatten(table: &toml::Table) -> Vec<(String, toml::Value)> {
    let mut out = Vec::new();
    for (name, value) in table {
        match value {
            toml::Value::Table(inner) => {
                out.extend(flatten(inner).into_iter().map(|(rest, value)| (format!("{name}.{rest}"), value)));
            }
            value => out.push((name.clone(), value.clone())),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn load(user: &str, project: &str) -> Config {
        let tmp = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(tmp.path().join(".vibelign")).unwrap();
        std::fs::write(tmp.path().join("config.toml"), user).unwrap();
        std::fs::write(project_file(tmp.path()), project).unwrap();
        Config::load(Some(tmp.path()), tmp.path()).unwrap()
    }

    #[test]
    fn defaults_hold_without_files() {
        let config = Config::default();
        assert_eq!(config.number("retention.days"), 30);
        assert_eq!(config.number("retention.turns"), 0);
        assert!(config.list("checkpoint.include").contains(&".env".to_owned()));
        assert!(config.flag("checkpoint.skip_caches"));
    }

    #[test]
    fn a_project_may_tighten_but_not_loosen() {
        let config = load(
            "",
            "[retention]\nmanual = 0\nturns = 5\ndays = 50\n[checkpoint]\ninclude = ['!.env', 'x.conf']",
        );
        assert_eq!(config.number("retention.turns"), 0, "an agent must not be able to thin out the history");
        assert_eq!(config.number("retention.days"), 50);
        assert_eq!(config.number("retention.manual"), 0, "0 means without limit");
        let include = config.list("checkpoint.include");
        assert!(include.contains(&".env".to_owned()) && include.contains(&"x.conf".to_owned()));
        assert_eq!(config.warnings().len(), 2, "{:?}", config.warnings());
        let config = load("", "[checkpoint]\nmax_file_size = 1");
        assert_eq!(config.number("checkpoint.max_file_size"), 0, "a limit is less than none");
    }

    #[test]
    fn a_project_may_only_make_the_guard_stricter() {
        assert_eq!(load("", "[guard]\ncovered = 'ask'").word("guard.covered"), "ask");
        let config = load("[guard]\ncovered = 'ask'", "[guard]\ncovered = 'allow'\nllm_command = 'evil'");
        assert_eq!(config.word("guard.covered"), "ask");
        assert!(config.list("guard.llm_command").is_empty());
        assert_eq!(config.warnings().len(), 2, "{:?}", config.warnings());
        let config = load("[guard]\nllm_command = ['ask', 'a model']\nllm_env = 'KEY OTHER'", "");
        assert_eq!(config.list("guard.llm_command"), ["ask", "a model"]);
        assert_eq!(config.list("guard.llm_env"), ["KEY", "OTHER"]);
    }

    #[test]
    fn the_user_may_do_as_they_like() {
        let config = load("[retention]\nturns = 5\n[checkpoint]\ninclude = ['!.env']", "");
        assert_eq!(config.number("retention.turns"), 5);
        assert!(!config.list("checkpoint.include").contains(&".env".to_owned()));
    }

    #[test]
    fn a_project_may_allow_private_text_only_if_the_user_lets_it() {
        let project = "[privacy]\nallow = ['a@b.io']\nproject_may_allow = true\nidentifiers = ['Acme [EU]']";
        let config = load("", project);
        assert!(config.list("privacy.allow").is_empty() && !config.flag("privacy.project_may_allow"));
        assert_eq!(config.list("privacy.identifiers"), ["Acme [EU]"], "a name may hold any sign");
        assert_eq!(config.warnings().len(), 2, "{:?}", config.warnings());
        let config = load("[privacy]\nallow = ['c@d.io']\nproject_may_allow = true", project);
        assert_eq!(config.list("privacy.allow"), ["c@d.io", "a@b.io"]);
    }

    #[test]
    fn providers_are_the_users_alone_ag4() {
        let section = "[run.providers.mine]\nurl = 'https://x.example'\nmodel = 'm'\n";
        let config =
            load(&format!("[run]\nallow_weaker = true\n{section}"), &section.replace("mine", "theirs"));
        assert_eq!(config.providers().keys().collect::<Vec<_>>(), ["mine"]);
        assert!(config.flag("run.allow_weaker"));
        assert_eq!(config.warnings().len(), 1, "{:?}", config.warnings());
        assert!(config.warnings()[0].contains("your own settings alone"));
        let config = load("", "[run]\nallow_weaker = true\nprovider = ['theirs']\nproviders = 1");
        assert!(!config.flag("run.allow_weaker") && config.list("run.provider").is_empty());
        assert_eq!((config.providers().len(), config.warnings().len()), (0, 3), "{:?}", config.warnings());
    }

    #[test]
    fn a_broken_project_file_warns_and_a_broken_user_file_stops() {
        assert!(load("", "not toml [").warnings()[0].contains("not used"));
        let tmp = tempfile::tempdir().unwrap();
        std::fs::write(tmp.path().join("config.toml"), "a = ").unwrap();
        assert_eq!(Config::load(Some(tmp.path()), tmp.path()).unwrap_err().code(), "config_syntax");
    }

    #[test]
    fn every_key_reads_its_own_default_back() {
        for key in KEYS {
            assert_eq!(
                Value::parse(key, &key.default_value().to_string()).unwrap(),
                key.default_value(),
                "{}",
                key.name
            );
        }
    }
}
