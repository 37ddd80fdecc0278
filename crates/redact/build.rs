//! Turns `rules.toml` into the table `RULES` and the keyword index `KEYWORDS`.
//!
//! Doing it here keeps the rules readable and costs a fresh process nothing: there is no file to parse at start. For each
//! rule it also works out how short a match can be and which bytes it can hold, which lets the scanner throw away
//! nearly every keyword hit without compiling the pattern.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use regex_syntax::hir::{Class, Hir, HirKind};
use toml::{Table, Value};

fn main() {
    println!("cargo:rerun-if-changed=rules.toml");
    let source =
        std::fs::read_to_string("rules.toml").unwrap_or_else(|error| fail(&format!("rules.toml: {error}")));
    let table: Table = source.parse().unwrap_or_else(|error| fail(&format!("rules.toml: {error}")));
    let rules =
        table.get("rule").and_then(Value::as_array).unwrap_or_else(|| fail("rules.toml has no [[rule]]"));

    let mut keywords: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    let mut owners = Vec::new();
    let mut code = String::from("pub(crate) static RULES: &[Rule] = &[\n");
    for (index, rule) in rules.iter().enumerate() {
        let rule = rule.as_table().unwrap_or_else(|| fail("a rule is not a table"));
        let id = text(rule, "id");
        for known in rule.keys() {
            if !KNOWN.contains(&known.as_str()) {
                fail(&format!("rule `{id}`: unknown field `{known}`"));
            }
        }
        for keyword in list(rule, "keywords") {
            let rules = keywords.entry(keyword.to_ascii_lowercase()).or_default();
            if !rules.contains(&index) {
                rules.push(index);
            }
        }
        owners.extend(list(rule, "owners"));
        let pattern = text(rule, "pattern");
        let hir = regex_syntax::ParserBuilder::new()
            .utf8(false)
            .unicode(false)
            .build()
            .parse(pattern)
            .unwrap_or_else(|error| fail(&format!("rule `{id}`: {error}")));
        let least = hir.properties().minimum_len().unwrap_or(0);
        let solid = !can_hold_gap(&hir);
        let run = longest_run(&hir).filter(|run| run.length >= WORTH_LOOKING_FOR);
        let run = run.map_or_else(|| "None".to_owned(), |run| format!("Some({run:?})"));
        let inside = secret_inside(&hir).unwrap_or_else(|| "None".to_owned());
        let before = number(rule, "before", 0);
        let known = list(rule, "keywords").iter().map(|keyword| keyword.len()).min().unwrap_or(0);
        let next = if before == 0 { behind_keyword(&hir, known) } else { Vec::new() };
        let _ = writeln!(
            code,
            "    Rule {{ id: {id:?}, about: {:?}, pattern: {pattern:?}, before: {}, after: {}, entropy: {:?}, \
             joined: {}, literal: {}, named: {}, chosen: {}, source: {:?}, least: {least}, solid: {solid}, run: {run}, inside: {inside}, known: {known}, next: &{next:?}, needs: {:?}, allow: &{:?}, examples: &{:?}, harmless: &{:?} }},",
            text(rule, "about"),
            number(rule, "before", 0),
            // No match is longer than its pattern allows; a few bytes more let it see where a word ends.
            number(rule, "after", 600)
                .min(hir.properties().maximum_len().map_or(i64::MAX, |most| most as i64 + 8)),
            rule.get("entropy").and_then(Value::as_float).unwrap_or(2.8),
            flag(rule, "joined"),
            flag(rule, "literal"),
            flag(rule, "named"),
            flag(rule, "chosen"),
            rule.get("source").and_then(Value::as_str),
            rule.get("needs").and_then(Value::as_str).and_then(|needs| needs.bytes().next()),
            list(rule, "allow"),
            list(rule, "match"),
            list(rule, "pass"),
        );
    }
    code.push_str("];\n\npub(crate) static KEYWORDS: &[(&str, &[u16])] = &[\n");
    for (keyword, rules) in &keywords {
        let _ = writeln!(code, "    ({keyword:?}, &{rules:?}),");
    }
    let _ = writeln!(code, "];\n\npub(crate) static OWNERS: &[&str] = &{owners:?};");

    code.push_str(&revocations());
    let out = std::env::var("OUT_DIR").unwrap_or_else(|error| fail(&format!("OUT_DIR: {error}")));
    std::fs::write(format!("{out}/rules.rs"), code)
        .unwrap_or_else(|error| fail(&format!("{out}/rules.rs: {error}")));
}

