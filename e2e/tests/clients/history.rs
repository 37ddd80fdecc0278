//! What the ledger of steps says after a session with a real client: each command and edit with its own files, how it ended, and the
//! request it served. (H1, H2, H7, M6)

use engine::Engine;
use project::Context;
use store::{Actor, Ending, Silent, Step as Entry, StepFilter, Store};
use testkit::model::Step;
use vib_e2e::{Client, ClientRun};

const FILES: &[(&str, &str)] = &[
    ("README.md", "# A shop\n"),
    ("src/prices.txt", "green 4\nblack 3\n"),
    ("src/stock.txt", "green 10\nblack 20\n"),
    ("docs/next.md", "Then here.\n"),
];

/// What was asked for, and the steps that followed, the oldest first, each with the files it changed.
fn ledger<T>(run: &ClientRun, tell: impl FnOnce(&Store<'_>, &[(Entry, Vec<String>)]) -> T) -> T {
    let base = run.sandbox.base().to_path_buf();
    let get = |name: &str| match name {
        "VIBELIGN_STATE" => Some(base.join("state").into_os_string()),
        "VIBELIGN_CONFIG" => Some(base.join("config").into_os_string()),
        "HOME" => Some(base.join("home").into_os_string()),
        _ => None,
    };
    let engine = Engine::open(Context::with_environment(run.sandbox.root(), &get)).expect("a project");
    let opened = engine.store(&Silent).expect("a store");
    let store = &opened.store;
    let mut steps = store.steps(&StepFilter::default()).expect("steps");
    steps.reverse();
    let steps: Vec<(Entry, Vec<String>)> = steps
        .into_iter()
        .map(|step| {
            let changes = store.changes_of(step.number).expect("changes");
            assert!(changes.iter().all(|change| change.shared.is_empty()), "{step:?}: {changes:?}");
            let files = changes.iter().map(|change| change.path.to_string()).collect();
            (step, files)
        })
        .collect();
    tell(store, &steps)
}

fn tells_each_step(client: Client) {
    let run = ClientRun::new(client, FILES).with_vib();
    let outside = run.folder_beside_the_project("letters.txt", "Dear all,\n");
    run.prompt(
        "Add oolong, and tidy up.",
        [
            Step::write("src/oolong.txt", "oolong 9\n"),
            Step::read("src/prices.txt"),
            Step::edit("src/prices.txt", "black 3", "black 5"),
            Step::bash("sed -i s/green/GREEN/ src/stock.txt && rm docs/next.md"),
            Step::bash("ls src"),
            Step::bash("sh -c 'echo made > made.txt; exit 3'"),
            Step::bash(&format!("rm -r ../{outside}")),
            Step::say("Done, but for the letters."),
        ],
    )
    .done();
    ledger(&run, |store, steps| {
        let shown = format!("{steps:#?}");
        let request = store.requests(None, 1).unwrap().pop().expect("a request");
        assert!(request.prompt.as_deref().unwrap_or_default().contains("Add oolong"), "{request:?}");
        assert!(steps.iter().all(|(step, _)| step.ending != Ending::Running), "{shown}");
        // A file of the test's own world may come and go; no file of the project was changed by hand.
        let by_hand: Vec<&String> = steps
            .iter()
            .filter(|(step, _)| step.actor == Actor::ByHand)
            .flat_map(|(_, files)| files)
            .filter(|file| !file.starts_with('.'))
            .collect();
        assert!(by_hand.is_empty(), "{shown}");
        let find = |words: &str| {
            steps
                .iter()
                .find(|(step, _)| step.what.as_deref().is_some_and(|what| what.contains(words)))
                .unwrap_or_else(|| panic!("no step says `{words}`: {shown}"))
        };
        let own = |words: &str, files: &[&str]| {
            let (step, changed) = find(words);
            assert_eq!(step.request, Some(request.number), "{shown}");
            assert_eq!(*changed, files, "{words}: {shown}");
            step.clone()
        };
        assert_eq!(own("oolong.txt", &["src/oolong.txt"]).ending, Ending::Ran);
        let edit = steps.iter().find(|(_, files)| *files == ["src/prices.txt"]);
        assert!(edit.is_some_and(|(step, _)| step.ending == Ending::Ran), "{shown}");
        let known = own("sed -i s/green/GREEN/", &["docs/next.md", "src/stock.txt"]);
        assert_eq!((known.ending, known.exit_code), (Ending::Ran, Some(0)), "{shown}");
        assert_eq!(own("ls src", &[]).ending, Ending::Ran);
        let failed = own("made.txt", &["made.txt"]);
        assert_eq!((failed.ending, failed.exit_code), (Ending::Failed, Some(3)), "{shown}");
        let stopped = own("rm -r ../", &[]);
        // Copilot is asked, and says no by itself where nobody is there.
        let ending = if client == Client::Copilot { Ending::Refused } else { Ending::Stopped };
        assert_eq!(stopped.ending, ending, "{shown}");
        assert!(stopped.reason.is_some_and(|reason| reason.contains("no checkpoint covers")), "{shown}");
    });
}

#[test]
fn the_history_of_claude_code_tells_each_step_h1() {
    tells_each_step(Client::ClaudeCode);
}

#[test]
fn the_history_of_codex_tells_each_step_h1() {
    tells_each_step(Client::Codex);
}

#[test]
fn the_history_of_gemini_tells_each_step_h1() {
    tells_each_step(Client::Gemini);
}

#[test]
fn the_history_of_opencode_tells_each_step_h1() {
    tells_each_step(Client::OpenCode);
}

#[test]
fn the_history_of_copilot_tells_each_step_h1() {
    tells_each_step(Client::Copilot);
}
