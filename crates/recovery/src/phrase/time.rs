//! "30 minutes ago", "14:30", "since lunch", "한 시간 전", "半小时前", "2時間前".

use std::ops::Range;

use serde::Serialize;

/// When.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Moment {
    /// So many milliseconds ago.
    Ago(i64),
    /// At this minute of a day so many days ago.
    Clock {
        /// 0: today.
        days: i64,
        /// Minutes since midnight.
        minute: i64,
    },
}

impl Moment {
    /// In milliseconds since 1970. `midnight_ms`: when today began, where the person is.
    pub fn at(self, now_ms: i64, midnight_ms: i64) -> i64 {
        match self {
            Self::Ago(ms) => now_ms.saturating_sub(ms),
            Self::Clock { days, minute } => {
                let moment = midnight_ms - days * DAY + minute * MINUTE;
                // A time of day that is still to come was meant for yesterday.
                if moment > now_ms && days == 0 { moment - DAY } else { moment }
            }
        }
    }
}

pub(crate) const MINUTE: i64 = 60_000;
const HOUR: i64 = 60 * MINUTE;
const DAY: i64 = 24 * HOUR;

/// A moment in a text, and the bytes that say it.
pub(super) fn find(text: &str) -> Option<(Moment, Range<usize>)> {
    fixed(text).or_else(|| clock(text)).or_else(|| during(text)).or_else(|| ago(text))
}

fn fixed(text: &str) -> Option<(Moment, Range<usize>)> {
    let clock = |days: i64, hour: i64| Moment::Clock { days, minute: hour * 60 };
    let known: &[(&str, Moment)] = &[
        ("half an hour ago", Moment::Ago(HOUR / 2)),
        ("half an hour", Moment::Ago(HOUR / 2)),
        ("half hour", Moment::Ago(HOUR / 2)),
        ("an hour and a half ago", Moment::Ago(HOUR + HOUR / 2)),
        ("yesterday morning", clock(1, 9)),
        ("yesterday evening", clock(1, 18)),
        ("yesterday", clock(0, 0)),
        ("last night", clock(0, 0)),
        ("this morning", clock(0, 0)),
        ("this afternoon", clock(0, 12)),
        ("this evening", clock(0, 18)),
        ("lunchtime", clock(0, 12)),
        ("lunch", clock(0, 12)),
        ("noon", clock(0, 12)),
        ("midnight", clock(0, 0)),
        ("last week", Moment::Ago(7 * DAY)),
        ("a week ago", Moment::Ago(7 * DAY)),
        ("반 시간 전", Moment::Ago(HOUR / 2)),
        ("반시간 전", Moment::Ago(HOUR / 2)),
        ("반 시간", Moment::Ago(HOUR / 2)),
        ("어제", clock(0, 0)),
        ("어젯밤", clock(0, 0)),
        ("오늘 아침", clock(0, 0)),
        ("오늘 오후", clock(0, 12)),
        ("점심", clock(0, 12)),
        ("정오", clock(0, 12)),
        ("지난주", Moment::Ago(7 * DAY)),
        ("半个小时前", Moment::Ago(HOUR / 2)),
        ("半个小时", Moment::Ago(HOUR / 2)),
        ("半小时前", Moment::Ago(HOUR / 2)),
        ("半小时", Moment::Ago(HOUR / 2)),
        ("昨天", clock(0, 0)),
        ("昨晚", clock(0, 0)),
        ("今天早上", clock(0, 0)),
        ("今早", clock(0, 0)),
        ("今天下午", clock(0, 12)),
        ("午饭", clock(0, 12)),
        ("中午", clock(0, 12)),
        ("上周", Moment::Ago(7 * DAY)),
        ("昨日", clock(0, 0)),
        ("昨夜", clock(0, 0)),
        ("今朝", clock(0, 0)),
        ("お昼", clock(0, 12)),
        ("昼", clock(0, 12)),
        ("先週", Moment::Ago(7 * DAY)),
        ("半時間前", Moment::Ago(HOUR / 2)),
    ];
    known.iter().find_map(|(mark, moment)| {
        let at = text
            .match_indices(mark)
            .map(|(at, _)| at)
            .find(|&at| !mark.is_ascii() || is_word(text, at, mark.len()))?;
        Some((*moment, at..at + mark.len()))
    })
}

fn is_word(text: &str, at: usize, length: usize) -> bool {
    let edge = |letter: Option<char>| !letter.is_some_and(char::is_alphanumeric);
    edge(text[..at].chars().next_back()) && edge(text[at + length..].chars().next())
}