/// `revoke.toml` as a constant table.
fn revocations() -> String {
    println!("cargo:rerun-if-changed=revoke.toml");
    let source =
        std::fs::read_to_string("revoke.toml").unwrap_or_else(|error| fail(&format!("revoke.toml: {error}")));
    let table: Table = source.parse().unwrap_or_else(|error| fail(&format!("revoke.toml: {error}")));
    let mut code = String::from("\npub(crate) static REVOCATIONS: &[Revocation] = &[\n");
    for entry in table.get("provider").and_then(Value::as_array).into_iter().flatten() {
        let entry = entry.as_table().unwrap_or_else(|| fail("a provider is not a table"));
        let _ = writeln!(
            code,
            "    Revocation {{ rules: &{:?}, provider: {:?}, how: {:?}, address: {:?}, source: {:?} }},",
            list(entry, "rules"),
            text(entry, "name"),
            text(entry, "how"),
            text(entry, "address"),
            text(entry, "source"),
        );
    }
    code.push_str("];\n");
    code
}

const KNOWN: &[&str] = &[
    "id", "about", "keywords", "pattern", "before", "after", "entropy", "joined", "literal", "named",
    "chosen", "source", "needs", "owners", "allow", "match", "pass",
];

/// Whether a match can contain white space or a quote, that is, whether it can span more than one word.
fn can_hold_gap(hir: &Hir) -> bool {
    const GAPS: &[u8] = b" \t\r\n\"'`";
    match hir.kind() {
        HirKind::Empty | HirKind::Look(_) => false,
        HirKind::Literal(literal) => literal.0.iter().any(|byte| GAPS.contains(byte)),
        HirKind::Class(Class::Bytes(class)) => class
            .ranges()
            .iter()
            .any(|range| GAPS.iter().any(|gap| (range.start()..=range.end()).contains(gap))),
        HirKind::Class(Class::Unicode(_)) => true,
        HirKind::Repetition(repetition) => can_hold_gap(&repetition.sub),
        HirKind::Capture(capture) => can_hold_gap(&capture.sub),
        HirKind::Concat(parts) | HirKind::Alternation(parts) => parts.iter().any(can_hold_gap),
    }
}

/// Where the group `s` lies in any match of a pattern, if the lengths of its parts tell.
fn secret_inside(hir: &Hir) -> Option<String> {
    let HirKind::Concat(parts) = hir.kind() else { return None };
    let is_secret =
        |part: &Hir| matches!(part.kind(), HirKind::Capture(capture) if capture.name.as_deref() == Some("s"));
    let at = parts.iter().position(is_secret)?;
    let fixed = |parts: &[Hir]| -> Option<usize> {
        parts
            .iter()
            .map(|part| {
                let lengths = part.properties();
                lengths.minimum_len().filter(|least| lengths.maximum_len() == Some(*least))
            })
            .sum()
    };
    let behind = fixed(&parts[at + 1..])?;
    let start = match (fixed(&parts[..at]), fixed(&parts[at..=at])) {
        (Some(before), _) => format!("Start::Behind({before})"),
        (None, Some(length)) => format!("Start::Long({length})"),
        (None, None) => return None,
    };
    Some(format!("Some(Inside {{ behind: {behind}, start: {start} }})"))
}

/// So many bytes behind the shortest keyword of a rule are known.
const BYTES_BEHIND: usize = 6;

/// Which bytes may stand at the places behind the shortest keyword, in any match of a pattern that begins with its keyword.
fn behind_keyword(hir: &Hir, keyword: usize) -> Vec<[u64; 4]> {
    let (sets, _) = first_bytes(hir, keyword + BYTES_BEHIND);
    sets.into_iter().skip(keyword).take(BYTES_BEHIND).collect()
}

