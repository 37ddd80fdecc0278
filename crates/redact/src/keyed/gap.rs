//! What lies between a name and its value, and where the value ends: `=`, `:`, `=>`, `", "`, `>`, a type, or just a space.

use super::name::{Name, previous_word};
use super::typed;

/// How the name is tied to the value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Tie {
    /// By an operator or a tag.
    Assigned,
    /// By a word that says it: `the password is …`.
    Said,
    /// By white space only.
    #[default]
    Beside,
}

/// A value behind a name.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Found {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) tie: Tie,
    pub(super) quoted: bool,
    /// The only argument of a call: `bytes.fromhex("…")`.
    pub(super) wrapped: bool,
    /// A type stands between name and value.
    pub(super) typed: bool,
    /// The next argument of the call that the name is an argument of.
    pub(super) argument: bool,
    /// The argument of a call of that name: `token("…")`.
    pub(super) called: bool,
    /// The name is one string of several: `f("String", "API_KEY", "…")`.
    pub(super) listed: bool,
}

/// The most words that may stand between a name and its value (`token string =`, `secret access code`, `key for staging is`).
const GLUE_WORDS: usize = 4;
/// Of them, so many where nothing says that a value follows.
const LOOSE_WORDS: usize = 2;
/// Values longer than this are data, not credentials.
const LONGEST_VALUE: usize = 1200;

