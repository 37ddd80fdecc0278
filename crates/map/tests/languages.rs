//! One small file of each language, and what the map makes of it.

use map::{Language, Outline, outline};

fn read(language: Language, text: &str) -> Outline {
    let outline = outline(language, text.as_bytes());
    assert_eq!(outline.syntax_error, None, "{language:?}");
    outline
}

fn symbols(language: Language, text: &str) -> Vec<String> {
    read(language, text).symbols.iter().map(|s| format!("{} {}", s.kind.as_str(), s.name)).collect()
}

fn imports(language: Language, text: &str) -> Vec<String> {
    read(language, text).imports.into_iter().map(|import| import.target).collect()
}

#[test]
fn rust() {
    let text = "use crate::a::B;\nmod c;\npub struct Cart { a: u8 }\nimpl<T> Cart<T> {\n    pub fn total(&self) -> u8 { fn inner() {} 1 }\n}\n\
                trait Shop { fn open(&self); }\nenum E { A }\nconst N: u8 = 1;\nmacro_rules! m { () => {} }\ntype T = u8;\n\
                #[cfg(test)]\nmod tests {\n    #[test]\n    #[ignore]\n    fn works() { assert_eq!(1, 1); assert!(x()); }\n}\n";
    assert_eq!(
        symbols(Language::Rust, text),
        [
            "module c",
            "struct Cart",
            "method Cart.total",
            "interface Shop",
            "method Shop.open",
            "enum E",
            "constant N",
            "macro m",
            "type T",
            "module tests",
            "test tests.works"
        ]
    );
    assert_eq!(imports(Language::Rust, text), ["crate::a", "mod c"]);
    let outline = read(Language::Rust, text);
    let test = outline.tests().next().unwrap();
    let facts = test.test.unwrap();
    assert_eq!((facts.asserts, facts.trivial, facts.skipped), (2, 1, true));
    assert_eq!((test.first_line, test.last_line), (14, 16), "attributes belong to it");
    let total = outline.symbols.iter().find(|s| s.name == "Cart.total").unwrap();
    assert!(total.exported && total.first_line == 5);
}

#[test]
fn python() {
    let text = "import os\nfrom .cart import total as t\nLIMIT = 3\nclass Cart(Base):\n    x = 1\n    def total(self):\n        def inner(): pass\n        return 1\n\
                async def login(user):\n    pass\n@pytest.mark.skip(reason='x')\ndef test_login():\n    assert login(1) == 2\n    assert True\n    # assert login(2)\n\
                class TestCart(unittest.TestCase):\n    def test_total(self):\n        self.assertEqual(a, 1)\n";
    assert_eq!(
        symbols(Language::Python, text),
        [
            "constant LIMIT",
            "class Cart",
            "method Cart.total",
            "function login",
            "test test_login",
            "class TestCart",
            "test TestCart.test_total"
        ]
    );
    assert_eq!(imports(Language::Python, text), [".cart", "os"]);
    let outline = read(Language::Python, text);
    let facts: Vec<_> =
        outline.tests().filter_map(|s| s.test).map(|f| (f.asserts, f.trivial, f.skipped)).collect();
    assert_eq!(facts, [(2, 1, true), (1, 0, false)]);
}

#[test]
fn javascript_and_typescript() {
    let text = "import { a } from './a';\nconst b = require('./b');\nexport const login = async (user) => { const inner = 1; return user; };\n\
                export default function App() { return <Button label=\"Save\">Sign in now</Button>; }\nclass Cart { total() { return 1; } }\nlet count = 0;\n";
    assert_eq!(
        symbols(Language::JavaScript, text),
        ["constant b", "function login", "function App", "class Cart", "method Cart.total", "constant count"]
    );
    assert_eq!(imports(Language::JavaScript, text), ["./a", "./b"]);
    assert_eq!(read(Language::JavaScript, text).ui_labels, ["Save", "Sign in now"]);
    let exported =
        |name: &str| read(Language::JavaScript, text).symbols.iter().any(|s| s.name == name && s.exported);
    assert!(exported("login") && exported("App") && !exported("count"));

    let text = "export interface User { name: string; load(): void }\nexport type Id = string;\nenum Color { Red }\n\
                export abstract class Repo<T> { private x = 1; abstract find(id: Id): T; get(id: Id): T { return this.find(id); } }\n\
                namespace N { export function f(): void {} }\nexport * from './other';\n";
    assert_eq!(
        symbols(Language::TypeScript, text),
        [
            "interface User",
            "method User.load",
            "type Id",
            "enum Color",
            "class Repo",
            "constant Repo.x",
            "method Repo.find",
            "method Repo.get",
            "module N",
            "function N.f"
        ]
    );
    assert_eq!(imports(Language::TypeScript, text), ["./other"]);
    assert_eq!(symbols(Language::Tsx, "export const A = () => <p>hi there</p>;\n"), ["function A"]);

    let text = "describe('cart', () => {\n  it('adds', () => { expect(total()).toBe(1); expect(true).toBe(true); });\n\
                  it.skip('removes', () => { expect(x).toBe(1); });\n  it.only('one', () => {});\n});\nxdescribe('old', () => { test('a', () => {}); });\n";
    let outline = read(Language::TypeScript, text);
    let found: Vec<_> = outline
        .tests()
        .map(|s| {
            let facts = s.test.unwrap();
            format!("{} {}/{} {}", s.name, facts.asserts, facts.trivial, facts.skipped)
        })
        .collect();
    assert_eq!(
        found,
        ["cart > adds 2/1 false", "cart > removes 1/0 true", "cart > one 0/0 false", "old > a 0/0 true"]
    );
    assert_eq!(outline.focused, Some(4));
}

