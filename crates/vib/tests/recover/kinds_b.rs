//! The other fifteen kinds: written before any of the code had run, opened when the first fifteen were right, never tuned on.

use super::base::Base::{self, Meter, Notes, Shop};
use super::incident::Act::{
    self, ByHand, Commit, HandDoes, HandEdit, Mark, Minutes, Prompt, Replace, Session, Silently, Stop,
};
use super::incident::Effect::{Changed, Everywhere, Git, Gone, LinkToCopy, Mode, Moved};
use super::incident::{is, shell, write};
use super::story::Back::{All, At, Is};
use super::story::{Back, Story, Want};

const NOTHING: Want = Want::Nothing;

#[expect(clippy::needless_pass_by_value, reason = "lists of the stories are written in place")]
fn tree<const N: usize>(back: [Back; N]) -> Want {
    Want::Tree(back.to_vec())
}

/// Something good that the agent does for a request, in each of the projects.
fn good(base: Base) -> Vec<Act> {
    match base {
        Shop => vec![
            Prompt("make the button bigger"),
            Replace("src/ui/button.js", "class=\"primary\"", "class=\"primary big\""),
        ],
        Notes => {
            vec![Prompt("show longer previews in the views"), Replace("app/views.py", "[:80]", "[:120]")]
        }
        Meter => vec![
            Prompt("print two digits in the report"),
            Replace("src/report.rs", "{sample:.1} C", "{sample:.2} C"),
        ],
    }
}

/// Good work, then this, in the same request; everything goes back to just before it but the good work.
fn beside(kind: &'static str, name: &str, base: Base, accident: Vec<Act>, back: Vec<Back>) -> Story {
    let mut acts = good(base);
    acts.push(Mark("good"));
    acts.extend(accident);
    acts.push(Stop);
    Story::new(kind, name, base, acts, Want::Tree(back))
}

pub(crate) fn stories() -> Vec<Story> {
    let mut all = Vec::new();
    committed(&mut all);
    settings(&mut all);
    permissions(&mut all);
    dependencies(&mut all);
    two_sessions(&mut all);
    letters(&mut all);
    binaries(&mut all);
    background(&mut all);
    own_mistakes(&mut all);
    conflicts(&mut all);
    replaced(&mut all);
    folders(&mut all);
    tests(&mut all);
    overwritten(&mut all);
    functions_by_name(&mut all);
    all
}

fn committed(all: &mut Vec<Story>) {
    let kind = "16 damage that was committed";
    let cases: [(Base, &str, Vec<Act>, Vec<Back>); 6] = [
        (
            Shop,
            "a deleted file",
            vec![shell("rm src/services/pay.js", [Gone("src/services/pay.js")])],
            vec![At("src/services/pay.js", "good")],
        ),
        (
            Shop,
            "an emptied file",
            vec![shell("truncate -s 0 src/price.js", [is("src/price.js", "")])],
            vec![At("src/price.js", "good")],
        ),
        (
            Notes,
            "a deleted module",
            vec![shell("rm app/util.py", [Gone("app/util.py")])],
            vec![At("app/util.py", "good")],
        ),
        (Notes, "a deleted folder", vec![shell("rm -r data", [Gone("data")])], vec![At("data", "good")]),
        (
            Meter,
            "a lost function",
            vec![write(
                "src/units.rs",
                "/// Celsius to Fahrenheit.\npub fn to_fahrenheit(celsius: f64) -> f64 {\n    celsius * 9.0 / 5.0 + 32.0\n}\n",
            )],
            vec![At("src/units.rs", "good")],
        ),
        (
            Meter,
            "a deleted check",
            vec![shell("rm ci/check.sh", [Gone("ci/check.sh")])],
            vec![At("ci/check.sh", "good")],
        ),
    ];
    for (base, name, accident, back) in cases {
        let mut accident = accident;
        accident.push(Commit);
        all.push(beside(kind, name, base, accident, back));
    }
    let mut acts = good(Shop);
    acts.extend([
        Mark("good"),
        shell("rm src/login.js", [Gone("src/login.js")]),
        Commit,
        Stop,
        Minutes(3 * 24 * 60),
        Session("s-2"),
        Prompt("say more in the docs"),
        Replace("docs/style.md", "Two spaces", "Two spaces, no tabs"),
        Commit,
        Stop,
    ]);
    all.push(Story::new(
        kind,
        "three days and two commits ago",
        Shop,
        acts,
        tree([At("src/login.js", "good")]),
    ));
}

