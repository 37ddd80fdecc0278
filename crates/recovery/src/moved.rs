//! What went here and came there is not lost: a function that was moved into another file, a file that was taken apart.

use std::collections::HashSet;

use crate::asked::{self, Wish};
use crate::paths;
use crate::signals::{Actor, Signals};

impl Signals {
    /// Both changes were made for the same request; in the same step, where nobody knows of a request.
    pub fn is_of_one_request(&self, a: usize, b: usize) -> bool {
        let (a, b) = (self.changes[a].step, self.changes[b].step);
        let of = |at: usize| (self.steps[at].session.as_deref(), self.steps[at].turn.as_deref());
        // What was done by hand meanwhile, or after it, was done for no request.
        let by_agent = |at: usize| matches!(self.steps[at].actor, Actor::Edit | Actor::Command);
        a == b || (of(a) == of(b) && of(a).1.is_some() && by_agent(a) && by_agent(b))
    }

    /// Most of what this change took away stands in other files, where the same request put it.
    pub(crate) fn is_moved(&self, at: usize) -> bool {
        let lost: Vec<&str> = telling(&self.changes[at].made.lost_text).collect();
        if lost.is_empty() {
            return false;
        }
        let came: HashSet<&str> =
            self.beside(at).flat_map(|other| telling(&self.changes[other].made.came_text)).collect();
        let there = lost.iter().filter(|line| came.contains(*line)).count();
        there * 3 >= lost.len() * 2 || self.are_names_elsewhere(at)
    }

    /// Whatever this change took away has a name, and each is defined in another file now, or the request gave it another name.
    fn are_names_elsewhere(&self, at: usize) -> bool {
        let change = &self.changes[at];
        let names = &change.made.names_lost;
        let request = self.request_of(at);
        let renamed = |name: &String| asked::wishes(request, Wish::Rename) && asked::names(request, name);
        paths::is_code(&change.path)
            && names.iter().any(|name| self.is_name_moved(at, name))
            && names.iter().all(|name| self.is_name_moved(at, name) || renamed(name))
    }

    /// The name that this change took away is defined in another file, where the same request put it, or with the same body.
    pub(crate) fn is_name_moved(&self, at: usize, name: &str) -> bool {
        let change = &self.changes[at];
        let body = change.made.shapes.0.get(name);
        let defines = |other: usize| self.changes[other].made.names_new.iter().any(|new| new == name);
        let has_body = |other: usize| body.is_some() && self.changes[other].made.shapes.1.get(name) == body;
        self.beside(at).any(defines)
            || (0..self.changes.len())
                .any(|other| self.changes[other].path != change.path && self.stands(other) && has_body(other))
    }

    /// Changes of other files that the same request made and that can still be seen.
    fn beside(&self, at: usize) -> impl Iterator<Item = usize> {
        let path = self.changes[at].path.as_str();
        let is_code = paths::is_code(path);
        (0..self.changes.len()).filter(move |&other| {
            let change = &self.changes[other];
            change.path != path
                && !change.still.gone
                && paths::is_code(&change.path) == is_code
                && self.stands(other)
                && self.is_of_one_request(at, other)
        })
    }
}

/// Lines that say something, without what only tells who may use them.
pub(crate) fn telling(text: &str) -> impl Iterator<Item = &str> {
    let says = |line: &&str| line.chars().filter(|letter| letter.is_alphanumeric()).count() > 1;
    let bare = |line: &'_ str| -> usize {
        const FRONT: [&str; 7] =
            ["export default ", "export ", "pub(crate) ", "pub ", "public ", "private ", "static "];
        FRONT.iter().find(|mark| line.starts_with(**mark)).map_or(0, |mark| mark.len())
    };
    text.lines().map(str::trim).filter(says).map(move |line| &line[bare(line)..])
}