/// `14:30`, `2:30pm`, `2pm`, `오후 3시`, `下午3点半`, `午後3時`.
fn clock(text: &str) -> Option<(Moment, Range<usize>)> {
    let moment = |hour: i64, minute: i64| {
        ((0..24).contains(&hour) && (0..60).contains(&minute))
            .then_some(Moment::Clock { days: 0, minute: hour * 60 + minute })
    };
    for (at, _) in text.match_indices(':') {
        let (from, hour) = digits_before(text, at)?;
        let minute: String = text[at + 1..].chars().take_while(char::is_ascii_digit).collect();
        if minute.len() == 2 {
            let mut end = at + 3;
            let hour = hour + half_of_day(&text[end..], hour, &mut end);
            return moment(hour, minute.parse().ok()?).map(|moment| (moment, from..end));
        }
    }
    for mark in ["pm", "am", "o'clock", "o’clock"] {
        for (at, _) in text.match_indices(mark) {
            let Some((from, hour)) = digits_before(text, text[..at].trim_end().len()) else { continue };
            let hour = match mark {
                "pm" if hour < 12 => hour + 12,
                "am" if hour == 12 => 0,
                _ => hour,
            };
            return moment(hour, 0).map(|moment| (moment, from..at + mark.len()));
        }
    }
    for (mark, later) in
        [("시", &["오후", "저녁", "밤"][..]), ("点", &["下午", "晚上"]), ("時", &["午後", "夜"])]
    {
        for (at, _) in text.match_indices(mark) {
            let after = &text[at + mark.len()..];
            // "2시간 전", "2時間前", "两点" of a list: not a time of day.
            if after.starts_with('간') || after.starts_with('間') {
                continue;
            }
            // "下午两点" is a time of day; 一点 alone is a little.
            let in_words = || {
                let (number, from) = number_before(&text[..at], false)?;
                let before = text[..from].trim_end();
                HALVES.iter().any(|half| before.ends_with(half)).then_some((from, number))
            };
            let Some((from, hour)) = digits_before(text, at).or_else(in_words) else { continue };
            let before = text[..from].trim_end();
            let half = after.trim_start();
            let minute = if half.starts_with('반') || half.starts_with('半') {
                30
            } else {
                number_at(half).unwrap_or(0)
            };
            let (mut start, mut hour) = (from, hour);
            for word in HALVES {
                if let Some(rest) = before.strip_suffix(word) {
                    start = rest.len();
                    hour += if later.contains(word) && hour < 12 { 12 } else { 0 };
                }
            }
            let tail: usize = if minute == 30 && half.starts_with(['반', '半']) {
                after.len() - half.len() + 3
            } else if minute > 0 {
                let digits = half.bytes().take_while(u8::is_ascii_digit).count();
                let unit = half[digits..]
                    .chars()
                    .next()
                    .filter(|unit| matches!(unit, '분' | '分'))
                    .map_or(0, char::len_utf8);
                after.len() - half.len() + digits + unit
            } else {
                0
            };
            return moment(hour, minute).map(|moment| (moment, start..at + mark.len() + tail));
        }
    }
    None
}

const HALVES: &[&str] = &["오전", "오후", "저녁", "밤", "上午", "下午", "晚上", "午前", "午後", "夜"];

fn number_at(text: &str) -> Option<i64> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let unit = text[digits..].chars().next()?;
    matches!(unit, '분' | '分').then(|| text[..digits].parse().ok()).flatten()
}

fn half_of_day(after: &str, hour: i64, end: &mut usize) -> i64 {
    let trimmed = after.trim_start();
    let skipped = after.len() - trimmed.len();
    match trimmed.get(..2) {
        Some("pm") => {
            *end += skipped + 2;
            if hour < 12 { 12 } else { 0 }
        }
        Some("am") => {
            *end += skipped + 2;
            0
        }
        _ => 0,
    }
}

fn digits_before(text: &str, at: usize) -> Option<(usize, i64)> {
    let count = text[..at].bytes().rev().take_while(u8::is_ascii_digit).count();
    let digits = &text[at - count..at];
    digits.parse().ok().filter(|_| count > 0 && count <= 2).map(|number| (at - count, number))
}

const UNITS: &[(&[&str], i64)] = &[
    (&["seconds", "second", "secs", "sec", "초", "秒钟", "秒"], 1_000),
    (&["minutes", "minute", "mins", "min", "m", "분", "分钟", "分間", "分"], MINUTE),
    (&["hours", "hour", "hrs", "hr", "h", "시간", "个小时", "小时", "个钟头", "钟头", "時間"], HOUR),
    (&["days", "day", "d", "일", "天", "日"], DAY),
    (&["weeks", "week", "w", "주일", "주", "个星期", "星期", "周", "週間"], 7 * DAY),
];