fn settings(all: &mut Vec<Story>) {
    let kind = "17 a setting got lost";
    let json = |theme: bool, currency: bool| {
        let mut lines = vec![];
        if currency {
            lines.push("  \"currency\": \"EUR\"".to_owned());
        }
        lines.push("  \"language\": \"en\"".to_owned());
        lines.push("  \"port\": 3000".to_owned());
        if theme {
            lines.push("  \"theme\": \"dark\"".to_owned());
        }
        format!("{{\n{}\n}}\n", lines.join(",\n"))
    };
    all.push(Story::new(
        kind,
        "one came, another went",
        Shop,
        vec![Prompt("add a dark theme to the settings"), write("config/app.json", json(true, false)), Stop],
        tree([Is("config/app.json", json(true, true))]),
    ));
    all.push(beside(
        kind,
        "the settings file is cut to one line",
        Shop,
        vec![shell("jq '{port}' config/app.json", [is("config/app.json", "{ \"port\": 3000 }\n")])],
        vec![At("config/app.json", "good")],
    ));
    all.push(beside(
        kind,
        "the settings file is empty",
        Shop,
        vec![shell("echo > config/app.json", [is("config/app.json", "\n")])],
        vec![At("config/app.json", "good")],
    ));
    all.push(beside(
        kind,
        "the make file lost its tabs",
        Notes,
        vec![shell("sed -i 's/\\t/    /' Makefile", [Everywhere("", &["Makefile"], "\t", "    ")])],
        vec![At("Makefile", "good")],
    ));
    all.push(beside(
        kind,
        "the ignore file is gone",
        Meter,
        vec![shell("rm .gitignore", [Gone(".gitignore")])],
        vec![At(".gitignore", "good")],
    ));
    all.push(beside(
        kind,
        "the project file cannot be read any more",
        Notes,
        vec![shell("sed -i 's/\\]//' pyproject.toml", [Changed("pyproject.toml", "[project]", "[project")])],
        vec![At("pyproject.toml", "good")],
    ));
}

fn permissions(all: &mut Vec<Story>) {
    let kind = "18 permissions and links";
    all.push(beside(
        kind,
        "a script cannot be run",
        Shop,
        vec![shell("chmod 644 scripts/deploy.sh", [Mode("scripts/deploy.sh", 0o644)])],
        vec![At("scripts/deploy.sh", "good")],
    ));
    all.push(beside(
        kind,
        "two scripts cannot be run",
        Shop,
        vec![shell(
            "chmod -R a-x scripts",
            [Mode("scripts/deploy.sh", 0o644), Mode("scripts/backup.sh", 0o644)],
        )],
        vec![At("scripts/deploy.sh", "good"), At("scripts/backup.sh", "good")],
    ));
    all.push(beside(
        kind,
        "the start script cannot be run",
        Notes,
        vec![shell("chmod 600 bin/run", [Mode("bin/run", 0o600)])],
        vec![At("bin/run", "good")],
    ));
    all.push(beside(
        kind,
        "a link became a file",
        Shop,
        vec![shell(
            "cp --remove-destination config/app.json config/live.json",
            [LinkToCopy("config/live.json")],
        )],
        vec![At("config/live.json", "good")],
    ));
    all.push(beside(
        kind,
        "a link is gone",
        Shop,
        vec![shell("rm current", [Gone("current")])],
        vec![At("current", "good")],
    ));
    all.push(Story::new(
        kind,
        "asked for: make it not runnable",
        Shop,
        vec![
            Prompt("make scripts/backup.sh not executable"),
            shell("chmod 644 scripts/backup.sh", [Mode("scripts/backup.sh", 0o644)]),
            Stop,
        ],
        NOTHING,
    ));
}

