//! Moving changes along equal lines.
//!
//! When a line is put beside an equal one, either of the two may be called the new one. Left to chance, two comparisons of similar
//! texts choose differently, and a merge of them sees a conflict where there is none, or joins what does not belong together. So
//! each change goes as far down as it can, as in git, unless on the way it comes to stand opposite a change of the other text:
//! then it stays there, since lines that went and lines that came are usually one edit.

/// A run of changed lines (perhaps empty), and the run opposite to it in the other text.
struct Run<'m> {
    marks: &'m mut [bool],
    other: &'m [bool],
    start: usize,
    end: usize,
    other_start: usize,
    other_end: usize,
}

/// Moves the changed lines of `lines`; `marks` says which they are, `other` which lines of the other text are changed.
pub(super) fn slide<L: Eq>(lines: &[L], marks: &mut [bool], other: &[bool]) {
    let mut run = Run { marks, other, start: 0, end: 0, other_start: 0, other_end: 0 };
    run.grow();
    run.grow_other();
    loop {
        if run.start < run.end {
            run.settle(lines);
        }
        if !run.go_on() {
            return;
        }
    }
}

impl Run<'_> {
    /// To the best place. Runs that are met on the way become part of this one, and then it may go further.
    fn settle<L: Eq>(&mut self, lines: &[L]) {
        let mut opposite;
        loop {
            let length = self.end - self.start;
            while self.up(lines) {}
            opposite = self.stands_opposite().then_some(self.end);
            while self.down(lines) {
                if self.stands_opposite() {
                    opposite = Some(self.end);
                }
            }
            if self.end - self.start == length {
                break;
            }
        }
        if let Some(end) = opposite {
            while self.end > end && self.up(lines) {}
        }
    }

    fn stands_opposite(&self) -> bool {
        self.other_start < self.other_end
    }

    fn up<L: Eq>(&mut self, lines: &[L]) -> bool {
        if self.start == 0 || lines[self.start - 1] != lines[self.end - 1] {
            return false;
        }
        self.start -= 1;
        self.end -= 1;
        self.marks[self.start] = true;
        self.marks[self.end] = false;
        while self.start > 0 && self.marks[self.start - 1] {
            self.start -= 1;
        }
        self.other_end = self.other_start - 1;
        self.other_start = self.other_end;
        while self.other_start > 0 && self.other[self.other_start - 1] {
            self.other_start -= 1;
        }
        true
    }

    fn down<L: Eq>(&mut self, lines: &[L]) -> bool {
        if self.end == lines.len() || lines[self.start] != lines[self.end] {
            return false;
        }
        self.marks[self.start] = false;
        self.marks[self.end] = true;
        self.start += 1;
        self.end += 1;
        self.grow();
        self.other_start = self.other_end + 1;
        self.other_end = self.other_start;
        self.grow_other();
        true
    }

    /// To the next run, behind one unchanged line.
    fn go_on(&mut self) -> bool {
        if self.end >= self.marks.len() {
            return false;
        }
        self.start = self.end + 1;
        self.end = self.start;
        self.grow();
        self.other_start = self.other_end + 1;
        self.other_end = self.other_start;
        self.grow_other();
        true
    }

    fn grow(&mut self) {
        while self.marks.get(self.end) == Some(&true) {
            self.end += 1;
        }
    }

    fn grow_other(&mut self) {
        while self.other.get(self.other_end) == Some(&true) {
            self.other_end += 1;
        }
    }
}
