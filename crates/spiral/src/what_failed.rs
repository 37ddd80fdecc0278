//! What failed? The same failure twice is rarely the same text twice.
//!
//! A runner prints three kinds of things: what failed (names, messages, places), what it measured (how long, how much memory, with which
//! seed, in which process) and what it quotes of the source. The first kind says which failure it is. Measures are known by their shape
//! and by where they stand: at the end of a line, in brackets, behind a label. A quotation changes with every edit, so it says nothing.
//! Everything else counts, each number of it: what an assertion compares, how many tests failed, a line of debug output.

use super::normalise::{hash, is_address, is_duration, is_temporary, is_time, is_unit, starts_with_digit};

/// So much of a long output is looked at, from its end: what went wrong comes last.
const LONGEST: usize = 64 << 10;

/// A number for what a check that failed says: the same for the same failure, whatever it measured and quoted.
pub fn what_failed(text: &str) -> u64 {
    let text = &text[text.ceil_char_boundary(text.len().saturating_sub(LONGEST))..];
    let lines: Vec<&str> = text.lines().collect();
    let quoted = quotations(&lines);
    let told = |only: bool| -> Vec<u64> {
        let kept = lines.iter().zip(&quoted).filter(|(_, quoted)| !(only && **quoted));
        let plain = kept.map(|(line, _)| plain(line)).filter(|line| !line.is_empty());
        plain.map(|line| hash(line.as_bytes())).collect()
    };
    let mut hashes = told(true);
    if hashes.is_empty() {
        hashes = told(false);
    }
    hashes.sort_unstable();
    let bytes: Vec<u8> = hashes.iter().flat_map(|hash| hash.to_le_bytes()).collect();
    hash(&bytes)
}

/// Which lines are source code, shown around the place of a mistake.
fn quotations(lines: &[&str]) -> Vec<bool> {
    /// So far from its marks a numbered line still belongs to them.
    const NEAR: usize = 8;
    let bare: Vec<&str> = lines.iter().map(|line| line.strip_prefix("E ").unwrap_or(line)).collect();
    let mut quoted = vec![false; lines.len()];
    for (at, line) in bare.iter().enumerate() {
        let around = at.saturating_sub(NEAR)..(at + NEAR + 1).min(bare.len());
        if is_numbered(line) && bare[around].iter().any(|other| points(other)) {
            quoted[at] = true;
        }
        // `    foo(1` and below it `       ^`
        if is_caret(line) && at > 0 && !bare[at - 1].trim().is_empty() {
            quoted[at - 1] = true;
        }
        let indent = |line: &str| line.len() - line.trim_start().len();
        if line.trim_start().starts_with("File \"")
            && line.contains("\", line ")
            && bare.get(at + 1).is_some_and(|next| indent(next) > indent(line))
        {
            quoted[at + 1] = true;
        }
        // pytest marks the line that failed, and shows the function above it.
        if line.starts_with(">   ") {
            quoted[at] = true;
            let above = (0..at).rev().take_while(|&above| bare[above].starts_with("    "));
            above.for_each(|above| quoted[above] = true);
        }
    }
    quoted
}

/// `12 | code`, `> 12 | code`
fn is_numbered(line: &str) -> bool {
    let line = line.trim_start().trim_start_matches('>').trim_start();
    let rest = line.trim_start_matches(|c: char| c.is_ascii_digit());
    rest.len() < line.len() && rest.trim_start().starts_with('|')
}

/// Marks under a place, or the place itself.
fn points(line: &str) -> bool {
    let line = line.trim_start();
    line.starts_with("--> ") || line.starts_with('|') && line.contains('^') || is_caret(line)
}

fn is_caret(line: &str) -> bool {
    line.contains('^') && line.chars().all(|c| matches!(c, '^' | '~' | ' ' | '\t'))
}

/// A line without what differs from run to run; nothing, if it is only drawn.
fn plain(line: &str) -> String {
    let words: Vec<&str> = line.split_whitespace().filter(|word| !is_drawn(word)).collect();
    // What a test says about times is its outcome.
    let careful = words.iter().any(|word| speaks_of_a_limit(word));
    let measured = !careful && is_measured(&words);
    let mut plain = String::with_capacity(line.len());
    let mut at = 0;
    while let Some(word) = words.get(at) {
        at += 1;
        if at > 1 && !plain.is_empty() {
            plain.push(' ');
        }
        let next = words.get(at).copied().unwrap_or_default();
        let masked = if is_time(word) || is_stopwatch(word) {
            true
        } else if measured && starts_with_digit(bare_start(word)) && is_quantity(word, next) {
            at += usize::from(!is_measure(word));
            true
        } else if measured && is_measure(word) {
            true
        } else if measured && matches!(word.trim_matches(['(', '[']), "<" | "~" | "≈") {
            // `< 1 ms`
            plain.truncate(plain.trim_end().len());
            continue;
        } else {
            let before = at.checked_sub(2).and_then(|before| words.get(before)).copied().unwrap_or_default();
            is_number(word) && (is_process(&words, before, word) || !careful && is_seed(before))
        };
        if !masked {
            plain_word(word, careful, &mut plain);
        } else if !plain.trim_end().ends_with('#') {
            plain.push('#');
        } else {
            plain.truncate(plain.trim_end().len());
        }
    }
    plain
}

