//! What a person says in the chat is known, shown, steered and told; what could not be written waits. (M2, M7, M15, T12)

use serde_json::{Value, json};
use testkit::Sandbox;

use super::shop;

fn hook(shop: &Sandbox, session: &str, event: &str, more: &Value) -> Value {
    let mut payload = json!({"session_id": session, "cwd": shop.root(), "hook_event_name": event});
    payload.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    let mut command = shop.command(&["hook", "claude-code"]);
    let output = Sandbox::run_with_input(&mut command, &payload.to_string()).ok();
    serde_json::from_str(&output.stdout).unwrap_or(Value::Null)
}

fn prompt(shop: &Sandbox, session: &str, text: &str) -> Value {
    hook(shop, session, "UserPromptSubmit", &json!({"prompt": text}))
}

fn context(answer: &Value) -> &str {
    answer["hookSpecificOutput"]["additionalContext"].as_str().unwrap_or_default()
}

fn shell(shop: &Sandbox, session: &str, command: &str, error: Option<&str>) -> Value {
    let call = json!({"tool_name": "Bash", "tool_input": {"command": command}});
    hook(shop, session, "PreToolUse", &call);
    let mut call = call;
    match error {
        Some(error) => {
            call["error"] = json!(format!("Exit code 1\n{error}"));
            hook(shop, session, "PostToolUseFailure", &call)
        }
        None => {
            call["tool_response"] = json!({"stdout": "ok", "stderr": "", "interrupted": false});
            hook(shop, session, "PostToolUse", &call)
        }
    }
}

fn known(shop: &Sandbox) -> Vec<Value> {
    shop.data(&["memory"])["known"].as_array().cloned().unwrap_or_default()
}

#[test]
fn a_rule_is_noted_told_where_it_applies_and_dropped_with_one_word_m7() {
    let shop = shop();
    let answer = prompt(&shop, "s1", "Add green tea. From now on always use pnpm.");
    assert!(answer["systemMessage"].as_str().unwrap().contains("From now on always use pnpm"), "{answer}");
    assert!(
        !context(&answer).contains("pnpm"),
        "the agent of this session heard it from the person: {answer}"
    );
    let one = &known(&shop)[0];
    assert_eq!(
        (&one["text"], &one["standing"]),
        (&json!("From now on always use pnpm."), &json!("proposed"))
    );
    // Another session, about something else; then one about packages.
    assert!(!context(&prompt(&shop, "s2", "Make the header blue")).contains("pnpm"));
    let told = prompt(&shop, "s3", "패키지 zod를 설치해줘");
    assert!(context(&told).contains("From now on always use pnpm"), "{told}");
    // Who runs another one is told before it runs.
    let call = json!({"tool_name": "Bash", "tool_input": {"command": "npm run build"}});
    assert!(context(&hook(&shop, "s2", "PreToolUse", &call)).contains("always use pnpm"));
    let answer = prompt(&shop, "s1", "drop");
    assert_eq!(answer["decision"], "block", "{answer}");
    assert_eq!(known(&shop), [Value::Null; 0]);
    assert!(!context(&prompt(&shop, "s4", "Install the zod package")).contains("pnpm"));
    assert_eq!(
        prompt(&shop, "s4", "drop")["decision"],
        Value::Null,
        "with nothing to drop it is a word to the agent"
    );
}

#[test]
fn what_vib_knows_is_kept_pinned_reworded_and_dropped_m15() {
    let shop = shop();
    prompt(&shop, "s1", "Never log user emails.");
    prompt(&shop, "s1", "앞으로 문서는 짧게 써줘");
    let shown = shop.vib(&["memory"]).ok().stdout;
    assert!(shown.contains("What vib knows") && shown.contains("Never log user emails."), "{shown}");
    let ids: Vec<String> = known(&shop).iter().map(|one| one["id"].as_str().unwrap().to_owned()).collect();
    let logs = known(&shop).into_iter().find(|one| one["text"] == "Never log user emails.").unwrap();
    let id = logs["id"].as_str().unwrap();
    let short = &id[id.len() - 6..];
    assert!(shown.contains(short), "{shown}");
    shop.vib(&["memory", "keep", short]).ok();
    assert_eq!(known(&shop).into_iter().find(|one| one["id"] == id).unwrap()["standing"], "kept");
    shop.vib(&["memory", "change", short, "Never", "log", "emails", "or", "names"]).ok();
    shop.vib(&["memory", "pin", short]).ok();
    let told = hook(&shop, "s2", "SessionStart", &json!({"source": "startup"}));
    assert!(context(&told).contains("\"Never log emails or names\""), "{told}");
    let preview = shop.data(&["memory", "preview", "--client", "codex", "write", "the", "docs", "문서"]);
    assert!(preview["at_start"].to_string().contains("Never log emails or names"), "{preview}");
    assert!(preview["with_prompt"].to_string().contains("앞으로 문서는 짧게 써줘"), "{preview}");
    assert!(preview["prompt_tokens"].as_u64().unwrap() <= 120, "{preview}");
    for id in ids {
        shop.vib(&["memory", "drop", &id]).ok();
    }
    assert_eq!(known(&shop), [Value::Null; 0]);
    assert_eq!(shop.error(&["memory", "keep", "nothing"])["code"], "no_such_memory");
}

