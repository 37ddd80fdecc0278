//! Sentences put together from patterns: written by somebody who did not look at the reader's tables.

use super::Case;
use super::world::{LETTERS, PATHS};

/// A small generator of numbers, always the same.
struct Dice(u64);

impl Dice {
    fn next(&mut self, most: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from((self.0 >> 33) % (most as u64)).unwrap()
    }

    fn pick<'t>(&mut self, from: &[&'t str]) -> &'t str {
        from[self.next(from.len())]
    }
}

fn all_but(letters: &str) -> String {
    LETTERS.iter().filter(|letter| !letters.contains(**letter)).collect()
}

fn from(at: usize) -> String {
    LETTERS[at..].iter().collect()
}

pub(crate) fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    let mut dice = Dice(20_261_117);
    for _ in 0..260 {
        cases.push(english(&mut dice));
        cases.push(korean(&mut dice));
        cases.push(chinese(&mut dice));
        cases.push(japanese(&mut dice));
    }
    cases
}

fn two(dice: &mut Dice) -> (usize, usize) {
    let a = dice.next(4);
    let b = (a + 1 + dice.next(3)) % 4;
    (a, b)
}

fn case(language: &'static str, text: String, goes: String, stays: String) -> Case {
    Case { language, text, goes, stays }
}

fn letters(of: &[usize]) -> String {
    of.iter().map(|at| LETTERS[*at]).collect()
}

fn english(dice: &mut Dice) -> Case {
    const NOUNS: [&str; 4] = ["mail", "button", "cart", "login"];
    let object = |dice: &mut Dice, at: usize| -> String {
        let noun = NOUNS[at];
        match dice.next(9) {
            0 => format!("the {noun} change"),
            1 => format!("the {noun} changes"),
            2 => format!("the {noun} fix"),
            3 => noun.to_owned(),
            4 => PATHS[at].to_owned(),
            5 => format!("what you did to the {noun}"),
            6 => format!("the {noun} part"),
            7 => format!("your edits to the {noun}"),
            _ => format!("the {noun}"),
        }
    };
    let undo = |dice: &mut Dice| {
        dice.pick(&[
            "undo",
            "revert",
            "roll back",
            "take back",
            "discard",
            "cancel",
            "get rid of",
            "throw away",
        ])
    };
    let keep =
        |dice: &mut Dice| dice.pick(&["keep", "leave", "preserve", "don't touch", "do not touch", "retain"]);
    let before =
        dice.pick(&["", "", "please ", "hey, ", "can you ", "could you please ", "ok, ", "I want you to "]);
    let after = dice.pick(&["", "", "", " please", ", thanks", "!", " now"]);
    let (a, b) = two(dice);
    let (x, y) = (object(dice, a), object(dice, b));
    let (u, k) = (undo(dice), keep(dice));
    let (text, goes, stays) = match dice.next(17) {
        0 => (format!("{u} {x}"), letters(&[a]), all_but(&letters(&[a]))),
        1 => (format!("{u} {x} and {y}"), letters(&[a, b]), all_but(&letters(&[a, b]))),
        2 => (format!("{k} {x}, {u} the rest"), all_but(&letters(&[a])), letters(&[a])),
        3 => (format!("{u} everything except {x}"), all_but(&letters(&[a])), letters(&[a])),
        4 => (format!("{u} {x} but {k} {y}"), letters(&[a]), all_but(&letters(&[a]))),
        5 => (format!("{u} {x}, not {y}"), letters(&[a]), all_but(&letters(&[a]))),
        6 => (format!("don't {u} {x}, {} {y}", undo(dice)), letters(&[b]), all_but(&letters(&[b]))),
        7 => (format!("{u} only {x}"), letters(&[a]), all_but(&letters(&[a]))),
        8 => (format!("only {u} {x}"), letters(&[a]), all_but(&letters(&[a]))),
        9 => (format!("go back to before the {} change", NOUNS[a]), from(a), LETTERS[..a].iter().collect()),
        10 => (
            format!("{u} everything after the {} fix", NOUNS[a]),
            if a < 3 { from(a + 1) } else { String::new() },
            LETTERS[..=a].iter().collect(),
        ),
        11 => {
            let (time, from_at) = [
                ("12:00", 1),
                ("13:00", 2),
                ("2pm", 3),
                ("30 minutes ago", 3),
                ("an hour and a half ago", 2),
                ("lunch", 1),
            ][dice.next(6)];
            (format!("{u} everything since {time}"), from(from_at), LETTERS[..from_at].iter().collect())
        }
        12 => {
            let (count, number) = [("two", 2), ("2", 2), ("three", 3), ("3", 3)][dice.next(4)];
            let what = dice.pick(&["requests", "changes", "prompts"]);
            (format!("{u} the last {count} {what}"), from(4 - number), LETTERS[..4 - number].iter().collect())
        }
        13 => (format!("{u} everything but {x} and {y}"), all_but(&letters(&[a, b])), letters(&[a, b])),
        14 => (format!("{u} {x} without touching {y}"), letters(&[a]), all_but(&letters(&[a]))),
        15 => (format!("{k} {x} and {y}, {u} everything else"), all_but(&letters(&[a, b])), letters(&[a, b])),
        _ => (
            dice.pick(&[
                "undo that",
                "revert it",
                "take that back",
                "roll it back",
                "undo the last change",
                "undo your last change",
            ])
            .to_owned(),
            "l".to_owned(),
            "mbc".to_owned(),
        ),
    };
    case("en", format!("{before}{text}{after}"), goes, stays)
}

