//! Functions of the line itself: called with their arguments, and once more if nobody calls them.

use crate::findings::Weight;
use crate::value::{Arg, Data};
use crate::walk::Walk;
use brush_parser::ast::FunctionDefinition;
use std::rc::Rc;

/// Most functions that are judged although nobody calls them.
const MAX_UNCALLED: usize = 200;

impl Walk<'_> {
    /// A definition. In a branch it may not happen: then the old one is still there and may be called.
    pub(crate) fn define(&mut self, function: &FunctionDefinition) {
        let name = function.fname.value.clone();
        if self.branches > 0 && self.functions.contains_key(&name) {
            self.call_function(&name, &[], Data::default());
        }
        self.functions.insert(name, Rc::new(function.clone()));
    }

    /// Functions that were defined and never called: something else may call them later.
    pub(crate) fn uncalled_functions(&mut self) {
        for _ in 0..MAX_UNCALLED {
            let Some(name) = self.functions.keys().find(|name| !self.called.contains(name)).cloned() else {
                return;
            };
            self.branches += 1;
            self.call_function(&name, &[], Data::default());
            self.branches -= 1;
        }
        self.found.unknown(Weight::Ask, "too_complex", "more functions than can be followed", "");
    }

    /// What traps run when the shell ends, with what its variables hold then.
    pub(crate) fn run_traps(&mut self, from: usize) {
        // A trap may set another one.
        for _ in 0..8 {
            for script in self.traps.split_off(from.min(self.traps.len())) {
                self.probe_script(&script, "a trap");
            }
        }
    }

    /// Runs a function's body with these arguments.
    pub(crate) fn call_function(&mut self, name: &str, args: &[Arg], stdin: Data) -> Data {
        let Some(function) = self.functions.get(name).cloned() else {
            return Data::default();
        };
        self.called.push(name.to_owned());
        let same = self.running_functions.iter().any(|running| Rc::ptr_eq(running, &function));
        if same && let Some(at) = self.running.iter().position(|running| running == name) {
            let position = self.running_functions.iter().position(|running| Rc::ptr_eq(running, &function));
            let began = position.and_then(|at| self.conditions_at.get(at)).copied().unwrap_or_default();
            let certain = self.conditions <= began;
            let marks = &self.running[at..];
            let background = marks.iter().any(|mark| mark == "&");
            if certain && marks.iter().any(|mark| mark == "&" || mark == "|") {
                self.found.add(
                    Weight::Deny,
                    "fork_bomb",
                    "a function starts copies of itself without end",
                    name,
                );
            } else if background {
                self.found.add(
                    Weight::Ask,
                    "fork_bomb",
                    "a function that may start copies of itself without end",
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
        self.running_functions.push(Rc::clone(&function));
        self.conditions_at.push(self.conditions);
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
        self.running_functions.pop();
        self.conditions_at.pop();
        self.positional = outer;
        out
    }
}
