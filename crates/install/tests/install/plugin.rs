//! OpenCode's plugin, run by node: it sends what was recorded, and does what vib answers.

use std::path::Path;
use std::process::Command;

use install::{Scope, plugin};
use serde_json::{Value, json};

use super::doctor::program;
use super::files::Machine;

struct Plugin {
    machine: Machine,
}

impl Plugin {
    fn new() -> Self {
        let machine = Machine::new();
        let base = machine.path("");
        let script = format!(
            "#!/bin/sh\ncd '{}'\n[ \"$*\" = 'hook opencode' ] || exit 9\ncat >> sent\necho >> sent\nexec cat answer.json\n",
            base.display()
        );
        let vib = program(&machine, "bin/vib", &script);
        machine.write("plugin.mjs", plugin::source(&vib, Scope::User));
        machine.write("answer.json", "{}");
        Self { machine }
    }

    fn answer(&self, answer: &Value) {
        self.machine.write("answer.json", answer.to_string());
    }

    /// Runs a script with `hooks` (what the plugin returned) and prints its JSON.
    fn run(&self, script: &str) -> Value {
        let project =
            json!({"directory": self.machine.path("project"), "worktree": self.machine.path("project")});
        let text = format!(
            "import {{ VibPlugin }} from './plugin.mjs'\nconst hooks = await VibPlugin({project})\nconst result = await \
             (async () => {{ {script} }})()\nconsole.log(JSON.stringify(result ?? null))\n"
        );
        self.machine.write("drive.mjs", text);
        let output = Command::new("node")
            .arg("drive.mjs")
            .current_dir(self.machine.path(""))
            .output()
            .expect("node is needed to try OpenCode's plugin: install it (`apt-get install nodejs`)");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let mut value: Value = serde_json::from_slice(&output.stdout).unwrap();
        if let Value::Object(map) = &mut value {
            map.insert("stderr".to_owned(), String::from_utf8_lossy(&output.stderr).into());
        }
        value
    }

