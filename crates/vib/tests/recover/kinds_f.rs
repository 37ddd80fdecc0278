//! Small losses: builds that were asked for, files of a few lines, states with conflict marks, one command with several victims, the
//! form in which a text is written. The truth of each was written before it was played.

use super::base::Base::Notes;
use super::incident::Act::{self, Client, HandDoes, HandEdit, Mark, Prompt, Replace, Save, Stop};
use super::incident::Effect::{Changed, Gone, Moved};
use super::incident::{Effect, is, shell, write};
use super::story::Back::{At, Gone as NotThere, Is};
use super::story::{Story, Want};

fn with(files: Vec<Effect>, acts: Vec<Act>) -> Vec<Act> {
    let mut all = vec![HandDoes(files), Save("start"), Mark("start")];
    all.extend(acts);
    all
}

pub(crate) fn stories() -> Vec<Story> {
    let mut all = Vec::new();
    builds(&mut all);
    small_files(&mut all);
    conflicts(&mut all);
    one_act(&mut all);
    forms(&mut all);
    all
}

fn builds(all: &mut Vec<Story>) {
    let kind = "42 builds that were asked for";
    let mut add = |name: &str, files: Vec<Effect>, acts: Vec<Act>, want: Want, words: &str| {
        all.push(Story::new(kind, name, Notes, with(files, acts), want).says(words));
    };
    let js = || vec![is("src/a.js", "let a = 1;\nlet b = 2;\n"), is("dist/main.js", "let a=1;let b=2;\n")];
    let built = |request, client| {
        vec![
            Client(client),
            Prompt(request),
            Replace("src/a.js", "b = 2", "b = 3"),
            shell("npm run build", [is("dist/main.js", "let a=1;let b=3;\n")]),
            Stop,
        ]
    };
    add(
        "english",
        js(),
        built("set b to 3 and build it", "claude-code"),
        Want::Nothing,
        "something is wrong",
    );
    add("korean, gemini", js(), built("b를 3으로 하고 빌드해줘", "gemini"), Want::Nothing, "뭔가 이상해");
    add("chinese, codex", js(), built("把 b 改成 3 然后打包", "codex"), Want::Nothing, "有什么坏了吗");
    add("japanese", js(), built("b を 3 にしてビルドして", "claude-code"), Want::Nothing, "何かおかしい");
    add(
        "a stray change is shown, and not taken back",
        vec![is("src/login.py", "USER = 'a'\nTRIES = 3\n"), is("src/report.py", "COLUMNS = 4\nROWS = 9\n")],
        vec![
            Prompt("change the tries of the login to 5"),
            Replace("src/login.py", "TRIES = 3", "TRIES = 5"),
            shell("python3 tools/tune.py", [Changed("src/report.py", "ROWS = 9", "ROWS = 8")]),
            Stop,
        ],
        Want::Nothing,
        "it broke",
    );
}

const PAGE: &str = "<html>\n<body>\n<h1>Shop</h1>\n<p>Hi</p>\n<nav>\n  <a href=\"/help\">Help</a>\n  <a href=\"/cart\">Cart</a>\n</nav>\n</body>\n</html>\n";
const SHEET: &str = "header {\n  color: black;\n}\n\n@media print {\n  nav {\n    display: none;\n  }\n  main {\n    width: 100%;\n  }\n}\n\nfooter {\n  margin: 1em;\n}\n";
const CALC: &str = "RATE = 0.1\n\n\ndef tax(n):\n    return n * RATE\n\n\ndef total(n):\n    return n + tax(n)\n\n\ndef show(n):\n    print(total(n))\n";

