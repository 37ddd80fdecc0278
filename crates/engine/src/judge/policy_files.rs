//! The policy files: `policy.toml` beside the user's settings, and in the project's `.vibelign` folder; and the part
//! `policy` of a team's `vibelign.toml`.
//!
//! A file that cannot be read may hold a denial that now nobody knows of. So it is not skipped: until it is corrected,
//! every command that is not plainly harmless is asked about.

use std::path::{Path, PathBuf};

use project::config::{project_policy_file, team, user_policy_file};
use shell::{Policy, PolicyLayer};

/// Largest policy file, in bytes.
const LIMIT: u64 = 1 << 20;

/// Both policies as far as they could be read.
#[derive(Debug, Default)]
pub(super) struct Policies {
    pub(super) policy: Policy,
    pub(super) warnings: Vec<String>,
    /// What is wrong with a file that could not be read.
    pub(super) problem: Option<String>,
}

/// Reads both files; a missing one is fine.
pub(super) fn load(config: Option<&Path>, root: Option<&Path>) -> Policies {
    let mut policies = Policies::default();
    let mut layer = |file: Option<PathBuf>| match file.map(|file| read(&file)) {
        Some(Ok(layer)) => layer,
        Some(Err(problem)) => {
            policies.problem.get_or_insert(problem);
            PolicyLayer::default()
        }
        None => PolicyLayer::default(),
    };
    let user = layer(config.map(user_policy_file));
    let mut project = layer(root.map(project_policy_file));
    match root.map(of_team) {
        Some(Ok(shared)) => {
            project.deny.extend(shared.deny);
            project.ask.extend(shared.ask);
            project.allow.extend(shared.allow);
        }
        Some(Err(problem)) => {
            policies.problem.get_or_insert(problem);
        }
        None => {}
    }
    if !project.allow.is_empty() {
        // The judge ignores it anyway; the person should know.
        project.allow.clear();
        policies
            .warnings
            .push("the project's policy may not `allow` anything: that part is not used".to_owned());
    }
    policies.policy = Policy { user, project };
    policies
}

fn unreadable(file: &Path, why: &str) -> String {
    format!(
        "the policy file `{}` cannot be read: {why}; correct or delete it, until then every command that may change \
         something is asked about",
        file.display()
    )
}

/// The policy that a team commits.
fn of_team(root: &Path) -> Result<PolicyLayer, String> {
    let problem = |why: &str| unreadable(&team::file(root), why);
    let table = team::read(root).map_err(|why| problem(&why))?;
    match table.and_then(|mut table| table.remove("policy")) {
        Some(policy) => {
            checked(policy.try_into().map_err(|error: toml::de::Error| problem(error.message()))?)
                .ok_or_else(|| problem("a rule has an empty `command`"))
        }
        None => Ok(PolicyLayer::default()),
    }
}

/// A rule without a command would fit nothing, or everything.
fn checked(layer: PolicyLayer) -> Option<PolicyLayer> {
    let mut rules = layer.deny.iter().chain(&layer.ask).chain(&layer.allow);
    let is_empty = rules.any(|rule| rule.command.trim().is_empty());
    (!is_empty).then_some(layer)
}

fn read(file: &Path) -> Result<PolicyLayer, String> {
    let problem = |why: &str| unreadable(file, why);
    let facts = match std::fs::metadata(file) {
        Ok(facts) => facts,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(PolicyLayer::default()),
        Err(error) => return Err(problem(&error.to_string())),
    };
    if !facts.is_file() || facts.len() > LIMIT {
        return Err(problem("it is not a small file"));
    }
    let text = std::fs::read_to_string(file).map_err(|error| problem(&error.to_string()))?;
    let layer: PolicyLayer = toml::from_str(&text).map_err(|error| problem(error.message()))?;
    checked(layer).ok_or_else(|| problem("a rule has an empty `command`"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folders(user: &str, project: &str) -> tempfile::TempDir {
        let base = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(base.path().join("root/.vibelign")).unwrap();
        std::fs::write(user_policy_file(base.path()), user).unwrap();
        std::fs::write(project_policy_file(&base.path().join("root")), project).unwrap();
        base
    }

    fn loaded(user: &str, project: &str) -> Policies {
        let base = folders(user, project);
        load(Some(base.path()), Some(&base.path().join("root")))
    }

    #[test]
    fn both_files_are_read_and_the_project_may_not_allow() {
        let policies = loaded(
            "[[allow]]\ncommand = 'git push'\n[[deny]]\ncommand = 'npm publish'\nreason = 'CI does that'\n",
            "[[ask]]\ncommand = 'make deploy'\n[[allow]]\ncommand = 'curl *'\n",
        );
        assert_eq!(policies.problem, None);
        assert_eq!(policies.policy.user.allow.len(), 1);
        assert_eq!(policies.policy.user.deny[0].reason.as_deref(), Some("CI does that"));
        assert_eq!(policies.policy.project.ask.len(), 1);
        assert!(policies.policy.project.allow.is_empty());
        assert!(policies.warnings[0].contains("may not `allow`"), "{:?}", policies.warnings);
    }

    #[test]
    fn a_broken_file_is_a_problem_and_a_missing_one_is_not() {
        for broken in
            ["deny = [", "[[deny]]\ncomand = 'x'", "[[deny]]\ncommand = ' '", "[[forbid]]\ncommand = 'x'"]
        {
            let problem = loaded(broken, "").problem.unwrap();
            assert!(problem.contains("policy.toml") && problem.contains("correct or delete"), "{problem}");
            assert!(loaded("", broken).problem.is_some());
        }
        let base = tempfile::tempdir().unwrap();
        assert_eq!(load(Some(base.path()), Some(base.path())).problem, None);
        assert_eq!(load(None, None).problem, None);
    }

    #[test]
    fn a_teams_file_adds_rules_and_may_not_allow_t15() {
        let base = folders("", "[[ask]]\ncommand = 'make deploy'\n");
        let root = base.path().join("root");
        let write = |text: &str| std::fs::write(team::file(&root), text).unwrap();
        write(
            "[guard]\ncovered = 'ask'\n[[policy.deny]]\ncommand = 'npm publish'\n[[policy.allow]]\ncommand = 'curl *'\n",
        );
        let policies = load(None, Some(&root));
        assert_eq!(policies.problem, None);
        assert_eq!((policies.policy.project.deny.len(), policies.policy.project.ask.len()), (1, 1));
        assert!(policies.policy.project.allow.is_empty() && policies.warnings.len() == 1);
        for broken in
            ["policy = 3", "[[policy.forbid]]\ncommand = 'x'", "[[policy.deny]]\ncommand = ''", "x ="]
        {
            write(broken);
            let problem = load(None, Some(&root)).problem.unwrap();
            assert!(problem.contains("vibelign.toml"), "{problem}");
        }
    }
}
