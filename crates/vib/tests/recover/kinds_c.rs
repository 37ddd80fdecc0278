//! Kinds that a stranger brought, with the words he used: written against a build that had none of it, then tuned on.

use super::base::Base::{Meter, Notes, Shop};
use super::incident::Act::{self, HandDoes, HandEdit, Mark, Prompt, Replace, Save, Stop};
use super::incident::Effect::{Changed, Gone};
use super::incident::{Effect, is, shell, write};
use super::story::Back::{At, Is};
use super::story::{Back, Story, Want};

pub(crate) fn stories() -> Vec<Story> {
    let mut all = Vec::new();
    parts(&mut all);
    own_words(&mut all);
    line_ends(&mut all);
    a_part_stays(&mut all);
    all
}

/// These files are there from the beginning, then the rest happens.
fn with(files: Vec<Effect>, acts: Vec<Act>) -> Vec<Act> {
    let mut all = vec![HandDoes(files), Save("start"), Mark("start")];
    all.extend(acts);
    all
}

const STYLE: &str = "body {\n  margin: 0;\n}\n\nheader {\n  color: white;\n  padding: 1rem;\n}\n\n@media (max-width: 600px) {\n  main {\n    padding: 0 .5rem;\n  }\n  nav ul {\n    flex-direction: column;\n  }\n}\n\nfooter {\n  color: gray;\n}\n";
const SCHEDULE: &str = "jobs:\n  backup:\n    at: \"02:00\"\n    keep: 14\n  report:\n    at: \"06:30\"\n    to: team\n  cleanup:\n    at: \"23:00\"\n";

fn without(text: &str, from: &str, until: &str) -> String {
    let (start, end) = (text.find(from).unwrap(), text.find(until).unwrap());
    format!("{}{}", &text[..start], &text[end..])
}

fn customers(tidy: bool, keep: impl Fn(usize) -> bool) -> String {
    let mut text = "id,name,phone,city\n".to_owned();
    for number in (1..=60).filter(|number| keep(*number)) {
        let mark = if tidy { "-" } else { " " };
        let phone =
            if number % 6 == 0 { String::new() } else { format!("010{mark}{}{mark}7", 1000 + number) };
        text.push_str(&format!("{number},name{number},{phone},city{}\n", number % 7));
    }
    text
}

fn locale(keys: impl Iterator<Item = usize>, new: Option<&str>) -> String {
    let mut lines: Vec<String> =
        keys.map(|key| format!("  \"page{key}.title\": \"ページ {key} です\"")).collect();
    lines.extend(new.map(|new| format!("  \"settings.language\": \"{new}\"")));
    format!("{{\n{}\n}}\n", lines.join(",\n"))
}

fn notebook(cells: &[(&str, &str, &str)]) -> String {
    let cells: Vec<String> = cells
        .iter()
        .map(|(id, kind, source)| {
            format!(
                "  {{\n   \"cell_type\": \"{kind}\",\n   \"id\": \"{id}\",\n   \"source\": [\n    \"{source}\"\n   ]\n  }}"
            )
        })
        .collect();
    format!("{{\n \"cells\": [\n{}\n ],\n \"nbformat\": 4\n}}\n", cells.join(",\n"))
}

