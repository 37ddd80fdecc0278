//! The sentences of a prompt that are the person's own: without code, quotations, pasted output, and what programs put there.

/// A sentence, as it was written and as it is looked at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Sentence {
    /// As it was written.
    pub text: String,
    /// In small letters, what is quoted taken out.
    pub bare: String,
}

/// Of a long prompt only the beginning and the end are a person's words; the middle is what they pasted. In characters.
const ENDS: usize = 1_200;

pub(super) fn sentences(prompt: &str) -> Vec<Sentence> {
    let text = without_tags(&without_fences(prompt));
    let own = without_pasted(&text);
    let lines: Vec<&str> = own.iter().copied().filter(|line| is_prose(line)).collect();
    let text = ends_of(&lines.join("\n"));
    split(&text)
        .into_iter()
        .map(|(text, bare)| Sentence { bare: bare.to_lowercase(), text })
        .filter(|sentence| !sentence.bare.trim().is_empty())
        .collect()
}

/// Without letters, reports and guides that were pasted: what follows "look at this mail:", or a head of "From:" and "Subject:", up to
/// the last paragraph, which is the person's again.
fn without_pasted(text: &str) -> Vec<&str> {
    let lines: Vec<&str> = text.lines().collect();
    let Some(start) = lines
        .iter()
        .enumerate()
        .find_map(|(at, line)| starts_a_paste(line, &lines[at + 1..]).map(|skip| at + skip))
    else {
        return lines;
    };
    // The paragraph in which the paste begins goes, and those after it; one at the end that is not part of it stays.
    let paragraphs_end: Vec<usize> =
        (start..lines.len()).filter(|at| lines[*at].trim().is_empty() && *at > start).collect();
    let last = paragraphs_end.last().map_or(lines.len(), |at| at + 1);
    let tail = &lines[last..];
    let is_own = tail.len() <= 3 && !tail.iter().any(|line| closes_a_letter(line));
    let mut own = lines[..start].to_vec();
    if is_own {
        own.extend(tail);
    }
    own
}

/// A line that says that something of others follows; how many lines of the person's are left before it begins.
fn starts_a_paste(line: &str, after: &[&str]) -> Option<usize> {
    const HEADS: &[&str] = &[
        "from:",
        "subject:",
        "to:",
        "date:",
        "sent:",
        "cc:",
        "dear ",
        "보낸 사람:",
        "제목:",
        "差出人:",
        "件名:",
        "发件人:",
        "主题:",
        "收件人:",
    ];
    const OTHERS: &[&str] = &[
        "mail",
        "email",
        "letter",
        "log",
        "output",
        "printed",
        "prints",
        "wrote",
        "says",
        "said",
        "style guide",
        "guideline of",
        "guidelines of",
        "their ",
        "ticket",
        "found this",
        "found in",
        "blog",
        "readme",
        "docs say",
        "slack",
        "posted",
        "response",
        "vendor",
        "customer",
        "article",
        "error",
        "message",
        "got this",
        "comment",
        "spec",
        "stack trace",
        "pasted",
        "forwarded",
        "their guide",
        "policy of",
        "terms",
        "license",
        "메일",
        "로그",
        "출력",
        "문서에",
        "블로그",
        "에러",
        "메시지",
        "가이드",
        "답변",
        "メール",
        "ログ",
        "出力",
        "ブログ",
        "記事",
        "エラー",
        "ガイド",
        "メッセージ",
        "邮件",
        "日志",
        "输出",
        "博客",
        "报错",
        "文章",
        "消息",
        "指南",
        "规范",
    ];
    const OWN: &[&str] = &[
        "rules for you",
        "follow",
        "from now on",
        "remember",
        "my rules",
        "our rules",
        "new rules",
        "these rules",
        "please",
        "going forward",
        "always",
        "앞으로",
        "규칙",
        "지켜",
        "今後",
        "ルール",
        "守って",
        "以后",
        "规则",
        "遵守",
        "请",
    ];
    let lower = line.trim().to_lowercase();
    if HEADS.iter().any(|head| lower.starts_with(head))
        && after.iter().take(3).any(|next| !next.trim().is_empty())
    {
        // "To: …" alone is no head: two of them, or a greeting, are.
        let heads = after
            .iter()
            .take(3)
            .filter(|next| HEADS.iter().any(|head| next.trim().to_lowercase().starts_with(head)))
            .count();
        if heads > 0 || lower.starts_with("dear ") {
            return Some(0);
        }
    }
    let introduces = lower.ends_with([':', '：']) && !after.is_empty();
    let of_others =
        OTHERS.iter().any(|word| lower.contains(word)) && !OWN.iter().any(|word| lower.contains(word));
    (introduces && of_others).then_some(1)
}

fn closes_a_letter(line: &str) -> bool {
    let lower = line.trim().to_lowercase();
    ["best regards", "kind regards", "regards", "sincerely", "cheers,", "best,"]
        .iter()
        .any(|end| lower.starts_with(end))
}

/// Without what stands between three backticks.
fn without_fences(text: &str) -> String {
    text.split("```")
        .enumerate()
        .filter(|(at, _)| at % 2 == 0)
        .map(|(_, part)| part)
        .collect::<Vec<_>>()
        .join("\n")
}

