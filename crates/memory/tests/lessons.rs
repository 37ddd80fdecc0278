//! `LESSONS.md` (LS2): a person's file, changed by vib only where it must be.

#![expect(clippy::unwrap_used, reason = "a test fails where it stands")]

use std::path::Path;

use proptest::prelude::*;
use vib_memory::lessons::{Document, Draft, FILE_NAME, Place, Source};

const TODAY: &str = "2026-11-16";

fn draft(text: &str) -> Draft {
    Draft {
        text: text.to_owned(),
        tools: Vec::new(),
        paths: Vec::new(),
        pinned: false,
        source: Source::Person,
    }
}

fn add(document: &Document, text: &str) -> Document {
    document.add(draft(text), TODAY).unwrap().0
}

fn texts(document: &Document) -> Vec<String> {
    document.lessons().map(|lesson| lesson.text.clone()).collect()
}

/// As somebody may have left it: their own words, fields that we do not know, numbers that no float holds.
const BY_HAND: &str = r#"# Our lessons

Talk to Kim before you add one.

```json
{ "text": "Read first", "team": {"b": 1, "a": 12345678901234567890123},
    "pinned" : false,   "weight": 2.50 }
```
between *these*
~~~json
{"id":"mine","text":"Use spaces","created":"2026-01-31","tools":"Edit"}
~~~

```text
```json is shown here, and is no lesson
```
the end, without a line end"#;

#[test]
fn a_new_file_says_what_it_is() {
    let document = add(&Document::default(), "Read a file again before you edit it");
    assert_eq!(
        document.text(),
        r#"# Lessons

What an AI agent should do differently in this project. vib shows the few that fit to the agent, as information.
Each block below is one lesson: change it, or delete it, as you like. `"pinned": true` keeps a lesson for ever.

```json
{
  "id": "ID",
  "text": "Read a file again before you edit it",
  "tools": [],
  "paths": [],
  "words": [],
  "created": "2026-11-16",
  "source": "person",
  "pinned": false,
  "weight": 1
}
```
"#
        .replace("ID", &document.lessons().next().unwrap().id)
    );
}

#[test]
fn hand_written_lessons_count_and_a_pin_changes_one_word_ls2() {
    let document = Document::parse(BY_HAND.as_bytes());
    assert_eq!(document.problems(), []);
    assert_eq!(texts(&document), ["Read first", "Use spaces"]);
    let first = document.lessons().next().unwrap().clone();
    assert_eq!((first.weight, first.line, first.id.len()), (2.5, 5, 8));
    let (pinned, _) = document.pin(&first.id, true).unwrap();
    assert_eq!(pinned.text(), BY_HAND.replace("\"pinned\" : false", "\"pinned\" : true"));
    let (back, _) = pinned.pin(&first.id, false).unwrap();
    assert_eq!(back.text(), BY_HAND);
    // A field that was not there comes after the last one.
    let (pinned, _) = document.pin("mine", true).unwrap();
    assert_eq!(
        pinned.text(),
        BY_HAND.replace("\"tools\":\"Edit\"}", "\"tools\":\"Edit\", \"pinned\": true}")
    );
}

#[test]
fn adding_and_removing_leave_the_rest_alone() {
    let document = Document::parse(BY_HAND.as_bytes());
    let more = add(&document, "새 파일을 먼저 읽어");
    assert!(more.text().starts_with(BY_HAND));
    assert_eq!(texts(&more), ["Read first", "Use spaces", "새 파일을 먼저 읽어"]);
    let (less, gone) = more.remove("mine").unwrap();
    assert_eq!(gone.text, "Use spaces");
    assert!(less.text().contains("between *these*\n\n```text"), "{}", less.text());
    assert_eq!(texts(&less), ["Read first", "새 파일을 먼저 읽어"]);
}

