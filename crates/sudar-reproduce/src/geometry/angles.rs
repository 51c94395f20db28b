//! A point in a triangle by the sum of angles, against its tolerance (Maštera 2007, section 3.2.2 and figure 3.10).

use std::f64::consts::TAU;

use crate::inputs::random::Random;
use crate::output::axis::Axis;
use crate::output::figure::{Figure, Panel, Series};
use crate::output::finding::{Finding, say};
use crate::output::machine;
use crate::output::sheet::Sheet;
use crate::output::table::Tables;
use crate::plan::{Output, Plan, Result};

pub const TITLE: &str = "A point in a triangle by the sum of angles, against its tolerance ε (Maštera 2007)";

/// A point of the plane, with coordinates that are `f32`.
type P = [f32; 2];

const ROOMS: [f32; 8] = [1.0, 1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7];

/// Twice the area of a triangle with its sign, exactly enough: differences of `f32` of one size and their products fit
/// into `f64`, and rounding keeps the sign of the difference of the products.
fn orient([a, b]: [P; 2], p: P) -> f64 {
    let d = |q: P, k: usize| f64::from(q[k]) - f64::from(a[k]);
    d(b, 0) * d(p, 1) - d(b, 1) * d(p, 0)
}

/// Exactly, the border included.
fn is_inside([a, b, c]: &[P; 3], p: P) -> bool {
    let turn = orient([*a, *b], *c).signum();
    [[*a, *b], [*b, *c], [*c, *a]].iter().all(|side| orient(*side, p) * turn >= 0.0)
}

/// How far the angles under which the sides are seen from a point are from a full turn, in 32 bits as in the source.
fn deficit_32(t: &[P; 3], p: P) -> f32 {
    let to = t.map(|v| [v[0] - p[0], v[1] - p[1]]);
    let length = |v: P| (v[0] * v[0] + v[1] * v[1]).sqrt();
    let angle =
        |v: P, w: P| libm::acosf(((v[0] * w[0] + v[1] * w[1]) / (length(v) * length(w))).clamp(-1.0, 1.0));
    (angle(to[0], to[1]) + angle(to[1], to[2]) + angle(to[2], to[0]) - std::f32::consts::TAU).abs()
}

/// The same in 64 bits.
fn deficit_64(t: &[P; 3], p: P) -> f64 {
    let to = t.map(|v| [0, 1].map(|k| f64::from(v[k]) - f64::from(p[k])));
    let length = |v: [f64; 2]| (v[0] * v[0] + v[1] * v[1]).sqrt();
    let angle = |v: [f64; 2], w: [f64; 2]| {
        libm::acos(((v[0] * w[0] + v[1] * w[1]) / (length(v) * length(w))).clamp(-1.0, 1.0))
    };
    (angle(to[0], to[1]) + angle(to[1], to[2]) + angle(to[2], to[0]) - TAU).abs()
}

/// What one tolerance came to.
#[derive(Default)]
struct Count {
    accepted_outside: usize,
    rejected_inside: usize,
}