#[test]
fn go() {
    let text = "package a\n\nimport (\n\t\"fmt\"\n\tb \"example.com/a/b\"\n)\n\nconst N = 1\n\nvar (\n\tX = 2\n)\n\ntype Cart struct{ A int }\ntype Shop interface{ Open() }\n\n\
                func (c *Cart) Total() int { x := 1; return x }\nfunc (c Box[T]) Len() int { return 1 }\nfunc login() {}\nfunc TestLogin(t *testing.T) { t.Skip(); if x { t.Fatalf(\"a\") }; require.Equal(t, 1, 1) }\n";
    assert_eq!(
        symbols(Language::Go, text),
        [
            "constant N",
            "constant X",
            "struct Cart",
            "interface Shop",
            "method Cart.Total",
            "method Box.Len",
            "function login",
            "test TestLogin"
        ]
    );
    assert_eq!(imports(Language::Go, text), ["example.com/a/b", "fmt"]);
    let facts = read(Language::Go, text).tests().next().unwrap().test.unwrap();
    assert_eq!((facts.asserts, facts.trivial, facts.skipped), (2, 1, true));
}

#[test]
fn java_and_csharp() {
    let text = "package a.b;\nimport a.c.D;\npublic class Cart {\n  private int x = 1;\n  public Cart() {}\n  public int total() { return 1; }\n  interface In { void f(); }\n  enum E { A }\n\
                  @Test\n  @Disabled\n  void works() { assertEquals(1, 1); assertThat(x).isEqualTo(2); }\n}\nrecord P(int a) {}\n";
    assert_eq!(
        symbols(Language::Java, text),
        [
            "class Cart",
            "method Cart.Cart",
            "method Cart.total",
            "interface Cart.In",
            "method Cart.In.f",
            "enum Cart.E",
            "test Cart.works",
            "struct P"
        ]
    );
    assert_eq!(imports(Language::Java, text), ["a.c.D"]);
    let facts = read(Language::Java, text).tests().next().unwrap().test.unwrap();
    assert!(facts.skipped && facts.trivial == 1 && facts.asserts >= 2, "{facts:?}");

    let text = "using System.Linq;\nnamespace Shop {\n  public class Cart : Base {\n    public int Total { get; set; }\n    public int Add(int a) { return a; }\n    [Fact]\n    public void Works() { Assert.True(true); }\n  }\n  interface I { void F(); }\n  enum E { A }\n}\n";
    assert_eq!(
        symbols(Language::CSharp, text),
        [
            "module Shop",
            "class Shop.Cart",
            "constant Shop.Cart.Total",
            "method Shop.Cart.Add",
            "test Shop.Cart.Works",
            "interface Shop.I",
            "method Shop.I.F",
            "enum Shop.E"
        ]
    );
    assert_eq!(imports(Language::CSharp, text), ["System.Linq"]);
    let facts = read(Language::CSharp, text).tests().next().unwrap().test.unwrap();
    assert_eq!((facts.asserts, facts.trivial), (1, 1));
}

