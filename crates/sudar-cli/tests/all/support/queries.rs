//! Queries on every shape, as lines for `replay`.

use serde_json::{Value, json};

/// Shapes with their greatest and least point along x at (1, 0, 0) and (−1, 0, 0) and nothing else in the planes
/// x = 1 and x = −1 that others might miss: two of them, one moved by 2 along x, share exactly the point (1, 0, 0)
/// or a face around it. Half-spaces have one form for each side.
pub fn shapes() -> Vec<(&'static str, Value, Value)> {
    let same = |name, shape: Value| (name, shape.clone(), shape);
    let octahedron = json!([[1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0], [0, 0, 1], [0, 0, -1]]);
    let faces =
        json!([[0, 2, 4], [2, 1, 4], [1, 3, 4], [3, 0, 4], [2, 0, 5], [1, 2, 5], [3, 1, 5], [0, 3, 5]]);
    vec![
        same("file", json!({"mesh": "cube.obj"})),
        same("solid file", json!({"mesh": "cube.obj", "part": "cube", "solid": true})),
        same("inline", json!({"vertices": octahedron, "triangles": faces})),
        same("solid inline", json!({"vertices": octahedron, "triangles": faces, "solid": true})),
        same("sphere", json!({"sphere": 1})),
        same("box", json!({"box": [1, 1, 1]})),
        ("halfspace", json!({"halfspace": [1, 0, 0, 1]}), json!({"halfspace": [-2, 0, 0, 2]})),
        same("triangle", json!({"triangle": [[1, 0, 0], [-1, 0, 0], [0, 0.5, 0]]})),
        same("segment", json!({"segment": [[1, 0, 0], [-1, 0, 0]]})),
        ("point", json!({"point": [1, 0, 0]}), json!({"point": [-1, 0, 0]})),
        same("capsule", json!({"capsule": [1, 0.5]})),
        same("hull", json!({"hull": octahedron})),
        same(
            "compound",
            json!({"compound": [{"shape": {"sphere": 0.5}}, {"shape": {"box": [1, 0.5, 0.5]}}]}),
        ),
    ]
}

/// The query about two shapes, the second moved along x.
pub fn pair(query: &str, a: &Value, b: &Value, shift: f64) -> String {
    let pose = json!({"translation": [shift, 0, 0]});
    json!({"id": "p", "query": query, "a": a, "b": b, "pose_b": pose}).to_string()
}