fn dependencies(all: &mut Vec<Story>) {
    let kind = "19 what the project is built from";
    all.push(beside(
        kind,
        "two dependencies went",
        Shop,
        vec![shell(
            "node fix.js",
            [Changed("package.json", "    \"nodemailer\": \"^7.0.3\",\n    \"stripe\": \"^18.2.1\",\n", "")],
        )],
        vec![At("package.json", "good")],
    ));
    all.push(beside(
        kind,
        "the lock file is gone",
        Meter,
        vec![shell("rm Cargo.lock", [Gone("Cargo.lock")])],
        vec![At("Cargo.lock", "good")],
    ));
    all.push(beside(
        kind,
        "the lock file is empty",
        Shop,
        vec![shell("npm ci", [is("package-lock.json", "")])],
        vec![At("package-lock.json", "good")],
    ));
    all.push(beside(
        kind,
        "the list of dependencies is cut",
        Notes,
        vec![shell(
            "python tool.py",
            [Changed(
                "pyproject.toml",
                "dependencies = [\n  \"fastapi>=0.115\",\n  \"uvicorn>=0.34\",\n  \"rapidfuzz>=3.12\",\n]\n",
                "dependencies = []\n",
            )],
        )],
        vec![At("pyproject.toml", "good")],
    ));
    all.push(Story::new(
        kind,
        "asked for: drop a dependency",
        Shop,
        vec![
            Prompt("remove the zod dependency, it is unused"),
            Replace(
                "package.json",
                "    \"stripe\": \"^18.2.1\",\n    \"zod\": \"^3.25.1\"\n",
                "    \"stripe\": \"^18.2.1\"\n",
            ),
            Stop,
        ],
        NOTHING,
    ));
    all.push(Story::new(
        kind,
        "asked for: bump a version",
        Meter,
        vec![
            Prompt("bump the version to 0.3.0"),
            Replace("Cargo.toml", "version = \"0.2.0\"", "version = \"0.3.0\""),
            shell(
                "cargo update -w",
                [Changed(
                    "Cargo.lock",
                    "name = \"meter\"\nversion = \"0.2.0\"",
                    "name = \"meter\"\nversion = \"0.3.0\"",
                )],
            ),
            Stop,
        ],
        NOTHING,
    ));
    all.push(Story::new(
        kind,
        "asked for: add a dependency",
        Notes,
        vec![
            Prompt("add httpx as a dependency"),
            Replace(
                "pyproject.toml",
                "  \"rapidfuzz>=3.12\",\n",
                "  \"rapidfuzz>=3.12\",\n  \"httpx>=0.28\",\n",
            ),
            Stop,
        ],
        NOTHING,
    ));
}

fn two_sessions(all: &mut Vec<Story>) {
    let kind = "20 two sessions at work";
    let acts = || {
        vec![
            Mark("start"),
            Prompt("restyle the button"),
            Replace("src/ui/button.js", "class=\"primary\"", "class=\"primary round\""),
            Stop,
            Session("s-2"),
            Prompt("speed up the cart"),
            Replace("src/cart.js", "let sum = 0;", "let sum = 0.0;"),
            Stop,
            HandEdit("README.md", "Start it", "Build it, then start it"),
        ]
    };
    all.push(
        Story::new(
            kind,
            "undo the other session's request",
            Shop,
            acts(),
            tree([At("src/ui/button.js", "start")]),
        )
        .says("undo the button change"),
    );
    all.push(
        Story::new(
            kind,
            "undo the last request, typing stays",
            Shop,
            acts(),
            tree([At("src/cart.js", "start")]),
        )
        .says("undo the last request"),
    );
    all.push(
        Story::new(
            kind,
            "undo both requests, typing stays",
            Shop,
            acts(),
            tree([At("src/cart.js", "start"), At("src/ui/button.js", "start")]),
        )
        .says("undo the last two requests"),
    );
    let mut acts_with_loss = acts();
    acts_with_loss.insert(7, shell("rm src/login.js", [Gone("src/login.js")]));
    all.push(Story::new(
        kind,
        "one of them lost a file",
        Shop,
        acts_with_loss,
        tree([At("src/login.js", "start")]),
    ));
    let same_file = vec![
        Prompt("limit the slug"),
        Replace("app/util.py", "\"-\".join(words(title))", "\"-\".join(words(title))[:60]"),
        Stop,
        Session("s-2"),
        Prompt("shorten with three dots"),
        Replace("app/util.py", "\"…\"", "\"...\""),
        Stop,
        Mark("both"),
    ];
    all.push(
        Story::new(
            kind,
            "both in one file, the first goes",
            Notes,
            same_file.clone(),
            tree([Is("app/util.py", "import re\n\n\ndef words(text):\n    return re.findall(r\"\\w+\", text.lower())\n\n\ndef slug(title):\n    return \"-\".join(words(title))\n\n\ndef shorten(text, length):\n    if len(text) <= length:\n        return text\n    return text[: length - 1] + \"...\"\n".to_owned())]),
        )
        .says("undo the slug limit"),
    );
    all.push(
        Story::new(
            kind,
            "both in one file, the second goes",
            Notes,
            same_file,
            tree([Is("app/util.py", "import re\n\n\ndef words(text):\n    return re.findall(r\"\\w+\", text.lower())\n\n\ndef slug(title):\n    return \"-\".join(words(title))[:60]\n\n\ndef shorten(text, length):\n    if len(text) <= length:\n        return text\n    return text[: length - 1] + \"…\"\n".to_owned())]),
        )
        .says("undo the last request"),
    );
}

