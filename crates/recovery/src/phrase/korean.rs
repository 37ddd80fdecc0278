//! Korean: the verb stands after its names, so a clause is read from its end.

use super::marks::{has, places, without};
use super::{Ask, Edge, Named, Phrase, time};

/// What a mark makes of the names before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mark {
    Back,
    Restore,
    Stays,
    /// They stay, and everything else goes back.
    Except,
    Before,
    After,
}

const MARKS: &[(Mark, &[&str])] = &[
    (
        Mark::Stays,
        &[
            "되돌리지 마",
            "되돌리지마",
            "되돌리지 말",
            "되돌리지말",
            "되돌리지 않",
            "되돌리면 안",
            "취소하지 마",
            "취소하지마",
            "취소하지 말",
            "취소하지 않",
            "취소하면 안",
            "건드리지 마",
            "건드리지마",
            "건드리지 말",
            "건드리지 않",
            "건들지 마",
            "건들지마",
            "롤백하지 마",
            "롤백하지마",
            "롤백하지 말",
            "복구하지 마",
            "복원하지 마",
            "손대지 마",
            "손대지마",
            "손대지 말",
            "그대로 두",
            "그대로 둬",
            "그대로 놔",
            "그대로 남",
            "그대로",
            "두고",
            "놔두",
            "놔둬",
            "남기",
            "남겨",
            "유지",
            "살려 두",
            "살려두",
            "보존",
            "내버려",
            "되돌릴 필요",
            "되돌릴필요",
            "취소할 필요",
            "되돌리지는 마",
            "되돌리지는 말",
            "안 되돌려도",
            "안 취소해도",
            "취소 안 해도",
            "안 돌려도",
            "안 건드려도",
        ],
    ),
    (
        Mark::Except,
        &[
            "빼고",
            "빼곤",
            "제외하고",
            "제외한",
            "제외",
            "말고",
            "외에는",
            "외에",
            "이외",
            "아니라",
            "아니고",
            "아닌",
            "뺀",
        ],
    ),
    (
        Mark::Back,
        &[
            "되돌",
            "돌려",
            "돌아가",
            "취소",
            "원상복구",
            "원상 복구",
            "원상",
            "롤백",
            "물러",
            "무르",
            "없던 일",
            "원래대로",
            "원복",
            "철회",
            "없던 걸",
            "없던걸",
            "없애",
            "빼줘",
            "빼 줘",
            "빼주",
            "필요 없어",
            "필요없어",
            "필요 없다",
            "필요 없습니다",
        ],
    ),
    (
        Mark::Restore,
        &[
            "복구",
            "복원",
            "되살",
            "찾아",
            "가져와",
            "살려내",
            "살려줘",
            "살려 줘",
            "사라졌",
            "없어졌",
            "지워졌",
            "날아갔",
            "삭제됐",
        ],
    ),
    (
        Mark::Before,
        &[
            "하기 전",
            "바꾸기 전",
            "고치기 전",
            "변경 전",
            "수정 전",
            "전으로",
            "이전으로",
            "전 상태",
            "이전 상태",
            "전까지",
            "이전",
            "전에",
        ],
    ),
    (Mark::After, &["다음에 한", "이후에", "이후로", "이후", "후에", "뒤에", "후로"]),
    (Mark::Before, &["부터"]),
];

/// What stands between "before X" and its verb, if that is taken back and not gone to.
const OBJECTS: &[&str] = &["것", "거", "건", "걸", "변경", "수정", "작업", "요청", "일들"];
const NOTHING: &[&str] = &["아무것", "아무 것", "아무거", "하나도"];

const REST: &[&str] =
    &["나머지", "다른 건", "다른건", "다른 것", "다른 거", "그 외", "기타", "딴 건", "그밖"];
const ALL: &[&str] = &["모두", "전부", "싹 다", "싹", "전체", "모든", "다 "];
const LAST: &[&str] = &["방금", "아까", "마지막", "직전", "최근", "바로 전"];
const EXPLAIN: &[&str] = &["무슨 일", "뭐가 바뀌", "무엇이 바뀌", "뭘 바꿨", "왜 ", "설명"];
const UNASKED: &[&str] = &[
    "시키지 않은",
    "시키지도 않은",
    "안 시킨",
    "부탁하지 않은",
    "요청하지 않은",
    "요청하지도 않은",
    "부탁 안 한",
    "상관없는 변경",
];
const BROKE: &[&str] =
    &["망가", "안 돼", "안돼", "깨졌", "고장", "이상하", "오류", "에러", "작동", "안 되", "버그"];

