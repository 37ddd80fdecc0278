//! Stories: an agent does this, the breaker says that.

mod any;

use super::{Choice, Content, Outcome, Rule, Spiral, Step, Syntax, Tool, Tracker, hash};

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
        self.tracker.new_turn(turn, &format!("request {turn}"));
    }

    /// The person says that it is still not right.
    fn complains(&mut self, turn: &str) {
        self.turn = turn.to_owned();
        self.tracker.new_turn(turn, "No, that is still wrong");
    }

    fn step(&mut self, step: Step<'_>) -> Option<Spiral> {
        self.calls += 1;
        let turn = self.turn.clone();
        self.tracker.observe(&Step { turn: &turn, ..step })
    }

    /// An edit; denied ones are not applied.
    fn edit(&mut self, path: &str, after: Content) -> Result<Option<Spiral>, Spiral> {
        if let Some(spiral) = self.tracker.before_edit(path, Some(after)) {
            return Err(spiral);
        }
        let signature = 10_000 + self.calls;
        Ok(self.step(Step {
            tool: Tool::Edit,
            path: Some(path),
            after: Some(after),
            ..shell(signature, Outcome::Ok)
        }))
    }

    /// A call and its answer; denied ones are not made.
    fn call(&mut self, what: &str, answer: &str, tool: Tool) -> Result<Option<Spiral>, Spiral> {
        let signature = hash(what.as_bytes());
        if let Some(spiral) = self.tracker.before_call(signature, what) {
            return Err(spiral);
        }
        let result = Some(hash(answer.as_bytes()));
        Ok(self.step(Step { tool, writes: tool == Tool::Shell, result, ..shell(signature, Outcome::Ok) }))
    }

    fn reads(&mut self, what: &str) -> Result<Option<Spiral>, Spiral> {
        self.call(what, what, Tool::Read)
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
        after: None,
        writes: true,
        waits: false,
        outcome,
        result: None,
        check: None,
        output: "",
        unfinished: false,
        put_back: false,
        at: 0,
    }
}

fn content(hash: u64, size: u64, syntax: Syntax) -> Content {
    Content {
        hash,
        size,
        lines: u32::try_from(size / 30).unwrap_or(u32::MAX),
        syntax,
        faults: 0,
        damage: 0,
        open: None,
    }
}

/// In balance, but for something small.
fn odd(hash: u64, faults: u64) -> Content {
    Content { faults, ..broken(hash) }
}

fn whole(hash: u64) -> Content {
    content(hash, 1_000, Syntax::Whole)
}

fn broken(hash: u64) -> Content {
    content(hash, 1_000 + hash, Syntax::Broken)
}

#[test]
fn reading_many_files_is_no_circle_t1() {
    let mut story = Story::new();
    for name in ["a", "b", "c", "d", "a", "b", "c", "d", "a 1-50", "a 51-100", "a 101-150"] {
        assert_eq!(story.reads(name), Ok(None), "{name}");
    }
    assert_eq!(story.edit(FILE, whole(1)), Ok(None));
}

#[test]
fn numbered_calls_are_different_calls_c2() {
    let mut story = Story::new();
    for number in 1..=12 {
        let call = format!("python t{number}.py");
        assert_eq!(story.call(&call, "ok", Tool::Shell), Ok(None), "{call}");
    }
    assert_eq!(story.edit(FILE, whole(1)), Ok(None));
}

#[test]
fn the_same_call_is_warned_about_and_then_denied_itself_x1() {
    for tool in [Tool::Read, Tool::Other] {
        let mut story = Story::new();
        for _ in 0..4 {
            assert_eq!(story.call("look", "same", tool), Ok(None));
        }
        let warned = story.call("look", "same", tool).unwrap().unwrap();
        assert_eq!((warned.rule, warned.times), (Rule::CallsRepeat, 5));
        assert!(story.call("look", "same", tool).is_ok());
        let denied = story.call("look", "same", tool).unwrap_err();
        assert_eq!((denied.rule, denied.call.as_deref()), (Rule::CallsRepeat, Some("look")));
        assert_eq!(story.tracker.blocked().len(), 1);
        // Anything else may happen, and with it the circle is left.
        assert_eq!(story.edit(FILE, whole(1)), Ok(None));
        assert!(story.tracker.blocked().is_empty());
        assert_eq!(story.call("look", "same", tool), Ok(None));
    }
}