/// `=====`, `^^^^`, `----`: how long it is depends on the rest.
fn is_drawn(word: &str) -> bool {
    word.len() >= 3 && word.chars().all(|c| "^~-=_!*#|+─━═".contains(c)) || matches!(word, "^" | "^^")
}

/// A line with such a word compares what was measured with what was wanted.
fn speaks_of_a_limit(word: &str) -> bool {
    const LIMITS: &str = "assert asserts assertion expect expects expected expecting should must limit limits budget than slow slower fast \
        faster within exceed exceeds exceeded most least timeout timed deadline threshold maximum minimum over under actual \
        wanted got received p50 p90 p95 p99 latency";
    let word = word.trim_matches(|c: char| !c.is_alphanumeric());
    word.ends_with("Error")
        || word.ends_with("Exception")
        || LIMITS.split_ascii_whitespace().any(|known| word.eq_ignore_ascii_case(known))
}

/// A line of a runner about the run: durations in it say nothing about what failed.
fn is_measured(words: &[&str]) -> bool {
    const STARTS: &str = "ran finished done time duration real user sys ok fail pass failed passed total elapsed start build compiled \
        completed duration_ms not memory mem";
    const LABELS: &str = "elapsed duration memory";
    let name =
        |word: &str| word.trim_matches(|c: char| !c.is_alphanumeric() && c != '_').to_ascii_lowercase();
    let listed = |list: &str, word: &str| list.split_ascii_whitespace().any(|known| known == word);
    // `[INFO] Total time: …`
    let is_level = |word: &&&str| word.starts_with('[') && word.ends_with(']');
    let first = words.iter().find(|word| !is_level(word)).copied().unwrap_or_default();
    let is_mark = first.chars().next().is_some_and(|c| "✓✔✕✖✗×√●".contains(c)) || first == "(fail)";
    if is_mark || listed(STARTS, &name(first)) {
        return true;
    }
    let counts = |pair: &[&str]| {
        is_counted(pair[1]) && starts_with_digit(bare_start(pair[0]))
            || is_counted(pair[0]) && pair[0].ends_with(':') && starts_with_digit(pair[1])
            || pair[0].ends_with(':') && listed(LABELS, &name(pair[0])) && starts_with_digit(pair[1])
            || pair[0].ends_with("***Failed")
    };
    if words.windows(2).any(counts) {
        return true;
    }
    // `… in 0.12s`, `… (0.03s)`, `… [12 ms]` at the end of the line.
    let ends_so = |from: usize| {
        let end = words.get(words.len().saturating_sub(from)..).unwrap_or_default();
        let [word, rest @ ..] = end else { return false };
        is_measure(word) && rest.is_empty()
            || rest.len() == 1 && is_quantity(word, rest[0]) && !is_measure(word)
    };
    let before = |from: usize| words.len().checked_sub(from + 1).map(|at| words[at]).unwrap_or_default();
    [1, 2].into_iter().any(|from| {
        let first = words.get(words.len().saturating_sub(from)).copied().unwrap_or_default();
        let bracketed = first.starts_with(['(', '[']) || before(from).starts_with(['(', '[']);
        ends_so(from) && (bracketed || name(before(from)) == "in")
    })
}

/// What checks count at their end.
fn is_counted(word: &str) -> bool {
    const COUNTED: &str = "failed failing failures failure passed passing tests test errors error examples example runs warnings warning";
    let word = word.trim_matches(|c: char| !c.is_alphanumeric());
    COUNTED.split_ascii_whitespace().any(|counted| word.eq_ignore_ascii_case(counted))
}

fn bare_start(word: &str) -> &str {
    word.trim_start_matches(['(', '['])
}

