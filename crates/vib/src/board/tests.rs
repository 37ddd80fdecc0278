//! The board on a screen that only exists in memory.

use std::sync::Arc;

use engine::run::board::{Board, BoardCard, COLUMNS, CheckMark, Column, OnBoard, PUT_AWAY, Waiting};
use engine::run::model::{CardRisk, CardStatus};
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::style::{Color, Modifier};
use ratatui::text::Line;
use texts::{Language, Texts};

use super::draw::{cut, draw, wrapped};
use super::look::Look;
use super::state::{Act, Key, State, Todo, View};
use crate::theme::Theme;

const NOW: i64 = 1_795_000_000_000;

fn card(run: &str, id: &str, title: &str, status: CardStatus) -> Arc<BoardCard> {
    let worked = !matches!(status, CardStatus::Todo);
    Arc::new(BoardCard {
        run: run.to_owned(),
        id: id.to_owned(),
        title: title.to_owned(),
        status,
        left_alone: false,
        code: None,
        why: None,
        files: usize::from(worked) * 3,
        added: 12,
        removed: 4,
        check: worked.then_some(CheckMark::Passed),
        weakened: status == CardStatus::Review,
        findings: 0,
        risk: (status == CardStatus::Preview).then_some(CardRisk::High),
        by: None,
        attempts: usize::from(worked),
        dollars: if worked { 0.12 } else { 0.0 },
        unpriced: 0,
        last_ms: NOW - 300_000,
    })
}

fn board(cards: &[Arc<BoardCard>]) -> Board {
    let column = |status| {
        let cards = cards.iter().filter(|card| card.status == status).cloned().collect();
        Column { status, cards }
    };
    Board {
        columns: COLUMNS.map(column).into(),
        put_away: PUT_AWAY.map(column).into(),
        waiting: Vec::new(),
        runs: vec![OnBoard {
            id: "run1".to_owned(),
            task: "Make the shop better".to_owned(),
            cards: cards.len(),
            running: true,
            ended: None,
            last_ms: NOW,
        }],
        now_ms: NOW,
    }
}

fn some() -> Vec<Arc<BoardCard>> {
    vec![
        card("run2", "c1", "Write the manual", CardStatus::Todo),
        card("run1", "c1", "Add a total to the cart of the shop", CardStatus::Preview),
        card("run1", "c2", "한국어 제목이 있는 카드", CardStatus::Preview),
        card("run1", "c3", "Search by name", CardStatus::Review),
        card("run1", "c4", "Sort", CardStatus::Done),
        card("run1", "c5", "Old idea", CardStatus::Dropped),
    ]
}

fn theme(language: Language) -> Theme {
    Theme { texts: Texts::new(language), ..Theme::new(Some(80)) }
}

/// What is on the screen.
fn screen(state: &mut State, (width, height): (u16, u16), language: Language) -> String {
    let theme = theme(language);
    let look = Look::new(&theme, true);
    let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
    terminal.draw(|frame| draw(frame, state, &[], &theme, &look)).unwrap();
    let text = terminal.backend().to_string();
    // What wide letters cover is listed behind the line.
    let seen = |line: &str| {
        line.split("\" Hidden by").next().unwrap_or(line).trim_matches('"').trim_end().to_owned()
    };
    text.lines().map(seen).collect::<Vec<_>>().join("\n").trim_end().to_owned()
}