#[test]
fn a_circle_of_several_calls_is_seen_too() {
    let mut story = Story::new();
    for _ in 0..3 {
        for name in ["a", "b", "c"] {
            assert!(story.reads(name).is_ok());
        }
    }
    assert!(story.reads("a").is_err());
    assert_eq!(story.reads("x"), Ok(None));
}

#[test]
fn another_answer_an_unknown_one_or_a_changed_file_is_no_circle() {
    let mut story = Story::new();
    for answer in ["1", "2", "3", "4", "5"] {
        assert_eq!(story.call("state", answer, Tool::Read), Ok(None));
    }
    for _ in 0..8 {
        assert_eq!(story.step(Step { tool: Tool::Read, writes: false, ..shell(7, Outcome::Ok) }), None);
    }
    for round in 0..8 {
        assert_eq!(story.call("state", "same", Tool::Read), Ok(None), "{round}");
        story.edit(FILE, whole(round + 1)).unwrap();
    }
    // What the client does not report, a look at the tree sees.
    for _ in 0..8 {
        assert_eq!(story.call("make", "done", Tool::Shell), Ok(None));
        story.tracker.looked(true, true);
    }
}

#[test]
fn who_waits_may_ask_as_often_as_they_like() {
    let mut story = Story::new();
    for _ in 0..30 {
        let step = Step { waits: true, result: Some(1), ..shell(7, Outcome::Ok) };
        assert_eq!(story.step(step), None);
    }
    assert_eq!(story.tracker.before_call(7, "sleep 5"), None);
}

#[test]
fn sub_agents_that_read_the_same_are_no_circle() {
    let mut story = Story::new();
    for agent in ["one", "two", "three", "four", "five"] {
        assert_eq!(story.reads(&format!("{agent} README.md")), Ok(None));
    }
}

#[test]
fn passing_checks_are_progress_in_every_round_c2() {
    let mut story = Story::new();
    for round in 0..20 {
        story.edit(FILE, whole(round + 1)).unwrap();
        assert_eq!(story.passes(), None);
    }
    for _ in 0..20 {
        assert_eq!(story.passes(), None);
    }
    assert_eq!(story.tracker.before_call(TEST, "npm test"), None);
}

/// The founding story: every edit leaves the file unreadable, the person says "still broken", and no test is ever run.
#[test]
fn a_file_that_stays_broken_is_held_back_within_three_turns_g3() {
    let mut story = Story::new();
    story.tracker.found(FILE, whole(1));
    for (turn, first) in [("t1", 10), ("t2", 20)] {
        story.prompt(turn);
        for edit in 0..2 {
            assert_eq!(story.edit(FILE, broken(first + edit)), Ok(None));
        }
    }
    story.prompt("t3");
    let denied = story.edit(FILE, broken(30)).unwrap_err();
    assert_eq!((denied.rule, denied.path.as_deref()), (Rule::StaysBroken, Some(FILE)));
    assert_eq!(denied.request.as_deref(), Some("request t1"));
    assert!(denied.choices().contains(&Choice::RollBack));
    // Other files are free, and so is the edit that mends this one.
    assert_eq!(story.edit("src/other.js", broken(1)), Ok(None));
    assert!(story.edit(FILE, broken(31)).is_err());
    assert_eq!(story.edit(FILE, whole(40)), Ok(None));
    assert_eq!(story.edit(FILE, broken(41)), Ok(None));
}

/// So much of it is broken.
fn damaged(hash: u64, damage: u32) -> Content {
    Content { damage, ..broken(hash) }
}

#[test]
fn a_file_that_is_mended_place_by_place_is_not_held_back() {
    let mut story = Story::new();
    story.tracker.found(FILE, whole(1));
    assert_eq!(story.edit(FILE, damaged(10, 8)), Ok(None));
    for turn in 1..=7 {
        story.prompt(&format!("mend {turn}"));
        assert_eq!(story.edit(FILE, damaged(10 + u64::from(turn), 8 - turn)), Ok(None), "{turn}");
    }
    // Broken anew, and worse than it ever was; mended again, place by place.
    for (turn, damage) in [9, 8, 7, 6, 5, 4, 3].into_iter().enumerate() {
        story.prompt(&format!("again {turn}"));
        let after = damaged(30 + u64::try_from(turn).unwrap(), damage);
        assert_eq!(story.edit(FILE, after), Ok(None), "{damage}");
    }
    // In one request, too.
    let mut story = Story::new();
    story.tracker.found(FILE, damaged(1, 200));
    for step in 1..100 {
        assert_eq!(story.edit(FILE, damaged(10 + u64::from(step), 200 - step)), Ok(None), "{step}");
    }
}

