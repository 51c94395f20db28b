//! A tensor of inertia carried from frame to frame against one that is turned anew (Maštera 2007, section 10.2).

use sudar::glam::Mat3;
use sudar::mass::mass_properties;
use sudar::{DMat3, DQuat, DVec3, Shape};

use super::bodies::bomber;
use crate::output::axis::Axis;
use crate::output::figure::{Figure, Panel, Series};
use crate::output::finding::{Finding, say};
use crate::output::machine;
use crate::output::sheet::Sheet;
use crate::output::table::Tables;
use crate::plan::{Output, Plan, Result};

pub const TITLE: &str = "tensor of inertia of a turning body, from that of the frame before and from that of the body (Maštera 2007)";

const NOTES: [&str; 3] = [
    "A bomber turns once a second around one axis, 60 frames a second; error: the largest up to the frame, Frobenius norm of the difference to the exact tensor over that of the tensor.",
    "carried by the step: of the frame before, turned by the step of a frame; carried by the orientation: of the frame before, turned by the orientation of \
     the body, which has turned it before; from the body: of the body, turned by the orientation.",
    "source: {Maštera 2007}, section 10.2, with numbers of 32 bits: the error of a tensor that is computed from that of the frame before grows very fast.",
];

/// By what the tensor of a frame is turned, and which tensor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Way {
    CarriedByStep,
    CarriedByOrientation,
    FromBody,
}

/// The ways in 32 bits but the last.
const WAYS: [(&str, u32, Way); 4] = [
    ("carried by the step", 32, Way::CarriedByStep),
    ("carried by the orientation", 32, Way::CarriedByOrientation),
    ("from the body", 32, Way::FromBody),
    ("carried by the step", 64, Way::CarriedByStep),
];

const FRAMES_A_SECOND: u32 = 60;
/// Up to an hour.
const MARKS: [u32; 6] = [10, 60, 600, 3600, 36_000, 216_000];

fn turn_after(frames: u32) -> DMat3 {
    let part = f64::from(frames % FRAMES_A_SECOND) / f64::from(FRAMES_A_SECOND);
    let axis = DVec3::new(1.0, 2.0, -1.0).normalize();
    DMat3::from_quat(DQuat::from_scaled_axis(axis * (part * std::f64::consts::TAU)))
}

fn turned(tensor: DMat3, turn: DMat3) -> DMat3 {
    turn * tensor * turn.transpose()
}

/// The same with every number and operation in 32 bits.
fn turned_in_32_bits(tensor: DMat3, turn: DMat3) -> DMat3 {
    let [tensor, turn] = [tensor, turn].map(|matrix| matrix.as_mat3());
    let turned: Mat3 = turn * tensor * turn.transpose();
    turned.as_dmat3()
}

fn norm(matrix: DMat3) -> f64 {
    matrix.to_cols_array().iter().map(|x| x * x).sum::<f64>().sqrt()
}

/// The largest errors up to the frames of the marks.
fn errors(tensor: DMat3, bits: u32, way: Way, marks: &[u32]) -> Vec<(f64, f64)> {
    let by = if bits == 32 { turned_in_32_bits } else { turned };
    let (mut kept, mut largest, mut errors) = (tensor, 0.0_f64, Vec::new());
    for frame in 1..=marks.last().copied().unwrap_or(0) {
        kept = match way {
            Way::CarriedByStep => by(kept, turn_after(1)),
            Way::CarriedByOrientation => by(kept, turn_after(frame)),
            Way::FromBody => by(tensor, turn_after(frame)),
        };
        let exact = turned(tensor, turn_after(frame));
        largest = largest.max(norm(kept - exact) / norm(exact));
        if marks.contains(&frame) {
            errors.push((f64::from(frame), largest));
        }
    }
    errors
}

pub fn run(plan: &Plan) -> Result<Output> {
    plan.tell("carrying a tensor of inertia");
    let tensor = mass_properties(&Shape::from(bomber()?))?.inertia;
    let marks = &MARKS[..plan.choose(4, MARKS.len())];
    let mut sheet = Sheet::new(&NOTES, "way,bits,frame,error");
    let mut series = Vec::new();
    for (number, (name, bits, way)) in WAYS.into_iter().enumerate() {
        let errors = errors(tensor, bits, way, marks);
        for (frame, error) in &errors {
            sheet.row(format_args!("{name},{bits},{frame},{error:.4e}"));
        }
        // The axis says what is carried.
        let short = name.trim_start_matches("carried ");
        series.push(Series::line(format!("{short}, {bits} bits"), number, errors));
    }
    let panel =
        Panel::new("error of the tensor", Axis::decimal("frames"), Axis::decimal("relative error"), series);
    let figure = Figure::new("A tensor of inertia from frame to frame", vec![panel], &[&machine::version()]);
    plan.output(WAYS.len() * marks.len()).sheet("inertia-frames", sheet).figure("inertia-frames", &figure)
}

/// Rounding, the same on every machine.
pub fn find(tables: &Tables) -> Result<Vec<Finding>> {
    let table = tables.get("inertia-frames")?;
    let of = |way: usize| {
        let (name, bits, _) = WAYS[way];
        table.points(&[("way", name), ("bits", &bits.to_string())], "frame", "error")
    };
    let last = |way| Result::Ok(of(way)?.last().copied().unwrap_or((f64::NAN, f64::NAN)));
    let ((frames, carried), (_, from_body), (_, in_64_bits)) = (last(0)?, last(2)?, last(3)?);
    let wrong = of(1)?.iter().find(|(_, error)| *error > 0.1).map_or(f64::NAN, |(frame, _)| *frame);
    Ok(vec![Finding::new(
        "Maštera 2007, section 10.2",
        "the error of a tensor that is computed from that of the frame before grows very fast; computed from that of the body it does not",
        format!(
            "turned by the whole orientation, as section 7.4 has it, the tensor of the frame before is off by more than a tenth within {} frames; turned by the step \
             of a frame alone, which leaves rounding, by {} after {} frames in 32 bits and by {} in 64; from the body by {}",
            say(wrong),
            say(carried),
            say(frames),
            say(in_64_bits),
            say(from_body)
        ),
        wrong < 60.0 && carried > 100.0 * from_body,
    )])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_turn_leaves_a_tensor_as_it_was() {
        let tensor = DMat3::from_diagonal(DVec3::new(1.0, 2.0, 4.0));
        let mut kept = tensor;
        (0..FRAMES_A_SECOND).for_each(|_| kept = turned(kept, turn_after(1)));
        assert!(norm(kept - tensor) < 1e-14 * 60.0 && norm(turned(tensor, turn_after(30)) - tensor) > 0.1);
        // 24 bits of mantissa, a few operations.
        let error =
            norm(turned_in_32_bits(tensor, turn_after(7)) - turned(tensor, turn_after(7))) / norm(tensor);
        assert!((1e-9..1e-6).contains(&error), "{error}");
    }
}