/// "The last ten minutes", "최근 10분 동안", "最近十分钟", "直近10分": from so long ago on.
fn during(text: &str) -> Option<(Moment, Range<usize>)> {
    #[rustfmt::skip]
    const STARTS: &[&str] = &[
        "in the last", "in the past", "within the last", "within the past", "during the last", "during the past", "over the last", "over the past", "the last", "the past", "last",
        "past", "지난", "최근", "过去的", "过去", "最近的", "最近", "直近の", "直近", "過去", "ここ", "この", "最近の",
    ];
    const ENDS: &[&str] = &[
        "동안",
        "간",
        "사이에",
        "사이",
        "이내",
        "내에",
        "내",
        "之内",
        "以内",
        "内",
        "里",
        "間以内",
        "間の間",
        "間",
        "の間",
    ];
    let mut best: Option<(Moment, Range<usize>)> = None;
    for start in STARTS {
        for (at, _) in text.match_indices(start) {
            if start.is_ascii() && !is_word(text, at, start.len()) {
                continue;
            }
            let rest = text[at + start.len()..].trim_start();
            let from = text.len() - rest.len();
            for (marks, ms) in UNITS {
                for mark in *marks {
                    let Some(unit) = rest.find(mark).filter(|unit| *unit <= 24) else { continue };
                    let latin = mark.is_ascii();
                    if latin && !is_word(rest, unit, mark.len()) {
                        continue;
                    }
                    let said = rest[..unit].trim();
                    let number = match number_before(said, latin) {
                        // All of what stands between is the number.
                        Some((number, 0)) => number,
                        None if said.is_empty() && latin => 1,
                        _ => continue,
                    };
                    let mut end = from + unit + mark.len();
                    if !latin {
                        let after = text[end..].trim_start();
                        if let Some(mark) = ENDS.iter().find(|mark| after.starts_with(**mark)) {
                            end = text.len() - after.len() + mark.len();
                        }
                    }
                    if best.as_ref().is_none_or(|(_, known)| known.start > at || known.end < end) {
                        best = Some((Moment::Ago(number.saturating_mul(*ms)), at..end));
                    }
                }
            }
        }
    }
    best
}

/// "30 minutes ago", "an hour ago", "30분 전", "两个小时前", "2時間前".
fn ago(text: &str) -> Option<(Moment, Range<usize>)> {
    const ENDS: &[&str] = &["ago", "before", "earlier", "back", "전", "以前", "之前", "前"];
    for end in ENDS {
        for (at, _) in text.match_indices(end) {
            if end.is_ascii() && !is_word(text, at, end.len()) {
                continue;
            }
            let front = text[..at].trim_end();
            for (marks, ms) in UNITS {
                for mark in *marks {
                    let Some(rest) = front.strip_suffix(mark) else { continue };
                    if let Some((number, from)) = number_before(rest, mark.is_ascii()) {
                        return Some((Moment::Ago(number.saturating_mul(*ms)), from..at + end.len()));
                    }
                }
            }
        }
    }
    None
}

pub(super) const NUMBERS: &[(&str, i64)] = &[
    ("a couple of", 2),
    ("couple of", 2),
    ("couple", 2),
    ("a few", 3),
    ("few", 3),
    ("an", 1),
    ("a", 1),
    ("one", 1),
    ("two", 2),
    ("three", 3),
    ("four", 4),
    ("five", 5),
    ("six", 6),
    ("seven", 7),
    ("eight", 8),
    ("nine", 9),
    ("ten", 10),
    ("fifteen", 15),
    ("twenty", 20),
    ("thirty", 30),
    ("forty", 40),
    ("forty-five", 45),
    ("fifty", 50),
    ("ninety", 90),
    ("한", 1),
    ("두", 2),
    ("세", 3),
    ("네", 4),
    ("다섯", 5),
    ("여섯", 6),
    ("열", 10),
    ("몇", 3),
    ("一", 1),
    ("两", 2),
    ("二", 2),
    ("三", 3),
    ("四", 4),
    ("五", 5),
    ("十五", 15),
    ("二十", 20),
    ("三十", 30),
    ("十", 10),
    ("几", 3),
];

/// The number at the end of a text, and where it begins.
pub(super) fn number_before(text: &str, latin: bool) -> Option<(i64, usize)> {
    let text = text.trim_end();
    let count = text.bytes().rev().take_while(u8::is_ascii_digit).count();
    if count > 0 {
        let from = text.len() - count;
        return text[from..].parse().ok().map(|number| (number, from));
    }
    let mut best: Option<(i64, usize)> = None;
    for (word, number) in NUMBERS.iter().filter(|(word, _)| word.is_ascii() == latin) {
        if let Some(rest) = text.strip_suffix(word) {
            let whole = !latin || !rest.chars().next_back().is_some_and(char::is_alphanumeric);
            if whole && best.is_none_or(|(_, from)| rest.len() < from) {
                best = Some((*number, rest.len()));
            }
        }
    }
    best
}
