//! How a key is made worthless where it was issued: `revoke.toml` as data. Taking a key out of a file does not do it. (R15)

use serde::Serialize;

use crate::rule::REVOCATIONS;

/// Where and how keys of one provider are revoked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Revocation {
    /// Ids of rules, or what they begin with (`aws-`).
    #[serde(skip)]
    pub(crate) rules: &'static [&'static str],
    /// The provider's name.
    pub provider: &'static str,
    /// What to do there, in a few words.
    pub how: &'static str,
    /// Where to do it.
    pub address: &'static str,
    /// Where that is described.
    pub source: &'static str,
}

/// How keys that a rule finds are revoked; `None` where the rule knows no provider.
pub fn revocation(rule: &str) -> Option<&'static Revocation> {
    REVOCATIONS.iter().find(|entry| {
        entry.rules.iter().any(|known| rule == *known || known.ends_with('-') && rule.starts_with(known))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rule::RULES;

    #[test]
    fn every_entry_belongs_to_a_rule_and_says_where_and_how_r15() {
        for entry in REVOCATIONS {
            assert!(
                entry.address.starts_with("https://") && entry.source.starts_with("https://"),
                "{}",
                entry.provider
            );
            assert!(entry.how.len() > 10, "{}", entry.provider);
            for known in entry.rules {
                let named = |rule: &&crate::Rule| {
                    rule.id == *known || known.ends_with('-') && rule.id.starts_with(known)
                };
                assert!(RULES.iter().any(|rule| named(&rule)), "`{known}` is no rule");
            }
        }
        assert_eq!(revocation("github-fine-grained-token").map(|entry| entry.provider), Some("GitHub"));
        assert_eq!(revocation("keyed-secret"), None);
    }
}
