//! What happens appears by itself.

use std::io::{Read, Write};
use std::time::{Duration, Instant};

use crate::world::World;

#[test]
fn a_page_hears_of_what_an_agent_does() {
    let world = World::new();
    let browser = world.browser();
    let mut stream = world.connect();
    let head = format!("GET {} HTTP/1.1\r\nHost: {}\r\n\r\n", browser.at("/events"), world.host());
    stream.write_all(head.as_bytes()).expect("sent");
    stream.set_read_timeout(Some(Duration::from_millis(100))).expect("a timeout");
    let mut heard = String::new();
    // The first look of the server is what later ones are compared with, and nobody hears of it: what happens, happens until it is heard.
    let mut listen = |until: &str, again: &dyn Fn(u32)| {
        let end = Instant::now() + Duration::from_secs(30);
        let mut bytes = [0; 4096];
        let mut times = 0;
        let mut next = Instant::now();
        while Instant::now() < end && !heard.contains(until) {
            if Instant::now() >= next {
                again(times);
                times += 1;
                next = Instant::now() + Duration::from_secs(2);
            }
            if let Ok(read) = stream.read(&mut bytes) {
                heard.push_str(&String::from_utf8_lossy(&bytes[..read]));
            }
        }
        assert!(heard.contains(until), "{until} is not in: {heard}");
        heard.clear();
    };
    listen("text/event-stream", &|_| {});
    listen("\"store\"", &|times| {
        world.write("a.txt", &format!("{times}\n"));
        world.save(Some("something new"), None);
    });
    listen("\"memory\"", &|times| {
        let next = engine::memory::Remember::Next(format!("go on {times}"));
        engine::memory::remember(&world.engine(), "cursor", &next).expect("said");
    });
    listen("\"lessons\"", &|times| {
        world.write("LESSONS.md", &format!("# Lessons\n\n- Look first, {times}\n"));
    });
}