fn letters(all: &mut Vec<Story>) {
    let kind = "21 letters and line ends";
    all.push(beside(
        kind,
        "UTF-8 read as Latin",
        Notes,
        vec![shell(
            "iconv -f latin1 data/words.txt",
            [is("data/words.txt", "cafÃ©\nnaÃ¯ve\níêµ\u{AD}ì´\næ¥æ¬èª\nSmÃ¸rrebrÃ¸d\n")],
        )],
        vec![At("data/words.txt", "good")],
    ));
    all.push(beside(kind, "letters became question marks", Notes, vec![shell("python conv.py", [is("data/words.txt", "caf\u{fffd}\nna\u{fffd}ve\n\u{fffd}\u{fffd}\u{fffd}\n\u{fffd}\u{fffd}\u{fffd}\nSm\u{fffd}rrebr\u{fffd}d\n")])], vec![At("data/words.txt", "good")]));
    all.push(beside(
        kind,
        "UTF-16",
        Meter,
        vec![shell(
            "iconv -t utf-16 docs/units.md",
            [is("docs/units.md", [0xff, 0xfe, 0x23, 0, 0x20, 0, 0x55, 0, 0x0a, 0])],
        )],
        vec![At("docs/units.md", "good")],
    ));
    all.push(beside(
        kind,
        "line ends of all sources",
        Shop,
        vec![shell("unix2dos src/*.js", [Everywhere("src", &[".js"], "\n", "\r\n")])],
        vec![
            At("src/server.js", "good"),
            At("src/cart.js", "good"),
            At("src/price.js", "good"),
            At("src/login.js", "good"),
            At("src/ui/page.js", "good"),
            At("src/ui/button.js", "good"),
            At("src/services/mail.js", "good"),
            At("src/services/pay.js", "good"),
            At("src/generated/api.js", "good"),
        ],
    ));
    all.push(beside(
        kind,
        "tabs in Python",
        Notes,
        vec![shell("unexpand -i app/search.py", [Everywhere("app", &["search.py"], "    ", "\t")])],
        vec![At("app/search.py", "good")],
    ));
    all.push(Story::new(
        kind,
        "asked for: CRLF",
        Shop,
        vec![
            Prompt("use CRLF line endings in scripts"),
            shell("unix2dos scripts/*", [Everywhere("scripts", &[".sh", ".js"], "\n", "\r\n")]),
            Stop,
        ],
        NOTHING,
    ));
}

