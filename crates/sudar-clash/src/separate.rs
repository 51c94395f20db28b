//! Cheap proofs that two solids which touch do not overlap.

use sudar::math::orient3d;
use sudar::{Aabb, DVec3, Mesh, Pose, Sign, Triangle};

/// Whether the boxes have at most a face in common: then nothing in them overlaps, however it touches.
pub(crate) fn share_no_volume(a: &Aabb, b: &Aabb) -> bool {
    let (min, max) = (a.min.max(b.min), a.max.min(b.max));
    max.cmple(min).any()
}

/// Whether the plane of the triangle has all of one mesh on one side and all of the other on the other side, the plane
/// itself belonging to both. Exact; false for a triangle without area. O(number of vertices), mostly far less.
pub(crate) fn is_between(plane: &Triangle, [a, b]: [(&Mesh, &Pose); 2]) -> bool {
    match (side_of(plane, a), side_of(plane, b)) {
        (Some(Sign::Zero), _) | (_, Some(Sign::Zero)) | (None, _) | (_, None) => false,
        (Some(x), Some(y)) => x != y,
    }
}

/// The side on which all corners of triangles lie as far as they do not lie in the plane; `None` if on both.
fn side_of(plane: &Triangle, (mesh, pose): (&Mesh, &Pose)) -> Option<Sign> {
    let mut side = Sign::Zero;
    for &p in mesh.vertices() {
        let here = sign(plane, pose.apply(p));
        if here != Sign::Zero && side != Sign::Zero && here != side {
            return None;
        }
        if here != Sign::Zero {
            side = here;
        }
    }
    Some(side)
}

fn sign(plane: &Triangle, p: DVec3) -> Sign {
    orient3d(plane.a, plane.b, plane.c, p)
}
