use crate::testing::Random;
use glam::DMat3;

use super::*;
use crate::hull::convex_hull;
use crate::mass::border::Border;
use crate::mass::mass_properties;
use crate::shape::{Capsule, Compound, Cone, Cuboid, Cylinder, Ellipsoid, Halfspace, Mesh};

fn cells(n: u32) -> VoxelOptions {
    VoxelOptions { resolution: Resolution::Cells(n), ..VoxelOptions::default() }
}

impl Random {
    /// A ring whose thickness waves, of any proportions.
    fn ring(&mut self) -> Mesh {
        let (n, m) = (24, 12);
        let (thin, waves, depth) =
            (self.within(0.1, 0.6), self.within(1.0, 6.0).floor(), self.within(0.0, 0.5));
        let turn = |k: u32, n: u32| std::f64::consts::TAU * f64::from(k % n) / f64::from(n);
        let at = |k: u32| {
            let (a, b) = (turn(k / m, n), turn(k, m));
            let r = thin * (1.0 + depth * libm::sin(waves * a));
            let out = 1.0 + r * libm::cos(b);
            DVec3::new(out * libm::cos(a), out * libm::sin(a), r * libm::sin(b))
        };
        let number = |i: u32, j: u32| i % n * m + j % m;
        let cell = |k: u32| {
            let (i, j) = (k / m, k % m);
            let [a, b, c, d] = [number(i, j), number(i + 1, j), number(i + 1, j + 1), number(i, j + 1)];
            [[a, b, c], [a, c, d]]
        };
        Mesh::new((0..n * m).map(at).collect(), (0..n * m).flat_map(cell).collect()).unwrap()
    }

    fn voxel_body(&mut self, kind: usize) -> Shape {
        let thin = DVec3::new(1.0, 1.0, [1.0, 0.3, 0.05][kind / 8 % 3]);
        let (r, h) = (self.within(0.1, 1.0), self.within(0.1, 1.0));
        match kind % 8 {
            0 | 1 => {
                let points: Vec<DVec3> = (0..4 + kind % 30).map(|_| self.point() * thin).collect();
                convex_hull(&points).unwrap().into()
            }
            2 => self.ring().into(),
            3 => Cone::new(r, h).unwrap().into(),
            4 => Cylinder::new(r, h).unwrap().into(),
            5 => Capsule::new(r, h).unwrap().into(),
            6 => Ellipsoid { radii: (self.point().abs() + 0.1) * thin }.into(),
            _ => Cuboid::new((self.point().abs() + 0.1) * thin).unwrap().into(),
        }
    }
}