fn binaries(all: &mut Vec<Story>) {
    let kind = "22 pictures and other binaries";
    let picture: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x10\0\0\0\x10\x08\x06\0\0\0";
    let with = |name: &str, accident: Vec<Act>, want: Want| {
        let mut acts = vec![
            HandDoes(vec![is("assets/logo.png", picture), is("assets/icon.png", picture)]),
            Session("s-1"),
        ];
        acts.extend(good(Shop));
        acts.push(Mark("good"));
        acts.extend(accident);
        acts.push(Stop);
        Story::new(kind, name, Shop, acts, want).without_hooks()
    };
    all.push(with(
        "text in the place of a picture",
        vec![shell("echo x > assets/logo.png", [is("assets/logo.png", "placeholder\n")])],
        tree([At("assets/logo.png", "good")]),
    ));
    all.push(with(
        "a picture is gone",
        vec![shell("rm assets/logo.png", [Gone("assets/logo.png")])],
        tree([At("assets/logo.png", "good")]),
    ));
    all.push(with(
        "a picture is empty",
        vec![shell("optimize assets/icon.png", [is("assets/icon.png", "")])],
        tree([At("assets/icon.png", "good")]),
    ));
    all.push(with(
        "all pictures are gone",
        vec![shell("rm -r assets", [Gone("assets")])],
        tree([At("assets", "good")]),
    ));
    all.push(
        with(
            "named: bring back the logo",
            vec![shell("gen", [is("assets/logo.png", b"\x89PNG\r\n\x1a\n\0\0\0\rother")])],
            tree([At("assets/logo.png", "good")]),
        )
        .says("restore assets/logo.png"),
    );
}

fn background(all: &mut Vec<Story>) {
    let kind = "23 something else changed it";
    let after = |name: &str, base: Base, effects: Vec<super::incident::Effect>, back: Vec<Back>| {
        let mut acts = good(base);
        acts.extend([Stop, Mark("good"), Silently(effects)]);
        Story::new(kind, name, base, acts, Want::Tree(back))
    };
    all.push(after(
        "a file went after the turn",
        Shop,
        vec![Gone("src/services/pay.js")],
        vec![At("src/services/pay.js", "good")],
    ));
    all.push(after("a folder went after the turn", Notes, vec![Gone("data")], vec![At("data", "good")]));
    all.push(after(
        "a file was emptied after the turn",
        Meter,
        vec![is("src/sensor.rs", "")],
        vec![At("src/sensor.rs", "good")],
    ));
    all.push(after(
        "a file cannot be parsed since",
        Shop,
        vec![Changed("src/cart.js", "export function total(items) {", "export function total(items) ")],
        vec![At("src/cart.js", "good")],
    ));
    all.push(after(
        "the lock file was emptied since",
        Shop,
        vec![is("package-lock.json", "")],
        vec![At("package-lock.json", "good")],
    ));
    all.push(after("conflict marks came since", Meter, vec![Changed("src/lib.rs", "pub mod report;\npub mod sensor;\npub mod units;\n", "<<<<<<< ours\npub mod report;\npub mod sensor;\npub mod units;\n=======\npub mod units;\n>>>>>>> theirs\n")], vec![At("src/lib.rs", "good")]));
}

fn own_mistakes(all: &mut Vec<Story>) {
    let kind = "24 one's own mistake";
    let after = |name: &str, base: Base, words: &str, act: Act, back: Vec<Back>| {
        let mut acts = good(base);
        acts.extend([Stop, Mark("good"), act, Prompt("what is next?"), Stop]);
        Story::new(kind, name, base, acts, Want::Tree(back)).says(words)
    };
    all.push(after(
        "I deleted it",
        Shop,
        "I lost src/login.js",
        HandDoes(vec![Gone("src/login.js")]),
        vec![At("src/login.js", "good")],
    ));
    all.push(after(
        "I deleted it, in Korean",
        Shop,
        "src/login.js가 사라졌어",
        HandDoes(vec![Gone("src/login.js")]),
        vec![At("src/login.js", "good")],
    ));
    all.push(after(
        "I deleted it, in Chinese",
        Notes,
        "app/store.py 不见了",
        HandDoes(vec![Gone("app/store.py")]),
        vec![At("app/store.py", "good")],
    ));
    all.push(after(
        "I deleted it, in Japanese",
        Notes,
        "app/store.py が消えた",
        HandDoes(vec![Gone("app/store.py")]),
        vec![At("app/store.py", "good")],
    ));
    all.push(after(
        "I overwrote it",
        Meter,
        "bring back src/units.rs",
        ByHand("src/units.rs", "oops\n"),
        vec![At("src/units.rs", "good")],
    ));
    all.push(after(
        "I deleted a folder",
        Notes,
        "where did the tests folder go? bring back tests",
        HandDoes(vec![Gone("tests")]),
        vec![At("tests", "good")],
    ));
    all.push(after(
        "only it broke",
        Shop,
        "it broke",
        HandDoes(vec![Gone("src/cart.js")]),
        vec![At("src/cart.js", "good")],
    ));
}