#[test]
fn a_newer_word_wins_over_an_older_one_and_over_a_decision_t10_m10() {
    let shop = shop();
    shop.vib(&["memory", "decide", "all packages are installed with yarn"]).ok();
    prompt(&shop, "s1", "from now on use pnpm instead of yarn");
    let told = hook(&shop, "s2", "SessionStart", &json!({"source": "startup"}));
    assert!(!context(&told).contains("with yarn"), "{told}");
    prompt(&shop, "s3", "이제부터 pnpm 말고 bun을 써");
    let told = prompt(&shop, "s4", "install the zod package");
    assert!(context(&told).contains("bun") && !context(&told).contains("use pnpm instead"), "{told}");
    assert_eq!(known(&shop).len(), 1);
}

#[test]
fn a_known_fix_is_offered_when_the_same_error_comes_again_m2() {
    let shop = shop();
    let error = |line: u32| {
        format!("src/a.ts({line},5): error TS2322: Type 'string' is not assignable to type 'Money'.")
    };
    assert!(
        !context(&shell(&shop, "s1", "npm run build", Some(&error(3)))).contains("failed with this error")
    );
    let input = json!({"file_path": shop.root().join("src/money.ts"), "content": "x\n"});
    let call = json!({"tool_name": "Write", "tool_input": input});
    hook(&shop, "s1", "PreToolUse", &call);
    shop.write("src/money.ts", "x\n");
    let mut done = call;
    done["tool_response"] = json!({"success": true});
    hook(&shop, "s1", "PostToolUse", &done);
    shell(&shop, "s1", "npm run build", None);
    let told = shell(&shop, "s2", "npm run build", Some(&error(77)));
    assert!(
        context(&told).contains("failed with this error before") && context(&told).contains("`src/money.ts`"),
        "{told}"
    );
    let other = shell(
        &shop,
        "s3",
        "npm run build",
        Some("src/a.ts(1,1): error TS2307: Cannot find module './stock'."),
    );
    assert!(!context(&other).contains("with this error before"), "{other}");
    let sentence = shop.vib(&["memory", "policy"]).ok().stdout;
    assert!(sentence.contains("No known fix was told yet."), "the failure has not ended: {sentence}");
    shell(&shop, "s2", "npm run build", None);
}

#[cfg(unix)]
#[test]
fn what_cannot_be_written_waits_and_is_written_by_the_next_one_t12() {
    let shop = shop();
    shop.vib(&["memory", "intent", "sell tea"]).ok();
    let log = shop.store().join("memory/project.jsonl");
    // Not even an administrator can append to a folder.
    let kept = std::fs::read(&log).unwrap();
    std::fs::remove_file(&log).unwrap();
    std::fs::create_dir(&log).unwrap();
    let error = shop.error(&["memory", "decide", "no", "new", "dependencies"]);
    assert_eq!(error["code"], "memory_kept_for_later", "{error}");
    assert!(error["next"].as_str().unwrap().contains("goes into the log with the next one"), "{error}");
    std::fs::remove_dir(&log).unwrap();
    std::fs::write(&log, kept).unwrap();
    shop.vib(&["memory", "next", "write tests"]).ok();
    let memory = shop.data(&["memory"])["memory"].clone();
    assert_eq!(memory["decisions"][0]["text"], "no new dependencies", "{memory}");
    assert_eq!(memory["next_action"]["text"], "write tests");
    let waiting = shop.store().join("memory.outbox/project.jsonl");
    assert!(!waiting.exists());
    // Where it cannot be kept either, it is said to be lost.
    std::fs::remove_file(&log).unwrap();
    std::fs::create_dir(&log).unwrap();
    std::fs::create_dir_all(&waiting).unwrap();
    let error = shop.error(&["memory", "decide", "another"]);
    assert_eq!(error["code"], "memory_lost", "{error}");
    assert!(error["next"].as_str().unwrap().contains("is lost"), "{error}");
}
