use super::*;

fn read(path: &str, text: &str) -> Reading {
    reading(Language::of_path(path.as_bytes()).unwrap(), text.as_bytes()).unwrap()
}

/// Valid texts that the grammars do not know, or not all of.
const VALID: &[(&str, &str)] = &[
    (
        "a.tsx",
        "export function A() {\n  return (\n    <div>\n      <h1>Fish & Chips</h1>\n      <p>Terms & Conditions & more</p>\n      \
               <a href=\"/q?a=1&b=2\">go</a>\n    </div>\n  );\n}\n",
    ),
    ("a.jsx", "export const A = () => <p>Salt & Vinegar</p>;\n"),
    (
        "tsconfig.json",
        "{\n  // for the editor\n  \"compilerOptions\": {\n    \"strict\": true, /* yes */\n    \"paths\": { \"@/*\": [\"./src/*\",], },\n  },\n}\n",
    ),
    ("stats.json", "{\"mean\": NaN, \"max\": Infinity, \"min\": -Infinity}\n"),
    (
        "c.rs",
        "unsafe extern \"C\" {\n    pub safe fn sqrt(x: f64) -> f64;\n    pub unsafe fn strlen(p: *const u8) -> usize;\n}\n",
    ),
    (
        "d.rs",
        "#!/usr/bin/env cargo\n---\n[dependencies]\nclap = { version = \"4\", features = [\"derive\"] }\n---\nuse clap::Parser;\nfn main() {}\n",
    ),
    (
        "e.py",
        "class Box[T = int, *Ts = *tuple[int, ...]]:\n    def get[U = str](self, u: U) -> T:\n        return self.t\n\n\ntype A[T = int] = list[T]\n",
    ),
    (
        "g.toml",
        "[a]\nb = {\n  version = \"4\", # new\n  features = [\"derive\"],\n}\ns = \"\\e[0m \\x41\"\nt = 07:32\nu = 1979-05-27T07:32Z\n",
    ),
    (
        "t.py",
        "\"\"\"{{ cookiecutter.name }}\"\"\"\nfrom {{ cookiecutter.slug }} import app\n{% if cookiecutter.cli == \"y\" %}\nimport click\n{% endif %}\n",
    ),
    ("t.json", "{ \"name\": \"{{ name }}\", {% if x %}\"a\": 1,{% endif %} \"v\": {{ v }} }\n"),
    (
        "t.toml",
        "[package]\nname = \"{{project-name}}\"\nversion = {{ version }}\n{% if x %}\na = 1\n{% endif %}\n",
    ),
    ("t.rs", "fn main() { let x = {{value}}; {% if y %} go(); {% endif %} }\n"),
    (
        "t.yaml",
        "{{- if .Values.x }}\na: {{ .Values.y }}\nb:\n  {{- toYaml .Values.z | nindent 2 }}\n{{- end }}\n",
    ),
];

#[test]
fn what_is_valid_reads_as_whole_b3() {
    for (path, text) in VALID {
        assert_eq!(read(path, text), Reading::Whole, "{path}");
    }
}

#[test]
fn news_that_no_grammar_knows_are_odd_and_not_broken_b3() {
    for (path, text) in [
        ("Main.java", "import module java.base;\n\nvoid main() {\n    IO.println(\"hi\");\n}\n"),
        (
            "B.java",
            "class A extends B {\n    A(int x) {\n        if (x < 0) throw new IllegalArgumentException();\n        super(x);\n    }\n}\n",
        ),
        ("a.js", "const a = b |> c(%);\n"),
        ("a.rs", "fn a() { let x = become f(1); }\n"),
    ] {
        assert!(matches!(read(path, text), Reading::Odd { .. }), "{path}: {:?}", read(path, text));
    }
}

#[test]
fn a_lost_bracket_a_lost_quote_and_half_a_function_are_broken_g3() {
    for (path, text) in [
        ("a.js", "function a() {\n  return 1;\n\nfunction b() {\n  return 2;\n}\n"),
        ("a.js", "function a() {\n  return \"abc;\n}\n"),
        ("a.js", "function a() {\n  return `abc;\n}\nlet b = 1;\n"),
        ("a.py", "def a(x):\n    return max(x, (1\n\ndef b():\n    return 2\n"),
        ("a.py", "def a(:\n    pass\n"),
        ("a.py", "a = \"abc\nb = 2\n"),
        ("a.rs", "fn a() { let x = 1; }\nfn b( { }\n"),
        ("a.rs", "fn a() { let x = \"abc; }\nfn b() {}\n"),
        ("a.go", "package a\nfunc a() int {\n\treturn 1\n}}\n"),
        ("a.json", "{\"a\": [1, 2, \"b\": 3}\n"),
        ("tsconfig.json", "{\n  // c\n  \"a\": { \"b\": 1,\n}\n"),
        ("a.toml", "a = [1, 2\nb = 3\n"),
        ("a.tsx", "export const A = () => (\n  <p style={{ color: c }>Salt & Vinegar</p>\n);\n"),
        ("A.java", "class A {\n  void a() {\n    if (x) {\n  }\n"),
    ] {
        assert!(matches!(read(path, text), Reading::Broken { .. }), "{path}: {text}");
    }
}