/// The file was written as a whole: what was asked for is in it, and something else went.
fn parts(all: &mut Vec<Story>) {
    let kind = "31 parts lost with a rewriting";
    let sticky = STYLE.replace("  padding: 1rem;\n", "  padding: 1rem;\n  position: sticky;\n");
    for (name, words) in [
        ("a block of styles", "the mobile layout is gone"),
        ("a block of styles, in Korean", "모바일 레이아웃이 사라졌어"),
        ("a block of styles, in Chinese", "手机布局没了"),
    ] {
        let acts = with(
            vec![is("style.css", STYLE)],
            vec![
                Prompt("make the header sticky"),
                write("style.css", without(&sticky, "@media", "footer")),
                Stop,
            ],
        );
        let want = Want::Tree(vec![Is("style.css", sticky.clone())]);
        all.push(Story::new(kind, name, Shop, acts, want).says(words));
    }
    let many = |number: usize| !number.is_multiple_of(6);
    for words in ["고객 데이터가 사라졌어", "customers are missing from the table", "it broke"] {
        let acts = with(
            vec![is("data/customers.csv", customers(false, |_| true))],
            vec![
                Prompt("고객 목록의 전화번호 형식을 통일해줘"),
                shell("python3 tools/phones.py", [is("data/customers.csv", customers(true, many))]),
                Stop,
            ],
        );
        let want = Want::Tree(vec![Is("data/customers.csv", customers(true, |_| true))]);
        all.push(
            Story::new(kind, format!("rows of a table: {words}"), Notes, acts, want)
                .says(words)
                .asked(&["data/customers.csv"]),
        );
    }
    for words in ["日本語の翻訳が消えた", "the Japanese translations are missing"] {
        let acts = with(
            vec![is("locales/ja.json", locale(0..30, None)), is("locales/ko.json", locale(0..30, None))],
            vec![
                Prompt("設定画面に「言語」の項目を追加して"),
                write("locales/ko.json", locale(0..30, Some("언어"))),
                write("locales/ja.json", locale(0..4, Some("言語"))),
                Stop,
            ],
        );
        let want = Want::Tree(vec![Is("locales/ja.json", locale(0..30, Some("言語")))]);
        all.push(
            Story::new(kind, format!("entries of a translation: {words}"), Shop, acts, want).says(words),
        );
    }
    let load = ("c1", "code", "df = read('sales.csv')");
    let conclusions = ("m1", "markdown", "## Conclusions: March is weak");
    let questions = ("m2", "markdown", "## Open questions");
    let plot = ("c2", "code", "df.plot(kind='bar')");
    let acts = with(
        vec![is("analysis.ipynb", notebook(&[load, conclusions, questions]))],
        vec![
            Prompt("add a bar chart to the notebook"),
            write("analysis.ipynb", notebook(&[load, plot])),
            Stop,
        ],
    );
    let want = Want::Tree(vec![Is("analysis.ipynb", notebook(&[load, conclusions, questions, plot]))]);
    all.push(
        Story::new(kind, "cells of a notebook", Notes, acts, want)
            .says("my conclusions in the notebook are gone"),
    );
    // What was asked for is no loss, whatever is said.
    let acts = with(
        vec![is("schedule.yaml", SCHEDULE)],
        vec![
            Prompt("remove the report job from the schedule"),
            write("schedule.yaml", without(SCHEDULE, "  report:", "  cleanup:")),
            Stop,
        ],
    );
    all.push(Story::new(kind, "what was to go went", Meter, acts, Want::Nothing).says("it broke"));
}

