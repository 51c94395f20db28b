//! Clashes that were accepted and grow.
#![allow(clippy::unwrap_used, reason = "all of this is test code")]

use crate::support::{Folder, Run, obj_boxes};

/// `walls.obj`: two walls of 800 mm that overlap by so much, in millimetres.
fn write_walls(folder: &Folder, depth: f64) {
    let wall = |x: f64| ([x, 0.0, 0.0], [x + 800.0, 3000.0, 2700.0]);
    let walls = [("wall", wall(0.0)), ("pier", wall(800.0 - depth))];
    folder.write("walls.obj", obj_boxes(&walls.map(|(name, (min, max))| (name, min, max))));
}

fn check(folder: &Folder, more: &[&str]) -> Run {
    folder.sudar(&[&["clash", "walls.obj", "--units", "mm", "--review", "review.toml"], more].concat())
}

#[test]
fn an_accepted_clash_that_grew_is_open_again_with_both_figures() {
    let folder = Folder::new();
    let read = |name: &str| std::fs::read_to_string(folder.join(name)).unwrap();
    write_walls(&folder, 100.0);
    assert_eq!(check(&folder, &["--out", "before.json"]).status, 1);
    folder.write("review.toml", read("review.toml").replace("\"new\"", "\"accepted\""));
    assert_eq!(check(&folder, &[]).status, 0);
    write_walls(&folder, 700.0);
    // A share that is wide enough keeps it accepted.
    assert_eq!(check(&folder, &["--reopen-growth", "800%"]).status, 0);
    let files = ["--out", "after.json", "--table", "t.csv", "--baseline", "before.json"];
    let run = check(&folder, &files);
    assert_eq!(run.status, 1, "{}", run.err);
    assert!(run.out.contains("0 changed, 1 deeper, 0 same"), "{}", run.out);
    for text in [&run.out, &read("t.csv")] {
        assert!(text.contains("depth 100 to 700"), "{text}");
    }
    let document: serde_json::Value = serde_json::from_str(&read("after.json")).unwrap();
    let clash = &document["clashes"][0];
    for change in [&clash["review"]["reopened"], &clash["change"]] {
        let figures = [&change["was"], &change["now"]].map(|figure| figure.as_f64().unwrap().round());
        assert_eq!((change["of"].as_str(), figures), (Some("depth"), [100.0, 700.0]), "{clash}");
    }
    assert_eq!(
        (clash["status"].as_str(), clash["review"]["status"].as_str()),
        (Some("deeper"), Some("active"))
    );
    // The reason stays in the file while the clash is open.
    let review = read("review.toml");
    assert!(review.contains("[clash.reopened]") && review.contains("of = \"depth\""), "{review}");
    assert_eq!(check(&folder, &[]).status, 1);
    assert_eq!(read("review.toml"), review);
    // Accepted as it is, it is closed, and only what is deeper than that opens it.
    folder.write("review.toml", review.replace("\"active\"", "\"accepted\""));
    write_walls(&folder, 730.0);
    assert_eq!(check(&folder, &[]).status, 0);
    assert!(!read("review.toml").contains("reopened"));
    let wrong = check(&folder, &["--reopen-growth", "-1%"]);
    assert!(wrong.error().contains("write a share of 0 or more"), "{}", wrong.err);
}
