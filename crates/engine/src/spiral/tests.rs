//! Stories: an agent does this, the breaker says that.

mod any;

use super::{Choice, Outcome, Rule, Spiral, Step, Tool, Tracker};

const FILE: &str = "src/app.js";
const TEST: u64 = 900;

/// An agent at work.
struct Story {
    tracker: Tracker,
    turn: String,
    calls: u64,
}

impl Story {
    fn new() -> Self {
        let mut story = Self { tracker: Tracker::default(), turn: String::new(), calls: 0 };
        story.prompt("t1");
        story
    }

    /// The person writes something.
    fn prompt(&mut self, turn: &str) {
        self.turn = turn.to_owned();
        self.tracker.new_turn(turn);
    }

    fn step(&mut self, step: Step<'_>) -> Option<Spiral> {
        self.calls += 1;
        let turn = self.turn.clone();
        self.tracker.observe(&Step { turn: &turn, ..step })
    }

    /// An edit; denied ones are not applied.
    fn edit(&mut self, path: &str, content: u64) -> Result<Option<Spiral>, Spiral> {
        if let Some(spiral) = self.tracker.before_edit(path, Some(content)) {
            return Err(spiral);
        }
        let signature = 10_000 + self.calls;
        Ok(self.step(Step {
            signature,
            tool: Tool::Edit,
            path: Some(path),
            content: Some(content),
            writes: true,
            ..shell(0, Outcome::Ok)
        }))
    }

    fn edits(&mut self, contents: &[u64]) {
        for &content in contents {
            assert_eq!(self.edit(FILE, content), Ok(None), "content {content}");
        }
    }

    fn check(&mut self, outcome: Outcome) -> Option<Spiral> {
        let result = Some(20_000 + self.calls);
        self.step(Step { check: Some(TEST), result, ..shell(TEST, outcome) })
    }

    fn fails(&mut self, error: u64) -> Option<Spiral> {
        self.check(Outcome::Failed { error })
    }

    fn passes(&mut self) -> Option<Spiral> {
        self.check(Outcome::Ok)
    }
}

fn shell<'a>(signature: u64, outcome: Outcome) -> Step<'a> {
    Step {
        turn: "",
        signature,
        tool: Tool::Shell,
        path: None,
        content: None,
        writes: true,
        outcome,
        result: None,
        check: None,
    }
}

#[test]
fn back_and_forth_over_turns_is_denied_the_third_time() {
    let mut story = Story::new();
    story.tracker.found(FILE, 1);
    for (turn, content) in [("t1", 2), ("t2", 1), ("t3", 2)] {
        story.prompt(turn);
        story.edits(&[content]);
    }
    story.prompt("t4");
    let spiral = story.edit(FILE, 1).unwrap_err();
    assert_eq!(spiral.rule, Rule::ContentGoesBack);
    assert_eq!(spiral.path.as_deref(), Some(FILE));
    assert_eq!((spiral.turns, spiral.times), (vec!["t1".to_owned(), "t2".to_owned(), "t3".to_owned()], 3));
    // And so is every other edit of it, until the person decides; other files are free.
    assert!(story.edit(FILE, 77).is_err());
    assert_eq!(story.edit("src/other.js", 5), Ok(None));
    assert_eq!(story.tracker.blocked().len(), 1);
}

#[test]
fn back_and_forth_within_a_turn_is_seen_even_if_nobody_asked_before() {
    // The shell wrote: only what the file holds afterwards is known.
    let mut story = Story::new();
    story.tracker.found(FILE, 1);
    let mut told = Vec::new();
    for content in [2, 1, 3, 1, 4, 1] {
        let step = Step {
            signature: content,
            tool: Tool::Edit,
            path: Some(FILE),
            content: Some(content),
            ..shell(0, Outcome::Ok)
        };
        story.calls += 1;
        told.push(story.step(Step { signature: 500 + story.calls, ..step }).map(|spiral| spiral.rule));
    }
    assert_eq!(told, [None, None, None, None, None, Some(Rule::ContentGoesBack)]);
    assert!(story.tracker.before_edit(FILE, None).is_some());
}

#[test]
fn a_look_at_how_it_was_before_is_no_spiral() {
    // The change is taken out to see the test fail without it, and put back; twice.
    let mut story = Story::new();
    story.tracker.found(FILE, 1);
    story.edits(&[2, 1, 2, 1, 2]);
}

#[test]
fn the_same_content_again_is_no_change() {
    let mut story = Story::new();
    story.tracker.found(FILE, 1);
    story.edits(&[2, 2]);
    story.tracker.found("b", 1);
    for content in [1, 1] {
        assert_eq!(story.edit("b", content), Ok(None));
    }
    assert!(story.tracker.blocked().is_empty());
}