/// Without `<tag>…</tag>`: clients put their own notes, file contents and command outputs into prompts that way.
fn without_tags(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('<') {
        let (before, from) = rest.split_at(at);
        out.push_str(before);
        let name: String = from[1..]
            .chars()
            .take_while(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | ':'))
            .collect();
        let closing = format!("</{name}>");
        match (name.is_empty(), from.find(&closing)) {
            (false, Some(end)) => rest = &from[end + closing.len()..],
            _ => {
                out.push('<');
                rest = &from[1..];
            }
        }
    }
    out.push_str(rest);
    out
}

/// Not a quotation, a log line, a diff, a stack trace or a line of code.
fn is_prose(line: &str) -> bool {
    let trimmed = line.trim();
    let looks_pasted = trimmed.starts_with(['>', '|', '+', '@', '}', '{'])
        || trimmed.starts_with("at ")
        || trimmed.starts_with("//")
        || trimmed.starts_with("$ ")
        || trimmed.starts_with("- [")
        || trimmed.ends_with([';', '{', '}'])
        || line.starts_with("    ")
        || line.starts_with('\t');
    let stamped = trimmed.bytes().take(4).filter(u8::is_ascii_digit).count() >= 4;
    !looks_pasted
        && !stamped
        && !trimmed.contains("error:")
        && !trimmed.contains("Error:")
        && !trimmed.contains("TODO")
}

fn ends_of(text: &str) -> String {
    let letters = text.chars().count();
    if letters <= 2 * ENDS {
        return text.to_owned();
    }
    let start: String = text.chars().take(ENDS).collect();
    let end: String = text.chars().skip(letters - ENDS).collect();
    format!("{start}\n{end}")
}

/// Into sentences, each as it was written and without what is quoted. A point inside a name (`openapi.yaml`, `node 22.1`) or inside a
/// quotation ends none.
fn split(text: &str) -> Vec<(String, String)> {
    let letters: Vec<char> = text.chars().collect();
    let quoted = quotations(&letters);
    let mut all: Vec<(String, String)> = Vec::new();
    let (mut current, mut bare) = (String::new(), String::new());
    for (at, letter) in letters.iter().enumerate() {
        let next = letters.get(at + 1);
        let ends = !quoted[at].is_inside()
            && match letter {
                '\n' | '。' | '！' | '？' | '；' | ';' => true,
                '.' | '!' | '?' => next.is_none_or(|next| next.is_whitespace() || !next.is_ascii()),
                _ => false,
            };
        if *letter != '\n' {
            current.push(*letter);
        }
        match quoted[at] {
            Quoted::No if *letter != '\n' => bare.push(*letter),
            Quoted::Opens => bare.push_str(" … "),
            _ => {}
        }
        if ends {
            push(&mut all, &mut current, &mut bare);
        }
    }
    push(&mut all, &mut current, &mut bare);
    all
}

fn push(all: &mut Vec<(String, String)>, current: &mut String, bare: &mut String) {
    let marks = ['-', '*', '•', '#'];
    let plain = current.trim().trim_start_matches(marks).trim();
    if plain.chars().any(char::is_alphanumeric) {
        all.push((plain.to_owned(), bare.trim().trim_start_matches(marks).trim().to_owned()));
    }
    current.clear();
    bare.clear();
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Quoted {
    No,
    Opens,
    Inside,
    /// A backtick around a name: not looked at, and what is between them is.
    Mark,
}

impl Quoted {
    fn is_inside(self) -> bool {
        matches!(self, Self::Opens | Self::Inside)
    }
}

/// Longest quotation, in characters: a mark that is never closed quotes nothing.
const LONGEST_QUOTATION: usize = 600;

/// What stands in quotation marks; an apostrophe is none. What is in single backticks stays, if it is one word: a name.
fn quotations(letters: &[char]) -> Vec<Quoted> {
    const PAIRS: [(char, char); 8] = [
        ('"', '"'),
        ('“', '”'),
        ('「', '」'),
        ('『', '』'),
        ('‘', '’'),
        ('`', '`'),
        ('\'', '\''),
        ('《', '》'),
    ];
    let mut marks = vec![Quoted::No; letters.len()];
    let mut at = 0;
    while at < letters.len() {
        let close = PAIRS.iter().find(|(open, _)| *open == letters[at]).and_then(|(open, close)| {
            // 'always' is quoted, don't is not.
            let before = at.checked_sub(1).and_then(|before| letters.get(before));
            if *open == '\'' && before.is_some_and(char::is_ascii_alphanumeric) {
                return None;
            }
            let until = letters.len().min(at + LONGEST_QUOTATION);
            (at + 1..until).find(|end| {
                let after = letters.get(end + 1);
                letters[*end] == *close
                    && !(*open == '\'' && after.is_some_and(char::is_ascii_alphanumeric))
                    && (*open == '"' || *open == '“' || !letters[at + 1..*end].contains(&'\n'))
            })
        });
        let Some(end) = close else {
            at += 1;
            continue;
        };
        let inside = &letters[at + 1..end];
        let is_name = letters[at] == '`' && !inside.iter().any(|letter| letter.is_whitespace());
        if is_name {
            marks[at] = Quoted::Mark;
            marks[end] = Quoted::Mark;
        } else {
            marks[at..=end].fill(Quoted::Inside);
            marks[at] = Quoted::Opens;
        }
        at = end + 1;
    }
    marks
}
