//! What a camera sees: bounding volumes and a view frustum.

use sudar::pair::{Containment, Side, frustum_octant, plane_aabb};
use sudar::shape::Frustum;
use sudar::volume::Volume;
use sudar::{Aabb, DMat3, DVec3, Plane, Pose, Sphere};

use crate::tree::VolumeTree;

/// Counters of culling.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct CullEffort {
    /// Volumes that were tested.
    pub volumes: u64,
    /// Planes that a volume was compared with.
    pub planes: u64,
    /// Octants that were found, at the cost of three planes between opposite sides.
    pub octants: u64,
}

/// How the lecture tests a volume with a frustum.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CullTest {
    /// The sphere with each side: outside if d > r for one of them, inside if d < −r for all.
    Spheres,
    /// The same with the three sides of the octant of the frustum that the centre is in: the answer is the same.
    Octants,
    /// The box with each side, by its two corners on the diagonal nearest to the normal.
    Boxes,
}

impl CullTest {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Spheres, Self::Octants, Self::Boxes];

    /// A short name in lower case.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Spheres => "spheres",
            Self::Octants => "octants",
            Self::Boxes => "boxes",
        }
    }
}

/// A volume that is tested with a frustum. `Outside` and `Inside` are certain to the rounding of the planes; a volume
/// near an edge of the frustum, beyond none of the planes, is `Intersecting` though it may be outside.
pub trait InView: Volume {
    /// Tests and counts.
    fn in_view(&self, frustum: &Frustum, effort: &mut CullEffort) -> Containment;
}

/// Six sides.
impl InView for Sphere {
    fn in_view(&self, frustum: &Frustum, effort: &mut CullEffort) -> Containment {
        effort.volumes += 1;
        by_planes(0..6, effort, |i| side_of_sphere(frustum, i, self))
    }
}

impl InView for Aabb {
    fn in_view(&self, frustum: &Frustum, effort: &mut CullEffort) -> Containment {
        effort.volumes += 1;
        if self.is_empty() {
            return Containment::Outside;
        }
        by_planes(0..6, effort, |i| {
            let side = frustum.planes()[i];
            plane_aabb(&Plane { normal: side.normal, offset: side.offset }, self)
        })
    }
}

/// Three sides, those of the octant.
fn sphere_in_octant(sphere: &Sphere, frustum: &Frustum, effort: &mut CullEffort) -> Containment {
    effort.volumes += 1;
    effort.octants += 1;
    let octant = frustum_octant(frustum, sphere.center);
    let sides = [usize::from(octant.right), 2 + usize::from(octant.top), 4 + usize::from(octant.far)];
    by_planes(sides, effort, |i| side_of_sphere(frustum, i, sphere))
}

fn side_of_sphere(frustum: &Frustum, plane: usize, sphere: &Sphere) -> Side {
    let plane = frustum.planes()[plane];
    let distance = plane.normal.dot(sphere.center) - plane.offset;
    if distance > sphere.radius {
        Side::Above
    } else if distance < -sphere.radius {
        Side::Below
    } else {
        Side::Across
    }
}

fn by_planes(
    planes: impl IntoIterator<Item = usize>,
    effort: &mut CullEffort,
    side: impl Fn(usize) -> Side,
) -> Containment {
    let mut all = Containment::Inside;
    for plane in planes {
        effort.planes += 1;
        match side(plane) {
            Side::Above => return Containment::Outside,
            Side::Across => all = Containment::Intersecting,
            Side::Below => {}
        }
    }
    all
}

/// What is seen of some things.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Culled {
    /// Of each thing, in order.
    pub containment: Vec<Containment>,
    /// What it took.
    pub effort: CullEffort,
}

/// Tests things one by one, each by its sphere or by its box.
///
/// ```
/// use sudar::pair::Containment;
/// use sudar::shape::Frustum;
/// use sudar::{Aabb, DVec3, Sphere};
/// use sudar_classic::pick::{CullTest, camera, cull};
///
/// let eye = camera(DVec3::X * -5.0, DVec3::ZERO, DVec3::Z).ok_or("it looks along its own up")?;
/// let frustum = Frustum::perspective(&eye, [0.5, 0.5], 0.1, 100.0)?;
/// let ahead = Aabb { min: -DVec3::splat(0.1), max: DVec3::splat(0.1) };
/// let around = Sphere::new(DVec3::ZERO, 0.2)?;
/// let seen = cull(&frustum, &[(around, ahead)], CullTest::Octants);
/// assert_eq!((seen.containment[0], seen.effort.planes), (Containment::Inside, 3));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn cull(frustum: &Frustum, things: &[(Sphere, Aabb)], test: CullTest) -> Culled {
    let mut effort = CullEffort::default();
    let mut one = |(sphere, aabb): &(Sphere, Aabb)| match test {
        CullTest::Spheres => sphere.in_view(frustum, &mut effort),
        CullTest::Octants => sphere_in_octant(sphere, frustum, &mut effort),
        CullTest::Boxes => aabb.in_view(frustum, &mut effort),
    };
    let containment = things.iter().map(&mut one).collect();
    Culled { containment, effort }
}