/// Finds the value behind `name`.
pub(super) fn value_after(text: &[u8], name: &Name) -> Option<Found> {
    // `user[:password]@host` explains, it does not assign.
    if text[..name.start].ends_with(b"[:") {
        return None;
    }
    if let Some(at) = typed::pair_value(text, name.start, name.end) {
        return value_at(text, at, Tie::Assigned);
    }
    if let Some((start, end)) = typed::value_before(text, name.start) {
        return Some(Found {
            start,
            end,
            tie: Tie::Assigned,
            quoted: true,
            argument: true,
            ..Found::default()
        });
    }
    let mut at = name.end;
    let mut tie = Tie::Beside;
    let mut words = 0;
    let (mut argument, mut called, mut typed, mut listed) = (false, false, false, false);
    // Up to the value: closing quotes and brackets, spaces, an operator, a few plain words.
    loop {
        at = skip(text, at, 6, |b| matches!(b, b' ' | b'\t' | b'"' | b'\'' | b'`' | b']' | b'}' | b'\\'));
        let here = *text.get(at)?;
        match here {
            // `| API key | value |`: the next cell of a table.
            b'|' if is_in_row(text, name.start) && text.get(at + 1) == Some(&b' ') => {
                at = skip(text, at + 1, 8, |b| matches!(b, b' ' | b'*'));
                tie = Tie::Assigned;
                break;
            }
            // Property lists: `<key>Token</key><string>…</string>`.
            b'<' if text[at..].starts_with(b"</key>") => {
                at = skip(text, at + 6, 40, |b| matches!(b, b' ' | b'\t' | b'\r' | b'\n'));
                text[at..].starts_with(b"<string>").then_some(())?;
                at += 8;
                tie = Tie::Assigned;
                break;
            }
            // `a | b` and `a + b` are expressions, `||`, `|=` and `+=` give a value.
            b'|' | b'+' if !matches!(text.get(at + 1), Some(b'|' | b'=')) => return None,
            // `a ? b` chooses, `pass ?x=1` speaks of a query; `List<Token> tokens` declares.
            b'?' if !matches!(text.get(at + 1), Some(b'?' | b'=' | b':')) => return None,
            b'>' if text.get(at + 1) == Some(&b' ') => return None,
            b'>' | b'!' | b'+' | b'|' if words > 0 => return None,
            b'=' | b':' | b'?' | b'|' | b'!' | b'+' | b'>' => {
                let from = at;
                at = skip(text, at, 4, |b| matches!(b, b'=' | b':' | b'?' | b'|' | b'!' | b'+' | b'>'));
                tie = Tie::Assigned;
                if matches!(&text[from..at], b":" | b"?:")
                    && let Some(behind) = typed::behind_type(text, at)
                {
                    at = behind;
                    typed = true;
                }
                break;
            }
            b'{' => {
                at = typed::behind_block(text, at)?;
                tie = Tie::Assigned;
                typed = true;
                break;
            }
            b'.' if text.get(at + 1) == Some(&b'=') => {
                at += 2;
                tie = Tie::Assigned;
                break;
            }
            b',' | b'(' | b')' => {
                // A call: `set("TOKEN", "…")`, `token("…")`. Only with a quoted value; not a list, not a method of the secret.
                let closed = text[name.end..at].contains(&b'}');
                if closed
                    || (here == b',' && is_before_field(text, name.start, at))
                    || (here == b'(' && name.is_method(text))
                {
                    return None;
                }
                listed = here == b',' && is_listed(text, name.start);
                argument = true;
                called = here == b'(' && at == name.end;
                at = skip(text, at, 4, |b| matches!(b, b',' | b'(' | b' ' | b')' | b':' | b'='));
                matches!(text.get(at), Some(b'"' | b'\'' | b'`')).then_some(())?;
                tie = Tie::Assigned;
                break;
            }
            _ if at == name.end => return None,
            _ => {}
        }
        if text[at - 1] != b' ' && text[at - 1] != b'\t' {
            break;
        }
        let word = text[at..]
            .iter()
            .take(16)
            .take_while(|b| b.is_ascii_alphabetic() || matches!(**b, b'_' | b'&' | b'*'))
            .count();
        let number = text[at..].iter().take(3).take_while(|b| b.is_ascii_digit()).count();
        let word = if word == 0 && text.get(at + number) == Some(&b':') { number } else { word };
        let ends_plain = text.get(at + word).is_none_or(|b| matches!(b, b' ' | b'\t' | b'=' | b':'));
        if word == 0 || word >= 14 || words == GLUE_WORDS || !ends_plain {
            break;
        }
        // MySQL: `SET PASSWORD FOR 'shop'@'%' = '…'`.
        if text[at..at + word].eq_ignore_ascii_case(b"for")
            && let Some(behind) = behind_account(text, at + word)
        {
            at = behind;
            tie = Tie::Assigned;
            break;
        }
        // `key id: …` names the key.
        if text[at..at + word].eq_ignore_ascii_case(b"id") || text[at..at + word].eq_ignore_ascii_case(b"ids")
        {
            return None;
        }
        words += 1;
        let said = SAYS.iter().any(|says| text[at..at + word].eq_ignore_ascii_case(says.as_bytes()));
        at += word;
        if said && matches!(text.get(at), Some(b' ' | b'\t')) {
            tie = Tie::Said;
            break;
        }
    }
    if tie == Tie::Beside {
        if words > LOOSE_WORDS {
            return None;
        }
        // Dockerfiles: `ENV API_KEY …`.
        if words == 0 && matches!(previous_word(text, name.start), b"ENV" | b"ARG") {
            tie = Tie::Assigned;
        }
    }
    let found = value_at(text, at, tie)?;
    (!typed || found.quoted || found.wrapped).then_some(Found { argument, called, listed, typed, ..found })
}

/// Whether the name stands in a row of a table: its line begins with the sign between cells.
fn is_in_row(text: &[u8], start: usize) -> bool {
    let near = start.saturating_sub(LONGEST_ROW);
    let line = memchr::memrchr(b'\n', &text[near..start]).map(|at| near + at + 1);
    let line = line.or((near == 0).then_some(0)).unwrap_or(start);
    text[line..start].trim_ascii_start().first() == Some(&b'|')
}

/// A row is looked back along no further.
const LONGEST_ROW: usize = 240;

/// Words that say: this is it.
const SAYS: &[&str] = &["is", "was", "are"];

/// Behind the `=` that follows the account of `SET PASSWORD FOR`.
fn behind_account(text: &[u8], at: usize) -> Option<usize> {
    let rest = &text[at..text.len().min(at + 80)];
    let equals = memchr::memchr2(b'=', b'\n', rest)?;
    (rest[equals] == b'=' && rest[..equals].contains(&b'\'')).then_some(at + equals + 1)
}

