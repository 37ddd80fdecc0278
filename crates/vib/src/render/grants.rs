//! What clients of the MCP server may do.

use engine::grants::{Grant, GrantList, Revoked};

use super::words::{count, date};
use crate::theme::{Theme, paint};

/// `8 hours`.
pub(crate) fn span(ms: i64) -> String {
    let seconds = u64::try_from(ms / 1000).unwrap_or(0);
    match seconds {
        0..=119 => count(seconds, "second"),
        120..=7_199 => count(seconds / 60, "minute"),
        7_200..=172_799 => count(seconds / 3_600, "hour"),
        _ => count(seconds / 86_400, "day"),
    }
}

/// `vib mcp grant`
pub(crate) fn grant_made(grant: &Grant, theme: &Theme) -> String {
    format!(
        "{} may now {}.\nUntil {}. `vib mcp revoke {}` takes it back.\n",
        paint(theme.strong, name(grant)),
        grant.capability.about(),
        date(grant.expires_ms),
        grant.id
    )
}

/// `vib mcp revoke`
pub(crate) fn grants_revoked(revoked: &Revoked, theme: &Theme) -> String {
    let line = |grant: &Grant| {
        format!("{} may no longer: {}\n", paint(theme.strong, name(grant)), grant.capability.as_str())
    };
    revoked.grants.iter().map(line).collect()
}

/// `vib mcp grants`
pub(crate) fn grants(list: &GrantList, theme: &Theme) -> String {
    if list.grants.is_empty() {
        return "Nothing is granted in this project. Agents may read summaries and previews, and save checkpoints.\n\
                `vib mcp grant CLIENT CAPABILITY` allows more.\n"
            .to_owned();
    }
    let mut out = String::new();
    for grant in &list.grants {
        let state = match grant.revoked_ms {
            Some(_) => paint(theme.dim, "taken back"),
            None if grant.is_in_force(list.now_ms) => format!("until {}", date(grant.expires_ms)),
            None => paint(theme.dim, "over"),
        };
        out.push_str(&format!(
            "{}  {}  {}  {state}\n",
            paint(theme.id, &grant.id),
            paint(theme.strong, name(grant)),
            grant.capability.as_str()
        ));
    }
    out
}

fn name(grant: &Grant) -> String {
    match &grant.version {
        Some(version) => format!("{} {version}", grant.client),
        None => grant.client.clone(),
    }
}
