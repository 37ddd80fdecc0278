//! Made-up sessions in the payload shapes of five clients: honest ones are left alone, those that lead nowhere are stopped.
//! `./bench spiral --generated 500` plays more and longer ones.

#![expect(clippy::unwrap_used, reason = "a test fails where it stands")]

use project::Context;
use testkit::sessions::{Answer, Played, Session, Shape, Word, honest, play, stories};
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

/// In a project of its own.
fn played(session: &Session, shape: Shape) -> Played {
    let base = tempfile::tempdir().unwrap();
    let root = base.path().canonicalize().unwrap().join("project");
    std::fs::create_dir(&root).unwrap();
    let get = |name: &str| match name {
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
