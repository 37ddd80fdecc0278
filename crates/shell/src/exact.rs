//! Is everything that a line may write known, path by path? Then a save looks at those paths and not at the whole tree.
//!
//! Only a few programs say so of themselves (`rm F`, `mv`, `cp`, `sed -i`, `tee`, `touch`, `mkdir`, `truncate`, `chmod`) and
//! redirections do. Whatever else writes, and whatever is not plain (a pattern, a loop, the background, a wrapper, a place that is
//! guarded or not known), makes the answer "not known". What is named outside the project is no part of the answer.

use crate::value::Arg;
use crate::verdict::{KnownWrite, Place};
use crate::walk::Walk;

/// More paths than this are not worth naming one by one.
const MOST: usize = 32;

/// What is known so far.
#[derive(Clone, Debug, Default)]
pub(crate) struct Exact {
    /// Something may be written that nobody names.
    not: bool,
    /// Whoever writes now names exactly what it writes.
    speaking: bool,
    paths: Vec<KnownWrite>,
}

impl Exact {
    /// Something may be written that nobody names.
    pub(crate) fn is_not(&mut self) {
        self.not = true;
    }

    /// Something is written or deleted at a place.
    pub(crate) fn touched(&mut self, path: &str, place: Place) {
        match place {
            Place::Project if self.speaking => self.add(path.to_owned(), false),
            Place::Temp | Place::Stream | Place::Outside if self.speaking => {}
            _ => self.not = true,
        }
    }

    fn add(&mut self, path: String, with_content: bool) {
        let one = KnownWrite { path, with_content };
        if self.paths.contains(&one) {
            return;
        }
        if self.paths.len() >= MOST {
            self.not = true;
            return;
        }
        self.paths.push(one);
    }

    /// A path is moved away as a whole. What this line itself put into it is not on the disk yet, so nobody could look it up.
    fn moved(&mut self, path: String) {
        let inside = format!("{path}/");
        self.not |= self.paths.iter().any(|known| known.path.starts_with(&inside));
        self.add(path, true);
    }

    /// All of it, if that is known. `certain`: something is written, and all of the line was understood.
    pub(crate) fn finish(&self, certain: bool) -> Option<Vec<KnownWrite>> {
        (certain && !self.not).then(|| self.paths.clone())
    }
}

