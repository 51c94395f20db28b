//! A scene of many clashes of every kind, made for the report.

use crate::support::{obj_box, obj_boxes};

/// Cells of parts, far from one another, with six clashes each.
pub const CELLS: usize = 200;

/// Names that would do harm in a page that took them for markup.
pub const NASTY: [&str; 4] = [
    "</script><script>document.title='harm'</script>",
    "<img src=x onerror=\"document.title='harm'\">",
    "\"quoted\" & 'single' &lt;b&gt; {{data}}",
    "<!-- Rohr \u{2028} ø 20 \\ -->",
];

/// `CELLS` cells of: a base; a box that overlaps it; one flush with it; two equal ones 1/16 beyond it; one inside.
///
/// With a clearance of 1/16 each has 1 hard, 1 touch, 2 clearance, 1 duplicate and 1 contained clash.
pub fn cells() -> String {
    let parts = (0..CELLS).flat_map(|cell| {
        let (x, y) = (10.0 * (cell % 20) as f64, 10.0 * (cell / 20) as f64);
        let part = move |name: &str, min: [f64; 3], max: [f64; 3]| {
            let at = |p: [f64; 3]| [p[0] + x, p[1] + y, p[2]];
            (format!("{name} {cell}"), at(min), at(max))
        };
        let base = if cell < NASTY.len() { NASTY[cell] } else { "base" };
        [
            part(base, [0.0; 3], [1.0; 3]),
            // Deeper from cell to cell.
            part("over", [0.999 - cell as f64 / 1024.0, 0.0, 0.0], [1.75, 1.0, 1.0]),
            part("flush", [-1.0, 0.0, 0.0], [0.0, 1.0, 1.0]),
            part("beyond", [0.125, 1.0625, 0.0], [0.5, 2.0, 1.0]),
            part("beyond again", [0.125, 1.0625, 0.0], [0.5, 2.0, 1.0]),
            part("inner", [0.25; 3], [0.5; 3]),
        ]
    });
    let parts: Vec<_> = parts.collect();
    let boxes: Vec<_> = parts.iter().map(|(name, min, max)| (name.as_str(), *min, *max)).collect();
    obj_boxes(&boxes)
}

/// A ball of 2·n·(n − 1) triangles and a box at its side.
pub fn fine_ball(n: usize) -> String {
    let mut text = "o fine ball\nv 0 0 1\n".to_owned();
    for i in 1..n {
        for j in 0..n {
            let turn = |k: usize, m: usize| (std::f64::consts::PI * k as f64 / m as f64).sin_cos();
            let ((sin_i, cos_i), (sin_j, cos_j)) = (turn(i, n), turn(2 * j, n));
            text += &format!("v {} {} {}\n", sin_i * cos_j, sin_i * sin_j, cos_i);
        }
    }
    text += "v 0 0 -1\n";
    let at = |i: usize, j: usize| 2 + (i - 1) * n + j % n;
    for j in 0..n {
        text += &format!("f 1 {} {}\n", at(1, j), at(1, j + 1));
        for i in 1..n - 1 {
            text += &format!("f {} {} {} {}\n", at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1));
        }
        text += &format!("f {} {} {}\n", at(n - 1, j + 1), at(n - 1, j), 2 + (n - 1) * n);
    }
    text + &obj_box("box", [0.9, -0.25, -0.25], [1.5, 0.25, 0.25], 3 + (n - 1) * n)
}
