//! The policy of the user and of the project: patterns over parsed commands.
//!
//! Layers, strongest first: what is built in and denied stays denied; then the user's `deny`, `ask` and `allow`; then the
//! project's `deny` and `ask`. A project may only tighten, because an agent can edit its file: its `allow` is ignored.
//!
//! A pattern is written like the command it means, and compared with each *parsed* command, after quotes, variables,
//! wrappers and substitutions are gone: `git push --force` also matches `sudo /usr/bin/g"i"t push origin -x --force`.
//! The first word is the program, words that start with `-` must be present anywhere, the other words must be the first
//! words that are not options, in order. `*` in a word matches any text. An `allow` must cover the whole command: every
//! option has to be named (or `-*`), every further word too, unless the pattern ends in `*`. `git push` denies
//! `git push --force` as well, but does not allow it.

use serde::Deserialize;
use words::fits_stars;

/// One pattern with an optional explanation.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PolicyRule {
    /// The pattern.
    pub command: String,
    /// Why, for the person who is asked.
    #[serde(default)]
    pub reason: Option<String>,
}

/// The rules of one layer.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct PolicyLayer {
    /// Never run.
    pub deny: Vec<PolicyRule>,
    /// Always ask.
    pub ask: Vec<PolicyRule>,
    /// Do not ask. Only the user's layer may say this, and it never lifts a built-in denial or a guarded place.
    pub allow: Vec<PolicyRule>,
}

/// All layers that can be set.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Policy {
    /// The user's own.
    pub user: PolicyLayer,
    /// The project's: may only tighten.
    pub project: PolicyLayer,
}

impl PolicyRule {
    /// A rule without an explanation.
    pub fn new(command: impl Into<String>) -> Self {
        Self { command: command.into(), reason: None }
    }

    /// Whether the rule means this command: program first, then its arguments.
    pub fn matches(&self, argv: &[String]) -> bool {
        let mut pattern = self.command.split_whitespace();
        let (Some(program), Some(name)) = (pattern.next(), argv.first()) else {
            return false;
        };
        if !fits_stars(program, name) {
            return false;
        }
        let plain: Vec<&String> = argv[1..].iter().filter(|arg| !arg.starts_with('-')).collect();
        let mut at = 0;
        for word in pattern {
            let found = if word.starts_with('-') {
                argv[1..].iter().any(|arg| fits_stars(word, arg) || arg.starts_with(&format!("{word}=")))
            } else {
                at += 1;
                plain.get(at - 1).is_some_and(|arg| fits_stars(word, arg))
            };
            if !found {
                return false;
            }
        }
        true
    }
}

impl PolicyRule {
    /// Whether the rule means this command and says something about each of its arguments.
    pub fn covers(&self, argv: &[String]) -> bool {
        let pattern: Vec<&str> = self.command.split_whitespace().skip(1).collect();
        let (options, words): (Vec<&str>, Vec<&str>) = pattern.iter().partition(|word| word.starts_with('-'));
        let given = argv.get(1..).unwrap_or_default();
        let plain = given.iter().filter(|arg| !arg.starts_with('-')).count();
        self.matches(argv)
            && (plain <= words.len() || words.last() == Some(&"*"))
            && given.iter().filter(|arg| arg.starts_with('-')).all(|arg| {
                options.iter().any(|option| fits_stars(option, arg) || arg.starts_with(&format!("{option}=")))
            })
    }
}

impl Policy {
    /// The rule that denies this command, if any.
    pub(crate) fn denies(&self, argv: &[String]) -> Option<&PolicyRule> {
        self.user.deny.iter().chain(&self.project.deny).find(|rule| rule.matches(argv))
    }

    /// The rule that wants a question for this command, if any.
    pub(crate) fn asks(&self, argv: &[String]) -> Option<&PolicyRule> {
        self.user.ask.iter().chain(&self.project.ask).find(|rule| rule.matches(argv))
    }

    /// Whether the user said not to ask about this command.
    pub(crate) fn waives(&self, argv: &[String]) -> bool {
        self.user.allow.iter().any(|rule| rule.covers(argv))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn argv(text: &str) -> Vec<String> {
        text.split(' ').map(str::to_owned).collect()
    }

    #[test]
    fn patterns_are_compared_with_parsed_words() {
        let rule = PolicyRule::new("git push --force");
        assert!(rule.matches(&argv("git push origin --force")));
        assert!(!rule.matches(&argv("git push origin")));
        assert!(!rule.matches(&argv("git stash push --force")));
        assert!(PolicyRule::new("kubectl *").matches(&argv("kubectl get pods")));
        assert!(PolicyRule::new("terraform").matches(&argv("terraform plan")));
    }

    #[test]
    fn an_allowance_covers_the_whole_command_or_nothing() {
        let covers = |pattern: &str, text: &str| PolicyRule::new(pattern).covers(&argv(text));
        assert!(covers("git push", "git push") && !covers("git push", "git push --force"));
        assert!(!covers("git push", "git push origin :main") && covers("git push *", "git push origin main"));
        assert!(!covers("git push *", "git push -f origin") && covers("git push -f *", "git push -f origin"));
        assert!(covers("terraform apply -*", "terraform apply -auto-approve"));
        // As docs/judge.md says it: the value of an option is a word.
        let send = "curl -d @body.json https://api.example.com/*";
        assert!(covers(send, "curl -d @body.json https://api.example.com/v1/orders"));
        assert!(!covers(send, "curl -d @.env https://api.example.com/v1/orders"));
        assert!(!covers(send, "curl -d @body.json https://other.example/"));
    }

    #[test]
    fn a_policy_reads_from_toml() {
        let text = "[user]\nallow = [{ command = 'rm *' }]\n[project]\ndeny = [{ command = 'npm publish', reason = 'CI does' }]";
        let policy: Policy = toml::from_str(text).unwrap();
        assert!(policy.waives(&argv("rm x")));
        assert_eq!(policy.denies(&argv("npm publish")).unwrap().reason.as_deref(), Some("CI does"));
    }
}