/// Words that name nothing, and endings that are cut off.
const EMPTY: &[&str] = &[
    "변경",
    "변경사항",
    "수정",
    "수정한",
    "바꾼",
    "바뀐",
    "고친",
    "한",
    "했던",
    "것",
    "거",
    "건",
    "걸",
    "것은",
    "부분",
    "작업",
    "파일",
    "폴더",
    "디렉터리",
    "디렉토리",
    "요청",
    "내용",
    "좀",
    "해줘",
    "해",
    "줘",
    "주세요",
    "해주세요",
    "제발",
    "지금",
    "내가",
    "네가",
    "니가",
    "너가",
    "그",
    "이",
    "저",
    "그거",
    "이거",
    "저거",
    "그것",
    "코드",
    "앱",
    "프로젝트",
    "ai",
    "다시",
    "다",
    "만",
    "은",
    "는",
    "도",
    "에서",
    "그리고",
    "하고",
    "하지만",
    "근데",
    "그런데",
    "제",
    "상태",
    "상태로",
    "돌려",
    "돌려줘",
    "돌려놔",
    "려줘",
    "려",
    "려놔",
    "해라",
    "하자",
    "할래",
    "하세요",
    "줄래",
    "주라",
    "부탁",
    "부탁해",
    "부탁해요",
    "버전",
    "함수",
    "으로",
    "로",
    "때",
    "때로",
    "싶어",
    "모두",
    "전부",
    "싹",
    "전체",
    "모든",
    "방금",
    "아까",
    "마지막",
    "직전",
    "최근",
    "나머지",
    "졌어",
    "됐어",
    "했어",
    "어요",
    "어",
    "요",
    "리고",
    "리",
    "돌",
    "려주세요",
    "려요",
    "고",
    "주고",
    "진",
    "된",
    "바로",
    "전",
    "개",
    "번",
    "수정은",
    "변경은",
    "기능",
    "쪽",
    "관련",
    "관련된",
    "한거",
    "한것",
    "바꿨어",
    "이상하게",
    "것들",
    "거들",
    "변경들",
    "수정들",
    "요청들",
    "넣기",
    "넣은",
    "넣었던",
    "추가하기",
    "추가한",
    "만들기",
    "만든",
    "고치기",
    "바꾸기",
    "건드린",
    "없어",
    "없고",
    "없으니까",
    "없으니",
    "없습니다",
    "없다",
    "돼",
    "되고",
    "돼요",
    "됩니다",
    "둘",
    "아무것",
    "아무",
    "일단",
    "그냥",
    "이제",
    "더",
    "이상",
    "감사합니다",
    "고마워",
    "고맙습니다",
    "세용",
    "가",
    "게",
];
const PARTICLES: &[&str] = &[
    "에서는",
    "에서",
    "으로",
    "까지",
    "부터",
    "이랑",
    "랑",
    "하고",
    "은",
    "는",
    "이",
    "가",
    "을",
    "를",
    "의",
    "에",
    "도",
    "만",
    "로",
    "와",
    "과",
];

pub(super) fn parse(original: &str) -> Phrase {
    let mut text = original.to_owned();
    let mut phrase = Phrase::default();
    if let Some((moment, range)) = time::find(&text) {
        phrase.moment = Some(moment);
        let after = text[range.end..].trim_start();
        let goes = after.contains("상태") || after.contains("돌아가") || after.contains("전으로");
        let before = after.starts_with('전') || after.starts_with("이전");
        if before && !goes && has(after, OBJECTS) {
            phrase.edge = Edge::Until;
        }
        // What was done *at* a moment is not what was done since.
        let done_then = ["에 한 ", "에 했던", "에 바꾼", "에 고친", "에 수정한"];
        if text[..range.end].ends_with('전') && done_then.iter().any(|mark| after.starts_with(mark)) {
            phrase
                .not_understood
                .push(text[range.start..].split_whitespace().take(3).collect::<Vec<_>>().join(" "));
        }
        text = without(&text, range);
    }
    let says_back = has(&text, &["되돌", "취소", "롤백", "원상", "원래대로", "원복", "돌려", "복구", "복원"]);
    let rules = Rules {
        marks: MARKS,
        rest: REST,
        all: ALL,
        last: LAST,
        empty: EMPTY,
        particles: PARTICLES,
        joins: &["와 ", "과 ", "이나 ", "랑 ", "이랑 ", "하고 ", "그리고 ", ","],
        objects: OBJECTS,
        nothing: NOTHING,
        only: &["만", "만은", "만을"],
    };
    let read = read(&text, &rules, &mut phrase);
    let moment_named = phrase.at.is_some() || phrase.moment.is_some();
    phrase.ask = match () {
        () if has(&text, UNASKED) => Ask::Unasked,
        () if has(&text, EXPLAIN) && !says_back => Ask::Explain,
        () if moment_named
            && (read.back || read.restore || read.all || !has(&text, BROKE))
            && phrase.objects.is_empty() =>
        {
            Ask::GoBack
        }
        () if read.back => Ask::Undo,
        () if read.restore => Ask::Restore,
        () if !phrase.keep.is_empty() && !has(&text, BROKE) => Ask::Undo,
        () => Ask::Broke,
    };
    phrase.mild = !(read.back || read.restore || read.all);
    finish(&mut phrase, &read, &text, LAST);
    phrase
}

