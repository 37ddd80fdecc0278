//! Kinds in which somebody else's work lies beside the damage: what a later request took of an earlier one's, refactoring that was asked
//! for and is no damage, and people and agents in the same file. The truth of each was written before it was played.

use super::base::Base::Notes;
use super::incident::Act::{self, Client, HandDoes, HandEdit, Mark, Prompt, Replace, Save, Stop};
use super::incident::Effect::{Changed, Gone, Moved};
use super::incident::{Effect, is, shell, write};
use super::story::Back::{At, Gone as NotThere, Is};
use super::story::{Story, Want};

/// These files are there from the beginning, then the rest happens.
fn with(files: Vec<Effect>, acts: Vec<Act>) -> Vec<Act> {
    let mut all = vec![HandDoes(files), Save("start"), Mark("start")];
    all.extend(acts);
    all
}

pub(crate) fn stories() -> Vec<Story> {
    let mut all = Vec::new();
    lost_work(&mut all);
    refactoring(&mut all);
    whose(&mut all);
    all
}

const TEXT_PY: &str =
    "def clean(text):\n    return text.strip()\n\n\ndef words(text):\n    return clean(text).split()\n";
const SLUG_PY: &str = "def slugify(text):\n    parts = words(text)\n    return '-'.join(parts).lower()\n";
const STATS_RS: &str = "pub fn largest(samples: &[f64]) -> f64 {\n    samples.iter().copied().fold(f64::MIN, f64::max)\n}\n\npub fn smallest(samples: &[f64]) -> f64 {\n    samples.iter().copied().fold(f64::MAX, f64::min)\n}\n";
const MEAN_RS: &str = "pub fn mean(samples: &[f64]) -> f64 {\n    let count = samples.len().max(1);\n    samples.iter().sum::<f64>() / count as f64\n}\n";
const FETCH_GO: &str = "package main\n\nfunc fetch(url string) (string, error) {\n\treturn get(url)\n}\n\nfunc get(url string) (string, error) {\n\treturn url, nil\n}\n";
const RETRY_GO: &str = "func retry(times int, url string) (string, error) {\n\tfor i := 0; i < times; i++ {\n\t\tif body, err := fetch(url); err == nil {\n\t\t\treturn body, nil\n\t\t}\n\t}\n\treturn \"\", nil\n}\n";
const THEME_CSS: &str = "body {\n  margin: 0;\n}\n\nmain {\n  padding: 1rem;\n}\n";
const DARK_CSS: &str = ".dark {\n  background: #111;\n  color: #eee;\n}\n";
const GUIDE: &str = "# 手引き\n\nはじめに読むもの。\n";
const USAGE: &str = "## 使い方\n\nまず起動する。\nつぎに保存する。\n";

