//! `recall_once FOLDER QUESTION`: opens a memory index, asks one question, prints the ids, ends.

use std::path::Path;
use std::process::ExitCode;

use memory::recall::{Index, Query};

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [folder, text, paths @ ..] = args.as_slice() else {
        eprintln!("recall_once: FOLDER QUESTION [PATH…]");
        return ExitCode::from(2);
    };
    let query =
        Query { paths: paths.to_vec(), now_ms: Some(i64::MAX / 2), why: false, ..Query::new(text.as_str()) };
    match Index::open(Path::new(folder)).and_then(|index| index.search(&query)) {
        Ok(hits) => {
            for hit in hits {
                println!("{}", hit.id);
            }
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("recall_once: {error}");
            ExitCode::FAILURE
        }
    }
}
