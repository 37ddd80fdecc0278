//! [`ScriptedAgent`]: an agent that speaks ACP and does what it is told to, good or bad. It is a shell script, so that it runs wherever tests do
//! and forks, hangs and dies like any other program.
//!
//! It reads messages as `serde_json` writes them: compact, with the keys in the order of the alphabet.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

/// One thing that the agent does with a prompt.
#[derive(Debug, Clone)]
pub enum Act {
    /// Says something.
    Say(String),
    /// Asks whether it may make this call, and runs the line of shell if it may.
    Ask {
        /// The tool call, as the protocol has it; `toolCallId` is added.
        call: Value,
        /// What it then does.
        line: String,
    },
    /// Makes a call without asking.
    Unasked {
        /// The tool call.
        call: Value,
        /// What it does.
        line: String,
    },
    /// Does something that it tells nobody of.
    Silently(String),
    /// Lets its editor write a file.
    Write {
        /// The file.
        path: PathBuf,
        /// Its text.
        content: String,
    },
    /// Lets its editor run a command.
    Run(String),
    /// Says this line, whatever it is.
    Raw(String),
    /// Says these bytes.
    Bytes(Vec<u8>),
    /// Starts processes that will not end: in the background, deaf to requests to end, in a session of their own.
    Fork,
    /// Starts so many more that nobody could mean it.
    ForkMany(u32),
    /// Never answers again.
    Hang,
    /// Ends with this exit code.
    Die(u8),
}

/// The agent.
#[derive(Debug, Clone)]
pub struct ScriptedAgent {
    name: String,
    prompts: Vec<Vec<Act>>,
    usage: Value,
}

impl ScriptedAgent {
    /// One that does this with its first prompt.
    pub fn new(acts: impl IntoIterator<Item = Act>) -> Self {
        Self { name: "scripted".to_owned(), prompts: vec![acts.into_iter().collect()], usage: Value::Null }
    }

    /// And this with the next one.
    #[must_use]
    pub fn then(mut self, acts: impl IntoIterator<Item = Act>) -> Self {
        self.prompts.push(acts.into_iter().collect());
        self
    }

    /// It says that it is this agent.
    #[must_use]
    pub fn named(mut self, name: &str) -> Self {
        self.name = name.to_owned();
        self
    }

    /// What it says that each prompt cost, true or not.
    #[must_use]
    pub fn telling(mut self, usage: Value) -> Self {
        self.usage = usage;
        self
    }

    /// Writes the program, ready to be started.
    pub fn save(&self, file: &Path) -> PathBuf {
        std::fs::write(file, self.script()).expect("the agent is written");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            std::fs::set_permissions(file, std::fs::Permissions::from_mode(0o755))
                .expect("it can be started");
        }
        file.to_path_buf()
    }

    fn script(&self) -> String {
        let info = json!({"protocolVersion": 1, "agentInfo": {"name": self.name, "version": "1"},
                          "agentCapabilities": {"loadSession": true}, "authMethods": []});
        let stop = match &self.usage {
            Value::Null => json!({"stopReason": "end_turn"}),
            usage => json!({"stopReason": "end_turn", "usage": usage}),
        };
        let mut script = format!(
            r#"#!/bin/sh
say() {{ printf '%s\n' "$1"; }}
answer_to() {{ # reads until the answer to request $1 is there
  while IFS= read -r answer; do case "$answer" in '{{"id":'"$1"','*|*'"id":'"$1"'}}'*|*'"id":'"$1"','*) return 0;; esac; done; exit 0; }}
may() {{ case "$answer" in *'"optionId":"yes"'*) return 0;; esac; return 1; }}
turn=0
while IFS= read -r line; do
  id=$(printf '%s' "$line" | sed -n 's/^{{"id":\([^,]*\),.*/\1/p')
  case "$line" in
    *'"method":"initialize"'*) say '{{"jsonrpc":"2.0","id":'"$id"',"result":{info}}}' ;;
    *'"method":"session/new"'*) say '{{"jsonrpc":"2.0","id":'"$id"',"result":{{"sessionId":"s-1"}}}}' ;;
    *'"method":"session/load"'*) say '{{"jsonrpc":"2.0","id":'"$id"',"result":{{}}}}' ;;
    *'"method":"session/set_mode"'*) say '{{"jsonrpc":"2.0","id":'"$id"',"result":{{}}}}' ;;
    *'"method":"session/prompt"'*)
      turn=$((turn + 1))
      printf '%s\n' "$line" >> "$0.prompts"
      case $turn in
