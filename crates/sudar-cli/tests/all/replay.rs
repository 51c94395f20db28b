//! `replay`: the limits of the format, and one answer a line.

use std::io::Write;

use serde_json::{Value, json};

use crate::support::queries::{pair, shapes};
use crate::support::{Folder, Run};

#[test]
fn bad_lines_are_answered_with_errors_and_the_others_with_answers() {
    let folder = Folder::with_cube();
    let good = r#"{"id":"good","query":"contains","a":{"sphere":1},"point":[0,0,0]}"#;
    let cases: Vec<(String, &str)> = vec![
        ("{".to_owned(), "the line is not JSON: it ends in the middle of an object"),
        ("[1]".to_owned(), "JSON object"),
        (r#"{"id":"x","query":"dance"}"#.to_owned(), "unknown query \"dance\"; known: intersects, contacts"),
        (r#"{"id":"x","query":"bounds"}"#.to_owned(), "`a` is missing; the query \"bounds\" needs it"),
        (good.replace("[0,0,0]", "[0,0,1e999]"), "`point`: number out of range"),
        (good.replace("[0,0,0]", "[0,0,NaN]"), "the line is not JSON: expected a number"),
        ("nope".to_owned(), "the line is not JSON: expected `null`, at character 2"),
        (good.replace("[0,0,0]", "[0,0]"), "`point`: invalid length 2"),
        (good.replace("[0,0,0]", "[0,0,null]"), "`point`"),
        (good.replace("[0,0,0]", "[0,0,1e91]"), "`point`: a point must not exceed 1e90"),
        (good.replace("\"point\"", "\"piont\""), "`point` is missing"),
        (good.replace("\"point\"", "\"extra\":1,\"point\""), "no field `extra`"),
        (good.replace("{\"sphere\":1}", "{\"cone\":[1]}"), "`a`: `cone`: invalid length 1"),
        (good.replace("{\"sphere\":1}", "{\"blob\":1}"), "no shape is given"),
        (good.replace("{\"sphere\":1}", "{\"sphere\":0}"), "`a`: a sphere's radius must be positive"),
        (good.replace("{\"sphere\":1}", "{\"mesh\":\"none.obj\"}"), "none.obj: cannot be read"),
        (good.replace("{\"sphere\":1}", "{\"mesh\":\".\"}"), "regular file"),
        (good.replace("{\"sphere\":1}", "{\"mesh\":\"cube.obj\",\"part\":\"x\"}"), "no part is named \"x\""),
        (
            good.replace("{\"sphere\":1}", "{\"vertices\":[[0,0,0]],\"triangles\":[[0,0,1]]}"),
            "triangle 0 names vertex 1",
        ),
        (
            good.replace("{\"sphere\":1}", "{\"vertices\":[[0,0,0]],\"triangles\":[[0,0,0]],\"solid\":true}"),
            "not closed",
        ),
        (good.replace("\"point\"", "\"pose_a\":{\"rotation\":[0,0,0,2]},\"point\""), "`pose_a`: a rotation"),
        (good.replace("\"point\"", "\"budget\":{\"nodes\":-1},\"point\""), "`budget`: `nodes`"),
        (format!("{{\"note\":{}{}}}", "[".repeat(64), "]".repeat(64)), "nested deeper than 64"),
    ];
    let lines: Vec<String> = cases.iter().flat_map(|(line, _)| [line.clone(), good.to_owned()]).collect();
    let run = folder.replay(&lines, &[]);
    assert_eq!((run.status, run.err.as_str()), (1, ""));
    let answers = run.lines();
    assert_eq!(answers.len(), lines.len());
    for (pair, (line, expected)) in answers.chunks(2).zip(&cases) {
        let error = pair[0]["error"].as_str().unwrap_or_else(|| panic!("{line}: {}", pair[0]));
        assert!(error.contains(expected) && !error.contains('\n'), "{line}: {error}");
        assert_eq!(pair[1], json!({"id": "good", "inside": true}));
        let id = if line.contains("\"id\"") { &line[7..line[7..].find('"').unwrap() + 7] } else { "" };
        assert_eq!(pair[0]["id"].as_str().unwrap_or_default(), id, "{line}");
    }
}

#[test]
fn bytes_that_are_no_text_spoil_their_line_only() {
    let folder = Folder::new();
    let good = br#"{"id":"g","query":"contains","a":{"sphere":1},"point":[0,0,2]}"#;
    folder.write("q.jsonl", [&good[..], b"\r\n\xff\xfe\n  \r\n\n", good].concat());
    let run = folder.sudar(&["replay", "q.jsonl"]);
    assert_eq!(run.status, 1);
    let answers = run.lines();
    assert_eq!(answers.len(), 3);
    assert_eq!((&answers[0], &answers[2]), (&json!({"id": "g", "inside": false}), &answers[0]));
    assert_eq!(answers[1], json!({"id": null, "error": "the line is not valid UTF-8 (at byte 1)"}));
}

#[test]
fn a_line_that_is_too_long_is_refused_and_the_next_one_answered() {
    let folder = Folder::new();
    let good = r#"{"query":"contains","a":{"sphere":1},"point":[0,0,0]}"#;
    let long = format!(r#"{{"id":"long","note":"{}"}}"#, "x".repeat(64 << 20));
    let padded = format!("{good}{}", " ".repeat((64 << 20) - good.len()));
    folder.write("q.jsonl", format!("{long}\n{good}\n{padded}\n"));
    let answers = folder.sudar(&["replay", "q.jsonl"]).lines();
    assert!(answers[0]["error"].as_str().unwrap().starts_with("the line is longer than 64 MiB"));
    assert_eq!(answers[0]["id"], json!("long"));
    let inside = json!({"id": null, "inside": true});
    assert_eq!(answers[1..], [inside.clone(), inside]);
}

#[test]
fn an_empty_file_has_no_answers() {
    let folder = Folder::new();
    let run = folder.replay(&[], &[]);
    assert_eq!((run.status, run.out.as_str()), (0, ""));
    assert_eq!(folder.replay(&[], &["--time"]).lines(), [json!({"shapes": []})]);
}

/// Lines with every query, many times over, with errors between them.
fn mixture() -> Vec<String> {
    let mut lines = Vec::new();
    for i in 0..300 {
        let x = f64::from(i) / 128.0;
        for (_, a, b) in shapes() {
            lines.push(pair("intersects", &a, &b, x));
            lines.push(
                json!({"id": i.to_string(), "query": "closest_point", "a": a, "point": [x, 0.3, 0.7]})
                    .to_string(),
            );
            lines.push(
                json!({"query": "ray", "a": a, "origin": [3, x, 0.1], "direction": [-1, 0.3, x]}).to_string(),
            );
        }
        lines.push(pair("contacts", &json!({"mesh": "cube.obj"}), &json!({"mesh": "cube.obj"}), x));
        lines.push("{}".to_owned());
    }
    lines
}

#[test]
fn any_number_of_threads_gives_the_same_bits() {
    let folder = Folder::with_cube();
    let lines = mixture();
    let run = |threads: &str| -> Run { folder.replay(&lines, &["--threads", threads]) };
    let one = run("1");
    assert_eq!((one.status, one.lines().len()), (1, lines.len()));
    assert_eq!(one.out, run("2").out);
    assert_eq!(one.out, run("7").out);
}

#[test]
fn gzipped_queries_and_an_output_file() {
    let folder = Folder::with_cube();
    let lines = mixture().join("\r\n");
    let mut gz = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gz.write_all(lines.as_bytes()).unwrap();
    folder.write("q.jsonl", &lines);
    folder.write("q.jsonl.gz", gz.finish().unwrap());
    let plain = folder.sudar(&["replay", "q.jsonl"]);
    let run = folder.sudar(&["replay", "q.jsonl.gz", "--out", "a.jsonl"]);
    assert_eq!((run.status, run.out.as_str()), (1, ""));
    assert_eq!(std::fs::read_to_string(folder.join("a.jsonl")).unwrap(), plain.out);
}

#[test]
fn paths_start_from_the_query_file_or_the_root() {
    let folder = Folder::new();
    for name in ["in", "other"] {
        std::fs::create_dir(folder.join(name)).unwrap();
    }
    folder.write("in/cube.obj", crate::support::CUBE);
    folder.write("other/cube.obj", crate::support::CUBE.replace("1", "2").replace("o cube", "o big"));
    let line = r#"{"query":"closest_point","a":{"mesh":"cube.obj"},"point":[0,0,5]}"#;
    folder.write("in/q.jsonl", line);
    assert_eq!(folder.sudar(&["replay", "in/q.jsonl"]).lines()[0]["distance"], json!(4.0));
    assert_eq!(folder.sudar(&["replay", "in/q.jsonl", "--units", "cm"]).lines()[0]["distance"], json!(4.99));
    assert_eq!(folder.sudar(&["replay", "in/q.jsonl", "--root", "none"]).status, 1);
}

#[test]
fn times_come_with_the_builds_first() {
    let folder = Folder::with_cube();
    let surface = json!({"mesh": "cube.obj"});
    let inline = json!({"vertices": [[0, 0, 0], [1, 0, 0], [0, 1, 0]], "triangles": [[0, 1, 2]]});
    let lines = [
        pair("intersects", &surface, &surface, 0.5),
        String::new(),
        pair("intersects", &json!({"sphere": 1}), &inline, 0.5),
        "{}".to_owned(),
    ];
    let run = folder.replay(&lines, &["--time", "--repeat", "5"]);
    assert_eq!(run.status, 1);
    let answers = run.lines();
    assert_eq!(answers.len(), 4);
    let shapes = answers[0]["shapes"].as_array().unwrap();
    assert_eq!(shapes.len(), 2, "each mesh is built once: {shapes:?}");
    assert_eq!((&shapes[0]["shape"], &shapes[0]["triangles"]), (&surface, &json!(12)));
    assert_eq!(
        (&shapes[1]["shape"], &shapes[1]["triangles"]),
        (&json!({"line": 3, "field": "b"}), &json!(1))
    );
    let sum = |shape: &Value, field: &str| -> u64 {
        shape["layers"].as_array().unwrap().iter().map(|layer| layer[field].as_u64().unwrap()).sum()
    };
    for shape in shapes {
        for field in ["build_ns", "bytes"] {
            assert!(shape[field].as_u64().unwrap() > 0);
            assert_eq!(shape[field].as_u64(), Some(sum(shape, field)));
        }
        let layers: Vec<&Value> = shape["layers"].as_array().unwrap().iter().map(|l| &l["layer"]).collect();
        assert_eq!(layers, ["shape", "tree", "oriented_boxes", "slabs", "pieces"]);
    }
    assert!(answers[1..3].iter().all(|a| a["ns"].is_u64() && a["intersects"].is_boolean()));
    assert!(answers[3].get("ns").is_none());
}

#[test]
fn an_unknown_query_lists_only_what_there_is() {
    let folder = Folder::new();
    let answers = folder.replay(&[r#"{"query":"dance"}"#.to_owned()], &[]).lines();
    let error = answers[0]["error"].as_str().unwrap();
    let (_, known) = error.split_once("known: ").unwrap();
    for query in known.split(", ") {
        let error = folder.replay(&[format!(r#"{{"query":"{query}"}}"#)], &[]).lines().remove(0);
        let error = error["error"].as_str().unwrap().to_owned();
        assert!(!error.contains("not available") && !error.contains("unknown query"), "{error}");
    }
}

#[cfg(unix)]
#[test]
fn the_query_file_is_not_overwritten_under_any_name() {
    let folder = Folder::new();
    let line = r#"{"query":"contains","a":{"sphere":1},"point":[0,0,0]}"#;
    folder.write("q.jsonl", line);
    std::fs::create_dir(folder.join("sub")).unwrap();
    std::os::unix::fs::symlink(folder.join("q.jsonl"), folder.join("link.jsonl")).unwrap();
    std::fs::hard_link(folder.join("q.jsonl"), folder.join("hard.jsonl")).unwrap();
    let absolute = folder.join("q.jsonl").display().to_string();
    for out in ["q.jsonl", "./sub/../q.jsonl", "link.jsonl", "hard.jsonl", &absolute] {
        let run = folder.sudar(&["replay", "q.jsonl", "--out", out]);
        assert!(run.error().contains("is the query file itself"), "{}", run.err);
        assert_eq!(std::fs::read_to_string(folder.join("q.jsonl")).unwrap(), line);
    }
    let left = std::fs::read_dir(folder.path()).unwrap().count();
    assert_eq!((left, folder.sudar(&["replay", "q.jsonl", "--out", "a.jsonl"]).status), (4, 0));
}

#[test]
fn numbers_read_back_to_the_same_bits() {
    let folder = Folder::new();
    // The closest point of a point is itself: what goes in comes out.
    let numbers: [f64; 6] =
        [0.1, 0.30000000000000004, 5e-324, 1e89, -1.7976931348623157e-300, 123456789.12345679];
    for x in numbers {
        let line = format!(r#"{{"query":"closest_point","a":{{"point":[{x:e},0,0]}},"point":[{x:e},0,1]}}"#);
        let answer = folder.replay(&[line], &[]).lines().remove(0);
        assert_eq!(answer["point"][0].as_f64().unwrap().to_bits(), x.to_bits(), "{x:e}: {answer}");
    }
}
