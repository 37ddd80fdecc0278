//! What a mend must never do: put a part of one block into another one, break a file, bring back what stands elsewhere now, take back
//! what was asked for because of a complaint. The truth of each was written before it was played.

use super::base::Base::Notes;
use super::incident::Act::{self, Client, HandDoes, Mark, Prompt, Replace, Save, Stop};
use super::incident::Effect::Gone;
use super::incident::{Effect, is, shell, write};
use super::story::Back::Is;
use super::story::{Story, Want};

fn with(files: Vec<Effect>, acts: Vec<Act>) -> Vec<Act> {
    let mut all = vec![HandDoes(files), Save("start"), Mark("start")];
    all.extend(acts);
    all
}

fn leaked(text: String) -> &'static str {
    Box::leak(text.into_boxed_str())
}

pub(crate) fn stories() -> Vec<Story> {
    let mut all = Vec::new();
    whole_blocks(&mut all);
    renames(&mut all);
    moved(&mut all);
    complaints(&mut all);
    all
}

/// One request puts a block in, the next one writes the file from an old copy with another block at the same place.
fn whole_blocks(all: &mut Vec<Story>) {
    let kind = "47 a block comes back whole";
    let mut add = |name: &str,
                   path: &'static str,
                   old: &str,
                   at: &'static str,
                   [first, second]: [&str; 2],
                   [asked, then]: [&'static str; 2],
                   client: &'static str,
                   words: &str| {
        let both = old.replacen(at, &format!("{first}{second}{at}"), 1);
        let acts = vec![
            Client(client),
            Prompt(asked),
            Replace(path, at, leaked(format!("{first}{at}"))),
            Stop,
            Prompt(then),
            write(path, old.replacen(at, &format!("{second}{at}"), 1)),
            Stop,
        ];
        let want = Want::Tree(vec![Is(path, both)]);
        all.push(
            Story::new(kind, name, Notes, with(vec![is(path, old)], acts), want).says(words).without_git(),
        );
    };
    add(
        "lua",
        "player.lua",
        "local P = {}\n\nreturn P\n",
        "return P\n",
        [
            "function P.heal(n)\n  local m = n + 10\n  if m > 100 then\n    m = 100\n  end\n  return m\nend\n\n",
            "function P.jump(n)\n  return n * 2\nend\n\n",
        ],
        ["let the player heal", "let the player jump"],
        "claude-code",
        "heal is gone",
    );
    add(
        "toml",
        "p.toml",
        "name = \"x\"\n\n[end]\na = 1\n",
        "[end]",
        ["[heal]\namount = 10\nmax = 100\nwho = \"all\"\ndelay = 3\n\n", "[jump]\namount = 2\n\n"],
        ["add heal", "add jump"],
        "gemini",
        "the heal section is gone",
    );
    add(
        "ini, in Korean",
        "p.ini",
        "name=x\n\n[end]\na=1\n",
        "[end]",
        ["[heal]\namount=10\nmax=100\nwho=all\ndelay=3\n\n", "[jump]\namount=2\n\n"],
        ["heal 추가해줘", "jump 추가해줘"],
        "claude-code",
        "heal 이 사라졌어",
    );
    add(
        "sql",
        "p.sql",
        "create table a (x int);\n\n-- end\n",
        "-- end",
        [
            "create table heal (\n  id int,\n  amount int,\n  who text,\n  at text\n);\n\n",
            "create table jump (\n  id int\n);\n\n",
        ],
        ["add heal", "add jump"],
        "codex",
        "the table heal is gone",
    );
    add(
        "html",
        "p.html",
        "<ul></ul>\n\n<footer></footer>\n",
        "<footer>",
        [
            "<form id=\"heal\">\n  <label>Who</label>\n  <input name=\"who\">\n  <input name=\"amount\">\n  <button>Heal</button>\n</form>\n\n",
            "<form id=\"jump\">\n  <button>Jump</button>\n</form>\n\n",
        ],
        ["add heal", "add jump"],
        "claude-code",
        "the heal form is gone",
    );
    add(
        "prose",
        "README.md",
        "# Tool\n\nA small tool.\n\n## License\n\nMIT\n",
        "## License",
        [
            "## Usage\n\nRun `tool run FILE`.\n\nOptions:\n\n- `-v` says more\n- `-q` says less\n- `-n` does nothing\n\nSee the manual.\n\n",
            "## Install\n\nRun `pip install tool`.\n\n",
        ],
        ["add a usage section", "add an install section"],
        "claude-code",
        "the usage section is gone",
    );
    add(
        "css",
        "p.css",
        "a {\n  color: red;\n}\n\np {\n  margin: 0;\n}\n",
        "p {",
        [
            ".heal {\n  color: green;\n  border: 1px solid;\n  padding: 4px;\n  display: block;\n}\n\n",
            ".jump {\n  color: blue;\n}\n\n",
        ],
        ["add heal", "add jump"],
        "claude-code",
        "the heal style is gone",
    );
    add(
        "nginx, in Chinese",
        "site.conf",
        "server {\n    listen 80;\n\n    location / {\n        root /www;\n    }\n}\n",
        "    location / {",
        [
            "    location /shop {\n        proxy_pass http://shop;\n        proxy_read_timeout 9s;\n        proxy_buffering off;\n    }\n\n",
            "    location /blog {\n        proxy_pass http://blog;\n    }\n\n",
        ],
        ["加一个 shop 的代理", "加一个 blog 的代理"],
        "gemini",
        "shop 的代理没了",
    );
}

fn renames(all: &mut Vec<Story>) {
    let kind = "48 half a rename that was asked for";
    let mut add = |name: &str, files: Vec<Effect>, acts: Vec<Act>, want: Want, words: &str| {
        all.push(Story::new(kind, name, Notes, with(files, acts), want).says(words).without_git());
    };
    let python = || {
        vec![
            is("users.py", "def load_user(i):\n    return i\n"),
            is("jobs.py", "import users\n\nprint(users.load_user(1))\n"),
        ]
    };
    let asked = |request| vec![Prompt(request), Replace("users.py", "load_user", "get_user"), Stop];
    let finished =
        || Want::Tree(vec![Is("jobs.py", "import users\n\nprint(users.get_user(1))\n".to_owned())]);
    add(
        "the old name is missing",
        python(),
        asked("rename load_user to get_user"),
        finished(),
        "load_user is missing, jobs.py crashes",
    );
    add(
        "the old name is gone, in Japanese",
        python(),
        asked("load_user を get_user にリネームして"),
        finished(),
        "load_user が消えた",
    );
    let rust = vec![
        is("src/cart.rs", "pub fn total() -> u32 {\n    1\n}\n"),
        is("src/main.rs", "mod cart;\n\nfn main() {\n    println!(\"{}\", cart::total());\n}\n"),
    ];
    add(
        "the words of a compiler",
        rust,
        vec![Prompt("rename total to sum"), Replace("src/cart.rs", "total", "sum"), Stop],
        Want::Tree(vec![Is(
            "src/main.rs",
            "mod cart;\n\nfn main() {\n    println!(\"{}\", cart::sum());\n}\n".to_owned(),
        )]),
        "cannot find function `total` in module `cart`",
    );
}

fn moved(all: &mut Vec<Story>) {
    let kind = "49 what stands elsewhere now is not lost";
    let mut add = |name: &str, files: Vec<Effect>, acts: Vec<Act>, want: Want, words: &str| {
        all.push(Story::new(kind, name, Notes, with(files, acts), want).says(words).without_git());
    };
    let store = || {
        vec![
            is(
                "store.py",
                "import sqlite3\n\ndef open_db(path):\n    return sqlite3.connect(path)\n\ndef close_db(con):\n    con.commit()\n    con.close()\n",
            ),
            is("main.py", "from store import open_db, close_db\n\ncon = open_db(\"a.db\")\nclose_db(con)\n"),
        ]
    };
    let class = |request| {
        vec![
            Prompt(request),
            write(
                "store.py",
                "import sqlite3\n\nclass Store:\n    def __init__(self, path):\n        self.con = sqlite3.connect(path)\n\n    def close(self):\n        self.con.commit()\n        self.con.close()\n",
            ),
            Replace(
                "main.py",
                "from store import open_db, close_db\n\ncon = open_db(\"a.db\")\nclose_db(con)",
                "from store import Store\n\nstore = Store(\"a.db\")\nstore.close()",
            ),
            Stop,
        ]
    };
    add(
        "functions become a class",
        store(),
        class("turn store.py into a class"),
        Want::Nothing,
        "did we lose anything?",
    );
    add(
        "functions become a class, in Korean",
        store(),
        class("store.py 를 클래스로 바꿔줘"),
        Want::Nothing,
        "혹시 빠진 거 있어?",
    );
    add(
        "functions become a class, and it crashes",
        store(),
        class("turn store.py into a class"),
        Want::Nothing,
        "the program crashes at start",
    );
    add(
        "a class moves, and a method gets another name",
        vec![is(
            "Shop.kt",
            "class Money(val n: Int) {\n    fun format(): String = \"$\" + n\n}\n\nclass Shop {\n    fun price(): String = Money(3).format()\n}\n",
        )],
        vec![
            Prompt("move Money into Money.kt and rename format to show"),
            write("Money.kt", "class Money(val n: Int) {\n    fun show(): String = \"$\" + n\n}\n"),
            write("Shop.kt", "class Shop {\n    fun price(): String = Money(3).show()\n}\n"),
            Stop,
        ],
        Want::Nothing,
        "is anything missing?",
    );
    let handlers =
        "def users():\n    return 1\n\n\ndef orders():\n    return 2\n\n\ndef delete(i):\n    return i\n";
    let split = |request| {
        vec![
            Prompt(request),
            write("users.py", "def users():\n    return 1\n"),
            write("orders.py", "def orders():\n    return 2\n"),
            write(
                "main.py",
                "import users\nimport orders\n\nprint(users.users(), orders.orders(), orders.delete(1))\n",
            ),
            shell("rm handlers.py", [Gone("handlers.py")]),
            Stop,
        ]
    };
    let python = || {
        vec![
            is("handlers.py", handlers),
            is(
                "main.py",
                "import handlers\n\nprint(handlers.users(), handlers.orders(), handlers.delete(1))\n",
            ),
        ]
    };
    add(
        "a file is taken apart, and one function is forgotten",
        python(),
        split("split handlers.py into users.py and orders.py"),
        Want::Mend(vec!["handlers.py"]),
        "is anything lost?",
    );
    let go = "package main\n\nfunc listUsers() string {\n\treturn \"users\"\n}\n\nfunc addUser(n string) string {\n\treturn \"added \" + n\n}\n\nfunc listOrders() string {\n\treturn \"orders\"\n}\n\nfunc deleteOrder(id string) string {\n\treturn \"deleted \" + id\n}\n";
    let main = "package main\n\nfunc main() {\n\tprintln(listUsers(), addUser(\"a\"), listOrders(), deleteOrder(\"1\"))\n}\n";
    add(
        "a file is taken apart, go, in Chinese",
        vec![is("handlers.go", go), is("main.go", main), is("go.mod", "module m\n")],
        vec![
            Prompt("把 handlers.go 拆成 users.go 和 orders.go"),
            write(
                "users.go",
                "package main\n\nfunc listUsers() string {\n\treturn \"users\"\n}\n\nfunc addUser(n string) string {\n\treturn \"added \" + n\n}\n",
            ),
            write("orders.go", "package main\n\nfunc listOrders() string {\n\treturn \"orders\"\n}\n"),
            shell("rm handlers.go", [Gone("handlers.go")]),
            Stop,
        ],
        Want::Mend(vec!["handlers.go"]),
        "拆完以后有没有丢东西？",
    );
}

fn complaints(all: &mut Vec<Story>) {
    let kind = "50 a complaint takes nothing back";
    let mut add = |name: &str,
                   path: &'static str,
                   old: &str,
                   (at, line): (&'static str, &'static str),
                   (from, to): (&str, &str),
                   [asked, then]: [&'static str; 2],
                   words: &str| {
        let added = leaked(format!("{line}{at}"));
        let acts = vec![
            Prompt(asked),
            Replace(path, at, added),
            Stop,
            Prompt(then),
            write(path, old.replace(from, to)),
            Stop,
        ];
        let want = Want::Tree(vec![Is(path, old.replacen(at, added, 1).replace(from, to))]);
        all.push(
            Story::new(kind, name, Notes, with(vec![is(path, old)], acts), want).says(words).without_git(),
        );
    };
    add(
        "one line of a dockerfile",
        "Dockerfile",
        "FROM a:1\nWORKDIR /app\nCOPY . .\nCMD [\"x\"]\n",
        ("CMD", "EXPOSE 8080\n"),
        ("a:1", "a:2"),
        ["expose port 8080", "use base image a:2"],
        "EXPOSE 8080 is gone",
    );
    add(
        "one line of a shell script, in Korean",
        "run.sh",
        "#!/bin/sh\nset -e\necho start\nnode a.js\n",
        ("node", "ulimit -n 4096\n"),
        ("a.js", "b.js"),
        ["ulimit 을 4096 으로 늘려줘", "b.js 를 실행하게 바꿔줘"],
        "ulimit 줄이 사라졌어요",
    );
    add(
        "one line of a crontab, in Chinese",
        "crontab.txt",
        "SHELL=/bin/sh\n0 1 * * * backup\n0 2 * * * report\n",
        ("0 2", "0 3 * * * cleanup\n"),
        ("* report", "* summary"),
        ["加一个 cleanup 任务", "把 report 改成 summary"],
        "cleanup 没了",
    );
}