#[test]
fn a_file_that_does_not_get_better_is_held_back_until_it_does() {
    for damages in [[3, 3, 3], [3, 4, 5], [2, 9, 2]] {
        let mut story = Story::new();
        story.tracker.found(FILE, whole(1));
        let mut denied = 0;
        for (turn, damage) in damages.into_iter().cycle().take(6).enumerate() {
            story.prompt(&format!("no {turn}"));
            let after = damaged(10 + u64::try_from(turn).unwrap(), damage);
            denied += u32::from(story.edit(FILE, after).is_err());
        }
        assert!(denied > 0, "{damages:?}");
    }
    let mut story = Story::new();
    story.tracker.found(FILE, whole(1));
    for turn in ["t1", "t2"] {
        story.prompt(turn);
        assert_eq!(story.edit(FILE, damaged(hash(turn.as_bytes()) % 90, 3)), Ok(None));
    }
    story.prompt("t3");
    assert!(story.edit(FILE, damaged(91, 3)).is_err());
    assert_eq!(story.edit(FILE, damaged(92, 2)), Ok(None), "a step that mends one place is free");
}

#[test]
fn a_file_that_is_written_piece_by_piece_is_not_held_back() {
    let open = |text: &str| Content {
        size: u64::try_from(text.len()).unwrap(),
        damage: 1,
        open: Some(super::sample_of_lines(text.as_bytes())),
        ..broken(hash(text.as_bytes()))
    };
    let mut story = Story::new();
    let mut text = "class Shop {\n".to_owned();
    for turn in 0..40 {
        story.prompt(&format!("piece {turn}"));
        assert_eq!(story.edit("shop.js", open(&text)), Ok(None), "{turn}");
        text.push_str(&format!("  m{turn}(x) {{\n    return x + {turn};\n  }}\n"));
    }
    // Each attempt is another text: nothing is built.
    let mut story = Story::new();
    let mut denied = 0;
    for turn in 0..3 {
        story.prompt(&format!("piece {turn}"));
        let text: String = (0..4 + turn).map(|line| format!("attempt {turn} line {line} {{\n")).collect();
        denied += u32::from(story.edit("shop.js", open(&text)).is_err());
    }
    assert_eq!(denied, 1);
}

#[test]
fn a_file_that_one_command_after_the_other_breaks_is_held_back_after_three_turns() {
    let mut story = Story::new();
    story.tracker.found(FILE, whole(1));
    for turn in ["t1", "t2", "t3"] {
        story.prompt(turn);
        let after = Some(broken(hash(turn.as_bytes()) % 100));
        story.step(Step { path: Some(FILE), after, ..shell(5, Outcome::Unknown) });
    }
    story.prompt("t4");
    assert_eq!(story.tracker.blocked()[0].rule, Rule::StaysBroken);
}

/// Every way out that the person is offered has to be one.
#[test]
fn the_person_speaks_undoes_or_mends_and_the_agent_goes_on() {
    let stopped = || {
        let mut story = Story::new();
        story.tracker.found(FILE, whole(1));
        for (turn, first) in [("t1", 10), ("t2", 20)] {
            story.prompt(turn);
            assert_eq!(story.edit(FILE, broken(first)), Ok(None));
        }
        story.prompt("t3");
        assert!(story.edit(FILE, broken(30)).is_err());
        story
    };
    // They explain it in other words: one more attempt, and then it is stopped again.
    let mut story = stopped();
    story.prompt("t4");
    assert_eq!(story.edit(FILE, broken(40)), Ok(None));
    assert_eq!(story.edit(FILE, broken(41)), Ok(None));
    story.prompt("t5");
    assert!(story.edit(FILE, broken(50)).is_err());
    // They undo, or mend it by hand.
    let mut story = stopped();
    story.tracker.found(FILE, whole(99));
    assert!(story.tracker.blocked().is_empty());
    assert_eq!(story.edit(FILE, broken(40)), Ok(None));
    let mut story = stopped();
    story.tracker.resume(Some(FILE));
    assert_eq!(story.edit(FILE, broken(40)), Ok(None));
}

#[test]
fn debug_output_goes_in_and_out_as_often_as_one_likes() {
    let mut story = Story::new();
    story.tracker.found(FILE, whole(1));
    for round in 0..12 {
        assert_eq!(story.edit(FILE, whole(10 + round)), Ok(None));
        assert_eq!(story.fails(100 + round), None);
        assert_eq!(story.edit(FILE, whole(1)), Ok(None));
    }
}

