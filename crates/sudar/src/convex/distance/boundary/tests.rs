use crate::convex::Convex;
use crate::convex::distance::boundary::*;
use crate::math::Pose;
use crate::shape::{Cone, Cuboid, Cylinder, Ellipsoid, Shape};
use crate::testing::Random;

/// Round bodies and boxes, some of them as flat or long as 1 to 1000, with their smooth pieces.
fn bodies(random: &mut Random) -> Vec<(Convex, Vec<Piece>)> {
    let mut size = || 10.0_f64.powf(1.5 * random.number());
    let (radius, half_length, radii) = (size(), size(), DVec3::new(size(), size(), size()));
    let convex = |shape: Shape| Convex::of(&shape).unwrap();
    let ends = [half_length, -half_length];
    vec![
        (
            convex(Cylinder::new(radius, half_length).unwrap().into()),
            ends.map(|z| Piece::Disc { radius, z })
                .into_iter()
                .chain(ends.map(|z| Piece::Rim { radius, z }))
                .chain([Piece::Wall { radius, half_length }])
                .collect(),
        ),
        (
            convex(Cone::new(radius, half_length).unwrap().into()),
            vec![
                Piece::Disc { radius, z: -half_length },
                Piece::Rim { radius, z: -half_length },
                Piece::Slope { radius, half_length },
                Piece::Corner(DVec3::new(0.0, 0.0, half_length)),
            ],
        ),
        (convex(Ellipsoid::new(radii).unwrap().into()), vec![Piece::Ellipsoid(radii)]),
        (
            convex(Cuboid::new(radii).unwrap().into()),
            (0..3).map(|axis| Piece::Face { half: radii, axis, sign: 1.0 }).collect(),
        ),
    ]
}

/// A point of the piece with its outward unit normal.
fn place(piece: &Piece, body: &PosedConvex, random: &mut Random) -> (DVec3, DVec3) {
    let facing = random.point().normalize();
    let share = random.number().abs();
    if let Some(normal) = piece.normal(body, facing) {
        let seen = DVec3::new(random.number(), random.number(), random.number()) * body.convex().radius();
        let foot = (0..60).find_map(|i| piece.foot(body, seen / f64::from(1 << i)));
        return (foot.unwrap_or(piece.view(body, normal).at), normal);
    }
    let Some(circle) = piece.circle(body) else {
        return (piece.view(body, facing).at, facing);
    };
    let arm = (facing - circle.axis * facing.dot(circle.axis)).normalize();
    let facing = circle.axis * circle.height + arm * (1.0 - circle.height * circle.height).sqrt();
    let line = piece.line(body, facing).unwrap();
    let [least, most] = line.range;
    (line.start + line.way * (least + (most - least) * share), facing)
}

/// A ball is in a convex body if it is no higher in any direction; it touches at the place if it is as high there.
#[test]
fn balls_are_inside_of_bodies_and_touch_them() {
    let mut random = Random::new(5);
    let mut with_room = 0;
    for _ in 0..400 {
        for (convex, pieces) in bodies(&mut random) {
            let body = PosedConvex::new(&convex, &Pose::IDENTITY);
            let small = 1e-13 * convex.radius();
            for piece in &pieces {
                let (at, facing) = place(piece, &body, &mut random);
                let (center, radius) = piece.ball(&body, at, facing);
                with_room += usize::from(radius > 0.0);
                assert!((center + facing * radius - at).length() <= small, "{piece:?}");
                for direction in [facing, random.point().normalize(), random.point().normalize()] {
                    let height = body.support(direction).offset.dot(direction);
                    assert!(center.dot(direction) + radius <= height + small, "{piece:?} {at} {direction}");
                }
            }
        }
    }
    assert!(with_room > 400 * 7, "{with_room}");
}

#[test]
fn views_are_support_points_and_move_as_their_bend_says() {
    let mut random = Random::new(8);
    for _ in 0..400 {
        for (convex, pieces) in bodies(&mut random) {
            let body = PosedConvex::new(&convex, &Pose::IDENTITY);
            let facing = random.point().normalize();
            let way = facing.cross(random.point()).normalize();
            for piece in pieces.iter().filter(|p| matches!(p, Piece::Rim { .. } | Piece::Ellipsoid(_))) {
                let (here, small) = (piece.view(&body, facing), 1e-6);
                let there = piece.view(&body, (facing + way * small).normalize());
                let slope = (there.at - here.at).dot(way) / small;
                let expected = here.bend(way, way);
                // Second derivatives grow with the radius over its distance from the axis.
                let across = facing.truncate().length().min(1.0 / convex.radius());
                assert!((slope - expected).abs() < 1e-4 * (1.0 + expected) / across.powi(3), "{piece:?}");
            }
        }
    }
}
