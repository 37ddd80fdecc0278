//! `vib why`: what a person types around the work of an agent is never given to the agent.

use serde_json::json;
use testkit::Sandbox;

use super::hook::Chat;
use super::shop;
use super::why::sources;

const BASE: &str = "function base() {\n  return 1;\n}\n";
const BLOCK: &str =
    "const mine1 = compute(1, \"typed by a person\");\nconst mine2 = compute(2, \"typed by a person\");\n";

fn started(file: &str, text: &str) -> Sandbox {
    let shop = shop();
    shop.write(file, text);
    shop.checkpoint("before");
    shop
}

/// A person types into one file; the agent puts the same into another with its edit tool, and only then takes it away: by an edit, by a command, with the
/// whole file.
#[test]
fn what_a_person_typed_stays_theirs_also_if_it_is_put_elsewhere_before_it_is_taken_away_b1() {
    let ways: [&dyn Fn(&Chat<'_>); 3] =
        [&|chat| drop(chat.write("a.js", "let a;\n")), &|chat| chat.shell("sed -i '2,$d' a.js"), &|chat| {
            chat.shell("rm a.js");
        }];
    for (way, takes_away) in ways.iter().enumerate() {
        // When it was typed tells who was first, unless the clock is another one.
        for (is_same_clock, theirs) in [(true, "by_hand"), (false, "one_of")] {
            let shop = started("a.js", "let a;\n");
            let shop = if is_same_clock { shop.with_real_clock() } else { shop };
            shop.write("u.js", "// util\n");
            shop.checkpoint("before");
            let mut chat = Chat::new(&shop);
            chat.prompt("move my helpers to u.js");
            shop.write("a.js", format!("let a;\n{BLOCK}"));
            chat.write("u.js", &format!("// util\n{BLOCK}")).unwrap();
            takes_away(&chat);
            assert_eq!(sources(&shop, "u.js")[1..], [theirs, theirs], "way {way}");
        }
    }
}

/// The client is killed, or the person says no: nobody tells that the command ended.
#[test]
fn what_is_typed_after_a_command_without_an_end_is_not_certainly_the_commands_b2() {
    for ran in [true, false] {
        for asked in [true, false] {
            let shop = started("a.js", BASE);
            let mut chat = Chat::new(&shop);
            chat.prompt("rename it");
            let call = json!({"command": "sed -i 's/base/basis/' a.js"});
            chat.before("Bash", call.clone());
            if asked {
                chat.send("PermissionRequest", json!({"tool_name": "Bash", "tool_input": call}));
            }
            if ran {
                shop.shell("sed -i 's/base/basis/' a.js");
            }
            let mine = shop.read("a.js") + "// typed by me\n";
            shop.write("a.js", &mine);
            shop.checkpoint("mine");
            assert_eq!(sources(&shop, "a.js")[3], "one_of", "ran: {ran}, asked: {asked}");
            // What is not certain is not taken back without a question.
            shop.vib(&["undo", "s1", "--yes"]);
            assert!(shop.read("a.js").contains("typed by me"));
        }
    }
}

/// A command names its file: what it does not explain may have been saved by the person meanwhile, however short it ran.
#[test]
fn what_is_typed_into_the_named_file_while_the_command_runs_is_not_certainly_the_commands_m6() {
    for took in [1_500, 20] {
        let shop = started("a.js", BASE).with_real_clock();
        let mut chat = Chat::new(&shop);
        chat.prompt("rename it");
        let call = json!({"command": "sed -i 's/base/basis/' a.js; sleep 1"});
        chat.before("Bash", call.clone());
        shop.write("a.js", BASE.replace("base", "basis") + "// typed by me\n");
        chat.send(
            "PostToolUse",
            json!({"tool_name": "Bash", "tool_input": call, "tool_use_id": "c-1", "duration_ms": took,
                "tool_response": {"stdout": "", "stderr": ""}}),
        );
        let told = sources(&shop, "a.js");
        assert_eq!((told[0].as_str(), told[1].as_str()), ("step s1", "before_vib"), "{told:?}");
        assert_eq!(told[3], "one_of", "{told:?}");
    }
}

/// The same words with other bytes: nobody but the person wrote them.
#[test]
fn the_same_words_in_other_letters_are_of_both_m4() {
    let wide: Vec<u8> =
        [0xfeff].into_iter().chain("my own line\n".encode_utf16()).flat_map(u16::to_le_bytes).collect();
    let cases: [(&[u8], &str); 7] = [
        (b"Mixed Case Line By Me\n", "sed -i 's/.*/\\L&/' f.txt"),
        (b"first line by me here\n", "tr a-z A-Z < f.txt > t; mv t f.txt"),
        (b"alpha mine\n", "sed -i '1s/^/\\xef\\xbb\\xbf/' f.txt"),
        (
            "한글로 내가 쓴 문장\n".as_bytes(),
            "printf '\\341\\204\\222\\341\\205\\241\\341\\206\\253\\341\\204\\200\\341\\205\\263\\341\\206\\257\\341\\204\\205\\341\\205\\251 내가 쓴 문장\\n' > f.txt",
        ),
        (b"\xb3\xbb\xb0\xa1 \xbe\xb4 \xc1\xd9\n", "iconv -f euc-kr -t utf-8 f.txt > t; mv t f.txt"),
        (b"Stra\xdfe \xfcber Flu\xdf\n", "iconv -f latin1 -t utf-8 f.txt > t; mv t f.txt"),
        (&wide, "iconv -f utf-16 -t utf-8 f.txt > t; mv t f.txt"),
    ];
    for (typed, command) in cases {
        let shop = started("f.txt", "");
        let mut chat = Chat::new(&shop);
        chat.prompt("convert it");
        shop.write("f.txt", typed);
        chat.shell(command);
        let line = &sources(&shop, "f.txt")[0];
        assert!(["one_of", "by_hand"].contains(&line.as_str()), "{command}: {line}");
    }
}

/// An edit owns the lines that it announced, also in a notebook and in a file that it gives another name.
#[test]
fn what_is_typed_while_a_cell_is_edited_is_by_hand_m3() {
    let notebook = |first: &str, second: &str| {
        let cell = |name: &str, source: &str| json!({"cell_type": "code", "id": name, "source": [source], "outputs": []});
        let whole = json!({"cells": [cell("c0", first), cell("c1", second)], "nbformat": 4});
        serde_json::to_string_pretty(&whole).unwrap() + "\n"
    };
    let shop = started("n.ipynb", &notebook("x=1", "y=1"));
    let mut chat = Chat::new(&shop);
    chat.prompt("change the first cell");
    let call = json!({"notebook_path": shop.root().join("n.ipynb"), "cell_id": "c0", "new_source": "x=999", "edit_mode": "replace"});
    chat.before("NotebookEdit", call.clone());
    shop.write("n.ipynb", notebook("x=999", "typed = 'by me'"));
    chat.after("NotebookEdit", call, json!({}));
    let (text, told) = (shop.read("n.ipynb"), sources(&shop, "n.ipynb"));
    let of = |words: &str| told[text.lines().position(|line| line.contains(words)).unwrap()].clone();
    assert_eq!((of("x=999").as_str(), of("by me").as_str()), ("step s1", "by_hand"), "{told:?}");
}

/// A cell that comes or goes is the agent's, and nothing else in the file is.
#[test]
fn what_is_typed_while_a_cell_comes_or_goes_is_by_hand() {
    let cell = |name: &str, source: &str| json!({"cell_type": "code", "id": name, "metadata": {}, "execution_count": null, "outputs": [], "source": [source]});
    let notebook = |cells: &[serde_json::Value]| {
        serde_json::to_string_pretty(&json!({"cells": cells, "nbformat": 4})).unwrap() + "\n"
    };
    let shop = started("n.ipynb", &notebook(&[cell("c0", "x=1"), cell("c1", "y=1")]));
    let mut chat = Chat::new(&shop);
    chat.prompt("add a cell");
    let call = json!({"notebook_path": shop.root().join("n.ipynb"), "cell_id": "c0", "new_source": "made = 'by the agent'", "edit_mode": "insert", "cell_type": "code"});
    chat.before("NotebookEdit", call.clone());
    shop.write(
        "n.ipynb",
        notebook(&[cell("c0", "x=1"), cell("q7f3", "made = 'by the agent'"), cell("c1", "typed = 'by me'")]),
    );
    chat.after("NotebookEdit", call, json!({}));
    let of = |words: &str| {
        let (text, told) = (shop.read("n.ipynb"), sources(&shop, "n.ipynb"));
        told[text.lines().position(|line| line.contains(words)).unwrap()].clone()
    };
    assert_eq!(
        [of("by the agent"), of("q7f3"), of("by me"), of("x=1")],
        ["step s1", "step s1", "by_hand", "before_vib"]
    );
    let call = json!({"notebook_path": shop.root().join("n.ipynb"), "cell_id": "c0", "new_source": "", "edit_mode": "delete"});
    chat.before("NotebookEdit", call.clone());
    shop.write("n.ipynb", notebook(&[cell("q7f3", "made = 'by the agent'"), cell("c1", "typed = 'again'")]));
    chat.after("NotebookEdit", call, json!({}));
    assert_eq!([of("by the agent"), of("again")], ["step s1", "by_hand"]);
}

/// A person who appends a function does not become the writer of the bracket above it.
#[test]
fn a_bracket_that_was_there_before_stays_where_it_was() {
    let shop = started("a.js", BASE);
    let mut chat = Chat::new(&shop);
    chat.prompt("go");
    shop.write("a.js", format!("{BASE}function me(q) {{\n  return q;\n}}\n"));
    shop.checkpoint("mine");
    assert_eq!(
        sources(&shop, "a.js"),
        ["before_vib", "before_vib", "before_vib", "by_hand", "by_hand", "by_hand"]
    );
}
