//! Models that stand far from the origin, as buildings at national coordinates do.

use std::sync::Arc;

use sudar::glam::DVec3;
use sudar::{Aabb, Mesh, Pose};
use sudar_clash::ClashKind::{Clearance, Contained, Hard, Touch};
use sudar_clash::{
    Check, ClashInfo, ClashKind, Document, Earlier, Length, Part, Subject, TouchBand, Unit, body_of,
};

use crate::assemblies::house;

/// In metres: where it stands in a national grid.
const GRID: DVec3 = DVec3::new(456_789.0, 5_432_110.0, 120.0);

/// Boxes in metres, with vertices in the unit of the subject and moved before that.
fn building(unit: Unit, offset: DVec3) -> Subject {
    let boxes = [
        ("slab", [0.0, 0.0, -0.2], [8.0, 6.0, 0.0]),
        ("wall", [0.0, 0.0, 0.0], [8.0, 0.3, 2.7]),
        ("pipe", [2.1, -0.4, 1.3], [2.2, 0.7, 1.4]),
        ("sleeve", [4.1, 0.1, 1.1], [4.3, 0.2, 1.3]),
        ("duct", [0.0, 0.305, 2.0], [8.0, 0.7, 2.4]),
    ];
    let part = |&(name, min, max): &(&str, [f64; 3], [f64; 3])| {
        let place = |p: [f64; 3]| (DVec3::from(p) + offset) / unit.metres();
        let mesh = Mesh::from_aabb(Aabb { min: place(min), max: place(max) });
        Part { name: name.to_owned(), body: body_of(Arc::new(mesh)), pose: Pose::IDENTITY }
    };
    Subject { unit: Some(unit), ..Subject::given(boxes.iter().map(part).collect()) }
}

fn checked<T>(subject: &Subject, clearance: &str, answer: impl FnOnce(&Document<'_>) -> T) -> T {
    let clearance = Some(clearance.parse::<Length>().unwrap());
    let check = Check { clearance, touch: TouchBand::Usual, ..Check::default() };
    let found = check.run(subject, Earlier::default(), &Default::default(), &|_, _| {}).unwrap();
    answer(&found.document)
}

/// Pair, kind, and in millimetres depth or gap.
type Row = ([usize; 2], ClashKind, f64);

fn rows(subject: &Subject) -> Vec<Row> {
    let thousandths = 1000.0 * subject.unit.unwrap().metres();
    let row = |clash: &ClashInfo<'_>| {
        ([clash.a, clash.b], clash.kind, thousandths * clash.depth.unwrap_or(clash.distance))
    };
    checked(subject, "10 mm", |document| document.clashes.iter().map(row).collect())
}

#[test]
fn a_model_moved_by_any_offset_has_the_same_clashes() {
    // The wall stands on the slab; the pipe of 100 mm goes through it; the sleeve of 100 mm is 100 mm inside of its
    // 300 mm, so 200 mm are the way out; the duct is 5 mm before it, and the pipe goes 100 mm into nothing of it.
    let expected =
        [([0, 1], Touch, 0.0), ([1, 2], Hard, 100.0), ([1, 3], Contained, 200.0), ([1, 4], Clearance, 5.0)];
    for unit in [Unit::M, Unit::Mm] {
        for offset in [DVec3::ZERO, GRID, -GRID, 7.0 * GRID] {
            let found = rows(&building(unit, offset));
            assert_eq!(found.len(), expected.len(), "{unit:?} {offset} {found:?}");
            for (found, expected) in found.iter().zip(&expected) {
                assert_eq!((found.0, found.1), (expected.0, expected.1), "{unit:?} {offset}");
                // A coordinate of 4e7 m is rounded to 7.5e-9 m.
                assert!((found.2 - expected.2).abs() < 1e-4, "{unit:?} {offset} {found:?}");
            }
        }
    }
}

#[test]
fn the_usual_band_is_of_the_parts_and_at_most_a_millimetre() {
    let band = |unit: Option<Unit>, size: f64, x: f64| {
        let min = DVec3::new(x, 0.0, 0.0);
        let mesh = Mesh::from_aabb(Aabb { min, max: min + size * DVec3::new(2.0, 3.0, 6.0) });
        let part = Part { name: String::new(), body: body_of(Arc::new(mesh)), pose: Pose::IDENTITY };
        let subject = Subject { unit, ..Subject::given(vec![part]) };
        checked(&subject, "0", |document| document.touch.unwrap())
    };
    // The diagonal of 2 × 3 × 6 is 7.
    for x in [0.0, 5_432_110.0] {
        assert_eq!(band(Some(Unit::M), 1.0, x), 7e-6);
        assert_eq!(band(Some(Unit::Mm), 1.0, x), 7e-6);
        assert_eq!(band(None, 1.0, x), 7e-6);
    }
    assert_eq!(band(Some(Unit::M), 1000.0, 0.0), 1e-3);
    assert_eq!(band(Some(Unit::Mm), 1e6, 0.0), 1.0);
    // Without a unit nobody knows what a millimetre is.
    assert_eq!(band(None, 1000.0, 0.0), 7e-3);
}

#[test]
fn a_real_house_has_the_same_clashes_at_national_coordinates() {
    let Some(house) = house() else { return };
    let there = |offset: DVec3| {
        let moved = |part: &Part| {
            let mesh = part.body.mesh().unwrap().mapped(|p| p + offset).unwrap();
            Part { body: body_of(Arc::new(mesh)), ..part.clone() }
        };
        let parts = house.parts.iter().map(moved).collect();
        rows(&Subject { unit: Some(Unit::M), ..Subject::given(parts) })
    };
    let (here, far) = (there(DVec3::ZERO), there(GRID));
    let kinds = |rows: &[Row]| rows.iter().map(|(pair, kind, _)| (*pair, *kind)).collect::<Vec<_>>();
    assert_eq!(kinds(&here), kinds(&far));
    assert!(here.iter().any(|row| row.1 == Hard) && here.iter().any(|row| row.1 == Touch));
}