#[test]
fn three_turns_that_end_in_the_same_failure_hold_the_file_back() {
    let mut story = Story::new();
    for (turn, content) in [("t1", 1), ("t2", 2)] {
        story.prompt(turn);
        story.edits(&[content]);
        assert_eq!(story.fails(42), None);
    }
    story.prompt("t3");
    story.edits(&[3]);
    let spiral = story.fails(42).unwrap();
    assert_eq!((spiral.rule, spiral.times), (Rule::SameFailureAgain, 3));
    story.prompt("t4");
    assert_eq!(story.edit(FILE, 4).unwrap_err(), spiral);
}

#[test]
fn within_one_turn_attempts_count_instead_of_turns() {
    // A long run on its own: the failure was there from the start.
    let mut story = Story::new();
    assert_eq!(story.fails(42), None);
    for content in [1, 2] {
        story.edits(&[content]);
        assert_eq!(story.fails(42), None);
    }
    story.edits(&[3]);
    assert_eq!(story.fails(42).map(|spiral| spiral.rule), Some(Rule::SameFailureAgain));
    assert!(story.edit(FILE, 4).is_err());
}

#[test]
fn failures_that_take_turns_are_no_progress() {
    let mut story = Story::new();
    let mut told = Vec::new();
    for (content, error) in [(1, 7), (2, 8), (3, 7), (4, 8), (5, 7)] {
        story.edits(&[content]);
        told.push(story.fails(error).map(|spiral| spiral.rule));
    }
    assert_eq!(told, [None, None, None, None, Some(Rule::SameFailureAgain)]);
}

#[test]
fn another_failure_each_time_is_progress_for_a_while() {
    let mut story = Story::new();
    for content in 1..=5 {
        story.edits(&[content]);
        assert_eq!(story.fails(100 + content), None);
    }
    story.edits(&[6]);
    let spiral = story.fails(106).unwrap();
    assert_eq!((spiral.rule, spiral.times), (Rule::NoCheckPasses, 6));
}

#[test]
fn the_same_failure_without_an_edit_between_is_no_attempt() {
    let mut story = Story::new();
    story.edits(&[1]);
    for args in 0..5 {
        // Run in other ways, to learn more.
        let step = Step { check: Some(TEST + args), ..shell(TEST + args, Outcome::Failed { error: 42 }) };
        assert_eq!(story.step(step), None);
    }
    assert_eq!(story.edit(FILE, 2), Ok(None));
}

#[test]
fn a_search_that_finds_nothing_judges_nothing() {
    let mut story = Story::new();
    for content in 1..=8 {
        story.edits(&[content]);
        let search = Step { writes: false, ..shell(content, Outcome::Failed { error: 1 }) };
        assert_eq!(story.step(search), None);
    }
}

#[test]
fn a_check_that_passes_with_something_new_starts_anew() {
    let mut story = Story::new();
    for content in [1, 2] {
        story.edits(&[content]);
        story.fails(42);
        story.prompt(&format!("after {content}"));
    }
    story.edits(&[3]);
    story.passes();
    story.prompt("t4");
    for content in [4, 5] {
        story.edits(&[content]);
        assert_eq!(story.fails(42), None, "after progress, {content}");
    }
}

#[test]
fn a_check_that_passes_with_the_old_content_is_no_progress() {
    let mut story = Story::new();
    story.tracker.found(FILE, 1);
    story.edits(&[2]);
    story.fails(42);
    for content in [3, 4] {
        story.edits(&[content]);
        story.fails(42);
        // Back to where it worked.
        assert_eq!(story.edit(FILE, 1), Ok(None));
        story.passes();
    }
    story.edits(&[5]);
    assert_eq!(story.fails(42).map(|spiral| spiral.rule), Some(Rule::SameFailureAgain));
}

#[test]
fn a_fix_elsewhere_sets_the_file_free() {
    let mut story = Story::new();
    story.fails(42);
    for content in 1..=3 {
        story.edits(&[content]);
        story.fails(42);
    }
    assert!(story.edit(FILE, 4).is_err());
    assert_eq!(story.edit("src/other.js", 1), Ok(None));
    story.passes();
    assert!(story.tracker.blocked().is_empty());
    story.edits(&[4]);
}

#[test]
fn edits_that_do_not_apply() {
    let mut story = Story::new();
    let mut told = Vec::new();
    for call in 0..4 {
        let failed = Step { tool: Tool::Edit, path: Some(FILE), ..shell(call, Outcome::Failed { error: 3 }) };
        told.push(story.step(failed).map(|spiral| spiral.rule));
        story.step(Step { tool: Tool::Read, writes: false, ..shell(50 + call, Outcome::Ok) });
    }
    assert_eq!(told, [None, None, None, Some(Rule::EditsFail)]);
}

