use super::*;

const MINUTE: i64 = 60_000;
const HOUR: i64 = 60 * MINUTE;

fn words_of(names: &[Named]) -> Vec<&str> {
    names.iter().map(|name| name.text.as_str()).collect()
}

#[test]
fn phrases_of_three_languages() {
    type Case = (&'static str, Ask, Option<i64>, bool, &'static [&'static str]);
    let cases: &[Case] = &[
        ("it broke", Ask::Broke, None, false, &[]),
        ("undo that", Ask::Undo, None, true, &[]),
        ("망가졌어", Ask::Broke, None, false, &[]),
        ("30분 전으로 되돌려 줘", Ask::GoBack, Some(30 * MINUTE), false, &[]),
        ("한 시간 전", Ask::GoBack, Some(HOUR), false, &[]),
        ("방금 한 거 취소", Ask::Undo, None, true, &[]),
        ("刚才的改动撤销", Ask::Undo, None, true, &[]),
        ("坏了", Ask::Broke, None, false, &[]),
        ("回到半小时前", Ask::GoBack, Some(HOUR / 2), false, &[]),
        ("两个小时前还好好的", Ask::GoBack, Some(2 * HOUR), false, &[]),
        ("go back to how it was 30 minutes ago", Ask::GoBack, Some(30 * MINUTE), false, &[]),
        ("an hour ago", Ask::GoBack, Some(HOUR), false, &[]),
        ("take back the login change", Ask::Undo, None, false, &["login"]),
        ("what happened?", Ask::Explain, None, false, &[]),
        ("it broke 10 minutes ago", Ask::Broke, Some(10 * MINUTE), false, &[]),
    ];
    for (text, ask, ms, last, objects) in cases {
        let phrase = Phrase::parse(text);
        assert_eq!(phrase.ask, *ask, "{text}: {phrase:?}");
        assert_eq!(phrase.moment, ms.map(Moment::Ago), "{text}");
        assert_eq!(phrase.last, *last, "{text}");
        if phrase.ask != Ask::Broke {
            assert_eq!(words_of(&phrase.objects), *objects, "{text}");
        }
    }
}

#[test]
fn what_stays_and_what_goes_are_told_apart_r5() {
    let phrase = Phrase::parse("keep the mail fix, undo the rest");
    assert_eq!(
        (words_of(&phrase.keep), phrase.rest, phrase.objects.len()),
        (vec!["mail"], true, 0),
        "{phrase:?}"
    );
    let phrase = Phrase::parse("undo the button, not the cart");
    assert_eq!(
        (words_of(&phrase.objects), words_of(&phrase.keep)),
        (vec!["button"], vec!["cart"]),
        "{phrase:?}"
    );
    let phrase = Phrase::parse("메일 수정은 두고 나머지는 되돌려줘");
    assert_eq!((words_of(&phrase.keep), phrase.rest), (vec!["메일"], true), "{phrase:?}");
    let phrase = Phrase::parse("go back to before the login change");
    assert_eq!(phrase.at.as_ref().map(|at| at.text.as_str()), Some("login"), "{phrase:?}");
    let phrase = Phrase::parse("the rest");
    assert!(phrase.not_understood.len() <= 1);
}
