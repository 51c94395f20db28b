//! A server of one page for this machine alone.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result};
use serde::Serialize;

/// What is shown: the newest page, which number it has, and why the check after it failed, if it did.
#[derive(Debug, Default)]
pub struct Board(Mutex<Shown>);

#[derive(Debug, Default, Clone)]
struct Shown {
    round: u64,
    page: Arc<str>,
    error: Option<String>,
}

impl Board {
    /// Puts up another page.
    pub fn show(&self, page: String) {
        let mut shown = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        *shown = Shown { round: shown.round + 1, page: page.into(), error: None };
    }

    /// Says why there is no other page.
    pub fn fail(&self, error: String) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).error = Some(error);
    }

    fn shown(&self) -> Shown {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// What the page asks for again and again.
#[derive(Serialize)]
struct State<'a> {
    round: u64,
    error: Option<&'a str>,
}

/// A server that answers in threads of its own, as long as the process lives.
#[derive(Debug)]
pub struct Server(SocketAddr);

impl Server {
    /// Serves the board on 127.0.0.1; on a free port if `port` is 0.
    pub fn start(port: u16, board: Arc<Board>) -> Result<Self> {
        let cannot =
            || format!("--watch: port {port} cannot be used; name another, or 0 for any that is free");
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).with_context(cannot)?;
        let address = listener.local_addr().with_context(cannot)?;
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let board = Arc::clone(&board);
                // A browser that goes away needs no answer.
                thread::spawn(move || answer(stream, address, &board));
            }
        });
        Ok(Self(address))
    }

    /// Where a browser finds it.
    pub fn address(&self) -> String {
        format!("http://{}/", self.0)
    }
}

/// Longest head of a request.
const MOST: u64 = 16 << 10;

/// Answers the one request of a connection.
fn answer(mut stream: TcpStream, address: SocketAddr, board: &Board) -> io::Result<()> {
    stream.set_read_timeout(Some(Duration::from_secs(10)))?;
    let mut lines = BufReader::new(stream.try_clone()?.take(MOST)).lines();
    let first = lines.next().transpose()?.unwrap_or_default();
    let mut host = None;
    for line in lines {
        let line = line?;
        match line.split_once(':') {
            Some((key, value)) if key.eq_ignore_ascii_case("host") => host = Some(value.trim().to_owned()),
            Some(_) => {}
            None => break,
        }
    }
    let (status, kind, body) = match first.split(' ').collect::<Vec<_>>()[..] {
        // Pages of other names that lead here are none of ours.
        _ if !is_own(host.as_deref(), address) => ("403 Forbidden", TEXT, b"use 127.0.0.1\n".to_vec()),
        ["GET" | "HEAD", target, _] => found(target.split('?').next().unwrap_or_default(), &board.shown()),
        _ => ("405 Method Not Allowed", TEXT, b"only reading is possible\n".to_vec()),
    };
    let head = format!(
        "HTTP/1.1 {status}\r\ncontent-type: {kind}\r\ncontent-length: {}\r\ncache-control: no-store\r\n\
         x-content-type-options: nosniff\r\nconnection: close\r\n\r\n",
        body.len()
    );
    stream.write_all(head.as_bytes())?;
    if !first.starts_with("HEAD ") {
        stream.write_all(&body)?;
    }
    stream.flush()
}

const TEXT: &str = "text/plain; charset=utf-8";

fn found(path: &str, shown: &Shown) -> (&'static str, &'static str, Vec<u8>) {
    let state = State { round: shown.round, error: shown.error.as_deref() };
    match path {
        "/" if shown.round == 0 => ("200 OK", "text/html; charset=utf-8", WAITING.as_bytes().to_vec()),
        "/" => ("200 OK", "text/html; charset=utf-8", shown.page.as_bytes().to_vec()),
        "/state" => ("200 OK", "application/json", serde_json::to_vec(&state).unwrap_or_default()),
        _ => ("404 Not Found", TEXT, b"there is only one page\n".to_vec()),
    }
}

/// Shown until there is a page.
const WAITING: &str = "<!doctype html><meta charset=utf-8><meta http-equiv=refresh content=1><title>sudar clash</title>\
                       <p>The first check is under way.</p>\n";

fn is_own(host: Option<&str>, address: SocketAddr) -> bool {
    let port = address.port();
    host.is_some_and(|host| host == format!("127.0.0.1:{port}") || host == format!("localhost:{port}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn get(address: &str, host: &str, target: &str) -> String {
        let place = address.trim_start_matches("http://").trim_end_matches('/');
        let mut stream = TcpStream::connect(place).unwrap();
        write!(stream, "GET {target} HTTP/1.1\r\nHost: {host}\r\n\r\n").unwrap();
        let mut text = String::new();
        stream.read_to_string(&mut text).unwrap();
        text
    }

    #[test]
    fn the_newest_page_stays_while_a_check_fails_and_strangers_get_nothing() {
        let board = Arc::new(Board::default());
        let server = Server::start(0, Arc::clone(&board)).unwrap();
        let address = server.address();
        let host = address.trim_start_matches("http://").trim_end_matches('/').to_owned();
        assert!(get(&address, &host, "/").contains("under way"));
        board.show("<p>one".to_owned());
        board.fail("half \"written\"".to_owned());
        assert!(get(&address, &host, "/").ends_with("\r\n\r\n<p>one"));
        assert!(get(&address, &host, "/state?1").ends_with(r#"{"round":1,"error":"half \"written\""}"#));
        board.show("<p>two".to_owned());
        assert!(get(&address, &host, "/state").ends_with(r#"{"round":2,"error":null}"#));
        assert!(get(&address, "elsewhere.example", "/").starts_with("HTTP/1.1 403"));
        assert!(get(&address, &host, "/../etc").starts_with("HTTP/1.1 404"));
    }
}
