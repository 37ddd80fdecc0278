//! Killed while the index of memory is folded: the log is the truth, and recall finds what a rebuild finds (MM7, MM11)

use serde_json::{Value, json};

use super::kill::Killer;
use super::sandbox;

#[test]
fn killed_while_folding() {
    let project = sandbox().with_real_clock();
    project.vib(&["memory", "decide", "the first note"]).ok();
    let log = project.store().join("memory/project.jsonl");
    let index = project.store().join("memory/index");
    let mut text = std::fs::read_to_string(&log).unwrap();
    let mut killer = Killer::new(0x5eed_0007);
    let mut round = 0_u64;
    while killer.wants_more(60) {
        for at in 0..400 {
            let number = round * 1000 + at;
            let event = json!({
                "id": format!("01900000-0000-7000-8000-{number:012}"), "schema_version": 1,
                "time_ms": 1_700_000_000_000_u64 + number * 1000, "scope": "project", "kind": "note",
                "provenance": "observed", "task": format!("s{}", number / 50),
                "body": {"text": format!("r{round} word{} of step{at}", at % 17)},
            });
            text.push_str(&format!("{event}\n"));
        }
        std::fs::write(&log, &text).unwrap();
        killer.run(&project, &["memory", "recall", "word3 step20"]);
        round += 1;
    }
    let ask = |question: &str| -> Value {
        let mut found =
            project.data(&["memory", "recall", question, "-k", "30", "--budget", "9000"])["found"].clone();
        // The time of asking is part of the score.
        found.as_array_mut().unwrap().iter_mut().for_each(|found| found["score"] = Value::Null);
        found
    };
    let questions = ["word3 step20", "r5 word7", "step399", "the first note"];
    let after_kills: Vec<Value> = questions.iter().map(|question| ask(question)).collect();
    std::fs::remove_dir_all(&index).unwrap();
    for (question, before) in questions.iter().zip(after_kills) {
        assert!(!before.as_array().unwrap().is_empty(), "{question}");
        assert_eq!(ask(question), before, "{question}");
    }
}
