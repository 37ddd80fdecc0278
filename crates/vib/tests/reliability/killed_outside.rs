//! Killed in the looks around a step outside every project, and while it is taken back: the store of loose files is whole. (T8)

use serde_json::json;
use testkit::Sandbox;

use super::kill::Killer;
use super::{kills, sandbox};

#[test]
fn killed_around_a_step_outside_the_project_t8() {
    let project = sandbox().with_real_clock();
    project.write("a.txt", "a\n");
    project.vib(&["checkpoint"]).ok();
    let file = project.base().canonicalize().unwrap().join("home/notes.txt");
    std::fs::write(&file, "my notes\n").unwrap();
    let path = file.to_str().unwrap();
    let mut killer = Killer::new(0x5eed_0031);
    let mut round = 0_u32;
    let hook = |killer: Option<&mut Killer>, event: &str, round: u32| {
        let payload = json!({"session_id": "s", "prompt_id": format!("p{round}"), "cwd": project.root(), "hook_event_name": event,
            "tool_name": "Write", "tool_use_id": format!("c{round}"), "tool_response": {},
            "tool_input": {"file_path": file, "content": "x"}});
        let input = project.base().join("payload.json");
        std::fs::write(&input, payload.to_string()).unwrap();
        let mut command = project.command(&["hook", "claude-code"]);
        command.stdin(std::fs::File::open(&input).unwrap());
        match killer {
            Some(killer) => killer.run_command(&mut command),
            None => drop(Sandbox::run(&mut command).ok()),
        }
    };
    let whole = |round: u32| {
        let output = project.vib(&["store", "check", "--outside"]);
        assert_eq!(output.code, 0, "round {round}: {}{}", output.stdout, output.stderr);
    };
    while killer.wants_more(kills(12, 120)) {
        let before = std::fs::read_to_string(&file).unwrap();
        hook(round.is_multiple_of(3).then_some(&mut killer), "PreToolUse", round);
        std::fs::write(&file, format!("round {round}\n")).unwrap();
        hook((round % 3 == 1).then_some(&mut killer), "PostToolUse", round);
        whole(round);
        if round % 3 == 2 {
            killer.run(&project, &["undo", path, "--yes"]);
            // The next command finishes what was cut off.
            project.vib(&["history", path]);
            let now = std::fs::read_to_string(&file).unwrap();
            assert!(now == before || now == format!("round {round}\n"), "round {round}: {now}");
            whole(round);
        }
        round += 1;
    }
    // A step that nobody disturbs is taken back exactly.
    std::fs::write(&file, "at last\n").unwrap();
    hook(None, "PreToolUse", round);
    std::fs::write(&file, "changed\n").unwrap();
    hook(None, "PostToolUse", round);
    project.vib(&["undo", path, "--yes"]).ok();
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "at last\n");
    whole(round);
}