impl Walk<'_> {
    /// What a program writes that names exactly what it writes. Run by another program it does not count: that one may add to it.
    pub(crate) fn exactly<T>(&mut self, exact: bool, writes: impl FnOnce(&mut Self) -> T) -> T {
        let outer = std::mem::replace(&mut self.found.exact.speaking, exact && self.programs == 1);
        let out = writes(self);
        self.found.exact.speaking = outer;
        out
    }

    /// The same for a redirection, which belongs to the line itself.
    pub(crate) fn redirects_exactly(&mut self, writes: impl FnOnce(&mut Self)) {
        let outer = std::mem::replace(&mut self.found.exact.speaking, self.programs == 0);
        writes(self);
        self.found.exact.speaking = outer;
    }

    /// A pattern stands for many paths, and what has a hole in it for any.
    pub(crate) fn must_be_literal(&mut self, path: &Arg) {
        if path.glob || !path.known() || path.text.is_empty() {
            self.found.exact.is_not();
        }
    }

    /// `mv` and `cp`: the sources that go, and the names under which they come if the target is a folder.
    pub(crate) fn transferred(&mut self, name: &str, sources: &[Arg], target: &Arg) {
        let (into, place) = self.place_of(target);
        for source in sources {
            self.must_be_literal(source);
            let (from, at) = self.place_of_entry(source);
            let last = from.rsplit('/').next().unwrap_or_default();
            if place == Place::Project && !last.is_empty() {
                self.found.exact.add(format!("{into}/{last}"), false);
            }
            if name == "mv" {
                match at {
                    Place::Project => self.found.exact.moved(from),
                    Place::Outside => {}
                    _ => self.found.exact.is_not(),
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::{JudgeContext, NoFiles, Policy, judge};

    fn known(line: &str) -> Option<Vec<String>> {
        let context = JudgeContext::new("/home/u/app", "/home/u", &NoFiles);
        let known = judge(line, &context, &Policy::default()).writes_only?;
        let mut paths: Vec<String> = known
            .iter()
            .map(|one| {
                let path = one.path.strip_prefix("/home/u/app/").unwrap_or(&one.path);
                format!("{path}{}", if one.with_content { " and all in it" } else { "" })
            })
            .collect();
        paths.sort_unstable();
        Some(paths)
    }

    #[test]
    fn plain_lines_are_known_to_the_path() {
        for (line, paths) in [
            ("sed -i s/a/b/ f", &["f"][..]),
            ("sed -i 's/a/b/g' src/a.rs src/b.rs", &["src/a.rs", "src/b.rs"]),
            ("sed -i '' s/a/b/ f", &["f"]),
            ("sed -i -e s/a/b/ -e s/c/d/ f", &["f"]),
            ("sed -Ei 's/(a)/b/' f", &["f"]),
            ("sed -n -i 1,5p f", &["f"]),
            ("rm f", &["f"]),
            ("rm -f a b", &["a", "b"]),
            ("rm -fv a", &["a"]),
            ("rm -- -odd", &["-odd"]),
            ("unlink f", &["f"]),
            ("rmdir d", &["d"]),
            ("cp a b", &["b", "b/a"]),
            ("cp -p src/a.rs docs", &["docs", "docs/a.rs"]),
            ("cp /etc/hosts hosts.txt", &["hosts.txt", "hosts.txt/hosts"]),
            ("mv a b", &["a and all in it", "b", "b/a"]),
            ("mv -f a b d/", &["a and all in it", "b and all in it", "d", "d/a", "d/b"]),
            ("mkdir d", &["d"]),
            ("mkdir -p a/b/c", &["a/b/c"]),
            ("touch a b", &["a", "b"]),
            ("truncate -s 0 log.txt", &["log.txt"]),
            ("chmod +x run.sh", &["run.sh"]),
            ("chmod 644 a b", &["a", "b"]),
            ("echo x > f", &["f"]),
            ("echo x >> f", &["f"]),
            ("cat a b > c", &["c"]),
            ("ls 2> errors.txt", &["errors.txt"]),
            ("ls &> all.txt", &["all.txt"]),
            (": > f", &["f"]),
            ("cat > f <<'EOF'\nrm -rf x\nEOF", &["f"]),
            ("grep x a | sort | tee b", &["b"]),
            ("echo x | tee -a b > /dev/null", &["b"]),
            ("cd src && echo x > f", &["src/f"]),
            ("cd src && rm a && cd .. && touch b", &["b", "src/a"]),
            ("sort a > /tmp/x && mv a b", &["a and all in it", "b", "b/a"]),
            ("echo x > /tmp/x && cp /tmp/x y", &["y", "y/x"]),
            ("test -f a && rm a || touch b", &["a", "b"]),
            ("if [ -f a ]; then rm a; else touch b; fi", &["a", "b"]),
            ("(cd src && touch a) && touch b", &["b", "src/a"]),
            ("F=a; rm $F", &["a"]),
            ("printf '%s' x > a; cat a", &["a"]),
            ("rm src/{a,b}.rs", &["src/a.rs", "src/b.rs"]),
            // What is outside is no part of it.
            ("mv a ../b", &["a", "a and all in it"]),
            ("mv ../a b", &["b", "b/a"]),
            ("echo x > ../outside", &[]),
            ("echo x > ~/f; touch a", &["a"]),
            ("cp a ~/x && sed -i s/a/b/ ../other/f", &[]),
        ] {
            assert_eq!(
                known(line).as_deref(),
                Some(paths.iter().map(ToString::to_string).collect::<Vec<_>>()).as_deref(),
                "{line}"
            );
        }
    }

    #[test]
    fn what_is_not_plain_is_not_known() {
        for line in [
            "ls",
            "cat a | grep b",
            "rm -r d",
            "rm -rf d",
            "rm *.log",
            "rm $UNKNOWN",
            "rm \"$1\"",
            "cp -r a b",
            "cp -a a b",
            "cp *.rs d",
            "cp -t d a",
            "mv * d",
            "mv /tmp/a b",
            "mv --backup a b",
            "cp --parents a b",
            "ln -s a b",
            "install a b",
            "sed -i.bak s/a/b/ f",
            "sed -ie s/a/b/ f",
            "sed -i 's/a/b/w out' f",
            "sed -i 's/a/b/e' f",
            "sed -i -f script f",
            "sed --in-place=.bak s/a/b/ f",
            "sed --follow-symlinks -i s/a/b/ f",
            "sed -i s/a/b/ *.rs",
            "python3 x.py",
            "python3 x.py > out",
            "npm test",
            "npm install > log.txt",
            "make && touch done",
            "touch a; ./run.sh",
            "sh -c 'rm a'",
            "bash script.sh",
            "eval 'rm a'",
            "sudo rm a",
            "env X=1 rm a",
            "timeout 5 rm a",
            "xargs rm < list",
            "find . -name x -delete",
            "find . -name x -exec rm {} +",
            "for f in a b; do rm $f; done",
            "while read f; do rm \"$f\"; done < list",
            "f() { rm a; }; f",
            "alias r=rm; r a",
            "rm a &",
            "PATH=./bin:$PATH; rm a",
            "export PATH=./bin; rm a",
            "git checkout -- a",
            "git mv a b",
            "git stash",
            "tar xf a.tar",
            "unzip a.zip",
            "patch -p1 < a.diff",
            "curl -o f https://x.example",
            "wget https://x.example/f",
            "dd if=a of=b",
            "awk '{print > \"o\"}' f",
            "echo x > *.txt",
            "echo x > $F",
            "touch .git/x",
            "echo x > ~/.bashrc",
            "echo x > /etc/f",
            "rm .",
            "rm -d d",
            "rmdir -p a/b",
            "chmod -R 700 d",
            "chown u f",
            "shred f",
            "mkdir x; touch x/a; mv x y",
            "mkdir d && mv a d && mv d e",
            "unknown-tool f",
            "cd $X && rm a",
            "rsync a b",
            "ed f",
            "tee >(cat > x)",
            "rm a; if then (",
        ] {
            assert_eq!(known(line), None, "{line}");
        }
    }

    #[test]
    fn too_many_are_not_named_one_by_one() {
        let line = format!("touch {}", (0..100).map(|n| format!("f{n} ")).collect::<String>());
        assert_eq!(known(&line), None);
    }
}