fn korean(dice: &mut Dice) -> Case {
    const NOUNS: [&str; 4] = ["메일", "버튼", "장바구니", "로그인"];
    let topic = |at: usize| if matches!(at, 0 | 1 | 3) { "은" } else { "는" };
    let object = |at: usize| if matches!(at, 0 | 1 | 3) { "을" } else { "를" };
    let with = |at: usize| if matches!(at, 0 | 1 | 3) { "과" } else { "와" };
    let undo = |dice: &mut Dice| {
        dice.pick(&["되돌려줘", "취소해줘", "되돌려 주세요", "롤백해줘", "원래대로 해줘", "취소해 주세요"])
    };
    let thing = |dice: &mut Dice| dice.pick(&["", " 변경", " 수정", " 작업", " 부분"]);
    let (a, b) = two(dice);
    let (x, y) = (NOUNS[a], NOUNS[b]);
    let u = undo(dice);
    let t = thing(dice);
    let topic_t = if t.is_empty() { topic(a) } else { "은" };
    let (text, goes, stays) = match dice.next(13) {
        0 => (format!("{x}{t} {u}"), letters(&[a]), all_but(&letters(&[a]))),
        1 => (format!("{x}만 {u}"), letters(&[a]), all_but(&letters(&[a]))),
        2 => (
            format!(
                "{x}{t}{topic_t} {} 나머지는 {u}",
                dice.pick(&["두고", "그대로 두고", "남기고", "놔두고", "유지하고"])
            ),
            all_but(&letters(&[a])),
            letters(&[a]),
        ),
        3 => (
            format!(
                "{x}{} {} {u}",
                thing(dice),
                dice.pick(&["빼고 다", "빼고 전부", "제외하고 모두", "말고 다"])
            ),
            all_but(&letters(&[a])),
            letters(&[a]),
        ),
        4 => (format!("{x} 말고 {y}만 {u}"), letters(&[b]), all_but(&letters(&[b]))),
        5 => (
            format!("{x}{topic} 되돌리지 말고 {y}만 {u}", topic = topic(a)),
            letters(&[b]),
            all_but(&letters(&[b])),
        ),
        6 => (
            format!(
                "{x} {} 전으로 {}",
                dice.pick(&["변경", "수정"]),
                dice.pick(&["되돌려줘", "돌려줘", "가줘"])
            ),
            from(a),
            LETTERS[..a].iter().collect(),
        ),
        7 => (format!("{x}{} {y} {u}", with(a)), letters(&[a, b]), all_but(&letters(&[a, b]))),
        8 => {
            let (time, from_at) =
                [("30분 전으로", 3), ("한 시간 전으로", 3), ("두 시간 전으로", 2)][dice.next(3)];
            let from_at = if time.starts_with('한') { 3 } else { from_at };
            (
                format!("{time} {}", dice.pick(&["되돌려줘", "돌아가 줘", "돌려줘"])),
                from(from_at),
                LETTERS[..from_at].iter().collect(),
            )
        }
        9 => (
            dice.pick(&[
                "방금 한 거 취소해줘",
                "방금 거 되돌려줘",
                "마지막 변경 취소",
                "아까 한 거 되돌려줘",
            ])
            .to_owned(),
            "l".to_owned(),
            "mbc".to_owned(),
        ),
        10 => (format!("{} {u}", PATHS[a]), letters(&[a]), all_but(&letters(&[a]))),
        11 => (
            format!("{x}{} 되돌리고 {y}{} 그대로 둬", object(a), topic(b)),
            letters(&[a]),
            all_but(&letters(&[a])),
        ),
        _ => (
            format!("{x}{topic} 건드리지 말고 {y}{} {u}", object(b), topic = topic(a)),
            letters(&[b]),
            all_but(&letters(&[b])),
        ),
    };
    case("ko", text, goes, stays)
}

