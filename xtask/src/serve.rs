//! A server of files for this machine alone: one folder, reading only.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result};

use crate::console::say;

/// Serves a folder on 127.0.0.1 until the process is interrupted.
pub fn forever(folder: &Path, port: u16) -> Result<()> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port))
        .with_context(|| format!("port {port} cannot be used; name another with --port"))?;
    say(&format!("http://{}/ until you press Ctrl-C", listener.local_addr()?));
    serve(&listener, folder)
}

fn serve(listener: &TcpListener, folder: &Path) -> Result<()> {
    let root = folder.canonicalize().with_context(|| format!("{} cannot be read", folder.display()))?;
    for stream in listener.incoming() {
        let (Ok(stream), root) = (stream, root.clone()) else { continue };
        // A browser that goes away needs no answer.
        thread::spawn(move || answer(stream, &root));
    }
    Ok(())
}

/// Longest head of a request.
const MOST: u64 = 16 << 10;

/// Answers the one request of a connection.
fn answer(mut stream: TcpStream, root: &Path) -> io::Result<()> {
    stream.set_read_timeout(Some(Duration::from_secs(10)))?;
    let mut reader = BufReader::new(stream.try_clone()?.take(MOST));
    let mut first = String::new();
    reader.read_line(&mut first)?;
    let mut line = first.clone();
    while !line.trim_end().is_empty() {
        line.clear();
        reader.read_line(&mut line)?;
    }
    let mut words = first.split_whitespace();
    let (method, target) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    let (head, body) = respond(method, target, root);
    stream.write_all(head.as_bytes())?;
    if method != "HEAD" {
        stream.write_all(&body)?;
    }
    stream.flush()
}

/// The head and the body of the response.
fn respond(method: &str, target: &str, root: &Path) -> (String, Vec<u8>) {
    let plain = "text/plain; charset=utf-8";
    if !matches!(method, "GET" | "HEAD") {
        return response(
            "405 Method Not Allowed",
            plain,
            "allow: GET, HEAD\r\n",
            b"only reading is possible\n".into(),
        );
    }
    match resolve(root, target) {
        Found::File(path) => match std::fs::read(&path) {
            Ok(bytes) => response("200 OK", kind(&path), "", bytes),
            Err(_) => response("404 Not Found", plain, "", b"this file cannot be read\n".into()),
        },
        Found::Moved(to) => {
            response("301 Moved Permanently", plain, &format!("location: {to}\r\n"), Vec::new())
        }
        Found::Nothing => response("404 Not Found", plain, "", b"there is no such file\n".into()),
    }
}

fn response(status: &str, kind: &str, more: &str, body: Vec<u8>) -> (String, Vec<u8>) {
    // A page that is built anew is shown anew.
    let head = format!(
        "HTTP/1.1 {status}\r\ncontent-type: {kind}\r\ncontent-length: {}\r\ncache-control: no-store\r\n{more}connection: close\r\n\r\n",
        body.len()
    );
    (head, body)
}

#[derive(Debug, PartialEq)]
enum Found {
    File(PathBuf),
    /// A folder without a slash at the end, from which relative links would start in the wrong place.
    Moved(String),
    Nothing,
}

/// The file in the folder `root` that a request names.
fn resolve(root: &Path, target: &str) -> Found {
    inside(root, target).unwrap_or(Found::Nothing)
}

fn inside(root: &Path, target: &str) -> Option<Found> {
    let path = target.split(['?', '#']).next()?.strip_prefix('/')?;
    let raw: Vec<&str> = path.split('/').filter(|part| !part.is_empty() && *part != ".").collect();
    let names: Option<Vec<String>> = raw.iter().map(|part| decoded(part)).collect();
    let wanted: PathBuf = names?.iter().collect();
    // Links in the folder may lead out of it.
    let found = root.join(wanted).canonicalize().ok().filter(|found| found.starts_with(root))?;
    if !found.is_dir() {
        // "page.html/" is no folder.
        return (!path.ends_with('/')).then_some(Found::File(found));
    }
    if !path.is_empty() && !path.ends_with('/') {
        return Some(Found::Moved(format!("/{}/", raw.join("/"))));
    }
    let index = found.join("index.html");
    index.is_file().then_some(Found::File(index))
}

/// One part of a path without its `%20` and the like, if it is the plain name of a file or folder.
fn decoded(part: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(part.len());
    let mut rest = part.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(if byte == b'%' { 16 * digit(rest.next()?)? + digit(rest.next()?)? } else { byte });
    }
    let name = String::from_utf8(bytes).ok()?;
    let is_plain = name != ".." && !name.contains(['/', '\\', ':', '\0']);
    is_plain.then_some(name)
}

fn digit(byte: u8) -> Option<u8> {
    char::from(byte).to_digit(16).map(|digit| digit as u8)
}

