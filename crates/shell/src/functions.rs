//! Functions of the line itself: called with their arguments, and once more if nobody calls them.

use crate::findings::Weight;
use crate::value::{Arg, Data};
use crate::walk::Walk;

impl Walk<'_> {
    /// Functions that were defined and never called: something else may call them later.
    pub(crate) fn uncalled_functions(&mut self) {
        for _ in 0..8 {
            let Some(name) = self.functions.keys().find(|name| !self.called.contains(name)).cloned() else {
                return;
            };
            self.branches += 1;
            self.call_function(&name, &[], Data::default());
            self.branches -= 1;
        }
    }

    /// Runs a function's body with these arguments.
    pub(crate) fn call_function(&mut self, name: &str, args: &[Arg], stdin: Data) -> Data {
        let Some(function) = self.functions.get(name).cloned() else {
            return Data::default();
        };
        self.called.push(name.to_owned());
        if let Some(at) = self.running.iter().position(|running| running == name) {
            if self.running[at..].iter().any(|mark| mark == "&" || mark == "|") {
                self.found.add(
                    Weight::Deny,
                    "fork_bomb",
                    "a function starts copies of itself without end",
                    name,
                );
            }
            return Data::default();
        }
        if !self.step(name) {
            return Data::default();
        }
        let outer = std::mem::replace(&mut self.positional, args.to_vec());
        self.running.push(name.to_owned());
        self.locals.push(Vec::new());
        self.depth += 1;
        let body = &function.body;
        let out = self.with_redirects(body.1.as_ref(), stdin, |walk, stdin| walk.compound(&body.0, stdin));
        self.depth -= 1;
        for (name, old) in self.locals.pop().unwrap_or_default().into_iter().rev() {
            match old {
                Some(values) => self.vars.insert(name, values),
                None => self.vars.remove(&name),
            };
        }
        self.running.pop();
        self.positional = outer;
        out
    }
}
