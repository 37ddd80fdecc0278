//! Times that a question names: `in June`, `on 3 May 2026`, `yesterday`, `2026-05-03`, `6월 3일`, `6月`, `上周`.
//!
//! What was noted then, or a few days from then, comes first. Days are those of UTC. Words that may mean something else (`may`,
//! `march`, a number like 2024) only count where they stand like a date.

use jiff::civil::Date;
use jiff::tz::TimeZone;

const DAY_S: i64 = 86_400;
/// What is from just before or after is lifted half as much, and less with every week.
const NEARBY: f32 = 0.5;
const NEARBY_DAYS: f32 = 7.0;
/// A pasted page has hundreds of words: what is asked stands at its beginning.
const MOST_WORDS: usize = 256;
const YEARS: std::ops::RangeInclusive<i16> = 1990..=2099;

const MONTHS: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];
/// After one of these a month is a month and a year is a year.
const BEFORE_A_TIME: [&str; 11] =
    ["in", "since", "during", "last", "until", "till", "of", "early", "late", "mid", "from"];

/// A time as it was said.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Said {
    /// A day or a month.
    Date {
        /// Or none is said.
        year: Option<i16>,
        month: i8,
        day: Option<i8>,
    },
    /// All of it.
    Year(i16),
    /// So many days ago, from and to.
    Ago(i64, i64),
    /// From Monday to Sunday.
    LastWeek,
    /// From the first to the last of it.
    LastMonth,
}

/// The times that a question names, as ranges of days since 1970.
#[derive(Debug, Default)]
pub(super) struct When {
    /// How much more counts what is from then.
    lift: f32,
    ranges: Vec<(i64, i64)>,
}

impl When {
    /// What is meant, now, where the oldest and the newest memory are of these seconds. A June without a year is the last one;
    /// without a `now` it is any.
    pub fn meant(said: &[Said], lift: f32, now: Option<i64>, oldest: i64, newest: i64) -> Self {
        if said.is_empty() {
            return Self::default();
        }
        let today = now.map(|now| now.div_euclid(DAY_S));
        let years = year(oldest)..=year(newest.max(now.unwrap_or(newest)));
        let ranges = said.iter().flat_map(|said| said.days(today, years.clone())).collect();
        Self { lift, ranges }
    }

    /// Whether the question names no time.
    pub fn is_empty(&self) -> bool {
        self.ranges.is_empty()
    }

    /// What this does to the score of something from between these seconds.
    pub fn factor(&self, first: i64, last: i64) -> f32 {
        let (first, last) = (first.div_euclid(DAY_S), last.div_euclid(DAY_S));
        let away = |(from, to): &(i64, i64)| (from - last).max(first - to).max(0);
        match self.ranges.iter().map(away).min() {
            None => 1.0,
            Some(0) => 1.0 + self.lift,
            Some(days) => 1.0 + self.lift * NEARBY / (1.0 + days as f32 / NEARBY_DAYS),
        }
    }

    /// Whether this second lies in a time that is named.
    pub fn holds(&self, second: i64) -> bool {
        let day = second.div_euclid(DAY_S);
        self.ranges.iter().any(|(from, to)| (*from..=*to).contains(&day))
    }
}

impl Said {
    fn days(self, today: Option<i64>, years: std::ops::RangeInclusive<i16>) -> Vec<(i64, i64)> {
        let ago = |from: i64, to: i64| today.map(|today| (today - from, today - to)).into_iter().collect();
        match self {
            Self::Date { year: Some(year), month, day } => date(year, month, day).into_iter().collect(),
            Self::Date { year: None, month, day } => {
                let all: Vec<_> = years.filter_map(|year| date(year, month, day)).collect();
                match today {
                    Some(today) => all.into_iter().rfind(|(from, _)| *from <= today).into_iter().collect(),
                    None => all,
                }
            }
            Self::Year(year) => Some((date(year, 1, None), date(year, 12, None)))
                .and_then(|(first, last)| Some((first?.0, last?.1)))
                .into_iter()
                .collect(),
            Self::Ago(from, to) => ago(from, to),
            Self::LastWeek => {
                // The first day of 1970 was a Thursday.
                let in_week = today.map_or(0, |today| (today + 3).rem_euclid(7));
                ago(in_week + 7, in_week + 1)
            }
            Self::LastMonth => {
                let this = today.and_then(civil).map(Date::first_of_month);
                let last = this.and_then(|first| first.yesterday().ok());
                last.and_then(|last| date(last.year(), last.month(), None)).into_iter().collect()
            }
        }
    }
}

/// A day, or a whole month.
fn date(year: i16, month: i8, day: Option<i8>) -> Option<(i64, i64)> {
    let first = Date::new(year, month, day.unwrap_or(1)).ok()?;
    let last = if day.is_some() { first } else { first.last_of_month() };
    Some((number(first)?, number(last)?))
}

fn number(date: Date) -> Option<i64> {
    let zoned = date.to_zoned(TimeZone::UTC).ok()?;
    Some(zoned.timestamp().as_second().div_euclid(DAY_S))
}