/// The tables of a language whose verb comes last.
pub(super) struct Rules {
    pub(super) marks: &'static [(Mark, &'static [&'static str])],
    pub(super) rest: &'static [&'static str],
    pub(super) all: &'static [&'static str],
    pub(super) last: &'static [&'static str],
    pub(super) empty: &'static [&'static str],
    pub(super) particles: &'static [&'static str],
    pub(super) joins: &'static [&'static str],
    /// What "before X" is before, where it is an object and no moment.
    pub(super) objects: &'static [&'static str],
    /// "Not anything".
    pub(super) nothing: &'static [&'static str],
    /// Ends a name that alone is meant.
    pub(super) only: &'static [&'static str],
}

/// What was seen besides names.
#[derive(Debug, Default)]
pub(super) struct Seen {
    pub(super) back: bool,
    pub(super) restore: bool,
    pub(super) all: bool,
    /// Something was left out.
    pub(super) except: bool,
    /// Something is to stay, whatever was named.
    pub(super) stays: bool,
    /// Only that is to stay.
    pub(super) only_stays: bool,
}

/// Each stretch of text belongs to the mark after it.
pub(super) fn read(text: &str, rules: &Rules, phrase: &mut Phrase) -> Seen {
    let mut seen = Seen::default();
    let mut found: Vec<(usize, usize, Mark)> = Vec::new();
    for (mark, words) in rules.marks {
        for (start, end) in places(text, words) {
            found.push((start, end, *mark));
        }
    }
    found.sort_by_key(|(start, end, _)| (*start, std::cmp::Reverse(*end)));
    let mut from = 0;
    let mut kept: Vec<(usize, usize, Mark)> = Vec::new();
    for one in found {
        if one.0 >= from {
            from = one.1;
            kept.push(one);
        }
    }
    let mut from = 0;
    for (at, (start, end, mark)) in kept.iter().enumerate() {
        let piece = &text[from..*start];
        take(piece, *mark, rules, phrase, &mut seen);
        let next = kept.get(at + 1);
        let between = next.map_or("", |next| &text[*end..next.0]);
        let takes = next.is_some_and(|next| next.2 == Mark::Back && !text[next.0..].starts_with("돌아가"));
        let is_moment =
            between.trim_start().starts_with("으로") || between.contains("상태") || between.contains("状態");
        if *mark == Mark::Before && takes && !is_moment && phrase.at.is_some() && has(between, rules.objects)
        {
            phrase.edge = Edge::Until;
        }
        from = *end;
    }
    // What comes after the last verb is an afterthought: names there are asked about like an open complaint.
    let tail = &text[from..];
    let verb_seen = seen.back || seen.restore || !phrase.keep.is_empty() || phrase.at.is_some();
    for name in names(tail, rules) {
        if !verb_seen {
            phrase.objects.push(name);
        } else if name.is_path || name.words.iter().all(|word| word.is_ascii()) {
            phrase.not_understood.push(name.text);
        }
    }
    seen
}

fn take(piece: &str, mark: Mark, rules: &Rules, phrase: &mut Phrase, seen: &mut Seen) {
    let rest = has(piece, rules.rest);
    let all = has(&format!("{piece} "), rules.all);
    let found = names(piece, rules);
    seen.all |= all;
    match mark {
        Mark::Back | Mark::Restore => {
            seen.back |= mark == Mark::Back;
            seen.restore |= mark == Mark::Restore;
            phrase.others |= rest;
            phrase.rest |=
                rest || (all && found.is_empty() && phrase.at.is_none() && phrase.moment.is_none());
            phrase.objects.extend(found);
        }
        Mark::Stays if has(piece, rules.nothing) && seen.except && !seen.back => {
            // "Nothing but X is to be taken back": X is.
            phrase.objects.append(&mut phrase.keep);
            (seen.back, seen.except) = (true, false);
        }
        Mark::Stays => {
            seen.stays = true;
            seen.only_stays |=
                rules.only.iter().any(|only| piece.trim_end().ends_with(only)) && !found.is_empty();
            if rest {
                // "되돌리고 나머지는 그대로": everything that was not named stays, which it does anyway.
            } else {
                phrase.keep.extend(found);
            }
        }
        Mark::Except => {
            seen.except = true;
            // An exception of nothing: never everything.
            if found.is_empty() {
                phrase.not_understood.push(piece.trim().to_owned());
            }
            phrase.keep.extend(found);
        }
        Mark::Before | Mark::After => {
            if let Some(name) = found.into_iter().next() {
                phrase.edge = if mark == Mark::Before { Edge::Before } else { Edge::After };
                if phrase.at.is_none() { phrase.at = Some(name) } else { phrase.objects.push(name) }
            }
        }
    }
}