"#
        );
        for (number, acts) in self.prompts.iter().enumerate() {
            script.push_str(&format!("        {})\n", number + 1));
            for (at, act) in acts.iter().enumerate() {
                script.push_str(&lines(act, 1000 * (number + 1) + at));
            }
            script.push_str("          : ;;\n");
        }
        script.push_str(&format!(
            "      esac\n      say '{{\"jsonrpc\":\"2.0\",\"id\":'\"$id\"',\"result\":{stop}}}' ;;\n  esac\ndone\n"
        ));
        script
    }
}

fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}

fn said(value: &Value) -> String {
    format!("          say {}\n", quoted(&value.to_string()))
}

fn update(update: &Value) -> String {
    said(
        &json!({"jsonrpc": "2.0", "method": "session/update", "params": {"sessionId": "s-1", "update": update}}),
    )
}

fn with(call: &Value, more: &Value) -> Value {
    let mut all = call.clone();
    let fields = all.as_object_mut().expect("a call is an object");
    fields.extend(more.as_object().expect("fields").clone());
    all
}

fn lines(act: &Act, number: usize) -> String {
    let id = format!("call-{number}");
    let done = |status: &str| {
        update(&json!({"sessionUpdate": "tool_call_update", "toolCallId": id, "status": status}))
    };
    match act {
        Act::Say(text) => {
            update(&json!({"sessionUpdate": "agent_message_chunk", "content": {"type": "text", "text": text}}))
        }
        Act::Ask { call, line } => {
            let call = with(call, &json!({"toolCallId": id, "status": "pending"}));
            let question = said(&json!({"jsonrpc": "2.0", "id": number, "method": "session/request_permission", "params": {
                "sessionId": "s-1", "toolCall": call,
                "options": [{"optionId": "yes", "name": "Yes", "kind": "allow_once"}, {"optionId": "no", "name": "No", "kind": "reject_once"}],
            }}));
            format!(
                "{question}          answer_to {number}\n          if may; then\n          ( {line} ) >/dev/null 2>&1 </dev/null\n{}          else\n{}          fi\n",
                done("completed"),
                done("failed"),
            )
        }
        Act::Unasked { call, line } => {
            let call = with(call, &json!({"toolCallId": id, "status": "in_progress", "sessionUpdate": "tool_call"}));
            format!("{}          ( {line} ) >/dev/null 2>&1 </dev/null\n{}", update(&call), done("completed"))
        }
        Act::Silently(line) => format!("          ( {line} ) >/dev/null 2>&1 </dev/null\n"),
        Act::Write { path, content } => {
            let params = json!({"sessionId": "s-1", "path": path, "content": content});
            let request = json!({"jsonrpc": "2.0", "id": number, "method": "fs/write_text_file", "params": params});
            format!("{}          answer_to {number}\n", said(&request))
        }
        Act::Run(command) => {
            let params = json!({"sessionId": "s-1", "command": command});
            let request = json!({"jsonrpc": "2.0", "id": number, "method": "terminal/create", "params": params});
            format!("{}          answer_to {number}\n          printf '%s\\n' \"$answer\" >> \"$0.answers\"\n", said(&request))
        }
        Act::Raw(line) => format!("          say {}\n", quoted(line)),
        Act::Bytes(bytes) => {
            let octal: String = bytes.iter().map(|byte| format!("\\{byte:03o}")).collect();
            format!("          printf '{octal}'\n")
        }
        Act::Fork => "          (trap '' TERM HUP INT; sleep 301) >/dev/null 2>&1 </dev/null &\n          \
                      setsid sh -c \"trap '' TERM HUP INT; (sleep 302 &) ; sleep 303\" >/dev/null 2>&1 </dev/null &\n"
            .to_owned(),
        Act::ForkMany(many) => {
            format!("          i=0; while [ $i -lt {many} ]; do sleep 304 >/dev/null 2>&1 </dev/null & i=$((i + 1)); done\n")
        }
        Act::Hang => "          sleep 305\n".to_owned(),
        Act::Die(code) => format!("          exit {code}\n"),
    }
}