fn small_files(all: &mut Vec<Story>) {
    let kind = "43 files of a few lines";
    let mut add = |name: &str, path: &'static str, old: &str, acts: Vec<Act>, want: String, words: &str| {
        let want = Want::Tree(vec![Is(path, want)]);
        all.push(
            Story::new(kind, name, Notes, with(vec![is(path, old)], acts), want).says(words).without_git(),
        );
    };
    let written =
        |client, request, path, text: String| vec![Client(client), Prompt(request), write(path, text), Stop];
    let cut = |text: &str, from: &str, until: &str| {
        let (start, end) = (text.find(from).unwrap(), text.find(until).unwrap());
        format!("{}{}", &text[..start], &text[end..])
    };
    let page = cut(PAGE, "<nav>", "</body>").replace("Shop", "Big Shop");
    add(
        "html",
        "page.html",
        PAGE,
        written("claude-code", "change the title to Big Shop", "page.html", page.clone()),
        PAGE.replace("Shop", "Big Shop"),
        "the menu is gone",
    );
    add(
        "html, in Korean, gemini",
        "page.html",
        PAGE,
        written("gemini", "제목을 Big Shop으로 바꿔줘", "page.html", page),
        PAGE.replace("Shop", "Big Shop"),
        "메뉴가 사라졌어",
    );
    let sheet = cut(SHEET, "@media", "footer").replace("black", "blue");
    add(
        "css, in Japanese, codex",
        "print.css",
        SHEET,
        written("codex", "ヘッダーを青にして", "print.css", sheet),
        SHEET.replace("black", "blue"),
        "印刷のスタイルが消えた",
    );
    let elided = "RATE = 0.1\n\n# ... existing code ...\n\n\ndef hello():\n    print('hello')\n".to_owned();
    add(
        "python: a remark instead of the code",
        "calc.py",
        CALC,
        written("claude-code", "add a hello function", "calc.py", elided),
        format!("{CALC}\n\ndef hello():\n    print('hello')\n"),
        "my functions are gone",
    );
    let elided = "RATE = 0.08\n\n# (以下は変更なし)\n".to_owned();
    add(
        "python: a remark in Japanese",
        "calc.py",
        CALC,
        written("gemini", "税率を 0.08 にして", "calc.py", elided),
        CALC.replace("0.1", "0.08"),
        "関数が消えた",
    );
    let elided = "RATE = 0.2\n\n# 나머지 코드는 그대로 ...\n".to_owned();
    add(
        "python: a remark in Korean",
        "calc.py",
        CALC,
        written("claude-code", "세율을 0.2로 바꿔줘", "calc.py", elided),
        CALC.replace("0.1", "0.2"),
        "it broke",
    );
}

fn conflicts(all: &mut Vec<Story>) {
    let kind = "44 conflicts";
    let mut add = |name: &str, files: Vec<Effect>, acts: Vec<Act>, want: Want, words: &str| {
        all.push(Story::new(kind, name, Notes, with(files, acts), want).says(words));
    };
    let base = "export function check() {\n  return true;\n}\n\n";
    let (logout, login) = (
        "export function logout() {\n  return null;\n}\n",
        "export function login(u, pw) {\n  return u === 'a' && pw.length > 3;\n}\n",
    );
    let ours = format!("{base}{logout}");
    let marked = format!("{base}<<<<<<< HEAD\n{logout}=======\n{login}>>>>>>> feature\n");
    let merged = |resolved: String| {
        vec![
            Prompt("merge the feature branch"),
            shell("git merge feature", [is("auth.js", &marked)]),
            shell("git checkout --ours auth.js", [is("auth.js", resolved)]),
            Stop,
        ]
    };
    let both = Want::Tree(vec![Is("auth.js", format!("{base}{logout}{login}"))]);
    add("one side was lost", vec![is("auth.js", &ours)], merged(ours.clone()), both.clone(), "login is gone");
    add(
        "nobody says what, and no state has marks",
        vec![is("auth.js", &ours)],
        merged(ours.clone()),
        Want::Nothing,
        "it broke",
    );
    let py = "def a():\n    return 1\n";
    let marked = "<<<<<<< HEAD\ndef a():\n    return 1\n=======\ndef a():\n    return 2\n>>>>>>> x\n";
    add(
        "the marks are left",
        vec![is("m.py", py)],
        vec![Prompt("merge x"), shell("git merge x", [is("m.py", marked)]), Stop],
        Want::Mend(vec!["m.py"]),
        "it broke",
    );
}

fn one_act(all: &mut Vec<Story>) {
    let kind = "45 one command is one act";
    let mut add = |name: &str, files: Vec<Effect>, acts: Vec<Act>, want: Want, words: &str| {
        all.push(Story::new(kind, name, Notes, with(files, acts), want).says(words));
    };
    let pages = || {
        vec![
            is("web/home.html", "<h1>home</h1>\n"),
            is("web/mail.html", "<p>mail</p>\n"),
            is("x.go", "package x\n\nconst X = 1\n"),
        ]
    };
    let removed = || {
        vec![Prompt("set X to 2"), Replace("x.go", "X = 1", "X = 2"), shell("rm -r web", [Gone("web")]), Stop]
    };
    let back = || Want::Tree(vec![At("web/home.html", "start"), At("web/mail.html", "start")]);
    add("one of two is named", pages(), removed(), back(), "mail.html is missing");
    add("one of two is named, in Chinese", pages(), removed(), back(), "mail.html 不见了");
    add(
        "only one is asked for",
        pages(),
        removed(),
        Want::Tree(vec![At("web/mail.html", "start")]),
        "restore web/mail.html",
    );
    let typed = || vec![is("app.rb", "a = 1\n"), is("notes.txt", "first\n")];
    add(
        "git threw typing away, and a file is named",
        typed(),
        vec![
            HandEdit("app.rb", "a = 1\n", "a = 1\nb = 2 # mine\n"),
            HandEdit("notes.txt", "first\n", "first\nsecond\n"),
            Mark("typed"),
            Client("gemini"),
            Prompt("look at the state of the repository"),
            shell("git checkout .", [is("app.rb", "a = 1\n"), is("notes.txt", "first\n")]),
            Stop,
        ],
        Want::Tree(vec![At("app.rb", "typed"), At("notes.txt", "typed")]),
        "notes.txt 내용이 사라졌어",
    );
    add(
        "a folder got another name",
        vec![
            is("core/main.py", "import util\nprint(util.x)\n"),
            is("core/util.py", "x = 1\ny = 2\n"),
            is("run.sh", "python3 core/main.py\n"),
        ],
        vec![
            Prompt("improve the wording of the notes"),
            shell(
                "mv core program",
                [
                    Moved("core/main.py", "program/main.py"),
                    Moved("core/util.py", "program/util.py"),
                    Gone("core"),
                ],
            ),
            Stop,
        ],
        Want::Tree(vec![
            At("core/main.py", "start"),
            At("core/util.py", "start"),
            NotThere("program/main.py"),
            NotThere("program/util.py"),
        ]),
        "run.sh says no such file core/main.py",
    );
}