#[test]
fn the_estimated_error_covers_the_exact_value() {
    let mut random = Random::new(15);
    let (mut total, mut missed, mut width) = (0, [0; 3], 0.0);
    let many: usize = std::env::var("SUDAR_STRESS_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(400);
    for kind in 0..many {
        let mut part = |kind: usize| {
            let (shape, place) = (random.voxel_body(kind), random.point() * 5.0);
            (shape, random.turned(place))
        };
        let mut parts = vec![part(kind)];
        if kind % 5 == 0 {
            parts.push(part(kind / 5));
        }
        let shape = Shape::from(Compound::new(parts).unwrap());
        let exact = mass_properties(&shape).unwrap();
        let n = [8, 15, 20, 33][kind / 3 % 4];
        let options = VoxelOptions { axes: 1 + kind as u32 % 3, ..cells(n) };
        let Ok(found) = voxel_mass(&shape, &options) else { continue };
        assert_eq!(found.odd_rays, 0);
        let (p, e) = (found.properties, found.error);
        let inertia =
            (p.inertia - exact.inertia).to_cols_array().into_iter().fold(0.0, |m: f64, x| m.max(x.abs()));
        let off = [(p.mass - exact.mass).abs(), (p.center - exact.center).length(), inertia];
        for (k, (off, bound)) in off.into_iter().zip([e.mass, e.center, e.inertia]).enumerate() {
            missed[k] += usize::from(off > bound);
            width += if off > 0.0 { libm::log(bound / off) } else { 0.0 };
        }
        total += 1;
    }
    println!(
        "{missed:?} of {total} missed; the estimate is about {:.1} times the error",
        libm::exp(width / (3 * total) as f64)
    );
    assert!(total > many * 9 / 10 && missed.iter().all(|m| m * 100 <= total), "{missed:?} of {total}");
}

#[test]
fn a_box_is_exact_at_any_step() {
    let half = DVec3::new(250.0, 125.0, 62.5);
    let shape = Shape::from(Mesh::from_aabb(Cuboid::new(half).unwrap().aabb()));
    let exact = mass_properties(&shape).unwrap();
    for step in [250.0, 100.0, 33.3, 7.0] {
        let options = VoxelOptions { resolution: Resolution::Step(step), ..VoxelOptions::default() };
        let found = voxel_mass(&shape, &options).unwrap().properties;
        assert!((found.mass / exact.mass - 1.0).abs() < 1e-12);
        assert!((found.inertia - exact.inertia).abs_diff_eq(DMat3::ZERO, 1e-12 * exact.inertia.x_axis.x));
    }
}

#[test]
fn runs_that_end_at_whole_cells_are_a_cell_too_long() {
    // Planes at −1 + (k + ⅓)/4: hits at ±1 are nearest to k = 0 and k = 8, nine cells instead of eight around
    // k = 4, which is a third of a cell off the middle.
    let cube = Mesh::from_aabb(Aabb { min: -DVec3::ONE, max: DVec3::ONE });
    for shift in [GridShift::Alternating, GridShift::Third] {
        let options = VoxelOptions { shift, snap: true, axes: 1, ..cells(8) };
        let found = voxel_mass(&cube.clone().into(), &options).unwrap().properties;
        assert!((found.mass - 9.0).abs() < 1e-12, "{found:?}");
        assert!((found.center - DVec3::X * 0.25 / 3.0).length() < 1e-12, "{found:?}");
    }
    // Without snapping the shift of rays changes nothing for a box, and little for a cone.
    let cone = Shape::from(Cone::new(1.0, 1.0).unwrap());
    let third = VoxelOptions { shift: GridShift::Third, ..cells(40) };
    let [a, b] = [third, cells(40)].map(|options| voxel_mass(&cone, &options).unwrap().properties.mass);
    assert!(a != b && (a / b - 1.0).abs() < 0.01, "{a} {b}");
}

#[test]
fn holes_are_closed_by_winding_numbers() {
    // Without one face, and a tube without both ends: half of all there is comes in through them.
    let cube = Mesh::from_aabb(Aabb { min: -DVec3::ONE, max: DVec3::ONE });
    for (from, to, odd) in [(0, 10, true), (2, 12, true), (4, 12, false)] {
        let kept = cube.triangles()[from..to].to_vec();
        let open = Mesh::new(cube.vertices().to_vec(), kept).unwrap();
        let found = voxel_mass(&open.clone().into(), &cells(12)).unwrap();
        // Where both ends of a tube are open, the surface of winding number ½ bulges in a little.
        assert!((found.properties.mass - 8.0).abs() < if odd { 0.05 } else { 1.0 }, "{found:?}");
        assert_eq!(found.odd_rays > 0, odd);
        let dropped = VoxelOptions { odd_rays: OddRays::Drop, ..cells(12) };
        let parity = voxel_mass(&open.into(), &dropped).unwrap();
        // The rays through the face are dropped; of three axes one is missing.
        assert!((parity.properties.mass - 8.0 * 2.0 / 3.0).abs() < 1e-9, "{parity:?}");
    }
}

#[test]
fn a_border_weighs_as_the_triangles_do() {
    use super::parts::{Holes, Inside, Part, Surface};
    let mut random = Random::new(4);
    for case in 0..12 {
        let ring = random.ring();
        // Holes of one triangle and of many, and single triangles.
        let gone = |t: &usize| [t % 97 != 5, t % 100 > 12, t.is_multiple_of(2)][case % 3];
        let kept = (0..ring.triangles().len()).filter(gone).map(|t| ring.triangles()[t]).collect();
        let mesh = Mesh::new(ring.vertices().to_vec(), kept).unwrap();
        let border = Border::new(&mesh, &mesh.topology());
        let rays = Rays::new(&mesh.aabb(), case % 3, 0.1, GridShift::Alternating);
        let of = |holes: Holes| {
            let parts = [Part::Surface(Surface { mesh: mesh.clone(), inside: Inside::Open(holes) })];
            let mut odd = 0;
            let found = moments(&parts, &rays, (OddRays::Weigh, false), &mut odd, &mut Meter::unlimited());
            (found.properties(mesh.aabb().center()).unwrap(), odd)
        };
        let ((by_border, odd), (by_triangles, other)) =
            (of(Holes::Border(border)), of(Holes::Triangles(Default::default())));
        assert_eq!(odd, other);
        // Pieces are cut at places within a 256th of them.
        let off = (by_border.mass - by_triangles.mass).abs() / by_triangles.mass.abs().max(0.1);
        assert!(off < 0.01, "{case}: {by_border:?} {by_triangles:?}");
    }
}

#[test]
fn it_says_how_far_it_has_come_and_can_be_stopped() {
    use crate::effort::{Budget, Progress};
    let cube = Mesh::from_aabb(Aabb { min: -DVec3::ONE, max: DVec3::ONE });
    let open = Mesh::new(cube.vertices().to_vec(), cube.triangles()[1..].to_vec()).unwrap();
    for shape in [Shape::from(cube), Shape::from(open), Cuboid::new(DVec3::ONE).unwrap().into()] {
        let all = cells(20).rays(&Aabb { min: -DVec3::ONE, max: DVec3::ONE });
        let seen = std::cell::Cell::new(0);
        let tell = |progress: &Progress| {
            assert!(progress.nodes >= seen.get());
            seen.set(progress.nodes);
        };
        let mut meter = Meter::unlimited().reporting(&tell);
        let found = metered(&shape, &cells(20), &mut meter).unwrap();
        assert_eq!(found, voxel_mass(&shape, &cells(20)).unwrap());
        assert_eq!(meter.statistics().nodes, all);
        assert!(seen.get() > all / 2 && seen.get() <= all, "{} of {all}", seen.get());
        let stopped = metered(&shape, &cells(20), &mut Meter::new(&Budget::nodes(100)));
        assert_eq!(stopped, Err(MassError::Stopped));
    }
}

#[test]
fn surfaces_that_disagree_about_the_outside_count_by_parity() {
    let cube = Mesh::from_aabb(Aabb { min: -DVec3::ONE, max: DVec3::ONE });
    let mut triangles = cube.triangles().to_vec();
    triangles[3].swap(0, 1);
    let mixed = Mesh::new(cube.vertices().to_vec(), triangles).unwrap();
    let found = voxel_mass(&mixed.into(), &cells(9)).unwrap();
    assert!((found.properties.mass - 8.0).abs() < 1e-12 && found.odd_rays == 0);
    let inward = cube.triangles().iter().map(|&[a, b, c]| [a, c, b]).collect();
    let inward = Mesh::new(cube.vertices().to_vec(), inward).unwrap();
    assert!((voxel_mass(&inward.into(), &cells(9)).unwrap().properties.mass + 8.0).abs() < 1e-12);
}

#[test]
fn what_cannot_be_measured_is_refused() {
    let cube = Shape::from(Cuboid::new(DVec3::ONE).unwrap());
    let with =
        |resolution, axes| voxel_mass(&cube, &VoxelOptions { resolution, axes, ..VoxelOptions::default() });
    assert!(matches!(with(Resolution::Cells(0), 3), Err(MassError::Grid { .. })));
    assert!(matches!(with(Resolution::Cells(5000), 3), Err(MassError::Grid { .. })));
    for step in [0.0, -1.0, f64::NAN, 1e-9] {
        assert!(matches!(with(Resolution::Step(step), 3), Err(MassError::Grid { .. })), "{step}");
    }
    assert_eq!(with(Resolution::Cells(5), 4), Err(MassError::Axes { axes: 4 }));
    let half = Shape::from(Halfspace::new(DVec3::X, 0.0).unwrap());
    assert_eq!(voxel_mass(&half, &cells(5)), Err(MassError::Unbounded));
    assert!(matches!(voxel_mass(&DVec3::ONE.into(), &cells(5)), Err(MassError::NoVolume { .. })));
}