/// Whether the name is one string of several: `"a_key", "b_key"`.
fn is_listed(text: &[u8], start: usize) -> bool {
    let before = &text[..start];
    let before = before.strip_suffix(b"\"").or_else(|| before.strip_suffix(b"'")).unwrap_or(before);
    before.trim_ascii_end().last() == Some(&b',')
}

/// Whether the name is the value of a field, and behind the comma another field begins: `"result":"pass","violations":…`.
fn is_before_field(text: &[u8], start: usize, comma: usize) -> bool {
    let before = text[..start].trim_ascii_end();
    let before = before.strip_suffix(b"\"").or_else(|| before.strip_suffix(b"'")).unwrap_or(before);
    let from = skip(text, comma + 1, 8, |b| matches!(b, b' ' | b'"' | b'\''));
    let to = skip(text, from, 64, |b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'$'));
    let behind = skip(text, to, 2, |b| matches!(b, b' ' | b'"' | b'\''));
    before.trim_ascii_end().last() == Some(&b':') && to > from && text.get(behind) == Some(&b':')
}

/// Calls that look a value up rather than hold it.
const LOOK_UPS: &[&str] = &[
    "get", "find", "read", "load", "env", "fetch", "query", "hash", "select", "request", "look", "path",
    "file", "name", "open",
];

/// The value that starts at or just behind `at`.
fn value_at(text: &[u8], mut at: usize, tie: Tie) -> Option<Found> {
    let tag = at > 0 && text[at - 1] == b'>';
    at = skip(text, at, 24, |b| matches!(b, b' ' | b'\t') || (tag && matches!(b, b'\r' | b'\n')));
    if text.get(at) == Some(&b'\n') || text.get(at) == Some(&b'\r') {
        // A quoted value on the next line still belongs to an assignment.
        let next = skip(text, at, 40, |b| matches!(b, b' ' | b'\t' | b'\r' | b'\n'));
        (tie == Tie::Assigned && matches!(text.get(next), Some(b'"' | b'\'' | b'`'))).then_some(())?;
        at = next;
    }
    // The gate was here.
    if text[at..].starts_with(b"[redacted:") {
        return None;
    }
    // YAML: `key: !!str value`, `key: >-⏎  value`.
    if text.get(at) == Some(&b'!') && tie == Tie::Assigned {
        let tag = skip(text, at, 12, |b| matches!(b, b'!') || b.is_ascii_alphabetic());
        at = if text.get(tag) == Some(&b' ') { tag + 1 } else { at };
    }
    if matches!(text.get(at), Some(b'>' | b'|')) && tie == Tie::Assigned {
        let mark = skip(text, at, 3, |b| matches!(b, b'>' | b'|' | b'-' | b'+'));
        if text.get(mark) == Some(&b'\n') {
            at = skip(text, mark, 40, |b| matches!(b, b' ' | b'\n'));
        }
    }
    at = skip(text, at, 2, |b| matches!(b, b'[' | b'(' | b'\\'));
    at = behind_wrapping(text, at);
    if matches!(text.get(at), Some(b'b' | b'r' | b'f' | b'u' | b'@' | b'$'))
        && matches!(text.get(at + 1), Some(b'"' | b'\''))
    {
        at += 1;
    }
    let quote = text.get(at).copied().filter(|b| matches!(b, b'"' | b'\'' | b'`'));
    // An empty string.
    if quote.is_some() && text.get(at + 1).copied() == quote && text.get(at + 2).copied() != quote {
        return None;
    }
    let mut start = if quote.is_some() { skip(text, at, 3, |b| Some(b) == quote || b == b'\\') } else { at };
    // `"""⏎value⏎"""`.
    if start == at + 3 && matches!(text.get(start), Some(b'\n' | b'\r')) {
        start = skip(text, start, 40, |b| matches!(b, b' ' | b'\t' | b'\r' | b'\n'));
    }
    let body = &text[start..text.len().min(start + LONGEST_VALUE + 1)];
    let length = match quote {
        Some(quote) => body.iter().position(|b| *b == quote || matches!(b, b'\n' | b'\r'))?,
        None => body.iter().position(|b| ENDS_BARE_VALUE[usize::from(*b)]).unwrap_or(body.len()),
    };
    if quote.is_none() && body[..length].ends_with(b"(") {
        let call = body[..length].to_ascii_lowercase();
        let looks_up = LOOK_UPS.iter().any(|word| memchr::memmem::find(&call, word.as_bytes()).is_some());
        let inner = behind_closure(text, start + length);
        return (!looks_up && matches!(text.get(inner), Some(b'"' | b'\'' | b'`')))
            .then(|| value_at(text, inner, Tie::Assigned))
            .flatten()
            .map(|found| Found { wrapped: true, ..found });
    }
    let mut end = start + length;
    while end > start && matches!(text[end - 1], b'\\' | b' ') {
        end -= 1;
    }
    if let Some(escape) = text[start..end]
        .windows(2)
        .position(|pair| pair[0] == b'\\' && matches!(pair[1], b'n' | b'r' | b't' | b'"' | b'\''))
    {
        end = start + escape;
    }
    let found = Found { start, end, tie, quoted: quote.is_some(), ..Found::default() };
    (end > start && end - start <= LONGEST_VALUE).then_some(found)
}