#[test]
fn the_same_calls_with_the_same_answers() {
    let mut story = Story::new();
    let read =
        |what| Step { tool: Tool::Read, writes: false, result: Some(what), ..shell(what, Outcome::Ok) };
    let told: Vec<_> = [1, 2, 1, 2, 1].map(|what| story.step(read(what)).map(|spiral| spiral.rule)).into();
    assert_eq!(told, [None, None, None, None, Some(Rule::CallsRepeat)]);
    assert_eq!(story.edit(FILE, 1).unwrap_err().path, None);
    // Something else, and the agent may go on.
    assert_eq!(story.step(read(3)), None);
    assert_eq!(story.edit(FILE, 1), Ok(None));
}

#[test]
fn waiting_for_something_that_changes_is_no_spiral() {
    let mut story = Story::new();
    for answer in 0..10 {
        let look = Step { writes: false, result: Some(answer), ..shell(1, Outcome::Ok) };
        assert_eq!(story.step(look), None);
    }
}

#[test]
fn one_failure_after_the_other() {
    let mut story = Story::new();
    let mut told = Vec::new();
    for call in 0..6 {
        told.push(story.step(shell(call, Outcome::Failed { error: call })).map(|spiral| spiral.rule));
    }
    assert_eq!(told[..5], [None; 5]);
    assert_eq!(told[5], Some(Rule::FailuresInARow));
    assert!(story.edit(FILE, 1).is_err());
    // The person says something else.
    story.prompt("t2");
    assert_eq!(story.edit(FILE, 1), Ok(None));
}

#[test]
fn the_person_lets_the_agent_try_once_more() {
    let mut story = Story::new();
    story.fails(42);
    for content in 1..=3 {
        story.edits(&[content]);
        story.fails(42);
    }
    assert!(story.edit(FILE, 4).is_err());
    story.tracker.resume(Some(FILE));
    assert!(story.tracker.blocked().is_empty());
    story.edits(&[4, 5]);
    assert_eq!(story.fails(42).map(|spiral| spiral.rule), Some(Rule::SameFailureAgain), "once, not for ever");
    story.tracker.resume(None);
    for content in 6..=7 {
        story.edits(&[content]);
        assert_eq!(story.fails(42), None, "all is forgotten");
    }
}

#[test]
fn the_person_allows_a_step_back() {
    let mut story = Story::new();
    story.tracker.found(FILE, 1);
    for (turn, content) in [("t1", 2), ("t2", 1), ("t3", 2)] {
        story.prompt(turn);
        story.edits(&[content]);
    }
    story.prompt("t4");
    assert!(story.edit(FILE, 1).is_err());
    story.tracker.resume(Some(FILE));
    assert_eq!(story.edit(FILE, 1), Ok(None));
    story.prompt("t5");
    assert_eq!(story.edit(FILE, 2).unwrap_err().rule, Rule::ContentGoesBack);
}

#[test]
fn agents_side_by_side_do_not_make_turns() {
    let mut story = Story::new();
    for (content, turn) in [(1, "t1"), (2, "helper"), (3, "t1")] {
        story.turn = turn.to_owned();
        story.edits(&[content]);
        assert_eq!(story.fails(42), None, "two turns, not three");
    }
    story.prompt("t2");
    story.edits(&[4]);
    assert_eq!(story.fails(42).map(|spiral| spiral.rule), Some(Rule::SameFailureAgain));
}

#[test]
fn words_and_choices() {
    let spiral = |rule| Spiral { rule, path: Some(FILE.to_owned()), turns: vec!["t3".to_owned()], times: 3 };
    for rule in Rule::ALL {
        let said = spiral(rule).what_happened();
        assert!(said.contains('3') && said.ends_with('.'), "{said}");
        assert!(!rule.what_happened().is_empty() && !rule.code().contains(' '));
        assert_eq!(serde_json::to_string(&rule).unwrap(), format!("\"{}\"", rule.code()));
    }
    let choices = spiral(Rule::SameFailureAgain).choices();
    let codes: Vec<_> = choices.iter().map(Choice::code).collect();
    assert_eq!(codes, ["roll_back", "go_on_once", "hand_over"]);
    assert!(choices[0].text().contains("t3"));
    assert_eq!(
        spiral(Rule::ContentGoesBack).what_happened(),
        "The agent keeps changing `src/app.js` back and forth: 3 times it went back to a version that it had already replaced."
    );
}