#[test]
fn the_same_lesson_twice_is_one_lesson() {
    let once = add(&Document::default(), "Use spaces");
    let (twice, lesson, known) = once.add(draft(" use  SPACES. "), TODAY).unwrap();
    assert!(known);
    assert_eq!(twice.text(), once.text());
    let wish = Draft { pinned: true, tools: vec!["Edit".to_owned()], ..draft("use spaces") };
    let (pinned, lesson_now, known) = twice.add(wish, TODAY).unwrap();
    assert!(known && lesson_now.pinned && lesson_now.id == lesson.id);
    assert!(lesson_now.tools.is_empty(), "a lesson for every tool does not become smaller");
    assert_eq!(texts(&pinned), ["Use spaces"]);
}

#[test]
fn a_broken_edit_is_named_with_its_line_and_nothing_is_written_ls2() {
    let cases = [
        ("# x\n\n```json\n{\n  \"text\": \"a\"\n  \"pinned\": true\n}\n```\n", 6, "no valid JSON"),
        ("```json\n{\"text\": \"a\"}\n", 1, "never closed"),
        ("```json\n[{\"text\": \"a\"}]\n```\n", 2, "one lesson in braces"),
        ("```json\n{\"id\": \"a\"}\n```\n", 2, "has no `text`"),
        ("```json\n{\n\"text\": \"a\",\n\"tools\": 3}\n```\n", 4, "`tools` must be a list"),
        ("```json\n{\"text\": \"a\", \"created\": \"yesterday\"}\n```\n", 2, "a day such as"),
        ("```json\n{\"text\": \"a\", \"weight\": 99}\n```\n", 2, "a number from 0 to 10"),
    ];
    for (broken, line, what) in cases {
        let good = "```json\n{\"id\": \"good\", \"text\": \"Good\"}\n```\n";
        let text = format!("{broken}{good}");
        let document = Document::parse(text.as_bytes());
        assert_eq!(texts(&document), ["Good"], "{broken}");
        assert_eq!(document.problems().len(), 1, "{broken}: {:?}", document.problems());
        let problem = &document.problems()[0];
        assert_eq!(problem.line, line, "{broken}: {}", problem.message);
        assert!(problem.message.contains(what), "{}", problem.message);
        let error = document.add(draft("new"), TODAY).unwrap_err();
        assert_eq!(error.code(), "lessons_broken");
        assert!(error.to_string().contains(&format!("line {line} ")), "{error}");
        assert!(error.next().contains(&format!("line {line},")), "{}", error.next());
        assert_eq!(document.pin("good", true).unwrap_err().code(), "lessons_broken");
        assert_eq!(document.remove("good").unwrap_err().code(), "lessons_broken");
    }
    let twins = "```json\n{\"id\":\"a\",\"text\":\"A\"}\n```\n```json\n{\"id\":\"a\",\"text\":\"B\"}\n```\n";
    let document = Document::parse(twins.as_bytes());
    assert_eq!(document.problems()[0].line, 4);
    let document = Document::parse(b"one\ntwo \xff\n```json\n{\"text\":\"A\"}\n```\n");
    assert_eq!((document.problems()[0].line, texts(&document)), (2, vec!["A".to_owned()]));
}

#[test]
fn an_id_can_be_short_but_not_ambiguous() {
    let text =
        "```json\n{\"id\":\"abc\",\"text\":\"A\"}\n```\n```json\n{\"id\":\"abd\",\"text\":\"B\"}\n```\n";
    let document = Document::parse(text.as_bytes());
    assert_eq!(document.find("abd").unwrap().text, "B");
    assert_eq!(document.find("ab").unwrap_err().code(), "lesson_ambiguous");
    assert_eq!(document.find("x").unwrap_err().code(), "lesson_unknown");
    assert_eq!(document.find("").unwrap_err().code(), "lesson_unknown");
}

fn place(root: &Path) -> Place {
    Place::new(root, root.join("state").join("lessons.lock"))
}

fn keep(place: &Place, text: &str) -> vib_memory::lessons::Result<()> {
    place.change(|document| document.add(draft(text), TODAY).map(|(after, ..)| (after, ())))
}