fn conflicts(all: &mut Vec<Story>) {
    let kind = "25 conflicts and merges";
    let marked = "<<<<<<< HEAD\nexport function button(label) {\n  return `<button class=\"primary\">${label}</button>`;\n}\n=======\nexport function button(label) {\n  return `<button>${label}</button>`;\n}\n>>>>>>> topic\n";
    all.push(Story::new(
        kind,
        "marks around the old text",
        Shop,
        vec![
            Prompt("speed up the cart"),
            Replace("src/cart.js", "let sum = 0;", "let sum = 0.0;"),
            Mark("good"),
            shell("git merge topic", [is("src/ui/button.js", marked)]),
            Stop,
        ],
        tree([At("src/ui/button.js", "good")]),
    ));
    let both_new = "<<<<<<< HEAD\nexport const A = 1;\n=======\nexport const A = 2;\n>>>>>>> topic\n";
    all.push(Story::new(
        kind,
        "marks with two new sides",
        Shop,
        vec![
            Prompt("merge the topic branch"),
            shell("git merge topic", [is("src/price.js", both_new)]),
            Stop,
        ],
        Want::Mend(vec!["src/price.js"]),
    ));
    all.push(Story::new(
        kind,
        "a branch was switched and back: nothing is lost",
        Shop,
        vec![
            Prompt("look at the main branch"),
            shell(
                "git checkout -b topic && git checkout -",
                [Git(&["checkout", "-q", "-b", "topic"]), Git(&["checkout", "-q", "-"])],
            ),
            Stop,
        ],
        NOTHING,
    ));
    all.push(
        Story::new(
            kind,
            "stash and pop: nothing is lost",
            Shop,
            vec![
                HandEdit("src/login.js", "'user and password are needed'", "'please sign in'"),
                Session("s-1"),
                Prompt("does the build work without my changes?"),
                shell("git stash", [Git(&["stash", "-q"])]),
                shell("git stash pop", [Git(&["stash", "pop", "-q"])]),
                Stop,
            ],
            NOTHING,
        )
        .without_hooks(),
    );
    all.push(Story::new(
        kind,
        "a reset threw two commits away",
        Shop,
        vec![
            Prompt("make the button bigger"),
            Replace("src/ui/button.js", "class=\"primary\"", "class=\"primary big\""),
            Commit,
            Stop,
            Prompt("speed up the cart"),
            Replace("src/cart.js", "let sum = 0;", "let sum = 0.0;"),
            Commit,
            Stop,
            Mark("good"),
            Prompt("why does the build fail?"),
            shell("git reset --hard HEAD~2", [Git(&["reset", "-q", "--hard", "HEAD~2"])]),
            Stop,
        ],
        tree([All("good")]),
    ));
}