#[test]
fn what_is_odd_can_be_told_from_other_oddities() {
    let faults = |text: &str| match read("a.js", text) {
        Reading::Odd { faults, .. } => faults,
        other => panic!("{text}: {other:?}"),
    };
    let one = faults("let a = ;\nlet b = 1;\n");
    assert_eq!(one, faults("let a = ;\n\nlet c = 2;\n"), "elsewhere");
    let both = faults("let a = ;\nfoo bar baz;\n");
    assert_eq!(one & both, one, "still there");
    assert_ne!(one & faults("let a = 1 2;\n"), one, "another one");
}

#[test]
fn much_that_is_not_understood_is_broken() {
    let prose = "this is no code at all but a long letter to somebody\n".repeat(20);
    assert!(matches!(read("a.js", &prose), Reading::Broken { .. }));
}

/// What is mended place by place gets better with each place.
#[test]
fn damage_falls_with_every_place_that_is_mended() {
    let damage = |path: &str, text: &str| match read(path, text) {
        Reading::Whole => 0,
        Reading::Odd { damage, .. } | Reading::Broken { damage, .. } => damage,
    };
    let falls = |path: &str, bad: &dyn Fn(usize) -> String, good: &dyn Fn(usize) -> String| {
        let text = |mended: usize| -> String {
            (0..8).map(|at| if at < mended { good(at) } else { bad(at) }).collect()
        };
        let all: Vec<u32> = (0..=8).map(|mended| damage(path, &text(mended))).collect();
        assert!(all.windows(2).all(|pair| pair[1] < pair[0]), "{path}: {all:?}\n{}", text(0));
    };
    let python = |end: &'static str| move |at| format!("def f{at}(x):\n    return (x + {at}{end}\n\n");
    falls("a.py", &python(""), &python(")"));
    let script =
        |end: &'static str| move |at| format!("function f{at}(x) {{\n  return g(x, {at}{end};\n}}\n");
    falls("a.js", &script(""), &script(")"));
    let text = |end: &'static str| move |at| format!("let a{at} = \"b{at}{end};\n");
    falls("a.js", &text(""), &text("\""));
    let block =
        |end: &'static str| move |at| format!("fn f{at}() {{\n    if x {{\n    y({at});\n    {end}\n}}\n");
    falls("a.rs", &block(""), &block("}"));
    let conflict = |at| {
        format!(
            "<<<<<<< HEAD\nx{at} = 1\n=======\nx{at} = 2\n>>>>>>> feature\n\ndef f{at}():\n    return 1\n\n"
        )
    };
    falls("a.py", &conflict, &|at| format!("x{at} = 2\n\ndef f{at}():\n    return 1\n\n"));
    falls("a.js", &|at| format!("let a{at} = 1 2;\n"), &|at| format!("let a{at} = 1;\n"));
}

/// What is not finished lacks nothing but what closes it.
#[test]
fn what_is_open_only_at_its_end_is_not_finished() {
    let is_open = |path: &str, text: &str| matches!(read(path, text), Reading::Broken { open: true, .. });
    for (path, text) in [
        ("a.js", "const routes = {\n"),
        ("a.js", "const routes = {\n  \"/0\": () => { return 0; },\n"),
        ("a.js", "class Shop {\n  add(x) {\n    return x;\n  }\n"),
        ("a.js", "class Shop {\n  add(x) {\n    return x; // so far"),
        ("a.py", "ROUTES = {\n    'a': 1,\n"),
        ("a.rs", "impl A {\n    fn b() {}\n"),
        ("A.java", "class A {\n  int b() { return 1; }\n"),
        ("a.json", "{\n  \"a\": [1, 2],\n"),
    ] {
        assert!(is_open(path, text), "{path}: {text} {:?}", read(path, text));
    }
    for (path, text) in [
        ("a.js", "function f( {\n  return 1;\n}\n"),
        ("a.js", "class Shop {\n  add(x {\n    return x;\n  }\n"),
        ("a.py", "def f(x):\n    return (x + 1\n\ndef g(x):\n    return 2\n"),
        ("a.js", "const a = 1;\n}\n"),
        ("a.js", "const a = \"b;\n"),
    ] {
        assert!(!is_open(path, text), "{path}: {text}");
    }
}
