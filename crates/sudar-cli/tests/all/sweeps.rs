//! Things that move: `check --sweep` and the queries of first contacts.

use serde_json::{Value, json};

use crate::support::Folder;

#[test]
fn check_follows_two_meshes_on_their_way() {
    let folder = Folder::with_cube();
    let plot = folder.join("way.svg");
    let check = |to: &str, more: &[&str]| {
        let args =
            ["check", "cube.obj", "cube.obj", "--pose-b", "5,0,0", "--sweep", "--pose-b-end", to, "--json"];
        folder.sudar(&[&args, more].concat())
    };
    // The cube [−1, 1]³ comes from a gap of 3 by 10: contact after 0.3 of the time.
    let found = check("-5,0,0", &["--plot", plot.to_str().unwrap()]);
    let sweep = found.json()["sweep"].clone();
    assert_eq!((found.status, sweep["hit"].clone()), (1, json!(true)));
    let (lower, upper) = (sweep["t_lower"].as_f64().unwrap(), sweep["t_upper"].as_f64().unwrap());
    assert!(lower <= 0.3 && 0.3 <= upper && upper - lower < 1e-5, "{lower} {upper}");
    assert_eq!(found.json()["intersects"], json!(false));
    let svg = std::fs::read_to_string(plot).unwrap();
    assert!(svg.contains("Distance against time") && svg.contains("first contact"), "{svg}");
    // Away, and without --sweep the end means nothing.
    let away = check("9,0,0", &[]);
    assert_eq!((away.status, away.json()["sweep"]["hit"].clone()), (0, json!(false)));
    let text = folder.sudar(&[
        "check",
        "cube.obj",
        "cube.obj",
        "--pose-b",
        "5,0,0",
        "--sweep",
        "--pose-b-end",
        "-5,0,0",
    ]);
    // Six digits outward: the interval is as narrow as a millionth of the scene.
    assert!(text.out.contains("first contact at the time in [0.29999"), "{}", text.out);
    assert_eq!(folder.sudar(&["check", "cube.obj", "cube.obj", "--pose-b-end", "9,0,0"]).status, 2);
}

#[test]
fn first_contacts_are_replayed() {
    let folder = Folder::with_cube();
    let lines = [
        r#"{"id":"balls","query":"sweep","a":{"sphere":1},"b":{"sphere":1},"pose_b":{"translation":[5,0,0]},"pose_b_end":{"translation":[-5,0,0]}}"#,
        r#"{"id":"beside","query":"sweep","a":{"sphere":1},"b":{"mesh":"cube.obj"},"pose_b":{"translation":[5,4,0]},"pose_b_end":{"translation":[-5,4,0]}}"#,
        r#"{"id":"stopped","query":"sweep","a":{"mesh":"cube.obj"},"b":{"mesh":"cube.obj"},"pose_b":{"translation":[5,0,0]},"pose_b_end":{"translation":[-5,0,0]},"budget":{"nodes":0}}"#,
        r#"{"id":"face","query":"ccd_vertex_face","start":[[0.2,0.2,1],[0,0,0],[1,0,0],[0,1,0]],"end":[[0.2,0.2,-3],[0,0,0],[1,0,0],[0,1,0]]}"#,
        r#"{"id":"edges","query":"ccd_edge_edge","start":[[-1,0,1],[1,0,1],[0,-1,0],[0,1,0]],"end":[[-1,0,0.5],[1,0,0.5],[0,-1,0],[0,1,0]],"separation":0.1}"#,
        r#"{"id":"zero","query":"ccd_edge_edge","start":[[-1,0,1],[1,0,1],[0,-1,0],[0,1,0]],"end":[[-1,0,0],[1,0,0],[0,-1,0],[0,1,0]],"delta":0}"#,
    ];
    std::fs::write(folder.join("q.jsonl"), lines.join("\n")).unwrap();
    let answers = folder.sudar(&["replay", "q.jsonl"]).lines();
    let between = |answer: &Value, time: f64| {
        let end = |name| answer[name].as_f64().unwrap();
        assert!(
            end("t_lower") <= time && time <= end("t_upper") && end("t_upper") - end("t_lower") < 1e-5,
            "{answer}"
        );
        assert_eq!(answer["hit"], json!(true));
    };
    between(&answers[0], 0.3);
    assert_eq!(answers[0]["features"], json!([0, 0]));
    assert_eq!(answers[1], json!({"id": "beside", "hit": false}));
    assert_eq!(answers[2], json!({"id": "stopped", "hit": null, "t_lower": 0.0, "undecided": "budget"}));
    between(&answers[3], 0.25);
    assert_eq!(answers[4], json!({"id": "edges", "hit": false}));
    assert!(answers[5]["error"].as_str().unwrap().contains("`delta`: must be above 0"), "{}", answers[5]);
}
