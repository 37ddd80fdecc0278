//! Findings: as text, one JSON object a line, and SARIF.

use engine::secrets::allowed::AllowedReport;
use engine::secrets::{Exposure, Found, Scope, SecretsReport, Why};
use redact::{Place, Streamed};
use serde_json::json;

use super::words::{count, date, harmless, size};
use crate::theme::{Theme, paint};

/// `vib secrets scan`
pub(crate) fn secrets(report: &SecretsReport, theme: &Theme) -> String {
    let mut out = String::new();
    for found in &report.findings {
        out.push_str(&one(found, theme));
    }
    for unread in report.unread.iter().take(8) {
        out.push_str(&format!(
            "{} `{}` was not looked at: {}\n",
            paint(theme.warning, "warning:"),
            harmless(&unread.path),
            harmless(&unread.detail)
        ));
    }
    if report.unread.len() > 8 {
        out.push_str(&format!("  and {} more (see `--json`)\n", report.unread.len() - 8));
    }
    let what = match (report.scope, report.commits) {
        (Scope::History, Some(commits)) => format!("{} of {}", size(report.bytes), count(commits, "commit")),
        (Scope::Staged, _) => format!("{}, {}", count(report.files, "staged file"), size(report.bytes)),
        _ => format!("{}, {}", count(report.files, "file"), size(report.bytes)),
    };
    if report.baseline_written {
        let file = report.baseline.as_deref().unwrap_or_default();
        out.push_str(&format!(
            "{} written to `{}` as known. Scans report only new ones from now on.\n",
            count(report.known, "finding"),
            harmless(file)
        ));
        return out;
    }
    let known = match report.known {
        0 => String::new(),
        some => format!("; {some} known from the baseline"),
    };
    if report.findings.is_empty() {
        out.push_str(&format!("No secret found ({what}{known}).\n"));
        return out;
    }
    let found = count(report.findings.len() as u64, "secret");
    out.push_str(&format!("{} ({what}{known}).\n", paint(theme.error, format!("{found} found"))));
    let advice = match report.scope {
        Scope::History => {
            "whoever has these commits has the secrets: revoke them where they were issued, then use new ones"
        }
        _ => {
            "take each out of the file (an environment variable, a secret store) and revoke it if it was ever \
             shared; a line that is meant to be there gets the comment `vibelign: allow-secret`"
        }
    };
    out.push_str(&format!("{} {advice}\n", paint(theme.strong, "next:")));
    out
}

/// `vib secrets allow`
pub(crate) fn secrets_allowed(report: &AllowedReport, _theme: &Theme) -> String {
    if let Some(added) = &report.added {
        return format!("Allowed the key `{added}` in this project. The agent can try again.\n");
    }
    if report.allowed.is_empty() {
        return "No key was allowed in this project.\n".to_owned();
    }
    let list: String = report.allowed.iter().map(|one| format!("  {one}\n")).collect();
    format!("{} allowed in this project:\n{list}", count(report.allowed.len() as u64, "key"))
}

/// How far a key got, and what that means.
fn exposure(found: &Found) -> Option<String> {
    let state = match found.exposure.as_ref()? {
        Exposure::NotCommitted => return None,
        Exposure::Committed => "committed: it stays in the history when the file is changed".to_owned(),
        Exposure::Pushed(place) => format!("pushed (`{}`): whoever may read there has it", harmless(place)),
    };
    let revoke = match found.revoke {
        Some(revoke) => format!("revoke it at {}: {} ({})", revoke.provider, revoke.how, revoke.address),
        None => "revoke it where it was issued".to_owned(),
    };
    Some(format!("{state}; {revoke}"))
}