#[test]
fn many_edits_in_one_turn_may_break_a_file_on_the_way_b6() {
    let mut story = Story::new();
    story.tracker.found(FILE, whole(1));
    for edit in 0..35 {
        assert_eq!(story.edit(FILE, broken(10 + edit)), Ok(None), "{edit}");
    }
    assert_eq!(story.edit(FILE, whole(2)), Ok(None));
    for edit in 0..39 {
        assert_eq!(story.edit(FILE, broken(50 + edit)), Ok(None), "{edit}");
    }
    assert_eq!(story.edit(FILE, broken(99)).unwrap_err().rule, Rule::StaysBroken);
}

/// Something that the grammar does not know, and that is there to stay.
#[test]
fn what_the_grammar_does_not_know_is_nobodys_mistake_b3() {
    for found in [whole(1), odd(1, 0b1)] {
        let mut story = Story::new();
        story.tracker.found(FILE, found);
        for turn in 0..8_u64 {
            story.prompt(&format!("t{turn}"));
            // More of it may come; what was there stays. On the way the file may really be broken.
            assert_eq!(story.edit(FILE, odd(10 + turn * 10, (2 << turn) - 1)), Ok(None), "{turn}");
            assert_eq!(story.edit(FILE, broken(11 + turn * 10)), Ok(None), "{turn}");
            assert_eq!(story.edit(FILE, odd(12 + turn * 10, (2 << turn) - 1)), Ok(None), "{turn}");
        }
    }
}

#[test]
fn small_mistakes_that_are_others_each_time_are_held_back_b3() {
    let mut story = Story::new();
    story.tracker.found(FILE, whole(1));
    for (turn, faults) in [("t1", 0b1), ("t2", 0b10)] {
        story.prompt(turn);
        assert_eq!(story.edit(FILE, odd(faults, faults)), Ok(None));
        // An edit elsewhere in the file does not mend it.
        assert_eq!(story.edit(FILE, odd(faults + 50, faults)), Ok(None));
    }
    story.prompt("t3");
    assert_eq!(story.edit(FILE, odd(9, 0b100)).unwrap_err().rule, Rule::StaysBroken);
    assert_eq!(story.edit(FILE, whole(40)), Ok(None));
}

#[test]
fn a_file_with_oddities_that_is_really_broken_is_held_back_and_may_be_mended_b3() {
    let mut story = Story::new();
    story.tracker.found(FILE, odd(1, 0b1));
    for (turn, first) in [("t1", 10), ("t2", 20)] {
        story.prompt(turn);
        assert_eq!(story.edit(FILE, broken(first)), Ok(None));
    }
    story.prompt("t3");
    assert_eq!(story.edit(FILE, broken(30)).unwrap_err().rule, Rule::StaysBroken);
    assert_eq!(story.edit(FILE, odd(40, 0b1)), Ok(None));
    assert_eq!(story.edit(FILE, broken(41)), Ok(None));
}

#[test]
fn a_switch_that_the_person_turns_on_and_off_is_no_spiral_b5() {
    let (on, off) = (content(1, 9_000, Syntax::Whole), content(2, 2_000, Syntax::Whole));
    let mut story = Story::new();
    story.tracker.found(FILE, off);
    for turn in 0..12 {
        story.prompt(&format!("t{turn}"));
        assert_eq!(story.edit(FILE, if turn % 2 == 0 { on } else { off }), Ok(None), "{turn}");
    }
    // The same words, and each time a little different.
    let mut story = Story::new();
    story.tracker.found(FILE, content(1, 2_000, Syntax::Whole));
    for turn in 0..12_u64 {
        story.turn = format!("t{turn}");
        let words = if turn % 2 == 0 { "The chart again" } else { "That is too much, one line is enough" };
        story.tracker.new_turn(&story.turn.clone(), words);
        let size = if turn % 2 == 0 { 9_000 + turn } else { 2_000 + turn };
        assert_eq!(story.edit(FILE, content(100 + turn, size, Syntax::Whole)), Ok(None), "{turn}");
    }
}

#[test]
fn commands_that_are_no_checks_say_nothing_about_edits_b4() {
    let mut story = Story::new();
    for round in 0..12 {
        story.edit(FILE, whole(round + 1)).unwrap();
        assert_eq!(story.step(shell(70, Outcome::Failed { error: 7 })), None, "nothing to commit");
    }
    assert_eq!(story.edit(FILE, whole(99)), Ok(None));
}