#[test]
fn ui6_the_board_fits_a_usual_terminal() {
    let mut state = State::new(board(&some()));
    insta::assert_snapshot!(screen(&mut state, (80, 12), Language::En), @r"
     To do 1   Running 0   Preview 2   Review 1   Done 1   Blocked 0
    To do 1                   Preview 2                 Review 1
      Write the manual        ▌ Add a total to the car…   Search by name
      run2/c1                 ▌ run1/c1 · 3 files +12 …   run1/c3 · 3 files +12 −4
      5 minutes ago           ▌ ✓ checks pass · high r…   ✓ checks pass · tests wer…

                                한국어 제목이 있는 카드
                                run1/c2 · 3 files +12 …
                                ✓ checks pass · high r…


    arrows move · Enter evidence · a apply · r revert · d drop · ? help · q quit
    ");
}

#[test]
fn a_narrow_terminal_shows_one_column_and_says_which() {
    let mut state = State::new(board(&some()));
    insta::assert_snapshot!(screen(&mut state, (30, 10), Language::Ko), @r"
     미리보기 2  ‹ 2/4 ›
    미리보기 2
    ▌ Add a total to the cart of …
    ▌ run1/c1 · 파일 3개 +12 −4
    ▌ ✓ 검사 통과 · 위험 높음 · $…

    ↓ 1개 더


    화살표 이동 · Enter 증거 · a
    ");
    // However small it gets.
    for size in [(1, 1), (3, 3), (4, 4), (10, 5), (26, 6), (500, 200)] {
        screen(&mut state, size, Language::En);
    }
}

#[test]
fn what_waits_for_a_person_stands_above() {
    let mut board = board(&some());
    board.waiting.push(Waiting {
        run: "run2".to_owned(),
        card: None,
        code: "question".to_owned(),
        why: "In which\u{1b}[31m language?".to_owned(),
        options: Vec::new(),
        since_ms: NOW,
    });
    let shown = screen(&mut State::new(board), (80, 24), Language::En);
    assert!(shown.contains("! run2 · In which␛[31m language? · vib run resume run2"), "{shown}");
}

#[test]
fn an_empty_board_says_how_to_begin() {
    let shown = screen(&mut State::new(board(&[])), (80, 10), Language::En);
    assert!(shown.contains("There are no runs yet.") && shown.contains("vib run --demo"), "{shown}");
}

#[test]
fn keys_walk_over_cards_and_columns_that_have_some() {
    let mut state = State::new(board(&some()));
    let at = |state: &State| state.card().map(|card| format!("{}/{}", card.run, card.id)).unwrap_or_default();
    // What waits for a person comes first.
    assert_eq!(at(&state), "run1/c1");
    let mut press = |key, expected: &str| {
        assert_eq!(state.press(key), Todo::Nothing);
        assert_eq!(at(&state), expected, "{key:?}");
    };
    press(Key::Down, "run1/c2");
    press(Key::Down, "run1/c2");
    press(Key::Right, "run1/c3");
    press(Key::Right, "run1/c4");
    // Nothing is blocked, and what was put away is folded.
    press(Key::Right, "run1/c4");
    press(Key::PutAway, "run1/c4");
    press(Key::Right, "run1/c5");
    press(Key::PutAway, "run2/c1");
    press(Key::Left, "run2/c1");
    press(Key::Right, "run1/c1");
    press(Key::Last, "run1/c2");
    press(Key::First, "run1/c1");
}

#[test]
fn a_card_opens_scrolls_and_closes() {
    let mut state = State::new(board(&some()));
    let load = Todo::Load { run: "run1".to_owned(), card: "c1".to_owned() };
    assert_eq!(state.press(Key::Open), load);
    let lines: Vec<Line<'_>> = (0..50).map(|number| Line::raw(format!("line {number}"))).collect();
    let (theme, mut terminal) = (theme(Language::En), Terminal::new(TestBackend::new(40, 12)).unwrap());
    let look = Look::new(&theme, true);
    let mut draw = |state: &mut State| {
        terminal.draw(|frame| draw(frame, state, &lines, &theme, &look)).unwrap();
        terminal.backend().to_string()
    };
    assert!(draw(&mut state).contains("line 0"));
    state.press(Key::PageDown);
    assert!(!draw(&mut state).contains("line 0"));
    state.press(Key::Last);
    assert!(draw(&mut state).contains("line 49"));
    state.press(Key::Down);
    assert!(draw(&mut state).contains("line 49"), "there is nothing behind the end");
    state.press(Key::Back);
    assert_eq!(state.view, View::Board);
    assert_eq!(state.press(Key::Back), Todo::Quit);
}

#[test]
fn a_key_asks_for_what_is_done_with_the_card_under_the_cursor() {
    let mut state = State::new(board(&some()));
    for (act, command) in [
        (Act::Apply, "vib run apply run1/c1"),
        (Act::Revert, "vib run revert run1/c1"),
        (Act::Replay, "vib run replay run1 --card c1"),
        (Act::Drop, "vib run drop run1/c1"),
        (Act::Stop, "vib run stop run1"),
    ] {
        let (run, card) = ("run1".to_owned(), "c1".to_owned());
        assert_eq!(act.command(&run, &card), command);
        assert_eq!(state.press(Key::Act(act)), Todo::Act { act, run, card });
    }
    assert_eq!(State::new(board(&[])).press(Key::Act(Act::Apply)), Todo::Nothing, "there is no card");
}

#[test]
fn the_cursor_stays_on_its_card_wherever_it_goes() {
    let mut cards = some();
    let mut state = State::new(board(&cards));
    cards[1] = card("run1", "c1", "Add a total to the cart of the shop", CardStatus::Done);
    state.renew(board(&cards));
    assert_eq!((state.status, state.card().map(|card| card.id.as_str())), (CardStatus::Done, Some("c1")));
    // A card that is gone leaves the cursor where there is one.
    state.renew(board(&[]));
    assert!(state.card().is_none());
    state.renew(board(&some()));
    assert!(state.card().is_some());
}

#[test]
fn without_colours_the_cursor_is_seen_all_the_same() {
    let theme = theme(Language::En);
    let mut state = State::new(board(&some()));
    let colours = |look: Look, state: &mut State| {
        let mut terminal = Terminal::new(TestBackend::new(80, 24)).unwrap();
        terminal.draw(|frame| draw(frame, state, &[], &theme, &look)).unwrap();
        let cells = terminal.backend().buffer().content.clone();
        let painted = cells.iter().any(|cell| cell.fg != Color::Reset || cell.bg != Color::Reset);
        (painted, cells.iter().any(|cell| cell.modifier.contains(Modifier::REVERSED)))
    };
    assert_eq!(colours(Look::new(&theme, true), &mut state), (true, true));
    assert_eq!(colours(Look::new(&theme, false), &mut state), (false, true));
}

#[test]
fn five_hundred_cards_are_walked_to_the_end() {
    let statuses = [CardStatus::Todo, CardStatus::Preview, CardStatus::Done, CardStatus::Blocked];
    let cards: Vec<_> =
        (0..500).map(|at| card("run1", &format!("c{at}"), "Do something", statuses[at % 4])).collect();
    let mut state = State::new(board(&cards));
    state.press(Key::Last);
    let shown = screen(&mut state, (80, 24), Language::En);
    assert!(shown.contains("▌ run1/c497"), "{shown}");
    assert!(!shown.contains("run1/c1 "), "{shown}");
}

#[test]
fn texts_are_cut_and_wrapped_by_cells() {
    assert_eq!(cut("abcdef", 6), "abcdef");
    assert_eq!(cut("abcdefg", 6), "abcde…");
    assert_eq!(cut("한국어 제목", 6), "한국…");
    assert_eq!(wrapped("one two three four", 9), ["one two ", "three ", "four"]);
    assert_eq!(wrapped("abcdefghijkl", 8), ["abcdefgh", "ijkl"]);
    assert_eq!(wrapped("한국어한국어", 8), ["한국어한", "국어"]);
}
