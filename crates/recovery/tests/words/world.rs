//! A small history in four languages.

use std::collections::BTreeSet;

use recovery::{Actor, Ask, Change, Facts, Kind, Look, NoMender, Phrase, Signals, Step, WayKind};

/// 14:40 of the first day of 2026; the requests were at 11:00, 12:30, 13:30 and 14:30.
const NOW: i64 = 1_767_278_400_000;
const MIDNIGHT: i64 = 1_767_225_600_000;

pub(crate) enum Outcome {
    /// The requests that the first way takes back.
    Takes(BTreeSet<char>),
    AskedBack,
}

fn prompts(language: &str) -> [&'static str; 4] {
    match language {
        "ko" => [
            "메일 영수증을 고쳐 줘",
            "버튼 모양을 둥글게 해 줘",
            "장바구니를 빠르게 해 줘",
            "로그인 화면을 정리해 줘",
        ],
        "zh" => ["修一下邮件收据", "把按钮改成圆角", "让购物车更快", "整理登录页面"],
        "ja" => ["メールの領収書を直して", "ボタンを丸くして", "カートを速くして", "ログイン画面を整理して"],
        _ => ["fix the mail receipt", "restyle the button", "speed up the cart", "tidy up the login"],
    }
}

pub(crate) const LETTERS: [char; 4] = ['m', 'b', 'c', 'l'];
pub(crate) const PATHS: [&str; 4] =
    ["src/services/mail.js", "src/ui/button.js", "src/cart.js", "src/login.js"];

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
    let minutes = [11 * 60, 12 * 60 + 30, 13 * 60 + 30, 14 * 60 + 30];
    for (at, prompt) in prompts(language).into_iter().enumerate() {
        let seq = i64::try_from(at).unwrap() + 1;
        signals.steps.push(Step {
            seq,
            checkpoint: format!("c{seq}"),
            time_ms: MIDNIGHT + minutes[at] * 60_000,
            actor: Actor::Edit,
            tool: Some("Edit".to_owned()),
            command: None,
            session: Some("s".to_owned()),
            turn: Some(format!("t{seq}")),
            prompt: Some(prompt.to_owned()),
        });
        let facts =
            Facts { compared: true, added: Some(2), removed: Some(1), had_lines: 20, ..Facts::default() };
        signals.changes.push(Change {
            step: at,
            path: PATHS[at].to_owned(),
            kind: Kind::Modified,
            moved: None,
            made: facts.clone(),
            still: facts,
            went_back: false,
            last_look: Look { seq, checkpoint: format!("c{seq}") },
            typing_lost: None,
            copy_of: None,
            stands_whole: true,
            undone_by: None,
        });
    }
    signals
}

pub(crate) fn answer(language: &str, text: &str) -> Outcome {
    let signals = signals(language);
    let phrase = Phrase::parse(text);
    let diagnosis = recovery::diagnose(&signals, &phrase);
    if diagnosis.asks_back {
        return Outcome::AskedBack;
    }
    let ways = recovery::recommend(&signals, &diagnosis, &mut NoMender);
    let mut taken = BTreeSet::new();
    // A complaint recommends nothing by itself here: nothing is damaged.
    if matches!(diagnosis.phrase.ask, Ask::Broke | Ask::Explain | Ask::Unasked) {
        return Outcome::Takes(taken);
    }
    if let Some(way) = ways.first().filter(|way| !matches!(way.kind, WayKind::Explain | WayKind::Nothing)) {
        for restore in &way.restores {
            let at = PATHS.iter().position(|path| *path == restore.path).unwrap();
            taken.insert(LETTERS[at]);
        }
    }
    Outcome::Takes(taken)
}