fn civil(day: i64) -> Option<Date> {
    let timestamp = jiff::Timestamp::from_second(day.checked_mul(DAY_S)?).ok()?;
    Some(timestamp.to_zoned(TimeZone::UTC).date())
}

fn year(second: i64) -> i16 {
    civil(second.div_euclid(DAY_S)).map_or(1970, Date::year)
}

/// The times that a text names.
pub(super) fn said(text: &str) -> Vec<Said> {
    let mut all = Vec::new();
    if !text.is_ascii() {
        korean_and_chinese(text, &mut all);
    }
    let typed = text.split_whitespace().take(MOST_WORDS);
    let typed: Vec<&str> =
        typed.map(|word| word.trim_matches(|char: char| !char.is_alphanumeric())).collect();
    let words: Vec<String> = typed.iter().map(|word| word.to_ascii_lowercase()).collect();
    let word = |at: Option<usize>| at.and_then(|at| words.get(at)).map(String::as_str).unwrap_or_default();
    let mut after_a_date = 0;
    for at in 0..words.len() {
        let (before, next) = (word(at.checked_sub(1)), word(Some(at + 1)));
        let stands_like_a_time = BEFORE_A_TIME.contains(&before);
        if let Some(month) = month(word(Some(at))) {
            let before_it = ordinal(if before == "of" { word(at.checked_sub(2)) } else { before });
            let after_it = ordinal(next).filter(|_| before_it.is_none());
            let year_at = at + 1 + usize::from(after_it.is_some());
            let year = year_number(word(Some(year_at)));
            let day = before_it.or(after_it);
            let with_number = day.is_some() || year.is_some();
            let is_plain = words[at].len() > 3 && words[at] != "march";
            let is_capital = typed[at].starts_with(|char: char| char.is_ascii_uppercase());
            if stands_like_a_time || is_plain || (with_number && is_capital) {
                all.push(Said::Date { year, month, day });
                after_a_date = year_at + 1;
            }
        } else if let Some(date) = iso(word(Some(at))) {
            all.push(date);
        } else if let Some(year) = year_number(word(Some(at))).filter(|_| at >= after_a_date) {
            all.extend(stands_like_a_time.then_some(Said::Year(year)));
        } else {
            all.extend(relative(before, word(Some(at)), next));
        }
    }
    all
}

/// A month by its name or the first letters of it.
fn month(word: &str) -> Option<i8> {
    let short = word.len() == 3 || word == "sept";
    let at = MONTHS.iter().position(|month| *month == word || short && month.starts_with(word))?;
    i8::try_from(at + 1).ok()
}

/// `3`, `3rd`, `22nd`: a day of a month.
fn ordinal(word: &str) -> Option<i8> {
    let digits = ["st", "nd", "rd", "th"].iter().find_map(|end| word.strip_suffix(end)).unwrap_or(word);
    let is_number = (1..=2).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit());
    digits.parse().ok().filter(|day| is_number && (1..=31).contains(day))
}

fn year_number(word: &str) -> Option<i16> {
    word.parse().ok().filter(|year| word.len() == 4 && YEARS.contains(year))
}

/// `2026-05-03` or `2026-05`.
fn iso(word: &str) -> Option<Said> {
    let mut parts = word.splitn(3, '-');
    let year = year_number(parts.next()?)?;
    let two = |part: &str| part.parse::<i8>().ok().filter(|number| part.len() == 2 && *number > 0);
    let month = two(parts.next()?).filter(|month| *month <= 12)?;
    let day = match parts.next() {
        // A time of the day may follow.
        Some(rest) => Some(two(rest.get(..2)?).filter(|_| rest.get(2..3).is_none_or(|more| more == "t"))?),
        None => None,
    };
    Some(Said::Date { year: Some(year), month, day })
}

fn relative(before: &str, word: &str, next: &str) -> Option<Said> {
    match (before, word, next) {
        (_, "today", _) => Some(Said::Ago(0, 0)),
        (_, "yesterday", _) => Some(Said::Ago(1, 1)),
        ("last", "week", _) => Some(Said::LastWeek),
        ("last", "month", _) => Some(Said::LastMonth),
        (count, unit, "ago") => {
            let count = match count {
                "a" | "an" | "one" => 1,
                "two" => 2,
                "three" => 3,
                digits => digits.parse::<i64>().ok().filter(|count| (1..1000).contains(count))?,
            };
            match unit {
                "day" | "days" => Some(Said::Ago(count, count)),
                "week" | "weeks" => Some(Said::Ago(count * 7 + 3, count * 7 - 3)),
                "month" | "months" => Some(Said::Ago(count * 30 + 15, count * 30 - 15)),
                _ => None,
            }
        }
        _ => None,
    }
}