/// The full test down a hierarchy: outside rejects all that is below a node, inside accepts it, and where the frustum's
/// boundary passes the next level is tested. Every node that is tested is reported. The answers are in the order of the
/// items that the tree was built over; those of accepted nodes are `Inside`.
pub fn cull_tree<V: InView>(
    frustum: &Frustum,
    tree: &VolumeTree<V>,
    report: &mut dyn FnMut(u32, Containment),
) -> Culled {
    let items = tree.order().iter().max().map_or(0, |most| *most as usize + 1);
    let mut found = Culled { containment: vec![Containment::Outside; items], effort: CullEffort::default() };
    let mut todo = if tree.nodes().is_empty() { Vec::new() } else { vec![0] };
    while let Some(i) = todo.pop() {
        let containment = tree.node(i).volume.in_view(frustum, &mut found.effort);
        report(i, containment);
        if containment == Containment::Intersecting && !tree.node(i).is_leaf {
            todo.extend(tree.children(i).rev());
            continue;
        }
        for item in tree.items_below(i) {
            found.containment[item as usize] = containment;
        }
    }
    found
}

/// The pose of a camera as [`Frustum::perspective`] takes it: it looks along its −z from an eye at a point, with an
/// upward direction in the plane of y and z. `None` if it looks nowhere or along its own up.
pub fn camera(eye: DVec3, look_at: DVec3, up: DVec3) -> Option<Pose> {
    let back = (eye - look_at).try_normalize()?;
    let right = up.try_normalize()?.cross(back).try_normalize()?;
    Pose::from_matrix(DMat3::from_cols(right, back.cross(right), back), eye).ok()
}

#[cfg(test)]
mod tests {
    use sudar::pair::{frustum_aabb, frustum_sphere, frustum_sphere_exact};
    use sudar_testing::Random;

    use super::*;
    use crate::tree::{BuildRules, Items};

    fn frustum() -> Frustum {
        let pose = camera(DVec3::new(-3.0, -1.0, 0.5), DVec3::new(0.1, 0.2, 0.3), DVec3::Z).unwrap();
        Frustum::perspective(&pose, [0.5, 0.3], 0.5, 4.0).unwrap()
    }

    fn things(random: &mut Random, spread: f64) -> Vec<(Sphere, Aabb)> {
        let one = |_| {
            let (center, half) = (random.point() * spread, random.point().abs() * 0.4);
            let aabb = Aabb { min: center - half, max: center + half };
            (Sphere::fit(&aabb.corners()).unwrap(), aabb)
        };
        (0..3000).map(one).collect()
    }

    /// The three tests against the certain ones of the library and, for what is outside or inside, the exact one.
    #[test]
    fn tests_agree_with_those_of_the_library() {
        let (frustum, things) = (frustum(), things(&mut Random::new(9), 2.0));
        let [spheres, octants, boxes] = CullTest::ALL.map(|test| cull(&frustum, &things, test));
        assert_eq!(spheres.containment, octants.containment);
        assert!(octants.effort.planes < spheres.effort.planes);
        let mut counts = [0; 3];
        for (i, (sphere, aabb)) in things.iter().enumerate() {
            assert_eq!(spheres.containment[i], frustum_sphere(&frustum, sphere), "{sphere:?}");
            assert_eq!(boxes.containment[i], frustum_aabb(&frustum, aabb), "{aabb:?}");
            let exact = frustum_sphere_exact(&frustum, sphere);
            counts[exact as usize] += 1;
            if spheres.containment[i] != Containment::Intersecting {
                assert_eq!(spheres.containment[i], exact, "{sphere:?}");
            }
        }
        assert!(counts.iter().all(|count| *count > 20), "{counts:?}");
        assert_eq!(spheres.effort.octants, 0);
        assert_eq!(octants.effort.octants, 3000);
    }

    /// A hierarchy says of each thing what the thing alone says, with fewer tests.
    #[test]
    fn a_hierarchy_gives_the_same_answers_with_fewer_tests() {
        let (frustum, things) = (frustum(), things(&mut Random::new(10), 8.0));
        let mut items = Items::new();
        things.iter().for_each(|(_, aabb)| assert!(items.push(&aabb.corners())));
        let alone = cull(&frustum, &things, CullTest::Boxes);
        for tree in
            [VolumeTree::<Aabb>::top_down(&items, &BuildRules::DEFAULT), VolumeTree::bottom_up(&items)]
        {
            let mut visited = 0;
            let found = cull_tree(&frustum, &tree, &mut |_, _| visited += 1);
            assert_eq!(found.containment, alone.containment);
            assert_eq!(found.effort.volumes, visited);
            assert!(visited < 2000, "{visited}");
        }
    }

    #[test]
    fn a_camera_looks_where_it_should() {
        let pose = camera(DVec3::new(1.0, 2.0, 3.0), DVec3::new(4.0, 2.0, 3.0), DVec3::Z).unwrap();
        assert!((pose.rotate(-DVec3::Z) - DVec3::X).length() < 1e-15);
        assert!((pose.rotate(DVec3::Y) - DVec3::Z).length() < 1e-15);
        assert!(camera(DVec3::ZERO, DVec3::Z, DVec3::Z).is_none());
        assert!(camera(DVec3::ONE, DVec3::ONE, DVec3::Z).is_none());
    }
}
