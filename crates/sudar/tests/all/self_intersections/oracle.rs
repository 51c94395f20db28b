//! Small meshes, all pairs in rational arithmetic.

use std::collections::BTreeMap;
use std::env;

use glam::{DQuat, DVec3};
use rand::RngExt;
use sudar::query::{Body, Intersection, self_intersections, self_intersects};
use sudar::{Mesh, Pose, Triangle};
use sudar_testing::Random;

use crate::triangle_triangle_oracle::reference::{Exact, common_part};

/// Where the vertices of a mesh lie. Triangles join any three of them, the same one twice now and then.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Class {
    /// Anywhere in a cube.
    Generic,
    /// On a grid of 3×3×3 points, so that several vertices are at one.
    Grid,
    /// On a grid in a plane.
    Plane,
    /// On a grid in a slanted plane, which holds them exactly.
    SlantedPlane,
    /// On a line.
    Line,
    /// On the small grid, but for an ulp.
    UlpGrid,
    /// On the small grid, times 1e-40 or 1e40.
    Scaled,
    /// On the small grid, posed anyhow.
    Posed,
    /// Round one point: nearly all pairs share a corner.
    Fan,
}

const CLASSES: [Class; 9] = [
    Class::Generic,
    Class::Grid,
    Class::Plane,
    Class::SlantedPlane,
    Class::Line,
    Class::UlpGrid,
    Class::Scaled,
    Class::Posed,
    Class::Fan,
];

fn grid(r: &mut Random, n: i32) -> DVec3 {
    DVec3::from_array(std::array::from_fn(|_| f64::from(r.random_range(0..n))))
}

fn vertex(class: Class, scale: f64, r: &mut Random) -> DVec3 {
    match class {
        Class::Generic => r.point(),
        Class::Grid | Class::Posed => grid(r, 3),
        Class::Plane => grid(r, 4) * DVec3::new(1.0, 1.0, 0.0) + DVec3::Z,
        Class::SlantedPlane => {
            let p = grid(r, 4);
            DVec3::new(p.x, p.y, 3.0 * p.x - 2.0 * p.y)
        }
        Class::Line => DVec3::new(1.0, -2.0, 3.0) * f64::from(r.random_range(0..6)),
        Class::UlpGrid => {
            let near = |x: f64, by: i32| match by {
                0 => x.next_down(),
                1 => x.next_up(),
                _ => x,
            };
            DVec3::from_array(grid(r, 3).to_array().map(|x| near(x + 1.0, r.random_range(0..6))))
        }
        Class::Scaled => grid(r, 3) * scale,
        Class::Fan => grid(r, 5) - DVec3::splat(2.0),
    }
}

fn mesh(class: Class, r: &mut Random) -> Mesh {
    let scale = if r.random() { 1e-40 } else { 1e40 };
    let vertices: Vec<DVec3> = (0..r.random_range(4..=9)).map(|_| vertex(class, scale, r)).collect();
    let n = vertices.len() as u32;
    let first = |r: &mut Random| if class == Class::Fan { 0 } else { r.random_range(0..n) };
    let triangles = (0..r.random_range(2..=9)).map(|_| {
        let mut any = || r.random_range(0..n);
        let mut corners = [any(), any(), any()];
        // Mostly three different ones, as in a mesh.
        if corners[0] == corners[1] || corners[1] == corners[2] || corners[2] == corners[0] {
            corners = [any(), any(), any()];
        }
        corners[0] = if class == Class::Fan { first(r) } else { corners[0] };
        corners
    });
    let triangles = triangles.collect();
    Mesh::new(vertices, triangles).unwrap()
}

fn pose(class: Class, r: &mut Random) -> Pose {
    if class != Class::Posed {
        return Pose::IDENTITY;
    }
    let q: [f64; 4] = std::array::from_fn(|_| r.random_range(-1.0..1.0));
    Pose::new(grid(r, 9) / 7.0, DQuat::from_array(q).normalize()).unwrap()
}

/// How many corners two triangles share, and whether they meet beyond these: whether what they have in common has a
/// corner that is none of both.
fn by_definition(a: &Triangle, b: &Triangle) -> (usize, bool) {
    let mut shared: Vec<DVec3> = Vec::new();
    for p in a.corners() {
        if b.corners().contains(&p) && !shared.contains(&p) {
            shared.push(p);
        }
    }
    let is_shared = |p: &Exact| shared.iter().any(|q| p.differs_by_at_most(*q, 0.0));
    let beyond = shared.len() == 3 || common_part(a, b).iter().any(|p| !is_shared(p));
    (shared.len(), beyond)
}

#[test]
fn every_pair_is_judged_as_by_rational_arithmetic() {
    let wanted: usize = env::var("SUDAR_ORACLE_SELF").ok().and_then(|n| n.parse().ok()).unwrap_or(10_000);
    let mut r = Random::new(41);
    let mut counts: BTreeMap<(Class, usize), [usize; 2]> = BTreeMap::new();
    let mut pairs = 0;
    while pairs < wanted {
        for class in CLASSES {
            let (mesh, pose) = (mesh(class, &mut r), pose(class, &mut r));
            let body = Body::new(mesh.clone());
            let n = mesh.triangles().len() as u32;
            let triangles: Vec<_> = (0..n).map(|i| body.posed_triangle(&pose, i).unwrap()).collect();
            let mut expected = Vec::new();
            for (i, j) in (0..n).flat_map(|i| (i + 1..n).map(move |j| (i, j))) {
                let (shared, beyond) = by_definition(&triangles[i as usize], &triangles[j as usize]);
                counts.entry((class, shared)).or_default()[usize::from(beyond)] += 1;
                expected.extend(beyond.then_some([i, j]));
                pairs += 1;
            }
            assert_eq!(self_intersections(body.at(&pose)), expected, "{class:?}: {mesh:?} at {pose:?}");
            match self_intersects(body.at(&pose)) {
                Intersection::Apart => assert!(expected.is_empty()),
                Intersection::Touching { features } => assert!(expected.contains(&features)),
                Intersection::Undecided(_) => unreachable!("triangles are decided exactly"),
            }
        }
    }
    print_table(&counts);
    // Every way to share corners was seen with both answers; the same three corners always meet.
    for shared in 0..=3 {
        let of = |beyond: usize| {
            counts.iter().filter(|((_, s), _)| *s == shared).map(|(_, n)| n[beyond]).sum::<usize>()
        };
        assert!(of(1) > wanted / 200, "{shared} shared corners: {} meet", of(1));
        assert!((shared == 3) == (of(0) == 0), "{shared} shared corners: {} do not", of(0));
    }
}

fn print_table(counts: &BTreeMap<(Class, usize), [usize; 2]>) {
    println!("{:<14}{:>8}{:>10}{:>10}", "class", "shared", "apart", "meeting");
    for ((class, shared), [apart, meeting]) in counts {
        println!("{:<14}{shared:>8}{apart:>10}{meeting:>10}", format!("{class:?}"));
    }
}
