//! A shop on which two agents and a person worked; every request changed other files.

use std::collections::BTreeSet;

use recovery::{Actor, Ask, Change, Facts, Kind, Look, Need, NoMender, Phrase, Signals, Step, Way, WayKind};

use crate::fresh;
use crate::negated;
use crate::said::{self, Said};

/// 14:40 of the first day of 2026.
const NOW: i64 = 1_767_278_400_000;
const MIDNIGHT: i64 = 1_767_225_600_000;

/// Letter, path, minute of the day, which of the requests (none: the person).
const CHANGES: [(char, &str, i64, Option<usize>); 7] = [
    ('t', "src/theme.js", 11 * 60, Some(0)),
    ('d', "css/dark.css", 11 * 60 + 1, Some(0)),
    ('m', "src/mail.js", 12 * 60 + 30, Some(1)),
    ('c', "src/cart.js", 13 * 60 + 30, Some(2)),
    ('n', "notes.md", 13 * 60 + 45, None),
    ('l', "src/login.js", 14 * 60, Some(3)),
    ('s', "src/search.js", 14 * 60 + 30, Some(4)),
];

fn prompts(language: &str) -> [&'static str; 5] {
    match language {
        "ko" => [
            "다크 모드 토글을 추가해줘",
            "메일 검증을 고쳐줘",
            "장바구니에 할인 추가해줘",
            "로그인 페이지에 캡차 추가해줘",
            "검색 결과를 정렬해줘",
        ],
        "zh" => ["添加深色模式开关", "修复邮件验证", "给购物车加折扣", "给登录页加验证码", "给搜索结果排序"],
        "ja" => [
            "ダークモードの切り替えを追加して",
            "メールの検証を直して",
            "カートに割引を追加して",
            "ログインページにキャプチャを追加して",
            "検索結果の並び替えを追加して",
        ],
        _ => [
            "add a dark mode toggle",
            "fix the mail validation",
            "add a discount to the cart",
            "add a captcha to the login page",
            "sort the search results",
        ],
    }
}

fn signals(language: &str) -> Signals {
    let mut signals = Signals {
        now_ms: NOW,
        midnight_ms: MIDNIGHT,
        has_history: true,
        files: 40,
        looked_from_ms: Some(MIDNIGHT + 10 * 3_600_000),
        looked_at_all: true,
        ..Signals::default()
    };
    signals.clients.insert("a".to_owned(), "claude-code".to_owned());
    signals.clients.insert("b".to_owned(), "gemini".to_owned());
    for (at, (_, path, minute, request)) in CHANGES.into_iter().enumerate() {
        let seq = i64::try_from(at).unwrap() + 1;
        let session = request.map(|request| if matches!(request, 2 | 4) { "b" } else { "a" });
        signals.steps.push(Step {
            seq,
            checkpoint: format!("c{seq}"),
            time_ms: MIDNIGHT + minute * 60_000,
            actor: if request.is_some() { Actor::Edit } else { Actor::Person },
            tool: request.map(|_| "Edit".to_owned()),
            command: None,
            session: session.map(str::to_owned),
            turn: request.map(|request| format!("t{request}")),
            prompt: request.map(|request| prompts(language)[request].to_owned()),
        });
        let facts =
            Facts { compared: true, added: Some(2), removed: Some(1), had_lines: 20, ..Facts::default() };
        signals.changes.push(Change {
            step: at,
            path: path.to_owned(),
            kind: Kind::Modified,
            moved: None,
            made: facts.clone(),
            still: facts,
            went_back: false,
            last_look: Look { seq, checkpoint: format!("c{seq}") },
            typing_lost: None,
            stands_whole: true,
            undone_by: None,
            copy_of: None,
        });
    }
    signals
}

#[derive(Debug, Default)]
pub(crate) struct Figures {
    pub(crate) all: usize,
    pub(crate) right: usize,
    pub(crate) asked_back: usize,
    pub(crate) wrong: Vec<String>,
    pub(crate) inverted: Vec<String>,
}

/// Sentences of which none was known to whoever wrote the reader, when it was done.
pub(crate) fn judge_fresh() -> Figures {
    let mut figures = Figures::default();
    for (language, list) in [("en", fresh::EN), ("ko", fresh::KO), ("zh", fresh::ZH), ("ja", fresh::JA)] {
        for one in list {
            judge_one(language, one, &mut figures);
        }
    }
    figures
}

/// The opened half: every other sentence. The other half was not looked at before the reader was done.
pub(crate) fn judge(opened: bool) -> Figures {
    let mut figures = Figures::default();
    for (language, list) in [("en", said::EN), ("ko", said::KO), ("zh", said::ZH), ("ja", said::JA)] {
        for (at, one) in list.iter().enumerate() {
            if (at % 2 == 0) == opened {
                judge_one(language, one, &mut figures);
            }
        }
    }
    figures
}