/// Why a finding is one, in a line.
fn why(why: &Why) -> String {
    let place = match why.place {
        Place::Product => "in code or settings",
        Place::Sample => "in a test, an example or a manual",
        Place::Translation => "in a translation",
        Place::Generated => "in a generated file",
    };
    let bits = f64::from(why.entropy_centibits) / 100.0;
    let mut text = format!("{place}; {} characters, {bits:.1} bits each", why.length);
    if let Some(name) = &why.name {
        text.push_str(&format!("; beside `{}`", harmless(name)));
    }
    match why.proof {
        Some("checksum_fits") => text.push_str("; its checksum fits: it was issued"),
        Some("checksum_wrong") => text.push_str("; its checksum does not fit: made up or cut"),
        Some("structure_fits") => text.push_str("; what is inside reads as it should"),
        Some("structure_wrong") => {
            text.push_str("; what is inside does not read as it should: made up or cut");
        }
        Some("for_tests") => text.push_str("; it says itself that it is for tests"),
        _ => {}
    }
    if let Some(source) = why.source {
        text.push_str(&format!("; format: {source}"));
    }
    text
}

fn one(found: &Found, theme: &Theme) -> String {
    let tail = if found.last4.is_empty() {
        String::new()
    } else {
        format!(", ends in `{}`", harmless(&found.last4))
    };
    let commit = match (&found.commit, found.committed_s) {
        (Some(id), Some(seconds)) => {
            let day = date(seconds.saturating_mul(1000));
            format!(", since commit {} of {}", id.get(..10).unwrap_or(id), day.get(..10).unwrap_or(&day))
        }
        _ => String::new(),
    };
    let mut out = format!(
        "{}:{}:{}  {}  {}{tail}{commit}\n",
        paint(theme.strong, harmless(&found.path)),
        found.line,
        found.column,
        paint(theme.id, found.rule),
        found.about,
    );
    if let Some(exposure) = exposure(found) {
        out.push_str(&format!("  {} {exposure}\n", paint(theme.warning, "!")));
    }
    if let Some(reasons) = &found.why {
        out.push_str(&format!("  why: {}\n", why(reasons)));
    }
    out
}

/// One JSON object a line, one line a finding.
pub(crate) fn secrets_jsonl(report: &SecretsReport) -> Vec<u8> {
    let mut out = Vec::new();
    for found in &report.findings {
        out.extend(serde_json::to_vec(found).unwrap_or_default());
        out.push(b'\n');
    }
    out
}

/// SARIF 2.1.0, for code hosts and editors.
pub(crate) fn secrets_sarif(report: &SecretsReport) -> Vec<u8> {
    let mut rules: Vec<(&str, &str)> =
        report.findings.iter().map(|found| (found.rule, found.about)).collect();
    rules.sort_unstable();
    rules.dedup();
    let results: Vec<_> = report
        .findings
        .iter()
        .map(|found| {
            json!({
                "ruleId": found.rule,
                "level": "error",
                "message": {"text": format!("{} in plain sight", found.about)},
                "locations": [{"physicalLocation": {
                    "artifactLocation": {"uri": uri(&found.path), "uriBaseId": "%SRCROOT%"},
                    "region": {"startLine": found.line, "startColumn": found.column, "endLine": found.end_line},
                }}],
                "properties": {"commit": found.commit},
            })
        })
        .collect();
    let rules: Vec<_> =
        rules.iter().map(|(id, about)| json!({"id": id, "shortDescription": {"text": about}})).collect();
    let sarif = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": {"driver": {"name": "vib", "version": env!("CARGO_PKG_VERSION"), "rules": rules}},
            "results": results,
        }],
    });
    let mut out = serde_json::to_vec_pretty(&sarif).unwrap_or_default();
    out.push(b'\n');
    out
}

/// A path as part of a URI.
pub(super) fn uri(path: &str) -> String {
    let mut out = String::new();
    for byte in path.replace('\\', "/").bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                out.push(char::from(byte));
            }
            _ => out.push_str(&format!("%{byte:02X}")),
        }
    }
    out
}

/// What a person should know after `vib redact`.
pub(crate) fn redacted(done: &Streamed, theme: &Theme) -> String {
    let mut out = String::new();
    if done.counts.withheld {
        out.push_str(&format!(
            "{} a part could not be made clean and was withheld as a whole\n",
            paint(theme.warning, "warning:")
        ));
    }
    if done.invalid_bytes > 0 {
        out.push_str(&format!(
            "{} the input was not all UTF-8: {} replaced\n",
            paint(theme.warning, "warning:"),
            count(done.invalid_bytes, "byte")
        ));
    }
    out
}
