//! A page in a browser without a window.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

/// No page takes so long, also drawn by software on a busy machine.
const PATIENCE: Duration = Duration::from_secs(300);

/// Loads a copy of the page with a script of the test at its end, and gives the JSON that the script posts to
/// its `LISTENER`, which the copy's policy lets it. `None`, with a message, where no browser is found:
/// `SUDAR_BROWSER` names one.
pub fn drive(path: &Path, page: &str, script: &str) -> Option<Value> {
    let Some(browser) = browser() else {
        println!("skipped: no Chromium found; install one or name it in SUDAR_BROWSER");
        return None;
    };
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let driver = format!("<script>const LISTENER = \"{address}/\";\n{script}</script></body>");
    let (head, tail) = page.rsplit_once("</body>").unwrap();
    let driven = format!("{head}{driver}{tail}").replacen(
        "default-src 'none'",
        &format!("default-src 'none'; connect-src {address}"),
        1,
    );
    let copy = path.with_extension("driven.html");
    std::fs::write(&copy, driven).unwrap();
    let profile = tempfile::tempdir().unwrap();
    let mut running = start(&browser, profile.path(), &copy);
    let answer = answer(&listener, &mut running.0);
    drop(running);
    Some(answer)
}

/// A browser that ends with the test, however that ends.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn start(browser: &Path, profile: &Path, page: &Path) -> Running {
    let child = Command::new(browser)
        .args(["--headless", "--no-sandbox", "--disable-quic", "--no-first-run", "--disable-sync"])
        .args(["--disable-background-networking", "--disable-component-update", "--disable-dev-shm-usage"])
        // A picture by software, wherever this runs.
        .args(["--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"])
        .args(["--window-size=1400,900", "--remote-debugging-port=0"])
        .arg(format!("--user-data-dir={}", profile.display()))
        .arg(format!("file://{}", page.display()))
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    Running(child)
}

/// The body of the first request.
fn answer(listener: &TcpListener, browser: &mut Child) -> Value {
    listener.set_nonblocking(true).unwrap();
    let start = Instant::now();
    loop {
        if let Ok((stream, _)) = listener.accept() {
            return body(stream);
        }
        assert!(browser.try_wait().unwrap().is_none(), "the browser ended before the page was done");
        assert!(start.elapsed() < PATIENCE, "the page was not done in {PATIENCE:?}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

fn body(mut stream: TcpStream) -> Value {
    stream.set_nonblocking(false).unwrap();
    let mut reader = BufReader::new(stream.try_clone().unwrap());
    let mut length = 0;
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).unwrap();
        if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length:") {
            length = value.trim().parse().unwrap();
        }
        if line.trim().is_empty() {
            break;
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).unwrap();
    stream.write_all(b"HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n").unwrap();
    serde_json::from_slice(&body).unwrap()
}

fn browser() -> Option<PathBuf> {
    if let Some(named) = std::env::var_os("SUDAR_BROWSER") {
        return Some(named.into());
    }
    let folders = std::env::var_os("PATH")?;
    let names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"];
    std::env::split_paths(&folders).flat_map(|f| names.map(|name| f.join(name))).find(|path| path.is_file())
}