fn forms(all: &mut Vec<Story>) {
    let kind = "46 forms of a text";
    let mut add = |name: &str, path: &'static str, old: &str, acts: Vec<Act>, want: Want, words: &str| {
        all.push(
            Story::new(kind, name, Notes, with(vec![is(path, old)], acts), want).says(words).without_git(),
        );
    };
    let is_now = |path, text: &str| Want::Tree(vec![Is(path, text.to_owned())]);
    add(
        "a makefile loses its tabs",
        "Makefile",
        "all: a.o\n\tcc -o a a.o\n\ntest:\n\t./a\n",
        vec![
            Client("gemini"),
            Prompt("add a target that installs it"),
            write("Makefile", "all: a.o\n    cc -o a a.o\n\ntest:\n    ./a\n\ninstall:\n    cp a /opt\n"),
            Stop,
        ],
        is_now("Makefile", "all: a.o\n\tcc -o a a.o\n\ntest:\n\t./a\n\ninstall:\n\tcp a /opt\n"),
        "make: missing separator",
    );
    add(
        "a table gets other separators, in Chinese",
        "价格.csv",
        "编号;名称;价格\n1;苹果;3\n2;梨;4\n",
        vec![Prompt("加一行 3 橙 7"), write("价格.csv", "编号,名称,价格\n1,苹果,3\n2,梨,4\n3,橙,7\n"), Stop],
        is_now("价格.csv", "编号;名称;价格\n1;苹果;3\n2;梨;4\n3;橙;7\n"),
        "价格表坏了",
    );
    add(
        "values become placeholders",
        "conf/settings.ini",
        "[mail]\nserver = smtp.shop.test\npassword = k3-Ryw9-77\n",
        vec![
            Client("codex"),
            Prompt("set the mail server to mx.shop.test"),
            write("conf/settings.ini", "[mail]\nserver = mx.shop.test\npassword = your-password-here\n"),
            Stop,
        ],
        is_now("conf/settings.ini", "[mail]\nserver = mx.shop.test\npassword = k3-Ryw9-77\n"),
        "메일이 안 보내져",
    );
    add(
        "a log is begun anew",
        "journal.txt",
        "Monday: started\nTuesday: tested\nWednesday: shipped\n",
        vec![
            Prompt("add Thursday: rested to the journal"),
            shell("echo 'Thursday: rested' > journal.txt", [is("journal.txt", "Thursday: rested\n")]),
            Stop,
        ],
        is_now("journal.txt", "Monday: started\nTuesday: tested\nWednesday: shipped\nThursday: rested\n"),
        "it broke",
    );
    let data: Vec<u8> = (0..=255u8).cycle().take(6000).collect();
    let acts = with(
        vec![is("shop.sqlite", &data), is("run.py", "X = 1\n")],
        vec![
            Client("gemini"),
            Prompt("테스트 돌려줘"),
            shell("python3 run.py", [is("shop.sqlite", &data[..300])]),
            Stop,
        ],
    );
    all.push(
        Story::new(kind, "a data base is emptied", Notes, acts, Want::Tree(vec![At("shop.sqlite", "start")]))
            .says("it broke"),
    );
    let about = "<html>\n<h1>About</h1>\n<p>We sell tea</p>\n</html>\n";
    let acts = with(
        vec![is("index.html", "<html>\n<h1>Home</h1>\n<ul>\n<li>Tea</li>\n<li>Cups</li>\n</ul>\n</html>\n")],
        vec![
            Prompt("make a page about.html that says we sell tea"),
            write("about.html", about),
            write("index.html", about),
            Stop,
        ],
    );
    all.push(
        Story::new(
            kind,
            "the wrong file was written over",
            Notes,
            acts,
            Want::Tree(vec![At("index.html", "start")]),
        )
        .says("it broke"),
    );
}