    /// Every payload that reached vib, a line each.
    fn all_sent(&self) -> Vec<Value> {
        let text = std::fs::read_to_string(self.machine.path("sent")).unwrap_or_default();
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    /// A recorded payload, with this project's folder in it.
    fn recorded(&self, path: &str) -> Value {
        let file = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("../hooks/fixtures/opencode")
            .join(path)
            .join("stdin.json");
        let root = self.machine.path("project");
        let text = std::fs::read_to_string(file).unwrap();
        serde_json::from_str(&text.replace("/home/dev/project", root.to_str().unwrap())).unwrap()
    }
}

/// The call of the plugin that stands behind a recorded payload.
fn call(recorded: &Value) -> String {
    let name = recorded["hook_event_name"].as_str().unwrap();
    match name {
        "event" => {
            let event = json!({"type": recorded["type"], "properties": recorded["properties"]});
            format!("await hooks.event({{ event: {event} }})\n")
        }
        "chat.message" => format!("await hooks['{name}']({}, {})\n", recorded["input"], recorded["output"]),
        "tool.execute.before" => {
            let arguments = json!({"args": recorded["tool_input"]});
            format!("await hooks['{name}']({}, {arguments})\n", recorded["input"])
        }
        _ => {
            let input = format!(
                "{{ tool: {}, sessionID: {}, callID: {}, args: {} }}",
                recorded["tool_name"],
                recorded["session_id"],
                recorded["tool_use_id"],
                recorded["tool_input"]
            );
            format!("await hooks['{name}']({input}, {})\n", recorded["tool_response"])
        }
    }
}

#[test]
fn it_sends_exactly_what_was_recorded() {
    let plugin = Plugin::new();
    let cases = [
        "event/session.created",
        "event/session.created-subagent",
        "event/session.idle",
        "event/session.compacted",
        "chat.message/basic",
        "tool.execute.before/write",
        "tool.execute.before/bash",
        "tool.execute.before/read",
        "tool.execute.before/task",
        "tool.execute.before/mini_vib_echo",
        "tool.execute.after/write",
        "tool.execute.after/bash",
        "tool.execute.after/bash-failed",
        "tool.execute.after/task",
        "tool.execute.after/mini_vib_echo",
    ];
    let recorded: Vec<Value> = cases.iter().map(|case| plugin.recorded(case)).collect();
    plugin.run(&recorded.iter().map(call).collect::<String>());
    assert_eq!(plugin.all_sent(), recorded);
}

#[test]
fn the_rest_of_the_bus_costs_nothing() {
    let plugin = Plugin::new();
    let cases = ["session.updated", "session.diff", "message.part.delta", "file.edited", "permission.asked"];
    plugin.run(&cases.map(|case| call(&plugin.recorded(&format!("event/{case}")))).concat());
    assert!(plugin.all_sent().is_empty());
}

#[test]
fn a_denied_tool_does_not_run_and_says_why() {
    let plugin = Plugin::new();
    plugin.answer(&json!({"deny": "that is outside the project"}));
    let script = "try { await hooks['tool.execute.before']({ tool: 'bash', sessionID: 's', callID: 'c' }, { args: {} }); \
                  return { ran: true } } catch (error) { return { message: error.message } }";
    assert_eq!(plugin.run(script)["message"], "that is outside the project");
    plugin.answer(&json!({}));
    assert_eq!(plugin.run(script)["ran"], true);
}

#[test]
fn context_reaches_the_system_prompt_of_its_own_session() {
    let plugin = Plugin::new();
    plugin.answer(&json!({"additionalContext": "from vib"}));
    let system = plugin.run(
        "await hooks['chat.message']({ sessionID: 'a' }, { message: {}, parts: [] }); \
         const mine = { system: ['base'] }, other = { system: ['base'] }; \
         await hooks['experimental.chat.system.transform']({ sessionID: 'a' }, mine); \
         await hooks['experimental.chat.system.transform']({ sessionID: 'b' }, other); \
         return { mine: mine.system, other: other.system }",
    );
    assert_eq!(system["mine"], json!(["base", "from vib"]));
    assert_eq!(system["other"], json!(["base"]));
    // What came at the start of the session stays; OpenCode does not wait for that event, the request does.
    let system = plugin.run(
        "hooks.event({ event: { type: 'session.created', properties: { sessionID: 'a', info: { id: 'a' } } } }); \
         const output = { system: [] }; \
         await hooks['experimental.chat.system.transform']({ sessionID: 'a' }, output); \
         return { system: output.system }",
    );
    assert_eq!(system["system"], json!(["from vib"]));
}

#[test]
fn a_prompt_can_be_held_back() {
    let plugin = Plugin::new();
    plugin.answer(&json!({"replacePrompt": "Say that vib shows a preview."}));
    let result = plugin.run(
        "const output = { message: {}, parts: [{ type: 'text', text: '/rollback' }, { type: 'file', url: 'data:x,y' }, \
         { type: 'text', text: 'more' }] }; \
         await hooks['chat.message']({ sessionID: 'a' }, output); return { parts: output.parts }",
    );
    assert_eq!(
        result["parts"],
        json!([{"type": "text", "text": "Say that vib shows a preview."}, {"type": "file", "url": "data:x,y"}])
    );
    assert_eq!(plugin.all_sent()[0]["output"]["parts"][1]["url"], "data:", "files stay out of the payload");
}

#[test]
fn without_vib_opencode_goes_on_and_is_told_once() {
    let plugin = Plugin::new();
    let script = "for (let at = 0; at < 3; at++) await hooks['tool.execute.before']({ tool: 'bash', sessionID: 's', callID: 'c' }, \
                  { args: {} }); return { ran: true }";
    std::fs::remove_file(plugin.machine.path("bin/vib")).unwrap();
    let result = plugin.run(script);
    assert_eq!(result["ran"], true);
    let said = result["stderr"].as_str().unwrap();
    assert_eq!(said.matches("vib: ").count(), 1, "{said}");
}

/// A vib that is there and gives no answer means no; what is no decision goes on. (S8)
#[test]
fn a_step_that_vib_gave_no_answer_to_is_refused_s8() {
    let plugin = Plugin::new();
    let script = "let said = ''\ntry { await hooks['tool.execute.before']({ tool: 'bash', sessionID: 's', callID: 'c' }, { args: {} }) } \
                  catch (error) { said = error.message }\nawait hooks['tool.execute.after']({ tool: 'bash', sessionID: 's', callID: 'c', \
                  args: {} }, { output: '' }); return { said }";
    for broken in
        ["#!/bin/sh\necho sorry >&2\nexit 3\n", "#!/bin/sh\necho rubbish\n", "#!/bin/sh\nkill -9 $$\n"]
    {
        program(&plugin.machine, "bin/vib", broken);
        let result = plugin.run(script);
        assert!(result["said"].as_str().unwrap().contains("so it was not done"), "{result}");
    }
}
