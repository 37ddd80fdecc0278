//! The work of the gate and of the scanner grows with the length of a text and not with its square, whatever the text is made of. (S20)

#![expect(clippy::expect_used, reason = "a test fails where it stands")]

use std::time::Duration;

use vib_redact::{Gate, PrivacyContext, Scanner};

use crate::dense;

/// The time that this thread worked; other work on the machine does not count.
#[cfg(target_os = "linux")]
fn worked() -> Duration {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").expect("the kernel counts");
    Duration::from_nanos(told.split(' ').next().and_then(|word| word.parse().ok()).expect("a number"))
}

#[cfg(target_os = "linux")]
fn cost(mut work: impl FnMut()) -> Duration {
    let started = worked();
    work();
    worked() - started
}

#[cfg(target_os = "linux")]
#[test]
fn four_times_the_text_is_about_four_times_the_work_s20() {
    let context = || PrivacyContext {
        home: Some("/home/ana".to_owned()),
        user: Some("ana".to_owned()),
        project_root: Some("/home/ana/shop".to_owned()),
        ..PrivacyContext::default()
    };
    for (name, shape) in dense::SHAPES {
        let texts = [1, 4].map(|factor| dense::text(*shape, factor * (48 << 10)));
        let [one, four] = texts.each_ref().map(|text| {
            cost(|| {
                let _ = Gate::new(context()).clean(text);
                let _ = Scanner::shared().scan(text, None);
            })
        });
        // What is measured in milliseconds is never exact.
        assert!(four < one * 8 + Duration::from_millis(100), "{name}: {one:?}, then {four:?}");
    }
}

/// What the gate lets out of such a text holds no secret that it could find, or nothing at all.
#[test]
fn what_comes_out_of_a_dense_text_is_clean_s20() {
    for (name, shape) in dense::SHAPES {
        let text = dense::text(*shape, 8 << 10);
        let clean = Gate::new(PrivacyContext::default()).clean(&text);
        let again = Gate::new(PrivacyContext::default()).clean(clean.as_str());
        assert_eq!(again.counts().secrets, 0, "{name}");
    }
}