/// A no or a judgement, said alone and after `vib undo`.
pub(crate) fn judge_negated() -> Figures {
    let mut figures = Figures::default();
    let lists = [("en", negated::EN), ("ko", negated::KO), ("zh", negated::ZH), ("ja", negated::JA)];
    for (language, list) in lists {
        for one in list {
            for undo in [false, true] {
                judge_in(&signals(language), language, one, undo, &mut figures);
            }
        }
    }
    figures
}

pub(crate) fn judge_placed() -> Figures {
    let mut figures = Figures::default();
    for (language, one) in negated::PLACED {
        judge_one(language, one, &mut figures);
    }
    figures
}

/// The same work, every request in a session of its own.
pub(crate) fn judge_apart() -> Figures {
    let mut figures = Figures::default();
    for (language, one) in negated::APART {
        let mut signals = signals(language);
        for step in &mut signals.steps {
            step.session = step.turn.as_ref().map(|turn| format!("s{turn}"));
        }
        judge_in(&signals, language, one, true, &mut figures);
    }
    figures
}

fn judge_one(language: &str, one: &Said, figures: &mut Figures) {
    judge_in(&signals(language), language, one, false, figures);
}

fn judge_in(signals: &Signals, language: &str, (text, goes, may): &Said, undo: bool, figures: &mut Figures) {
    figures.all += 1;
    let phrase = Phrase::parse_among(text, signals, undo);
    let diagnosis = recovery::diagnose(signals, &phrase);
    let ways = recovery::recommend(signals, &diagnosis, &mut NoMender);
    let first = ways.first().filter(|way| !matches!(way.kind, WayKind::Explain | WayKind::Nothing));
    let taken = if diagnosis.asks_back { BTreeSet::new() } else { first.map(letters).unwrap_or_default() };
    let complaint = goes.strip_prefix('~');
    let meant: BTreeSet<char> = if matches!(*goes, "?" | "0") || complaint.is_some() {
        BTreeSet::new()
    } else {
        goes.chars().collect()
    };
    let allowed = |letter: &char| {
        meant.contains(letter) || may.contains(*letter) || complaint.is_some_and(|may| may.contains(*letter))
    };
    let too_much: String = taken.iter().filter(|letter| !allowed(letter)).collect();
    let told = format!("{language}: {text} → took {taken:?}, meant {goes}, read {:?}", diagnosis.phrase);
    if !too_much.is_empty() && *goes != "?" {
        figures.inverted.push(told.clone());
    }
    let right = match *goes {
        "?" => diagnosis.asks_back,
        "0" => taken.is_empty(),
        _ if complaint.is_some() => {
            !diagnosis.asks_back && diagnosis.phrase.ask != Ask::Undo && too_much.is_empty()
        }
        _ => !diagnosis.asks_back && too_much.is_empty() && meant.is_subset(&taken),
    };
    if right {
        figures.right += 1;
    } else if diagnosis.asks_back && complaint.is_none() {
        figures.asked_back += 1;
        println!("  asked back {language}: {text}: {:?}", diagnosis.phrase.not_understood);
    } else {
        figures.wrong.push(told);
    }
}

fn letters(way: &Way) -> BTreeSet<char> {
    let letter = |path: &str| CHANGES.iter().find(|(_, own, _, _)| *own == path).map(|(letter, ..)| *letter);
    way.restores.iter().filter_map(|restore| letter(&restore.path)).collect()
}

/// The discount of the cart went with a later request that did not speak of it.
pub(crate) fn with_a_lost_discount() -> Signals {
    let mut signals = signals("en");
    let made = |names_new: &[&str], names_lost: &[&str]| Facts {
        compared: true,
        added: Some(2),
        removed: Some(2),
        had_lines: 20,
        names_new: names_new.iter().map(|name| (*name).to_owned()).collect(),
        names_lost: names_lost.iter().map(|name| (*name).to_owned()).collect(),
        ..Facts::default()
    };
    signals.changes[3].made = made(&["discount"], &[]);
    let mut step = signals.steps[6].clone();
    (step.seq, step.checkpoint, step.time_ms) = (8, "c8".to_owned(), NOW - 60_000);
    (step.turn, step.prompt) = (Some("t9".to_owned()), Some("make the total round".to_owned()));
    signals.steps.push(step);
    let mut change = signals.changes[3].clone();
    (change.step, change.last_look) = (7, Look { seq: 8, checkpoint: "c8".to_owned() });
    (change.made, change.still) = (made(&[], &["discount"]), made(&[], &["discount"]));
    signals.changes.push(change);
    signals.needs.push(Need {
        path: "src/cart.js".to_owned(),
        name: Some("discount".to_owned()),
        by: vec!["src/page.js".to_owned()],
    });
    signals
}
