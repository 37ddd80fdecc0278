//! Made-up sessions in the payload shapes of five clients: honest ones are left alone, those that lead nowhere are stopped.
//! `./bench spiral --generated 500` plays more and longer ones.

#![expect(clippy::unwrap_used, reason = "a test fails where it stands")]

use project::Context;
use testkit::sessions::{Answer, Move, Played, Session, Shape, Tool, Word, honest, play, stories};
use vib_hooks::Client;
use vib_hooks::router::{World, answer};

const SESSIONS: u64 = 60;

fn client(shape: Shape) -> Client {
    match shape {
        Shape::Claude => Client::ClaudeCode,
        Shape::Codex => Client::Codex,
        Shape::Gemini => Client::Gemini,
        Shape::OpenCode => Client::OpenCode,
        Shape::Copilot => Client::Copilot,
    }
}

/// In a project of its own. What an agent claims at the end of a turn is held against it elsewhere: here it is about circles.
fn played(session: &Session, shape: Shape) -> Played {
    played_with(session, shape, "[stop]\nmode = \"off\"\n")
}

fn played_with(session: &Session, shape: Shape, settings: &str) -> Played {
    let base = tempfile::tempdir().unwrap();
    let root = base.path().canonicalize().unwrap().join("project");
    std::fs::create_dir(&root).unwrap();
    // The commands are told of and never run, so none of them can be seen behind a fence.
    let config = base.path().join("config");
    std::fs::create_dir(&config).unwrap();
    std::fs::write(config.join("config.toml"), format!("[guard]\nfence = \"off\"\n{settings}")).unwrap();
    let get = |name: &str| match name {
        "VIBELIGN_CONFIG" => Some(config.clone().into_os_string()),
        "VIBELIGN_STATE" => Some(base.path().join("state").into_os_string()),
        "HOME" => Some(base.path().join("home").into_os_string()),
        _ => None,
    };
    let context = Context::with_environment(root.clone(), &get);
    play(session, shape, &root, &mut |hook| {
        let input = hook.payload.to_string();
        let reply = answer(&context, &World::default(), client(shape), hook.event, input.as_bytes());
        Answer { stdout: reply.stdout, stderr: reply.stderr }
    })
}

/// Everything that was said against the honest sessions of one client.
fn objections(shape: Shape) -> Vec<String> {
    let number = Shape::ALL.iter().position(|other| *other == shape).unwrap() as u64;
    let mut found = Vec::new();
    for seed in (0..SESSIONS).filter(|seed| seed % 5 == number) {
        let played = played(&honest(seed, 20, 60), shape);
        assert!(played.calls >= 20 || !played.objections.is_empty(), "seed {seed}: {} calls", played.calls);
        found.extend(played.objections.iter().map(|one| {
            let story = if one.spiral { played.story_of(one, 30) } else { String::new() };
            format!(
                "seed {seed}, {}: {:?} at {} `{}`: {}\n  {story}",
                shape.name(),
                one.word,
                one.at,
                one.call,
                one.why
            )
        }));
    }
    found
}

fn nothing_is_said_against(shape: Shape) {
    let found = objections(shape);
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn honest_sessions_are_left_alone_in_claude_t1() {
    nothing_is_said_against(Shape::Claude);
}

#[test]
fn honest_sessions_are_left_alone_in_codex_t1() {
    nothing_is_said_against(Shape::Codex);
}

#[test]
fn honest_sessions_are_left_alone_in_gemini_t1() {
    nothing_is_said_against(Shape::Gemini);
}

#[test]
fn honest_sessions_are_left_alone_in_opencode_t1() {
    nothing_is_said_against(Shape::OpenCode);
}

#[test]
fn honest_sessions_are_left_alone_in_copilot_t1() {
    nothing_is_said_against(Shape::Copilot);
}

#[test]
fn what_leads_nowhere_is_stopped_in_every_client_g3() {
    let mut missed = Vec::new();
    for story in stories() {
        for shape in Shape::ALL {
            let played = played(&story.session, shape);
            if played.stopped().is_none() {
                missed.push(format!("{} in {} ({} calls)", story.name, shape.name(), played.calls));
            }
            let trouble: Vec<_> = played.objections.iter().filter(|one| one.word == Word::Trouble).collect();
            assert!(trouble.is_empty(), "{trouble:?}");
        }
    }
    assert!(missed.is_empty(), "not stopped:\n{}", missed.join("\n"));
}

/// What the commands of these sessions are that check something.
const CHECKS: [&str; 6] =
    ["npm test", "python -m pytest -q", "cargo test", "npm run lint", "ruff check .", "cargo clippy"];

/// For each end of a turn, in order: a check fails by then that was not red when the session found it, in a turn that changed code. Every turn ends
/// with "All steps are done.", so that is then not true.
fn false_claims(session: &Session) -> Vec<bool> {
    let mut out = Vec::new();
    let mut last: Vec<(String, bool, String)> = Vec::new();
    let mut found_red: Vec<(String, String)> = Vec::new();
    let (mut changed_ever, mut changed_code) = (false, false);
    for one in &session.moves {
        match one {
            Move::Prompt(_) => changed_code = false,
            Move::Calls(calls) => {
                for call in calls.iter().filter(|call| call.by.is_none()) {
                    if !call.effects.is_empty() {
                        changed_ever = true;
                        changed_code |= call.effects.iter().any(|effect| {
                            let name = effect.path();
                            !(name.ends_with(".md") || name.ends_with(".txt"))
                        });
                    }
                    let Tool::Shell { command } = &call.tool else { continue };
                    if !CHECKS.contains(&command.as_str()) {
                        continue;
                    }
                    let red = call.failed.is_some();
                    if red && !changed_ever {
                        found_red.push((command.clone(), call.output.clone()));
                    }
                    last.retain(|(known, ..)| known != command);
                    last.push((command.clone(), red, call.output.clone()));
                }
            }
            Move::Over => {
                let is_old = |command: &str, output: &str| {
                    found_red.iter().any(|(known, was)| known == command && was == output)
                };
                out.push(
                    changed_code
                        && last.iter().any(|(command, red, output)| *red && !is_old(command, output)),
                );
            }
            _ => {}
        }
    }
    out
}

/// The honest sessions do honest work, and some of them call a turn done while a check fails. That, and nothing else, is told.
#[test]
fn a_false_done_in_them_is_told_and_a_true_one_is_not_hk8() {
    let (mut right, mut silent, mut wrong) = (0, 0, Vec::new());
    for seed in 0..SESSIONS {
        let shape = [Shape::Claude, Shape::Codex, Shape::Gemini, Shape::Copilot][(seed % 4) as usize];
        let session = honest(seed, 20, 60);
        let claims = false_claims(&session);
        let played = played_with(&session, shape, "");
        let at_end = |one: &&testkit::sessions::Objection| one.call == "the end of a turn";
        let told = played.objections.iter().filter(at_end).count();
        let expected = claims.iter().filter(|claim| **claim).count();
        for one in played.objections.iter().filter(|one| !at_end(one)) {
            wrong.push(format!(
                "seed {seed}, {}: {:?} at `{}`: {}",
                shape.name(),
                one.word,
                one.call,
                one.why
            ));
        }
        if told != expected {
            let whys: Vec<&str> = played.objections.iter().map(|one| one.why.as_str()).collect();
            wrong.push(format!(
                "seed {seed}, {}: {told} told, {expected} false of {}: {whys:?}",
                shape.name(),
                claims.len()
            ));
        }
        right += expected;
        silent += claims.len() - expected;
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(right >= 10 && silent >= 60, "{right} false claims, {silent} others: too few to say anything");
}