#[test]
fn a_failure_that_names_other_files_says_nothing_about_this_one_b4() {
    for (output, stopped) in [
        ("FAIL tests/mail_test.js\n  x sends", false),
        ("src/legacy.js:3: error: too long", false),
        ("FAIL tests/app_test.js\n  x adds up", true),
        ("src/app.js:3: error: too long", true),
        ("1 failed, 3 passed", true),
    ] {
        let mut story = Story::new();
        let mut found = false;
        for round in 0..10 {
            if story.edit(FILE, whole(round + 1)).is_err() {
                break;
            }
            let failed = Step { check: Some(TEST), output, ..shell(TEST, Outcome::Failed { error: 7 }) };
            found |= story.step(failed).is_some();
        }
        assert_eq!(found, stopped, "{output}");
    }
}

#[test]
fn who_asks_by_command_is_given_more_time_and_a_warning() {
    let mut story = Story::new();
    let mut warned = Vec::new();
    let look = || Step { writes: false, result: Some(1), ..shell(7, Outcome::Ok) };
    for round in 1..=10 {
        assert_eq!(story.tracker.before_call(7, "ls -la out/"), None);
        if story.step(look()).is_some() {
            warned.push(round);
        }
    }
    assert_eq!(warned, [5, 9, 10]);
    assert_eq!(story.tracker.before_call(7, "ls -la out/").unwrap().times, 10);
}

/// A queue that is worked off says the same each time.
#[test]
fn a_command_that_does_something_and_works_may_be_run_often_and_one_that_fails_may_not_m3() {
    for (outcome, most) in [(Outcome::Ok, 40), (Outcome::Unknown, 40), (Outcome::Failed { error: 3 }, 10)] {
        let mut story = Story::new();
        let run = || Step { result: Some(1), ..shell(7, outcome) };
        let stopped = (0..60).position(|_| {
            let denied = story.tracker.before_call(7, "manage.py process_next_batch").is_some();
            story.step(run());
            story.tracker.looked(false, true);
            denied
        });
        assert_eq!(stopped, Some(most), "{outcome:?}");
    }
}

#[test]
fn who_lets_time_pass_or_has_something_running_waits_m3() {
    let look = |at| Step { tool: Tool::Read, writes: false, result: Some(1), at, ..shell(7, Outcome::Ok) };
    let mut story = Story::new();
    for minute in 1..30 {
        assert_eq!(story.tracker.before_call(7, "status.json"), None);
        story.step(look(minute * 60_000));
        if story.tracker.is_pause((minute + 1) * 60_000) {
            story.tracker.waited();
        }
    }
    let mut story = Story::new();
    let background = Step { unfinished: true, ..shell(1, Outcome::Unknown) };
    story.step(background);
    for _ in 0..20 {
        assert_eq!(story.tracker.before_call(7, "status.json"), None);
        story.step(look(1));
    }
    // The next request is another one.
    story.prompt("t2");
    for _ in 0..6 {
        story.step(look(1));
    }
    assert!(story.tracker.before_call(7, "status.json").is_some());
}

/// A check that failed and names this line.
fn fails_at(story: &mut Story, output: &str) -> bool {
    let failed = Step { check: Some(TEST), output, ..shell(TEST, Outcome::Failed { error: 7 }) };
    story.step(failed).is_some()
}

fn edit_at(story: &mut Story, lines: Option<(u32, u32)>) -> bool {
    let after = whole(story.calls + 100);
    if story.tracker.before_edit(FILE, Some(after)).is_some() {
        return false;
    }
    if let Some(lines) = lines {
        story.tracker.announced_place(FILE, lines);
    }
    story.edit(FILE, after).is_ok()
}

#[test]
fn an_old_failure_elsewhere_in_the_file_says_nothing_about_an_edit_m1() {
    for one_request in [true, false] {
        let mut story = Story::new();
        for round in 0..20 {
            if !one_request {
                story.prompt(&format!("t{round}"));
            }
            let at = 40 + round * 3;
            assert!(edit_at(&mut story, Some((at, at + 1))), "{round}");
            assert!(!fails_at(&mut story, "src/app.js:2:80: E501 line too long"), "{round}");
        }
    }
    // Where the failure is, it does.
    let mut story = Story::new();
    let stopped = (0..10).position(|_| {
        edit_at(&mut story, Some((3, 3)));
        fails_at(&mut story, "src/app.js:2:80: E501 line too long")
    });
    assert_eq!(stopped, Some(3));
}