/// `2026년 6월 3일`, `6月3号`, `어제`, `上周`: written without spaces or with endings glued on.
fn korean_and_chinese(text: &str, all: &mut Vec<Said>) {
    const WORDS: [(&str, Said); 12] = [
        ("오늘", Said::Ago(0, 0)),
        ("今天", Said::Ago(0, 0)),
        ("어제", Said::Ago(1, 1)),
        ("昨天", Said::Ago(1, 1)),
        ("그저께", Said::Ago(2, 2)),
        ("前天", Said::Ago(2, 2)),
        ("지난주", Said::LastWeek),
        ("지난 주", Said::LastWeek),
        ("上周", Said::LastWeek),
        ("지난달", Said::LastMonth),
        ("지난 달", Said::LastMonth),
        ("上个月", Said::LastMonth),
    ];
    all.extend(WORDS.iter().filter(|(word, _)| text.contains(word)).map(|(_, said)| *said));
    let (mut number, mut digits) = (0_i16, 0);
    let mut year = None;
    let mut with_day = false;
    for char in text.chars() {
        if let Some(digit) = char.to_digit(10).and_then(|digit| i16::try_from(digit).ok()) {
            // Another number starts at 0; more than four digits are no part of a date.
            number = if digits == 0 { digit } else { number.saturating_mul(10).saturating_add(digit) };
            digits += 1;
            continue;
        }
        let small = i8::try_from(number).ok().filter(|number| digits > 0 && (1..=31).contains(number));
        match char {
            '년' | '年' if digits == 4 && YEARS.contains(&number) => {
                (year, with_day) = (Some(number), false);
            }
            '월' | '月' => {
                if let Some(month) = small.filter(|month| *month <= 12) {
                    all.push(Said::Date { year: year.take(), month, day: None });
                    with_day = true;
                }
            }
            '일' | '日' | '号' if with_day => {
                if let (Some(found), Some(Said::Date { day, .. })) = (small, all.last_mut()) {
                    *day = Some(found);
                }
                with_day = false;
            }
            char if char.is_whitespace() => {}
            _ => (year, with_day) = (None, false),
        }
        digits = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn meant(text: &str, now: Option<i64>, oldest: i64, newest: i64) -> When {
        When::meant(&said(text), 2.0, now, oldest, newest)
    }

    fn dated(year: i16, month: i8, day: i8) -> Said {
        Said::Date { year: Some(year), month, day: Some(day) }
    }

    #[test]
    fn dates_are_read_as_people_write_them() {
        for text in [
            "what did we decide on 3 May, 2026?",
            "what did we decide on May 3, 2026?",
            "on the 3rd of May 2026",
            "since 2026-05-03",
            "at 2026-05-03T10:00",
            "2026년 5월 3일에 무엇을 정했나요",
            "2026年5月3日决定了什么",
        ] {
            assert_eq!(said(text), [dated(2026, 5, 3)], "{text}");
        }
        let month = Said::Date { year: None, month: 6, day: None };
        for text in ["who broke it in June?", "the june release", "6월에 한 일", "6月做了什么"] {
            assert_eq!(said(text), [month], "{text}");
        }
        assert_eq!(said("what changed in 2025"), [Said::Year(2025)]);
        assert_eq!(said("지난주에 고친 것"), [Said::LastWeek]);
        assert_eq!(said("what broke two days ago"), [Said::Ago(2, 2)]);
    }

    #[test]
    fn what_only_looks_like_a_time_names_none() {
        for text in [
            "May I change the parser?",
            "this may fail 3 times",
            "march through the list",
            "port 2024 is taken",
            "the 2024 edition",
            "dec the counter, sep the fields",
            "version 1.2026-05",
            "3개월 걸린 일, 5个月",
            "day 31 of the plan",
        ] {
            assert_eq!(said(text), [], "{text}");
        }
    }

    #[test]
    fn a_month_without_a_year_is_the_last_one() {
        let (old, new) = (number(Date::constant(2024, 1, 1)), number(Date::constant(2026, 11, 16)));
        let (old, new) = (old.unwrap() * DAY_S, new.unwrap() * DAY_S);
        let second = |year, month, day| number(Date::constant(year, month, day)).unwrap() * DAY_S;
        let june = meant("in June", Some(new), old, new);
        assert!(june.holds(second(2026, 6, 30)) && !june.holds(second(2025, 6, 30)));
        let december = meant("in December", Some(new), old, new);
        assert!(december.holds(second(2025, 12, 1)));
        let any = meant("in June", None, old, new);
        assert!(any.holds(second(2026, 6, 1)) && any.holds(second(2024, 6, 1)));
        // 16 November 2026 is a Monday.
        let week = meant("last week", Some(new), old, new);
        let days = [15, 9, 8, 16].map(|day| week.holds(second(2026, 11, day)));
        assert_eq!(days, [true, true, false, false]);
        let month = meant("上个月", Some(new), old, new);
        assert!(month.holds(second(2026, 10, 31)) && !month.holds(second(2026, 11, 1)));
        assert!(meant("yesterday", None, old, new).is_empty());
    }

    #[test]
    fn the_nearer_the_more_it_counts() {
        let day = |day: i8| number(Date::constant(2026, 5, day)).unwrap() * DAY_S;
        let when = meant("on 3 May 2026", None, 0, day(30));
        let factors = [3, 4, 20].map(|at| when.factor(day(at), day(at)));
        assert!(factors.is_sorted_by(|one, other| one > other), "{factors:?}");
        assert!(factors[2] > 1.0);
        assert_eq!(When::default().factor(0, 0), 1.0);
    }
}