#[test]
fn c_and_cpp() {
    let text = "#include <stdio.h>\n#include \"a.h\"\n#define MAX 10\nstruct cart { int a; };\ntypedef int id;\nenum e { A };\nint total(struct cart *c);\nstatic char *login(int a) { int x = 1; return 0; }\n";
    assert_eq!(
        symbols(Language::C, text),
        ["macro MAX", "struct cart", "type id", "enum e", "function total", "function login"]
    );
    assert_eq!(imports(Language::C, text), ["a.h", "stdio.h"]);
    let text = "namespace shop {\nclass Cart {\n public:\n  int total() const { return 1; }\n  void open();\n};\n}\nint shop::Cart::size() { return 1; }\ntemplate <class T> T twice(T a) { return a; }\n\
                TEST(CartTest, Adds) { EXPECT_EQ(1, 1); EXPECT_TRUE(x); }\n";
    assert_eq!(
        symbols(Language::Cpp, text),
        [
            "module shop",
            "class shop.Cart",
            "method shop.Cart.total",
            "method shop.Cart.open",
            "function shop.Cart.size",
            "function twice",
            "test TEST(CartTest, Adds)"
        ]
    );
    let facts = read(Language::Cpp, text).tests().next().unwrap().test.unwrap();
    assert_eq!((facts.asserts, facts.trivial), (2, 1));
}

#[test]
fn ruby_and_php() {
    let text = "require 'json'\nrequire_relative 'cart'\nLIMIT = 3\nmodule Shop\n  class Cart\n    def total; 1; end\n    def self.make; end\n  end\nend\n\
                RSpec.describe 'cart' do\n  it 'adds' do\n    expect(total).to eq(1)\n  end\n  xit 'old' do\n  end\nend\n";
    assert_eq!(
        symbols(Language::Ruby, text),
        [
            "constant LIMIT",
            "module Shop",
            "class Shop.Cart",
            "method Shop.Cart.total",
            "method Shop.Cart.make",
            "test_group cart",
            "test cart.adds",
            "test cart.old"
        ]
    );
    assert_eq!(imports(Language::Ruby, text), ["./cart", "json"]);
    let outline = read(Language::Ruby, text);
    let facts: Vec<_> = outline.tests().filter_map(|s| s.test).map(|f| (f.asserts, f.skipped)).collect();
    assert_eq!(facts, [(1, false), (0, true)]);

    let text = "<?php\nnamespace App;\nuse App\\Models\\User;\nrequire_once 'lib.php';\nclass Cart extends Base {\n  public function total() { return 1; }\n  private function x() {}\n  public function testAdds() { $this->assertTrue(true); $this->markTestSkipped(); }\n}\nfunction login() {}\ninterface I { function f(); }\n";
    assert_eq!(
        symbols(Language::Php, text),
        [
            "class Cart",
            "method Cart.total",
            "method Cart.x",
            "test Cart.testAdds",
            "function login",
            "interface I",
            "method I.f"
        ]
    );
    assert_eq!(imports(Language::Php, text), ["App\\Models\\User", "lib.php"]);
    let facts = read(Language::Php, text).tests().next().unwrap().test.unwrap();
    assert_eq!((facts.asserts, facts.trivial, facts.skipped), (1, 1, true));
}

#[test]
fn pages_styles_settings_and_scripts() {
    let text = "<html><head><link href=\"a.css\"><script src=\"app.js\"></script></head><body><h1 id=\"top\">Hello you</h1><input placeholder=\"Your name\"></body></html>\n";
    assert_eq!(symbols(Language::Html, text), ["element #top"]);
    assert_eq!(imports(Language::Html, text), ["a.css", "app.js"]);
    assert_eq!(read(Language::Html, text).ui_labels, ["Hello you", "Your name"]);
    assert_eq!(
        symbols(Language::Css, ".a > b { color: red }\n@media print { .c { top: 0 } }\n"),
        ["style .a > b", "style .c"]
    );
    assert_eq!(
        symbols(
            Language::Json,
            "{\"name\": \"x\", \"scripts\": {\"test\": \"jest\", \"deep\": {\"er\": 1}}, \"list\": [{\"a\": 1}]}"
        ),
        ["key name", "key scripts", "key scripts.test", "key scripts.deep", "key list"]
    );
    assert_eq!(
        symbols(Language::Yaml, "a: 1\njobs:\n  test:\n    steps:\n      - run: x\n"),
        ["key a", "key jobs", "key jobs.test"]
    );
    assert_eq!(
        symbols(Language::Toml, "name = 'x'\n[package]\nversion = '1'\n[[bin]]\nname = 'a'\n"),
        ["key name", "key package", "key package.version", "key bin", "key bin.name"]
    );
    let text = "#!/bin/bash\nsource ./lib.sh\nlogin() {\n  echo hi\n}\nfunction out { :; }\n";
    assert_eq!(symbols(Language::Bash, text), ["function login", "function out"]);
    assert_eq!(imports(Language::Bash, text), ["./lib.sh"]);
}