#[test]
fn an_old_failure_that_nobody_asked_about_is_counted_within_one_request_m1() {
    let wants = |words: [&str; 4], edits_each: u32| {
        let mut story = Story::new();
        (0..12_usize).position(|turn| {
            story.turn = format!("w{turn}");
            story.tracker.new_turn(&story.turn.clone(), words[turn % 4]);
            (0..edits_each)
                .any(|_| !edit_at(&mut story, Some((9, 9))) | fails_at(&mut story, "FAIL total of the cart"))
        })
    };
    let honest = ["Make the button blue", "Now bigger please", "The label should say Buy", "Round corners"];
    assert_eq!(wants(honest, 1), None);
    assert_eq!(wants(honest, 3), None);
    assert_eq!(wants(["fix it", "still broken", "no", "again please"], 1), Some(3));
    assert_eq!(wants(["The total is wrong", "the total of the cart", "total!", "cart total"], 1), Some(3));
    // In one request it is counted whatever that is.
    assert_eq!(wants(honest, 4), Some(0));
}

#[test]
fn going_through_a_history_is_no_attempt_m1() {
    let mut story = Story::new();
    for round in 0..20 {
        let after = Some(whole(round + 1));
        story.step(Step { path: Some(FILE), after, put_back: true, ..shell(round, Outcome::Unknown) });
        assert!(!fails_at(&mut story, "src/app.js:1: expected 42"), "{round}");
    }
}

/// `change f5 …`, `change f6 …` are two wishes, also where nobody knows in which place a command edits.
#[test]
fn requests_that_differ_in_a_name_are_different_m1() {
    let mut story = Story::new();
    for round in 0..12 {
        story.turn = format!("w{round}");
        story.tracker.new_turn(&story.turn.clone(), &format!("change f{round} to subtract"));
        assert!(edit_at(&mut story, None));
        assert!(!fails_at(&mut story, "src/app.js:2:80: E501 line too long"), "{round}");
    }
}

#[test]
fn who_goes_through_a_file_place_by_place_is_given_more_time_m1() {
    let mut story = Story::new();
    let stopped = (0..20).position(|round| {
        edit_at(&mut story, Some((10 * round + 1, 10 * round + 3)));
        fails_at(&mut story, "1 failed, 9 passed")
    });
    assert_eq!(stopped, Some(9));
}

#[test]
fn what_a_command_breaks_and_takes_back_counts_as_well_m3() {
    let mut story = Story::new();
    story.tracker.found(FILE, whole(1));
    let write = |story: &mut Story, after: Content| {
        story.step(Step { path: Some(FILE), after: Some(after), ..shell(5, Outcome::Unknown) });
    };
    let mut stopped = None;
    for round in 0..6 {
        if story.tracker.before_edit(FILE, Some(whole(50 + round))).is_some() {
            stopped = Some(round);
            break;
        }
        story.edit(FILE, whole(50 + round)).unwrap();
        fails_at(&mut story, "src/app.js:1 expected 42");
        write(&mut story, whole(1));
    }
    assert_eq!(stopped, Some(4));
}

#[test]
fn a_file_that_no_grammar_understands_is_nobodys_doing() {
    for (found, after) in [
        (Syntax::Broken, Syntax::Broken),
        (Syntax::Doubtful, Syntax::Doubtful),
        (Syntax::Unknown, Syntax::Unknown),
    ] {
        let mut story = Story::new();
        story.tracker.found(FILE, content(1, 1_000, found));
        for turn in 0..6 {
            story.prompt(&format!("t{turn}"));
            for edit in 0..4 {
                let after = content(10 + turn * 10 + edit, 1_000 + turn, after);
                assert_eq!(story.edit(FILE, after), Ok(None), "{found:?} {turn} {edit}");
            }
        }
    }
}

#[test]
fn a_new_file_may_be_broken_too() {
    let mut story = Story::new();
    for turn in ["t1", "t2"] {
        story.prompt(turn);
        assert_eq!(story.edit("new.py", broken(hash(turn.as_bytes()) % 100)), Ok(None));
    }
    story.prompt("t3");
    assert_eq!(story.edit("new.py", broken(700)).unwrap_err().rule, Rule::StaysBroken);
}

#[test]
fn a_check_that_passes_ends_every_count() {
    let mut story = Story::new();
    story.tracker.found(FILE, whole(1));
    for turn in 0..12 {
        story.prompt(&format!("t{turn}"));
        assert_eq!(story.edit(FILE, broken(10 + turn)), Ok(None));
        if turn % 2 == 1 {
            assert_eq!(story.passes(), None);
        }
    }
}

