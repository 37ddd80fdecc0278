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
    let mut listen = |until: &str| {
        let end = Instant::now() + Duration::from_secs(15);
        let mut bytes = [0; 4096];
        while Instant::now() < end && !heard.contains(until) {
            if let Ok(read) = stream.read(&mut bytes) {
                heard.push_str(&String::from_utf8_lossy(&bytes[..read]));
            }
        }
        assert!(heard.contains(until), "{until} is not in: {heard}");
        heard.clear();
    };
    listen("text/event-stream");
    // The first look is what later ones are compared with.
    std::thread::sleep(Duration::from_millis(700));
    world.write("a.txt", "one\n");
    world.save(Some("something new"), None);
    listen("\"store\"");
    engine::memory::remember(&world.engine(), "cursor", &engine::memory::Remember::Next("go on".to_owned()))
        .expect("said");
    listen("\"memory\"");
    world.write("LESSONS.md", "# Lessons\n\n- Look first\n");
    listen("\"lessons\"");
}