/// What a browser is told about a file. It refuses programs and modules under another name.
fn kind(path: &Path) -> &'static str {
    let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    match ending.to_ascii_lowercase().as_str() {
        "html" => "text/html; charset=utf-8",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "wasm" => "application/wasm",
        "css" => "text/css; charset=utf-8",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "ico" => "image/x-icon",
        "json" => "application/json",
        "woff2" => "font/woff2",
        "md" | "txt" | "csv" | "rs" | "toml" => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use std::net::SocketAddr;

    use super::*;

    /// A folder to serve, inside of another one with a file that must stay hidden.
    fn site() -> (tempfile::TempDir, PathBuf) {
        let outer = tempfile::tempdir().unwrap();
        let root = outer.path().join("site");
        std::fs::create_dir_all(root.join("lab")).unwrap();
        std::fs::create_dir_all(root.join("empty")).unwrap();
        let files = ["index.html", "lab/index.html", "lab/a b.js", "lab/x.wasm", "lab/é.svg"];
        for name in files {
            std::fs::write(root.join(name), name).unwrap();
        }
        std::fs::write(outer.path().join("secret.txt"), "secret").unwrap();
        let root = root.canonicalize().unwrap();
        (outer, root)
    }

    #[test]
    fn requests_name_files_of_the_folder() {
        let (_outer, root) = site();
        let file = |name: &str| Found::File(root.join(name));
        for (target, name) in [
            ("/", "index.html"),
            ("/?x=/../", "index.html"),
            ("/lab/", "lab/index.html"),
            ("//lab//index.html", "lab/index.html"),
            ("/./lab/index.html#x", "lab/index.html"),
            ("/lab/a%20b.js", "lab/a b.js"),
            ("/lab/%c3%A9.svg", "lab/é.svg"),
        ] {
            assert_eq!(resolve(&root, target), file(name), "{target}");
        }
        assert_eq!(resolve(&root, "/lab"), Found::Moved("/lab/".into()));
        assert_eq!(resolve(&root, "//lab"), Found::Moved("/lab/".into()), "no other host");
    }

    #[test]
    fn nothing_else_is_given_away() {
        let (outer, root) = site();
        let absolute = outer.path().join("secret.txt").display().to_string();
        for target in [
            "/../secret.txt",
            "/lab/../../secret.txt",
            "/%2e%2e/secret.txt",
            "/..%2fsecret.txt",
            "/%2fsecret.txt",
            "/..\\secret.txt",
            "/..%5csecret.txt",
            "../secret.txt",
            "secret.txt",
            "http://127.0.0.1/secret.txt",
            &absolute,
            &format!("/{absolute}"),
            "/none.html",
            "/index.html/",
            "/empty/",
            "/%",
            "/%0",
            "/%zz",
            "/%ff",
            "/index.html%00",
            "",
            "*",
        ] {
            assert_eq!(resolve(&root, target), Found::Nothing, "{target}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn links_do_not_lead_out() {
        let (outer, root) = site();
        std::os::unix::fs::symlink(outer.path().join("secret.txt"), root.join("link.txt")).unwrap();
        std::os::unix::fs::symlink(outer.path(), root.join("out")).unwrap();
        assert_eq!(resolve(&root, "/link.txt"), Found::Nothing);
        assert_eq!(resolve(&root, "/out/secret.txt"), Found::Nothing);
    }

    fn exchange(address: SocketAddr, request: &str) -> String {
        let mut stream = TcpStream::connect(address).unwrap();
        stream.write_all(request.as_bytes()).unwrap();
        let mut response = Vec::new();
        stream.read_to_end(&mut response).unwrap();
        String::from_utf8(response).unwrap()
    }

    #[test]
    fn many_requests_are_answered_one_by_one_and_at_once() {
        let (_outer, root) = site();
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let address = listener.local_addr().unwrap();
        thread::spawn(move || serve(&listener, &root));
        // One that says nothing keeps none of the others waiting.
        let _silent = TcpStream::connect(address).unwrap();
        let get = |path: &str| exchange(address, &format!("GET {path} HTTP/1.1\r\nHost: x\r\n\r\n"));
        for (path, kind) in [
            ("/", "text/html; charset=utf-8"),
            ("/lab/x.wasm", "application/wasm"),
            ("/lab/a%20b.js", "text/javascript; charset=utf-8"),
            ("/lab/%C3%A9.svg", "image/svg+xml"),
        ] {
            let response = get(path);
            assert!(response.starts_with("HTTP/1.1 200 OK\r\n"), "{response}");
            assert!(response.contains(&format!("content-type: {kind}\r\n")), "{response}");
        }
        assert!(get("/").ends_with("\r\n\r\nindex.html"));
        assert!(get("/lab").contains("\r\nlocation: /lab/\r\n"));
        assert!(get("/../secret.txt").starts_with("HTTP/1.1 404"));
        assert!(
            exchange(address, "HEAD / HTTP/1.1\r\n\r\n")
                .ends_with("content-length: 10\r\ncache-control: no-store\r\nconnection: close\r\n\r\n")
        );
        assert!(exchange(address, "POST / HTTP/1.1\r\n\r\n").starts_with("HTTP/1.1 405"));
        assert!(exchange(address, "\r\n").starts_with("HTTP/1.1 405"));
        thread::scope(|scope| {
            for _ in 0..16 {
                scope.spawn(|| assert!(get("/lab/").ends_with("lab/index.html")));
            }
        });
    }
}