#[test]
fn line_ends_and_mode_stay() {
    let tmp = tempfile::tempdir().unwrap();
    let file = tmp.path().join(FILE_NAME);
    std::fs::write(&file, "# Ours\r\n").unwrap();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o640)).unwrap();
    }
    keep(&place(tmp.path()), "Read first").unwrap();
    let text = std::fs::read_to_string(&file).unwrap();
    assert_eq!(text.matches('\n').count(), text.matches("\r\n").count());
    let document = place(tmp.path()).read().unwrap();
    let id = document.lessons().next().unwrap().id.clone();
    place(tmp.path()).change(|document| document.remove(&id)).unwrap();
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "# Ours\r\n");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        assert_eq!(std::fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o640);
    }
}

#[cfg(unix)]
#[test]
fn a_link_is_neither_read_nor_written() {
    let tmp = tempfile::tempdir().unwrap();
    let (root, outside) = (tmp.path().join("root"), tmp.path().join("outside.md"));
    std::fs::create_dir(&root).unwrap();
    std::fs::write(&outside, "```json\n{\"text\":\"secret\"}\n```\n").unwrap();
    std::os::unix::fs::symlink(&outside, root.join(FILE_NAME)).unwrap();
    assert_eq!(place(&root).read().unwrap_err().code(), "lessons_not_a_file");
    assert_eq!(keep(&place(&root), "x").unwrap_err().code(), "lessons_not_a_file");
    assert_eq!(std::fs::read_to_string(&outside).unwrap(), "```json\n{\"text\":\"secret\"}\n```\n");
    assert!(root.join(FILE_NAME).is_symlink());
}

#[test]
fn a_broken_file_is_the_same_afterwards() {
    let tmp = tempfile::tempdir().unwrap();
    let file = tmp.path().join(FILE_NAME);
    let broken = b"```json\n{\"text\": \n```\nkeep \xff me";
    std::fs::write(&file, broken).unwrap();
    assert_eq!(keep(&place(tmp.path()), "x").unwrap_err().code(), "lessons_broken");
    assert_eq!(std::fs::read(&file).unwrap(), broken);
}

#[test]
fn what_an_editor_saved_in_between_is_not_written_over() {
    let tmp = tempfile::tempdir().unwrap();
    let file = tmp.path().join(FILE_NAME);
    let done = place(tmp.path()).change(|document| {
        std::fs::write(&file, "by hand\n").unwrap();
        document.add(draft("x"), TODAY).map(|(after, ..)| (after, ()))
    });
    assert_eq!(done.unwrap_err().code(), "lessons_changed");
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "by hand\n");
}

#[test]
fn writers_at_once_lose_nothing() {
    let tmp = tempfile::tempdir().unwrap();
    std::thread::scope(|scope| {
        for writer in 0..4 {
            let place = place(tmp.path());
            scope.spawn(move || {
                for number in 0..10 {
                    keep(&place, &format!("lesson {number} of writer {writer}")).unwrap();
                }
            });
        }
    });
    let document = place(tmp.path()).read().unwrap();
    assert_eq!((document.lessons().count(), document.problems().len()), (40, 0));
}

proptest! {
    /// Whatever is in the file: reading does not fail, and a lesson that is added and taken out again leaves it as it was.
    #[test]
    fn there_and_back_is_the_same_file(around in "([a-z#*`~{}\":, é한\u{feff}]{0,12}\r?\n){0,8}", text in "\\PC{1,60}") {
        let document = Document::parse(around.as_bytes());
        prop_assert_eq!(document.text(), &around);
        prop_assume!(!around.trim().is_empty());
        if let Ok((after, lesson, false)) = document.add(draft(&text), TODAY) {
            prop_assert!(after.text().starts_with(&around));
            prop_assert!(after.problems().is_empty());
            let (back, _) = after.remove(&lesson.id).unwrap();
            prop_assert_eq!(back.text(), &around);
        }
    }
}