/// Behind what only says how a literal is to be taken: `<string>"…"`, `new "…"`, `&"…"`.
fn behind_wrapping(text: &[u8], at: usize) -> usize {
    let rest = &text[at..text.len().min(at + 40)];
    if let Some(cast) = rest.strip_prefix(b"<") {
        let name = cast.iter().take_while(|b| b.is_ascii_alphabetic()).count();
        if name > 0
            && cast.get(name) == Some(&b'>')
            && matches!(cast.get(name + 1), Some(b'"' | b'\'' | b'`'))
        {
            return at + name + 2;
        }
    }
    if rest.starts_with(b"new ") { at + 4 } else { at }
}

/// Behind the beginning of a closure: `Lazy::new(|| "…")`, `lazy(() => "…")`.
fn behind_closure(text: &[u8], at: usize) -> usize {
    let rest = &text[at..text.len().min(at + 16)];
    for opening in [&b"|| "[..], b"() => ", b"|| { "] {
        if rest.starts_with(opening) {
            return at + opening.len();
        }
    }
    at
}

/// The end of a value without quotes as the gate takes it: to the end of the word, whatever signs are in it, unless another
/// field, a tag or a sentence begins there. (S19)
pub(super) fn whole_end(text: &[u8], start: usize, end: usize) -> usize {
    let most = text.len().min(start + LONGEST_VALUE);
    let mut at = end;
    while at < most && matches!(text[at], b';' | b',' | b'&' | b'|' | b'<' | b'\'' | b'`') {
        let piece = &text[at + 1..most];
        let length = piece.iter().position(|b| ENDS_BARE_VALUE[usize::from(*b)]).unwrap_or(piece.len());
        let word = piece
            .iter()
            .take(length)
            .take_while(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'.'))
            .count();
        // `&x=1`, `;NAME=…`, `,name:`, `</tag>`, `<br>`, and what ends a sentence or a list.
        let field = word > 0 && matches!(piece.get(word), Some(b'=' | b':'));
        let tag = text[at] == b'<'
            && (matches!(piece.first(), Some(b'/' | b'!')) || piece.get(word) == Some(&b'>'));
        let quote = matches!(text[at], b'\'' | b'`');
        if length == 0 || field || tag || quote && !piece[..length].iter().any(u8::is_ascii_alphanumeric) {
            break;
        }
        at += 1 + length;
    }
    at
}

/// The bytes at which a value without quotes ends. A table: a text of secret words asks for each byte many times.
static ENDS_BARE_VALUE: [bool; 256] = {
    let mut ends = [false; 256];
    let signs = b" \t\n\r\x0c\"'`<;,&|\0";
    let mut at = 0;
    while at < signs.len() {
        ends[signs[at] as usize] = true;
        at += 1;
    }
    ends
};

fn skip(text: &[u8], at: usize, most: usize, test: impl Fn(u8) -> bool) -> usize {
    at + text.get(at..).unwrap_or_default().iter().take(most).take_while(|b| test(**b)).count()
}