pub fn run(plan: &Plan) -> Result<Output> {
    plan.tell("sums of angles");
    let mut random = Random::new(2007);
    let count = plan.choose(20_000, 1_000_000);
    let mut point = |far: f64| [random.between(-far, far) as f32, random.between(-far, far) as f32];
    let mut counts: Vec<[Count; 2]> = ROOMS.iter().map(|_| Default::default()).collect();
    let mut inside = 0;
    for _ in 0..count {
        let (t, p) = ([point(1.0), point(1.0), point(1.0)], point(1.2));
        let truth = is_inside(&t, p);
        inside += usize::from(truth);
        let found = [deficit_32(&t, p).into(), deficit_64(&t, p)];
        for (room, counts) in ROOMS.iter().zip(&mut counts) {
            for (deficit, count) in found.iter().zip(counts) {
                // Where a point is a corner there is no angle.
                let accepted = *deficit <= f64::from(*room);
                count.accepted_outside += usize::from(accepted && !truth);
                count.rejected_inside += usize::from(!accepted && truth);
            }
        }
    }
    let comments = [
        TITLE,
        "Random triangles of a square of side 2, and points of one of side 2.4; inside: by exact signs, the border included",
        "area: of where points are accepted, as a multiple of the triangles; parts are of the points inside",
    ];
    let columns = "bits,epsilon,points,inside,accepted_outside,rejected_inside,area";
    let mut sheet = Sheet::new(&comments, columns);
    let mut lines = [Vec::new(), Vec::new(), Vec::new(), Vec::new()];
    for (bits, k) in [(32, 0), (64, 1)] {
        for (room, counts) in ROOMS.iter().zip(&counts) {
            let Count { accepted_outside, rejected_inside } = counts[k];
            let share = |n: usize| n as f64 / inside as f64;
            let area = 1.0 + share(accepted_outside) - share(rejected_inside);
            sheet.row(format_args!(
                "{bits},{room:e},{count},{inside},{accepted_outside},{rejected_inside},{area:.6}"
            ));
            for (line, n) in [(k, accepted_outside), (2 + k, rejected_inside)] {
                if n > 0 {
                    lines[line].push((f64::from(*room), share(n)));
                }
            }
        }
    }
    let names = [
        "outside, accepted, 32 bits",
        "outside, accepted, 64 bits",
        "inside, rejected, 32 bits",
        "inside, rejected, 64 bits",
    ];
    let lines = names.into_iter().zip(lines).enumerate();
    let series = lines.filter(|(_, (_, line))| !line.is_empty());
    let series = series.map(|(number, (name, line))| Series::line(name, number, line)).collect();
    let (x, y) = (Axis::decimal("ε in radians"), Axis::decimal("wrong answers by points inside"));
    let panel = Panel::new("a point in a triangle", x, y, series);
    let note = "What is not drawn is 0.";
    let figure = Figure::new(TITLE, vec![panel], &[note, &machine::version()]);
    plan.output(2 * count).sheet("angle-sum", sheet).figure("angle-sum", &figure)
}

pub fn find(tables: &Tables) -> Result<Vec<Finding>> {
    let table = tables.get("angle-sum")?;
    let column = |bits: &str, column: &str| table.points(&[("bits", bits)], "epsilon", column);
    let areas = column("64", "area")?;
    let grows = areas.windows(2).all(|pair| pair[0].1 >= pair[1].1);
    let at =
        |bits: &str, epsilon: &str, what: &str| table.number(&[("bits", bits), ("epsilon", epsilon)], what);
    let share = |bits: &str, epsilon: &str, what: &str| -> Result<f64> {
        Ok(100.0 * at(bits, epsilon, what)? / at(bits, epsilon, "inside")?)
    };
    let here = format!(
        "where it is accepted is {} times the triangle with ε = 1, {} with 0.1, {} with 0.01, and {} in 32 bits with 1e-6, where {} % of the points inside are rejected",
        say(at("64", "1e0", "area")?),
        say(at("64", "1e-1", "area")?),
        say(at("64", "1e-2", "area")?),
        say(at("32", "1e-6", "area")?),
        say(share("32", "1e-6", "rejected_inside")?),
    );
    let there = "the space in which a point counts as inside a triangle grows with the tolerance of the sum of angles";
    Ok(vec![Finding::new("Maštera 2007, figure 3.10", there, here, grows)])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn angles_make_a_full_turn_inside_and_less_outside() {
        let t = [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]];
        assert!(is_inside(&t, [0.25, 0.25]) && is_inside(&t, [0.5, 0.5]) && !is_inside(&t, [0.51, 0.5]));
        assert!(deficit_64(&t, [0.25, 0.25]) < 1e-12 && deficit_32(&t, [0.25, 0.25]) < 1e-5);
        // From (1, 1) the legs are seen under 45° each and the other side under 90°: half a turn is missing.
        assert!((deficit_64(&t, [1.0, 1.0]) - 0.5 * TAU).abs() < 1e-12);
    }
}