/// `0.12s`, `(4.5MB)`, `time=5.2ms`
fn is_measure(word: &str) -> bool {
    let value = word.strip_prefix("time=").or_else(|| word.strip_prefix("duration=")).unwrap_or(word);
    is_duration(value) || {
        let value = value.trim_matches(|c: char| !c.is_alphanumeric());
        let unit = value.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
        // `2m 3s`
        unit.len() < value.len() && (is_size(unit) || matches!(unit, "m" | "h"))
    }
}

/// A number, and what it counts is a time, a size or a rate: in the same word or in the next.
fn is_quantity(word: &str, next: &str) -> bool {
    let unit = next.trim_matches(|c: char| !c.is_alphanumeric() && c != '/' && c != 'µ');
    let number = word.trim_matches(|c: char| !c.is_alphanumeric());
    is_measure(word)
        || number.chars().all(|c| c.is_ascii_digit() || matches!(c, '.' | ':' | ','))
            && (is_unit(unit) || is_size(unit) || unit.ends_with("/s"))
}

fn is_size(unit: &str) -> bool {
    matches!(unit, "B" | "KB" | "kB" | "MB" | "GB" | "KiB" | "MiB" | "GiB" | "bytes")
}

/// `00:01.310`
fn is_stopwatch(word: &str) -> bool {
    let word = word.trim_matches(|c: char| !c.is_alphanumeric());
    let is_digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    word.split_once(':').and_then(|(minutes, rest)| Some((minutes, rest.split_once('.')?))).is_some_and(
        |(minutes, (seconds, parts))| {
            minutes.len() == 2
                && seconds.len() == 2
                && parts.len() == 3
                && [minutes, seconds, parts].into_iter().all(is_digits)
        },
    )
}

fn is_number(word: &str) -> bool {
    let word = word.trim_matches(|c: char| !c.is_alphanumeric());
    !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.')
}

/// `with seed 4711`, `--seed 4711`, `duration_ms 45.1`
fn is_seed(before: &str) -> bool {
    let before = before.trim_matches(|c: char| !c.is_alphanumeric());
    before.to_ascii_lowercase().ends_with("seed") || before == "duration_ms"
}

/// `pid 4711`, `goroutine 18`, `thread 'main' (32539)`
fn is_process(words: &[&str], before: &str, word: &str) -> bool {
    let before = before.trim_matches(|c: char| !c.is_alphanumeric());
    ["pid", "tid", "process", "goroutine"].iter().any(|known| before.eq_ignore_ascii_case(known))
        || words.first() == Some(&"thread") && word.starts_with('(') && word.ends_with(')')
}

/// A word without addresses, numbers of processes and ports, ids and temporary names.
fn plain_word(word: &str, careful: bool, to: &mut String) {
    if is_temporary(word) {
        to.push('~');
        to.push_str(place_in(word));
        return;
    }
    let (mut before, mut last) = ("", "");
    let mut rest = word;
    while !rest.is_empty() {
        if is_uuid(rest) {
            to.push('#');
            rest = &rest[36..];
            continue;
        }
        let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
        let (name, after) = rest.split_at(end);
        let mark_length = after.chars().next().map_or(0, char::len_utf8);
        let mark = &after[..mark_length];
        let is_digits = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_digit());
        let is_port = last == ":"
            && matches!(before, "1" | "0" | "localhost")
            && name.parse::<u32>().is_ok_and(|port| (32_768..65_536).contains(&port));
        let is_process = matches!(last, ":" | "=") && matches!(before, "node" | "pid" | "tid");
        let is_seed = !careful && matches!(last, ":" | "=") && before.to_ascii_lowercase().ends_with("seed");
        if is_address(name) || is_digits && (is_port || is_process || is_seed) {
            to.push('#');
        } else {
            to.push_str(name);
        }
        to.push_str(mark);
        (before, last) = (name, mark);
        rest = &after[mark_length..];
    }
}

fn is_uuid(text: &str) -> bool {
    text.as_bytes().get(..36).is_some_and(|id| {
        id.iter().enumerate().all(|(at, byte)| match at {
            8 | 13 | 18 | 23 => *byte == b'-',
            _ => byte.is_ascii_hexdigit(),
        })
    })
}

/// Of a place in a source file its name and its line are kept, wherever the project lies: `a.ts(10,5)` of `/tmp/w/src/a.ts(10,5)`.
fn place_in(word: &str) -> &str {
    let name = &word[word.rfind(['/', '\\']).map_or(0, |at| at + 1)..];
    let has_line = name
        .match_indices([':', '('])
        .any(|(at, _)| name[at + 1..].starts_with(|c: char| c.is_ascii_digit()));
    if has_line && !name.contains("tmp") { name } else { "" }
}