/// The bytes that may stand first, second and so on, up to `most`, and whether every match is as long as what is told.
fn first_bytes(hir: &Hir, most: usize) -> (Vec<[u64; 4]>, bool) {
    let set = |bytes: &mut dyn Iterator<Item = u8>| {
        let mut bits = [0_u64; 4];
        bytes.for_each(|byte| bits[usize::from(byte / 64)] |= 1 << (byte % 64));
        bits
    };
    match hir.kind() {
        HirKind::Empty | HirKind::Look(_) => (Vec::new(), true),
        HirKind::Literal(literal) => {
            (literal.0.iter().map(|byte| set(&mut std::iter::once(*byte))).collect(), true)
        }
        HirKind::Class(Class::Bytes(class)) => {
            let mut bytes = class.ranges().iter().flat_map(|range| range.start()..=range.end());
            (vec![set(&mut bytes)], true)
        }
        HirKind::Class(Class::Unicode(_)) => (Vec::new(), false),
        HirKind::Repetition(repetition) if repetition.min == 0 => (Vec::new(), false),
        HirKind::Repetition(repetition) => {
            let (once, exact) = first_bytes(&repetition.sub, most);
            if !exact || once.is_empty() {
                return (once, false);
            }
            let times = (repetition.min as usize).min(most / once.len() + 1);
            let exact = times == repetition.min as usize && repetition.max == Some(repetition.min);
            (once.repeat(times), exact)
        }
        HirKind::Capture(capture) => first_bytes(&capture.sub, most),
        HirKind::Concat(parts) => {
            let mut all = Vec::new();
            for part in parts {
                let (sets, exact) = first_bytes(part, most);
                all.extend(sets);
                if !exact || all.len() >= most {
                    return (all, false);
                }
            }
            (all, true)
        }
        HirKind::Alternation(parts) => {
            let each: Vec<_> = parts.iter().map(|part| first_bytes(part, most)).collect();
            let length = each.iter().map(|(sets, _)| sets.len()).min().unwrap_or(0);
            let exact = each.iter().all(|(sets, exact)| *exact && sets.len() == length);
            let union = |at: usize| {
                each.iter().fold([0; 4], |all: [u64; 4], (sets, _)| {
                    std::array::from_fn(|word| all[word] | sets[at][word])
                })
            };
            ((0..length).map(union).collect(), exact)
        }
    }
}

/// Shorter runs are in every text.
const WORTH_LOOKING_FOR: usize = 6;

/// So many bytes of these, one after the other.
#[derive(Debug, Clone)]
struct Run {
    length: usize,
    /// One bit for each byte.
    bytes: [u64; 4],
}

/// The longest run of one class of bytes that is part of every match, if there is one: `[a-z0-9]{16}` in
/// `token=[a-z0-9]{6}\.[a-z0-9]{16}`.
fn longest_run(hir: &Hir) -> Option<Run> {
    match hir.kind() {
        HirKind::Empty | HirKind::Look(_) | HirKind::Literal(_) | HirKind::Class(Class::Unicode(_)) => None,
        HirKind::Class(Class::Bytes(class)) => {
            let mut bytes = [0; 4];
            for byte in class.ranges().iter().flat_map(|range| range.start()..=range.end()) {
                bytes[usize::from(byte / 64)] |= 1 << (byte % 64);
            }
            Some(Run { length: 1, bytes })
        }
        HirKind::Repetition(repetition) if repetition.min == 0 => None,
        HirKind::Repetition(repetition) => {
            let once = longest_run(&repetition.sub)?;
            let is_one_byte = matches!(repetition.sub.kind(), HirKind::Class(_));
            let times = if is_one_byte { repetition.min as usize } else { 1 };
            Some(Run { length: once.length * times, ..once })
        }
        HirKind::Capture(capture) => longest_run(&capture.sub),
        HirKind::Concat(parts) => parts.iter().filter_map(longest_run).max_by_key(|run| run.length),
        // Whichever it is, its run is as long as the shortest and made of bytes of any of them.
        HirKind::Alternation(parts) => {
            let mut runs = parts.iter().map(longest_run);
            let first = runs.next()??;
            runs.try_fold(first, |one, other| {
                let other = other?;
                let bytes = std::array::from_fn(|at| one.bytes[at] | other.bytes[at]);
                Some(Run { length: one.length.min(other.length), bytes })
            })
        }
    }
}

fn text<'a>(rule: &'a Table, field: &str) -> &'a str {
    rule.get(field)
        .and_then(Value::as_str)
        .unwrap_or_else(|| fail(&format!("a rule lacks `{field}`: {rule:?}")))
}

fn list<'a>(rule: &'a Table, field: &str) -> Vec<&'a str> {
    let values = rule.get(field).and_then(Value::as_array);
    values.map(|values| values.iter().filter_map(Value::as_str).collect()).unwrap_or_default()
}

fn number(rule: &Table, field: &str, default: i64) -> i64 {
    rule.get(field).and_then(Value::as_integer).unwrap_or(default)
}

fn flag(rule: &Table, field: &str) -> bool {
    rule.get(field).and_then(Value::as_bool).unwrap_or(false)
}

#[expect(clippy::panic, reason = "a build script reports by failing the build")]
fn fail(message: &str) -> ! {
    panic!("{message}")
}