/// The words name no request, file or function; they speak of what went.
fn own_words(all: &mut Vec<Story>) {
    let kind = "32 complaints in a person's own words";
    let mut tell = |name: &str, base, acts: Vec<Act>, back: Vec<Back>, words: &str| {
        all.push(Story::new(kind, name, base, acts, Want::Tree(back)).says(words));
    };
    let typed = SCHEDULE.replace("    keep: 14\n", "    keep: 14\n    retry:\n      times: 3\n");
    let traced = |text: &str| format!("{text}tracing:\n  on: true\n");
    tell(
        "typing that a stale write lost",
        Meter,
        with(
            vec![is("schedule.yaml", SCHEDULE)],
            vec![
                Prompt("turn on tracing in the schedule"),
                HandEdit("schedule.yaml", "    keep: 14\n", "    keep: 14\n    retry:\n      times: 3\n"),
                write("schedule.yaml", traced(SCHEDULE)),
                Stop,
            ],
        ),
        vec![Is("schedule.yaml", traced(&typed))],
        "my retry settings are gone",
    );
    let fonts =
        || vec![is("fonts/inter-400.woff2", b"wOF2\0\x01a"), is("fonts/inter-700.woff2", b"wOF2\0\x02b")];
    for words in ["the fonts are missing on the page", "글꼴이 없어졌어", "字体不见了", "フォントが消えた"]
    {
        tell(
            &format!("pictures and fonts: {words}"),
            Shop,
            with(
                fonts(),
                vec![
                    Prompt("speed up the page a bit"),
                    Replace("src/ui/button.js", "class=\"primary\"", "class=\"primary fast\""),
                    shell("find . -name '*.woff2' -delete", [Gone("fonts")]),
                    Stop,
                    Prompt("count the clicks"),
                    Replace("src/login.js", "return true;", "return Boolean(user);"),
                    Stop,
                ],
            ),
            vec![At("fonts", "start")],
            words,
        );
    }
    tell(
        "a section that the person took out",
        Notes,
        with(
            vec![is(
                "thesis.tex",
                "\\section{Introduction}\nWe ask why.\n\n\\section{Method}\nWe measured forty rooms.\nEach room was measured twice.\n\n\\section{Results}\nIt is warm.\n",
            )],
            vec![HandDoes(vec![
                Changed(
                    "thesis.tex",
                    "\\section{Method}\nWe measured forty rooms.\nEach room was measured twice.\n\n",
                    "",
                ),
                Changed("thesis.tex", "It is warm.\n", "It is warm.\n\n\\section{Outlook}\nMore rooms.\n"),
            ])],
        ),
        vec![Is(
            "thesis.tex",
            "\\section{Introduction}\nWe ask why.\n\n\\section{Method}\nWe measured forty rooms.\nEach room was measured twice.\n\n\\section{Results}\nIt is warm.\n\n\\section{Outlook}\nMore rooms.\n".to_owned(),
        )],
        "I deleted the method section by mistake",
    );
}

fn line_ends(all: &mut Vec<Story>) {
    let kind = "33 line ends beside an edit";
    let batch = "@echo off\r\nset OUT=dist\r\ncopy src\\*.txt %OUT%\r\necho done\r\n";
    let more = batch.replace("echo done", "copy docs\\*.md %OUT%\r\necho done");
    for words in ["the batch file no longer works", "it broke"] {
        let acts = with(
            vec![is("build.bat", batch)],
            vec![
                Prompt("build.bat should copy the docs too"),
                write("build.bat", more.replace("\r\n", "\n")),
                Stop,
            ],
        );
        let want = Want::Tree(vec![Is("build.bat", more.clone())]);
        all.push(Story::new(kind, words, Shop, acts, want).says(words));
    }
    let acts = with(
        vec![is("build.bat", batch)],
        vec![
            Prompt("build.bat should copy the docs too, and use LF line endings"),
            write("build.bat", more.replace("\r\n", "\n")),
            Stop,
        ],
    );
    all.push(Story::new(kind, "asked for", Shop, acts, Want::Nothing));
}

/// "Undo X but keep Y", where both were done for one request.
fn a_part_stays(all: &mut Vec<Story>) {
    let kind = "34 a part of one request stays";
    for (words, prompt) in [
        ("撤销购物车的改动，但是保留样式", "改进购物车页面的逻辑和样式"),
        (
            "undo the cart page change but keep the styles",
            "improve the logic and the styles of the cart page",
        ),
        ("장바구니 수정은 되돌리고 스타일은 남겨줘", "장바구니 페이지의 로직과 스타일을 개선해줘"),
    ] {
        let acts = with(
            vec![is("web/cart-page.css", ".cart {\n  color: black;\n}\n")],
            vec![
                Prompt(prompt),
                Replace("src/cart.js", "let sum = 0;", "let sum = 1;"),
                Replace("web/cart-page.css", "black", "teal"),
                Stop,
                Prompt("greet on the login"),
                Replace("src/login.js", "return true;", "return 'hello';"),
                Stop,
            ],
        );
        let want = Want::Tree(vec![At("src/cart.js", "start")]);
        all.push(Story::new(kind, words, Shop, acts, want).says(words));
    }
}