/// One request adds a piece before the last part of a file, the next one writes the file as it was, with a piece of its own at the end.
fn stale(
    path: &'static str,
    old: &'static str,
    at: &'static str,
    piece: &str,
    own: &str,
    asked: [&'static str; 2],
    client: &'static str,
) -> Vec<Act> {
    let new: &'static str =
        Box::leak(format!("{piece}\n{}{at}", if path.ends_with(".py") { "\n" } else { "" }).into_boxed_str());
    vec![
        Client(client),
        Prompt(asked[0]),
        Replace(path, at, new),
        Stop,
        Prompt(asked[1]),
        write(path, format!("{old}{own}")),
        Stop,
    ]
}

fn lost_work(all: &mut Vec<Story>) {
    let kind = "39 lost work of a request";
    let mut add = |name: &str, acts: Vec<Act>, want: Want, words: &str| {
        all.push(Story::new(kind, name, Notes, acts, want).says(words).without_git());
    };
    let shorten = "\n\ndef shorten(text, most):\n    return text[:most]\n";
    let python = |client| {
        let acts = stale(
            "text.py",
            TEXT_PY,
            "def words",
            SLUG_PY,
            shorten,
            ["add a slugify function", "add a function that shortens a text"],
            client,
        );
        with(vec![is("text.py", TEXT_PY)], acts)
    };
    let slug_back = || {
        Want::Tree(vec![Is(
            "text.py",
            format!("{}{shorten}", TEXT_PY.replace("def words", &format!("{SLUG_PY}\n\ndef words"))),
        )])
    };
    add("python, gemini: it is gone", python("gemini"), slug_back(), "slugify is gone");
    add("python, codex: bring it back", python("codex"), slug_back(), "bring back slugify");
    add("python, claude: nobody says what", python("claude-code"), slug_back(), "it broke");
    add("python, gemini: it does not work", python("gemini"), slug_back(), "slugify does not work any more");

    let range = "\npub fn range(samples: &[f64]) -> f64 {\n    largest(samples) - smallest(samples)\n}\n";
    let acts = stale(
        "src/stats.rs",
        STATS_RS,
        "pub fn smallest",
        MEAN_RS,
        range,
        ["평균 함수를 추가해줘", "범위 함수를 추가해줘"],
        "claude-code",
    );
    let want = STATS_RS.replace("pub fn smallest", &format!("{MEAN_RS}\npub fn smallest"));
    add(
        "rust, in Korean",
        with(vec![is("src/stats.rs", STATS_RS)], acts),
        Want::Tree(vec![Is("src/stats.rs", format!("{want}{range}"))]),
        "평균 함수가 사라졌어",
    );

    let post = "\nfunc post(url string) error {\n\treturn nil\n}\n";
    let acts = stale(
        "fetch.go",
        FETCH_GO,
        "func get",
        RETRY_GO,
        post,
        ["加一个重试函数", "加一个发送函数"],
        "codex",
    );
    let want = FETCH_GO.replace("func get", &format!("{RETRY_GO}\nfunc get"));
    add(
        "go, in Chinese, codex",
        with(vec![is("fetch.go", FETCH_GO)], acts),
        Want::Tree(vec![Is("fetch.go", format!("{want}{post}"))]),
        "重试没了",
    );

    let footer = "\nfooter {\n  color: gray;\n}\n";
    let css = || {
        with(
            vec![is("theme.css", THEME_CSS)],
            stale(
                "theme.css",
                THEME_CSS,
                "main {",
                DARK_CSS,
                footer,
                ["add a dark theme", "give the page a footer"],
                "gemini",
            ),
        )
    };
    let dark = || {
        Want::Tree(vec![Is(
            "theme.css",
            format!("{}{footer}", THEME_CSS.replace("main {", &format!("{DARK_CSS}\nmain {{"))),
        )])
    };
    add("css: where is it", css(), dark(), "where is my dark theme?");
    add("css: bring it back", css(), dark(), "bring the dark theme back");

    let contact = "\n## 連絡先\n\nメールで聞く。\n";
    let acts = stale(
        "guide.md",
        GUIDE,
        "はじめに読むもの。\n",
        USAGE,
        contact,
        ["使い方の説明を追加して", "連絡先を追加して"],
        "claude-code",
    );
    let want = GUIDE.replace("はじめに読むもの。\n", &format!("{USAGE}\nはじめに読むもの。\n"));
    add(
        "prose, in Japanese",
        with(vec![is("guide.md", GUIDE)], acts),
        Want::Tree(vec![Is("guide.md", format!("{want}{contact}"))]),
        "使い方の説明が消えた",
    );

    let acts = with(
        vec![is("main.py", "print('hi')\n")],
        vec![
            Prompt("add an export of the notes"),
            write("export.py", "def export(notes):\n    return '\\n'.join(notes)\n"),
            Replace("main.py", "print('hi')", "from export import export\nprint(export(['hi']))"),
            Stop,
            Mark("good"),
            Prompt("make the greeting louder"),
            Replace("main.py", "'hi'", "'HI'"),
            shell("rm export.py", [Gone("export.py")]),
            Stop,
        ],
    );
    add(
        "a file that a request made",
        acts,
        Want::Tree(vec![At("export.py", "good")]),
        "the export is missing",
    );

    // What was asked to go is no loss; what was written in other words is none either.
    let discount = "function total(n) {\n  return n;\n}\n\nfunction discount(n) {\n  return n * 0.9;\n}\n";
    let plain = "function total(n) {\n  return n;\n}\n";
    let added = || vec![Prompt("add a discount"), write("cart.js", discount), Stop];
    let mut acts = added();
    acts.extend([Prompt("remove the discount again"), write("cart.js", plain), Stop]);
    add("it was asked to go", with(vec![is("cart.js", plain)], acts), Want::Nothing, "is something broken?");
    let mut acts = added();
    acts.extend([Prompt("make it twenty percent"), Replace("cart.js", "n * 0.9", "n * 0.8"), Stop]);
    add(
        "it was changed",
        with(vec![is("cart.js", plain)], acts),
        Want::Nothing,
        "the discount does not look right",
    );

    // It was taken back with vib, and is wanted again.
    let mut acts = vec![
        Prompt("add a slugify function"),
        Replace("text.py", "def words", Box::leak(format!("{SLUG_PY}\n\ndef words").into_boxed_str())),
        Stop,
        Mark("good"),
        Act::Undo,
    ];
    acts.extend([
        Prompt("say what the file is for"),
        Replace("text.py", "def clean", "# Texts.\n\n\ndef clean"),
        Stop,
    ]);
    let want = format!("# Texts.\n\n\n{}", TEXT_PY.replace("def words", &format!("{SLUG_PY}\n\ndef words")));
    add(
        "vib took it back, and it is wanted again",
        with(vec![is("text.py", TEXT_PY)], acts),
        Want::Tree(vec![Is("text.py", want)]),
        "bring back the slugify function",
    );
}

fn refactoring(all: &mut Vec<Story>) {
    let kind = "40 asked-for refactoring";
    let mut add = |name: &str, files: Vec<Effect>, acts: Vec<Act>, want: Want, words: &str| {
        all.push(Story::new(kind, name, Notes, with(files, acts), want).says(words));
    };
    let area = "def area(r):\n    pi = 3.14\n    return pi * r * r\n";
    let app = format!("{area}\n\ndef main():\n    print(area(2))\n");
    add(
        "python: a function moves",
        vec![is("app.py", &app), is("shapes.py", "SIDES = 4\n")],
        vec![
            Prompt("move area from app.py into shapes.py"),
            write("app.py", "from shapes import area\n\n\ndef main():\n    print(area(2))\n"),
            write("shapes.py", format!("SIDES = 4\n\n\n{area}")),
            Stop,
        ],
        Want::Nothing,
        "is something missing?",
    );
    let mail = "export function mail(to: string): string {\n  return 'mail ' + to;\n}\n";
    let cart = "export function cart(): string {\n  return 'cart';\n}\n";
    add(
        "typescript: everything is handed on, in Korean",
        vec![
            is("app.ts", format!("{cart}\n{mail}")),
            is("main.ts", "import { cart, mail } from './app';\ncart();\nmail('a');\n"),
        ],
        vec![
            Client("gemini"),
            Prompt("app.ts 파일이 너무 커서 나눠줘"),
            write("mail.ts", mail),
            write("app.ts", format!("export * from './mail';\n\n{cart}")),
            Stop,
        ],
        Want::Nothing,
        "혹시 없어진 거 있어?",
    );
    add(
        "rust: into a module, in Japanese",
        vec![
            is("src/lib.rs", format!("{STATS_RS}\n{MEAN_RS}")),
            is("src/main.rs", "fn main() {\n    println!(\"{}\", lib::mean(&[1.0]));\n}\n"),
        ],
        vec![
            Client("codex"),
            Prompt("mean を別のモジュールに移動して"),
            write("src/mean.rs", MEAN_RS),
            write("src/lib.rs", format!("mod mean;\npub use mean::mean;\n\n{STATS_RS}")),
            Stop,
        ],
        Want::Nothing,
        "何か消えた?",
    );
    let get = "func get(url string) (string, error) {\n\treturn url, nil\n}\n";
    add(
        "go: into another file of the package, in Chinese",
        vec![is("fetch.go", FETCH_GO), is("main.go", "package main\n\nfunc main() {\n\tget(\"a\")\n}\n")],
        vec![
            Prompt("把 get 移到 get.go"),
            write("get.go", format!("package main\n\n{get}")),
            write("fetch.go", FETCH_GO.replace(&format!("\n{get}"), "")),
            Stop,
        ],
        Want::Nothing,
        "有东西丢了吗",
    );
    let volume = "def volume(a):\n    side = a\n    return side ** 3\n";
    add(
        "python: one of two arrived",
        vec![
            is("geo.py", format!("{area}\n\n{volume}\n\nNAME = 'geo'\n")),
            is("use.py", "from geo import area, volume\nprint(area(1), volume(2))\n"),
            is("round.py", "X = 1\n"),
        ],
        vec![
            Prompt("move area into round.py"),
            write("round.py", format!("X = 1\n\n\n{area}")),
            write("geo.py", "from round import area\n\n\nNAME = 'geo'\n"),
            Stop,
        ],
        Want::Tree(vec![Is("geo.py", format!("from round import area\n\n\n{volume}\n\nNAME = 'geo'\n"))]),
        "something is missing",
    );
    add(
        "javascript: with require",
        vec![
            is(
                "a.js",
                "function slug(s) {\n  return s.trim();\n}\n\nfunction run() {\n  return slug(' a ');\n}\n\nmodule.exports = { run, slug };\n",
            ),
            is("b.js", "const { slug } = require('./a');\nslug('x');\n"),
        ],
        vec![
            Prompt("put slug into its own file"),
            write("slug.js", "function slug(s) {\n  return s.trim();\n}\n\nmodule.exports = { slug };\n"),
            write(
                "a.js",
                "const { slug } = require('./slug');\n\nfunction run() {\n  return slug(' a ');\n}\n\nmodule.exports = { run, slug };\n",
            ),
            Stop,
        ],
        Want::Nothing,
        "is anything lost?",
    );
    add(
        "a page is translated, in Chinese",
        vec![is("index.html", "<h1>小店</h1>\n<p>欢迎光临</p>\n<p>苹果和梨</p>\n<p>明天见</p>\n")],
        vec![
            Prompt("把页面翻译成英文"),
            write("index.html", "<h1>Shop</h1>\n<p>Welcome</p>\n<p>Apples and pears</p>\n<p>See you</p>\n"),
            Stop,
        ],
        Want::Nothing,
        "有什么问题吗",
    );
}

const LINES: &str = "const a1 = 1;\nconst a2 = 1;\nconst a3 = 1;\nconst a4 = 1;\nconst a5 = 1;\n";

fn whose(all: &mut Vec<Story>) {
    let kind = "41 whose work it is";
    let mut add = |name: &str, acts: Vec<Act>, want: Want, words: &str| {
        all.push(
            Story::new(
                kind,
                name,
                Notes,
                with(vec![is("a.js", LINES), is("b.py", "B = 1\nC = 1\n")], acts),
                want,
            )
            .says(words),
        );
    };
    let turn = |back| Want::Offered("take_back_turn", back);
    let one = || vec![Prompt("alpha work"), Replace("a.js", "a1 = 1", "a1 = 2"), Stop];
    let mut acts = one();
    acts.push(HandEdit("a.js", "const a5 = 1;\n", "const a5 = 1;\n// mine\n"));
    add("typed by hand after it", acts, turn(vec![Is("a.js", format!("{LINES}// mine\n"))]), "it broke");

    let acts = vec![
        Prompt("alpha work"),
        Replace("a.js", "a1 = 1", "a1 = 2"),
        HandEdit("a.js", "const a5 = 1;\n", "const a5 = 1;\n// mine\n"),
        Replace("a.js", "a3 = 1", "a3 = 2"),
        Stop,
    ];
    add(
        "typed by hand in the middle of it",
        acts,
        turn(vec![Is("a.js", format!("{LINES}// mine\n"))]),
        "it broke",
    );

    let two = vec![
        Client("claude-code"),
        Prompt("alpha work"),
        Client("gemini"),
        Prompt("beta work"),
        Client("claude-code"),
        Replace("a.js", "a1 = 1", "a1 = 2"),
        Client("gemini"),
        Replace("a.js", "a3 = 1", "a3 = 3"),
        Replace("b.py", "B = 1", "B = 2"),
        Client("claude-code"),
        Replace("a.js", "a5 = 1", "a5 = 2"),
        Stop,
        Client("gemini"),
        Stop,
    ];
    let left = LINES.replace("a1 = 1", "a1 = 2").replace("a5 = 1", "a5 = 2");
    add(
        "two agents at once, gemini asked last",
        two,
        turn(vec![Is("a.js", left), Is("b.py", "B = 1\nC = 1\n".to_owned())]),
        "뭔가 망가졌어",
    );

    // The same line: it stays, and is named.
    let mut acts = one();
    acts.extend([HandEdit("a.js", "a1 = 2", "a1 = 7")]);
    acts.splice(2..2, [Replace("b.py", "B = 1", "B = 2")]);
    add("typed over the same line", acts, turn(vec![Is("b.py", "B = 1\nC = 1\n".to_owned())]), "出问题了");

    let acts = vec![
        Client("codex"),
        Prompt("write a helper"),
        write("help.py", "def help():\n    return 1\n"),
        Replace("b.py", "B = 1", "B = 2"),
        Stop,
        HandEdit("help.py", "return 1", "return 1  # mine"),
    ];
    add(
        "a new file that a person worked on",
        acts,
        turn(vec![Is("b.py", "B = 1\nC = 1\n".to_owned())]),
        "it broke",
    );

    let mut acts = one();
    acts.extend([Save("it works")]);
    add(
        "saved as good, and nothing changed since",
        acts,
        turn(vec![Is("a.js", LINES.to_owned())]),
        "it broke",
    );

    // Files that moved and came.
    let acts = vec![
        Prompt("call it c.py"),
        shell("mv b.py c.py", [Moved("b.py", "c.py")]),
        Stop,
        HandEdit("a.js", "a2 = 1", "a2 = 9"),
    ];
    add(
        "a file that got another name",
        acts,
        turn(vec![At("b.py", "start"), NotThere("c.py")]),
        "何か壊れた",
    );

    let acts = vec![
        Prompt("tidy the constants"),
        shell("sed -i s/1/2/ b.py", [Changed("b.py", "B = 1", "B = 2")]),
        Stop,
        HandEdit("b.py", "C = 1\n", "C = 1\nMINE = 3\n"),
        Client("gemini"),
        Prompt("raise a4"),
        Replace("a.js", "a4 = 1", "a4 = 4"),
        Stop,
    ];
    add("only the last one goes", acts, turn(vec![Is("a.js", LINES.to_owned())]), "it broke");
}