fn chinese(dice: &mut Dice) -> Case {
    const NOUNS: [&str; 4] = ["邮件", "按钮", "购物车", "登录"];
    let undo = |dice: &mut Dice| dice.pick(&["撤销", "撤回", "还原", "回退", "取消"]);
    let thing = |dice: &mut Dice| dice.pick(&["", "的改动", "的修改", "部分", "的更改"]);
    let (a, b) = two(dice);
    let (x, y) = (NOUNS[a], NOUNS[b]);
    let u = undo(dice);
    let t = thing(dice);
    let please = dice.pick(&["", "", "请", "帮我", "麻烦"]);
    let (text, goes, stays) = match dice.next(13) {
        0 => (format!("{please}{u}{x}{t}"), letters(&[a]), all_but(&letters(&[a]))),
        1 => (format!("{please}把{x}{t}{u}"), letters(&[a]), all_but(&letters(&[a]))),
        2 => (format!("保留{x}{t}，其他都{u}"), all_but(&letters(&[a])), letters(&[a])),
        3 => (
            format!("除了{x}{t}{}，全部{u}", dice.pick(&["", "以外", "之外"])),
            all_but(&letters(&[a])),
            letters(&[a]),
        ),
        4 => (format!("除了{x}以外都{u}"), all_but(&letters(&[a])), letters(&[a])),
        5 => (format!("只{u}{x}{t}"), letters(&[a]), all_but(&letters(&[a]))),
        6 => (format!("不要{u}{x}，{}{y}", undo(dice)), letters(&[b]), all_but(&letters(&[b]))),
        7 => (format!("{u}{x}和{y}{t}"), letters(&[a, b]), all_but(&letters(&[a, b]))),
        8 => (
            format!("{}改{x}之前", dice.pick(&["回到", "退回到", "恢复到"])),
            from(a),
            LETTERS[..a].iter().collect(),
        ),
        9 => {
            let (time, from_at) = [("半小时前", 3), ("30分钟前", 3), ("两个小时前", 2)][dice.next(3)];
            (
                format!("{}{time}", dice.pick(&["回到", "退回到", "恢复到"])),
                from(from_at),
                LETTERS[..from_at].iter().collect(),
            )
        }
        10 => (
            dice.pick(&["撤销刚才的改动", "刚才的修改撤销", "取消上一步", "撤销刚刚的更改"]).to_owned(),
            "l".to_owned(),
            "mbc".to_owned(),
        ),
        11 => (format!("{u} {}", PATHS[a]), letters(&[a]), all_but(&letters(&[a]))),
        _ => (
            format!("{u}{x}，{y}{}", dice.pick(&["保留", "不动", "别动", "不要动"])),
            letters(&[a]),
            all_but(&letters(&[a])),
        ),
    };
    case("zh", text, goes, stays)
}

fn japanese(dice: &mut Dice) -> Case {
    const NOUNS: [&str; 4] = ["メール", "ボタン", "カート", "ログイン"];
    let undo = |dice: &mut Dice| {
        dice.pick(&["元に戻して", "取り消して", "戻してください", "元に戻してください", "ロールバックして"])
    };
    let thing = |dice: &mut Dice| dice.pick(&["", "の変更", "の修正", "の部分"]);
    let (a, b) = two(dice);
    let (x, y) = (NOUNS[a], NOUNS[b]);
    let u = undo(dice);
    let t = thing(dice);
    let (text, goes, stays) = match dice.next(11) {
        0 => (format!("{x}{t}を{u}"), letters(&[a]), all_but(&letters(&[a]))),
        1 => (format!("{x}{t}だけ{u}"), letters(&[a]), all_but(&letters(&[a]))),
        2 => (format!("{x}{t}はそのままで、残りを{u}"), all_but(&letters(&[a])), letters(&[a])),
        3 => (format!("{x}以外を全部{u}"), all_but(&letters(&[a])), letters(&[a])),
        4 => (format!("{x}は残して、{y}だけ{u}"), letters(&[b]), all_but(&letters(&[b]))),
        5 => (format!("{x}は戻さないで、{y}を{u}"), letters(&[b]), all_but(&letters(&[b]))),
        6 => (format!("{x}と{y}を{u}"), letters(&[a, b]), all_but(&letters(&[a, b]))),
        7 => (
            format!("{x}の{}の状態に戻して", dice.pick(&["変更前", "修正前"])),
            from(a),
            LETTERS[..a].iter().collect(),
        ),
        8 => {
            let (time, from_at) = [("30分前", 3), ("1時間前", 3), ("2時間前", 2)][dice.next(3)];
            (
                format!("{time}に{}", dice.pick(&["戻して", "戻してください"])),
                from(from_at),
                LETTERS[..from_at].iter().collect(),
            )
        }
        9 => (
            dice.pick(&["さっきの変更を取り消して", "最後の変更を元に戻して", "直前の変更を戻して"])
                .to_owned(),
            "l".to_owned(),
            "mbc".to_owned(),
        ),
        _ => (format!("{}を{u}", PATHS[a]), letters(&[a]), all_but(&letters(&[a]))),
    };
    case("ja", text, goes, stays)
}