#[test]
fn a_size_that_goes_up_and_down_is_held_back_within_three_turns_g3() {
    let mut story = Story::new();
    story.tracker.found(FILE, content(1, 2_000, Syntax::Whole));
    for (turn, size) in [("t1", 6_000), ("t2", 1_900)] {
        story.complains(turn);
        assert_eq!(story.edit(FILE, content(size, size, Syntax::Whole)), Ok(None));
    }
    story.complains("t3");
    let denied = story.edit(FILE, content(3, 6_100, Syntax::Whole)).unwrap_err();
    assert_eq!(denied.rule, Rule::SizeSwings);
}

#[test]
fn growing_shrinking_a_little_and_notes_are_no_swings() {
    for (sizes, syntax) in [
        (vec![2_000, 3_000, 4_000, 5_000, 4_000, 3_000], Syntax::Whole),
        (vec![2_000, 2_300, 2_100, 2_400, 2_000, 2_300], Syntax::Whole),
        (vec![100, 180, 90, 190, 100, 180], Syntax::Whole),
        (vec![2_000, 6_000, 1_900, 6_100, 2_000], Syntax::Unknown),
    ] {
        let mut story = Story::new();
        story.tracker.found(FILE, content(1, 2_000, syntax));
        for (turn, size) in sizes.into_iter().enumerate() {
            story.prompt(&format!("t{turn}"));
            let after = content(100 + turn as u64, size, syntax);
            assert_eq!(story.edit(FILE, after), Ok(None), "{size}");
        }
    }
}

#[test]
fn the_same_failure_after_every_change_holds_the_file_back() {
    let mut story = Story::new();
    for round in 1..=3 {
        story.edit(FILE, whole(round)).unwrap();
        assert_eq!(story.fails(7), None, "{round}");
    }
    story.edit(FILE, whole(9)).unwrap();
    let spiral = story.fails(7).unwrap();
    assert_eq!((spiral.rule, spiral.times), (Rule::SameFailureAgain, 4));
    assert!(story.edit(FILE, whole(10)).is_err());
    // Another file may be the way out; a check that passes ends it.
    assert_eq!(story.edit("src/other.js", whole(1)), Ok(None));
    assert_eq!(story.passes(), None);
    assert_eq!(story.edit(FILE, whole(11)), Ok(None));
}

#[test]
fn a_failing_test_may_be_run_again_and_failures_that_change_are_progress() {
    let mut story = Story::new();
    for _ in 0..3 {
        story.fails(7);
    }
    for error in 0..12 {
        story.edit(FILE, whole(error + 1)).unwrap();
        assert_eq!(story.fails(100 + error), None, "{error}");
    }
}

#[test]
fn a_check_that_failed_before_any_change_gets_more_patience() {
    let mut story = Story::new();
    story.fails(7);
    for round in 1..=5 {
        story.edit(FILE, whole(round)).unwrap();
        assert_eq!(story.fails(7), None, "{round}");
    }
    story.edit(FILE, whole(20)).unwrap();
    assert!(story.fails(7).is_some());
}

#[test]
fn where_no_file_is_known_the_failing_command_is_held_back() {
    let mut story = Story::new();
    for round in 1..=4 {
        story.tracker.looked(true, true);
        assert_eq!(story.fails(7).is_some(), round == 4, "{round}");
    }
    let denied = story.tracker.before_call(TEST, "npm test").unwrap();
    assert_eq!((denied.rule, denied.call.as_deref()), (Rule::SameFailureAgain, Some("npm test")));
    story.tracker.resume(None);
    assert_eq!(story.tracker.before_call(TEST, "npm test"), None);
}

#[test]
fn edits_that_do_not_apply_are_held_back_until_the_file_is_read() {
    let mut story = Story::new();
    for round in 0..4 {
        let failed =
            Step { tool: Tool::Edit, path: Some(FILE), ..shell(round, Outcome::Failed { error: 1 }) };
        assert_eq!(story.step(failed).is_some(), round == 3);
    }
    assert!(story.edit(FILE, whole(1)).is_err());
    story.tracker.was_read(FILE);
    assert_eq!(story.edit(FILE, whole(1)), Ok(None));
}

#[test]
fn a_shortened_conversation_may_read_everything_again() {
    let mut story = Story::new();
    for _ in 0..6 {
        assert!(story.reads("a").is_ok());
    }
    story.tracker.forgot();
    assert_eq!(story.reads("a"), Ok(None));
}