fn replaced(all: &mut Vec<Story>) {
    let kind = "26 search and replace went too far";
    let js: &[&str] = &[".js"];
    all.push(beside(
        kind,
        "a word in six files",
        Shop,
        vec![shell("sed -i s/item/thing/g src", [Everywhere("src", js, "item", "thing")])],
        vec![
            At("src/cart.js", "good"),
            At("src/server.js", "good"),
            At("src/ui/page.js", "good"),
            At("src/generated/api.js", "good"),
        ],
    ));
    all.push(beside(
        kind,
        "a part of words",
        Notes,
        vec![shell(
            "sed -i s/note/memo/g app tests",
            [Everywhere("app", &[".py"], "note", "memo"), Everywhere("tests", &[".py"], "note", "memo")],
        )],
        vec![
            At("app/main.py", "good"),
            At("app/store.py", "good"),
            At("app/search.py", "good"),
            At("app/views.py", "good"),
            At("tests/test_store.py", "good"),
        ],
    ));
    all.push(beside(
        kind,
        "numbers",
        Meter,
        vec![shell(
            "sed -i s/0/O/g",
            [Everywhere("src", &[".rs"], "0", "O"), Everywhere("tests", &[".rs"], "0", "O")],
        )],
        vec![
            At("src/main.rs", "good"),
            At("src/sensor.rs", "good"),
            At("src/report.rs", "good"),
            At("src/units.rs", "good"),
            At("tests/units.rs", "good"),
            At("tests/sensor.rs", "good"),
        ],
    ));
    all.push(Story::new(
        kind,
        "asked for: replace everywhere",
        Shop,
        vec![
            Prompt("replace EUR by USD everywhere"),
            shell("sed -i s/EUR/USD/", [Everywhere("", &[".js", ".json"], "EUR", "USD")]),
            Stop,
        ],
        NOTHING,
    ));
    all.push(Story::new(
        kind,
        "asked for: rename a word everywhere",
        Notes,
        vec![
            Prompt("rename query to question everywhere"),
            shell("sed -i s/query/question/g", [Everywhere("app", &[".py"], "query", "question")]),
            Stop,
        ],
        NOTHING,
    ));
}

fn folders(all: &mut Vec<Story>) {
    let kind = "27 folders";
    all.push(beside(
        kind,
        "a folder was moved",
        Shop,
        vec![shell("mv src/services lib", [Moved("src/services", "lib")])],
        vec![At("src/services", "good"), Back::Gone("lib")],
    ));
    all.push(beside(
        kind,
        "a folder went",
        Shop,
        vec![shell("rm -rf src/ui", [Gone("src/ui")])],
        vec![At("src/ui", "good")],
    ));
    all.push(beside(
        kind,
        "three folders went",
        Notes,
        vec![shell("rm -rf data docs tests", [Gone("data"), Gone("docs"), Gone("tests")])],
        vec![At("data", "good"), At("docs", "good"), At("tests", "good")],
    ));
    all.push(Story::new(
        kind,
        "asked for: move the services",
        Shop,
        vec![
            Prompt("move the services into lib"),
            shell("git mv src/services lib", [Moved("src/services", "lib")]),
            Replace("src/server.js", "./services/mail.js", "../lib/mail.js"),
            Replace("src/server.js", "./services/pay.js", "../lib/pay.js"),
            Stop,
        ],
        NOTHING,
    ));
    all.push(
        Story::new(
            kind,
            "named: the docs folder",
            Notes,
            vec![Prompt("tidy up"), Mark("good"), shell("rm -r docs", [Gone("docs")]), Stop],
            tree([At("docs", "good")]),
        )
        .says("bring back the docs folder"),
    );
    all.push(
        Story::new(
            kind,
            "named in Korean",
            Notes,
            vec![
                Prompt("tidy up"),
                Mark("good"),
                shell("rm -r docs data", [Gone("docs"), Gone("data")]),
                Stop,
            ],
            tree([At("docs", "good")]),
        )
        .says("docs 폴더 복구해줘"),
    );
}

fn tests(all: &mut Vec<Story>) {
    let kind = "28 tests were weakened";
    all.push(beside(
        kind,
        "skipped",
        Shop,
        vec![shell(
            "sed -i s/test/test.skip/",
            [Everywhere("test", &["cart.test.js"], "\ntest(", "\ntest.skip(")],
        )],
        vec![At("test/cart.test.js", "good")],
    ));
    all.push(beside(
        kind,
        "checks taken out",
        Notes,
        vec![Replace(
            "tests/test_store.py",
            "    assert store.get(key) is None\n    assert store.all() == []\n",
            "    pass\n",
        )],
        vec![At("tests/test_store.py", "good")],
    ));
    all.push(beside(
        kind,
        "a test file is gone",
        Meter,
        vec![shell("rm tests/units.rs", [Gone("tests/units.rs")])],
        vec![At("tests/units.rs", "good")],
    ));
    all.push(beside(
        kind,
        "always true",
        Meter,
        vec![Replace("tests/sensor.rs", "assert_eq!(mean(&[]), 0.0);", "assert!(true);")],
        vec![At("tests/sensor.rs", "good")],
    ));
    all.push(Story::new(kind, "asked for: delete an old test", Notes, vec![Prompt("delete test_remove, removing is tested elsewhere"), Replace("tests/test_store.py", "\n\ndef test_remove():\n    store = Store()\n    key = store.add(\"First note\", \"hello\")\n    store.remove(key)\n    assert store.get(key) is None\n    assert store.all() == []\n", ""), Stop], NOTHING));
}

