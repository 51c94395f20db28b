//! `clash --watch`: a page on this machine, and a check for each change of a file.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::support::{Folder, obj_box};

/// A watch, which ends with this.
struct Watch {
    child: Child,
    place: String,
}

impl Drop for Watch {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Watch {
    fn start(folder: &Folder, args: &[&str]) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_sudar"));
        command.arg("clash").args(args).arg("--watch").current_dir(folder.path());
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let mut line = String::new();
        let mut output = BufReader::new(child.stdout.take().unwrap());
        output.read_line(&mut line).unwrap();
        // What it prints later is read away, so that it never waits.
        std::thread::spawn(move || output.read_to_end(&mut Vec::new()));
        let place = line.strip_prefix("http://").unwrap().split('/').next().unwrap().to_owned();
        assert!(place.starts_with("127.0.0.1:"), "{line}");
        Self { child, place }
    }

    fn get(&self, target: &str) -> String {
        let mut stream = TcpStream::connect(&self.place).unwrap();
        write!(stream, "GET {target} HTTP/1.1\r\nHost: {}\r\n\r\n", self.place).unwrap();
        let mut text = String::new();
        stream.read_to_string(&mut text).unwrap();
        text.split_once("\r\n\r\n").unwrap().1.to_owned()
    }

    /// Waits for a state.
    fn wait(&self, is_meant: impl Fn(&serde_json::Value) -> bool) -> serde_json::Value {
        let start = Instant::now();
        loop {
            let state = serde_json::from_str(&self.get("/state")).unwrap();
            if is_meant(&state) {
                return state;
            }
            assert!(start.elapsed() < Duration::from_secs(30), "{state}");
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    fn wait_for_round(&self, round: u64) {
        self.wait(|state| state["round"] == round && state["error"].is_null());
    }
}

fn two(gap: f64) -> String {
    obj_box("a", [0.0; 3], [1.0; 3], 1) + &obj_box("b", [1.0 + gap, 0.0, 0.0], [2.0 + gap, 1.0, 1.0], 9)
}

#[test]
fn a_changed_file_is_checked_again_and_a_broken_one_is_named() {
    let folder = Folder::new();
    folder.write("two.obj", two(-0.5));
    folder.write("rules.toml", "");
    let args = ["two.obj", "--review", "review.toml", "--ignore", "rules.toml", "--out", "out.json"];
    let watch = Watch::start(&folder, &args);
    watch.wait_for_round(1);
    let kinds = || {
        let document: serde_json::Value =
            serde_json::from_str(&std::fs::read_to_string(folder.join("out.json")).unwrap()).unwrap();
        document["clashes"]
            .as_array()
            .unwrap()
            .iter()
            .map(|clash| clash["kind"].to_string())
            .collect::<Vec<_>>()
    };
    assert_eq!(kinds(), ["\"hard\""]);
    assert!(watch.get("/").contains("connect-src 'self'"));
    // The file of reviews that the check wrote is no change.
    std::thread::sleep(Duration::from_secs(2));
    watch.wait_for_round(1);
    folder.write("two.obj", two(0.0));
    watch.wait_for_round(2);
    assert_eq!(kinds(), ["\"touch\""]);
    folder.write("two.obj", two(0.0) + "v 1 2");
    let state = watch.wait(|state| !state["error"].is_null());
    assert!(state["round"] == 2 && state["error"].as_str().unwrap().starts_with("two.obj: "), "{state}");
    folder.write("two.obj", two(0.0));
    watch.wait_for_round(3);
    folder.write("rules.toml", "[[ignore]]\na = 'a'\nb = 'b'\n");
    watch.wait_for_round(4);
    assert!(kinds().is_empty());
    // What somebody decided in the file of reviews.
    folder.write("review.toml", "# looked at\n");
    watch.wait_for_round(5);
}