#[test]
fn every_rule_has_its_words_and_none_names_a_number_of_a_turn_g4() {
    for rule in Rule::ALL {
        let path = (rule != Rule::CallsRepeat).then(|| FILE.to_owned());
        let spiral = Spiral {
            rule,
            path,
            call: None,
            turns: vec!["0f8fad5b-d9cb-469f-a165-70867728950e".to_owned()],
            request: Some("make the login work".to_owned()),
            times: 4,
        };
        let said: Vec<String> = std::iter::once(spiral.what_happened())
            .chain(spiral.choices().iter().map(Choice::text))
            .collect();
        let said = said.join("\n");
        assert!(said.contains("make the login work") && !said.contains("0f8fad5b"), "{said}");
    }
}

#[test]
fn a_state_of_the_version_before_is_read() {
    let old = r#"{"steps":9,"turn":1,"turns":[[1,"t1"]],"calls":{"recent":[{"what":1,"answer":2,"wrote":false}],"failures":1},
        "files":[{"key":1,"path":"a.js","block":{"rule":"content_goes_back","times":3,"turns":[1]}}],
        "failing":[],"errors":[],"halt":{"rule":"failures_in_a_row","times":6,"turns":[1]}}"#;
    let tracker: Tracker = serde_json::from_str(old).unwrap();
    assert!(tracker.blocked().is_empty());
}

/// OpenCode says nothing after an edit that did not apply.
#[test]
fn edits_that_miss_and_that_nobody_reports_are_counted() {
    let mut story = Story::new();
    let mut announce = |content: u64, misses: bool| {
        story.tracker.found(FILE, whole(content));
        story.tracker.announced(FILE, misses);
        story.tracker.before_edit(FILE, None)
    };
    for _ in 0..4 {
        assert_eq!(announce(1, true), None);
    }
    let denied = announce(1, true).unwrap();
    assert_eq!((denied.rule, denied.times), (Rule::EditsFail, 4));
    story.tracker.was_read(FILE);
    assert_eq!(story.tracker.before_edit(FILE, None), None);
}

#[test]
fn edits_that_are_announced_at_once_have_not_failed() {
    let mut story = Story::new();
    // They fit, and are reported after all of them were announced.
    for _ in 0..8 {
        story.tracker.found(FILE, whole(1));
        story.tracker.announced(FILE, false);
        assert_eq!(story.tracker.before_edit(FILE, None), None);
    }
    // They seem to miss, but the client's tool is more lenient than we are.
    for at in 2..10 {
        story.tracker.found(FILE, whole(at));
        story.tracker.announced(FILE, true);
        assert_eq!(story.edit(FILE, whole(at + 1)), Ok(None));
    }
    // They miss, and the client does say so: each is counted once.
    for _ in 0..2 {
        story.tracker.announced(FILE, true);
    }
    for _ in 0..2 {
        let failed = Step { tool: Tool::Edit, path: Some(FILE), ..shell(1, Outcome::Failed { error: 1 }) };
        assert_eq!(story.step(failed), None);
    }
    assert_eq!(story.tracker.before_edit(FILE, None), None);
}

#[test]
fn file_after_file_until_the_first_test_passes_is_no_circle_a8() {
    let mut story = Story::new();
    for round in 0..9 {
        story.edit(&format!("src/part{round}.js"), whole(round + 1)).unwrap();
        assert_eq!(story.fails(7), None, "{round}");
    }
    // Who comes back to one of them with the same failure is told.
    story.edit("src/part0.js", whole(30)).unwrap();
    assert!(story.fails(7).is_some());
}

#[test]
fn what_is_built_piece_by_piece_may_fail_in_the_same_way_longer_m4() {
    let mut story = Story::new();
    for piece in 0..7 {
        assert_eq!(
            story.edit(FILE, content(piece + 1, 300 + 60 * piece, Syntax::Whole)),
            Ok(None),
            "{piece}"
        );
        assert_eq!(story.fails(5), None, "{piece}");
    }
    // Written again and again in the same place it is an attempt.
    let mut story = Story::new();
    for attempt in 0..3 {
        story.edit(FILE, whole(attempt + 1)).unwrap();
        assert_eq!(story.fails(5), None);
    }
    story.edit(FILE, whole(9)).unwrap();
    assert!(story.fails(5).is_some());
    // And piece by piece does not go on for ever.
    let mut story = Story::new();
    let stopped = (0..12).position(|piece| {
        let _ = story.edit(FILE, content(piece + 1, 300 + 60 * piece, Syntax::Whole));
        story.fails(5).is_some()
    });
    assert_eq!(stopped, Some(9), "the first state of a file is no growth");
}