fn overwritten(all: &mut Vec<Story>) {
    let kind = "29 one file over another";
    let pay = "import Stripe from 'stripe';\n\nconst stripe = new Stripe(process.env.PAYMENT_KEY);\n\nexport async function charge(card, amount) {\n  return stripe.charges.create({ source: card, amount: Math.round(amount * 100), currency: 'eur' });\n}\n";
    all.push(beside(
        kind,
        "pay over mail",
        Shop,
        vec![shell("cp src/services/pay.js src/services/mail.js", [is("src/services/mail.js", pay)])],
        vec![At("src/services/mail.js", "good")],
    ));
    all.push(beside(
        kind,
        "a note over the code",
        Notes,
        vec![shell("echo done > app/search.py", [is("app/search.py", "done\n")])],
        vec![At("app/search.py", "good")],
    ));
    all.push(beside(kind, "the rest of the code unchanged", Notes, vec![write("app/store.py", "from app.util import slug\n\n\nclass Store:\n    def __init__(self):\n        self._notes = {}\n\n    # ... rest of the code unchanged ...\n")], vec![At("app/store.py", "good")]));
    all.push(beside(
        kind,
        "an error page over the sources",
        Meter,
        vec![shell(
            "curl -o src/sensor.rs https://example.org",
            [is("src/sensor.rs", "<html><body>404 Not Found</body></html>\n")],
        )],
        vec![At("src/sensor.rs", "good")],
    ));
    all.push(beside(kind, "half a file", Shop, vec![shell("head -5 src/server.js", [is("src/server.js", "import express from 'express';\nimport { login } from './login.js';\nimport { total } from './cart.js';\nimport { sendReceipt } from './services/mail.js';\nimport { charge } from './services/pay.js';\n")])], vec![At("src/server.js", "good")]));
    all.push(Story::new(
        kind,
        "asked for: replace the mail service by a stub",
        Shop,
        vec![
            Prompt("rewrite mail.js as a stub that only logs"),
            write(
                "src/services/mail.js",
                "export async function sendReceipt(user, amount) {\n  console.log(user, amount);\n}\n",
            ),
            Stop,
        ],
        NOTHING,
    ));
}

fn functions_by_name(all: &mut Vec<Story>) {
    let kind = "30 words: functions and complaints";
    let acts = || {
        let mut acts = good(Shop);
        acts.extend([
            Mark("good"),
            Replace(
                "src/price.js",
                "\nexport function formatPrice(sum) {\n  return `${sum.toFixed(2)} EUR`;\n}\n",
                "",
            ),
            Stop,
            Prompt("say more in the docs"),
            Replace("docs/style.md", "Two spaces", "Two spaces, no tabs"),
            Stop,
        ]);
        acts
    };
    for words in [
        "formatPrice is gone",
        "bring back formatPrice",
        "restore the function formatPrice",
        "formatPrice 함수 복구해줘",
        "找回 formatPrice",
        "formatPrice を復元して",
    ] {
        all.push(Story::new(kind, words, Shop, acts(), tree([At("src/price.js", "good")])).says(words));
    }
    for words in ["the prices are not shown any more", "price is broken", "가격이 안 나와, 망가졌어"]
    {
        all.push(Story::new(kind, words, Shop, acts(), tree([At("src/price.js", "good")])).says(words));
    }
    for words in ["undo the docs change", "docs 변경 취소해줘", "撤销 docs 的修改"] {
        all.push(Story::new(kind, words, Shop, acts(), tree([At("docs/style.md", "good")])).says(words));
    }
    for words in [
        "undo the flurbs",
        "bring back the checkout wizard",
        "keep the flurbs, undo the rest",
        "플럭스 변경 되돌려줘",
    ] {
        all.push(Story::new(kind, words, Shop, acts(), Want::AskBack).says(words));
    }
}