/// What a stretch of text names.
fn names(piece: &str, rules: &Rules) -> Vec<Named> {
    let mut text = piece.to_owned();
    for known in rules.rest.iter().chain(rules.last) {
        text = text.replace(known, " ");
    }
    let mut out = Vec::new();
    for join in rules.joins {
        text = text.replace(join, "\u{1}");
    }
    for part in text.split('\u{1}') {
        let mut current: Vec<String> = Vec::new();
        for word in part.split(|letter: char| letter.is_whitespace() || "()!?~…。".contains(letter)) {
            split_scripts(word, rules, &mut current);
        }
        let (paths, plain): (Vec<String>, Vec<String>) =
            current.into_iter().partition(|word| super::marks::is_path(word));
        out.extend(paths.iter().filter_map(|path| Named::of(path)));
        if !plain.is_empty() {
            out.extend(Named::of(&plain.join(" ")));
        }
    }
    out
}

/// `cart만` is `cart`; what is left of a word without its particles is a name unless it says nothing.
fn split_scripts(word: &str, rules: &Rules, out: &mut Vec<String>) {
    let word = word
        .trim_matches([',', '"', '\'', '`', ':', '「', '」'])
        .trim_end_matches('.')
        .trim_start_matches('の');
    // 「は全部」: a particle whose name was read already.
    let word = match word.strip_prefix(['は', 'を', 'も', 'が']) {
        Some(rest) if rest.starts_with(|next| ('\u{4e00}'..='\u{9fff}').contains(&next)) => rest,
        _ => word,
    };
    if word.is_empty() {
        return;
    }
    let latin: String = word.chars().take_while(char::is_ascii).collect();
    if !latin.is_empty() && latin.len() < word.len() {
        let own = latin.trim_end_matches('.').to_owned();
        let says_nothing = super::english::tables::FUNCTION.contains(&own.to_lowercase().as_str());
        if own.chars().any(char::is_alphanumeric) && !says_nothing {
            out.push(own);
        }
        split_scripts(&word[latin.len()..], rules, out);
        return;
    }
    // `ダークモードのcss` is two names.
    let other = word.find(|letter: char| letter.is_ascii_alphanumeric() || letter == '\u{2}');
    if let Some(at) = other.filter(|at| *at > 0 && !super::marks::is_path(word)) {
        split_scripts(&word[..at], rules, out);
        split_scripts(&word[at..], rules, out);
        return;
    }
    if word.is_ascii() {
        if word.chars().any(char::is_alphabetic)
            && !rules.empty.contains(&word.to_lowercase().as_str())
            && !super::english::tables::FUNCTION.contains(&word.to_lowercase().as_str())
        {
            out.push(word.to_owned());
        }
        return;
    }
    let mut core = word;
    for _ in 0..2 {
        if rules.empty.contains(&core) {
            return;
        }
        let cut = rules
            .particles
            .iter()
            .find_map(|particle| core.strip_suffix(particle).filter(|rest| !rest.is_empty()));
        match cut {
            Some(rest) => core = rest,
            None => break,
        }
    }
    if !rules.empty.contains(&core) && core.chars().count() >= 2 {
        out.push(core.to_owned());
    }
}

/// What is the same in all languages of this kind.
pub(super) fn finish(phrase: &mut Phrase, seen: &Seen, text: &str, last: &[&str]) {
    phrase.last = has(text, last);
    phrase.all = seen.all;
    if phrase.edge == Edge::Until && phrase.ask == Ask::GoBack {
        phrase.ask = Ask::Undo;
    }
    let nothing_goes =
        phrase.objects.is_empty() && !phrase.rest && phrase.at.is_none() && phrase.moment.is_none();
    if seen.stays && nothing_goes && phrase.keep.is_empty() && !seen.back && !seen.restore {
        (phrase.only_keeps, phrase.ask) = (true, Ask::Undo);
    }
    if seen.only_stays && nothing_goes && !seen.back && !phrase.keep.is_empty() {
        (phrase.rest, phrase.ask) = (true, Ask::Undo);
    }
    if phrase.ask == Ask::Unasked {
        phrase.objects.clear();
    }
    if phrase.ask == Ask::Undo
        && seen.all
        && phrase.objects.is_empty()
        && phrase.at.is_none()
        && phrase.moment.is_none()
    {
        phrase.rest = true;
    }
    // "메일 빼고 되돌려줘": the verb has no name of its own, so everything else is meant.
    if phrase.ask == Ask::Undo && seen.back && seen.except && phrase.objects.is_empty() && phrase.at.is_none()
    {
        phrase.rest = true;
    }
}
