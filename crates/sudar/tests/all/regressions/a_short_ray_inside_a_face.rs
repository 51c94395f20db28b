//! A ray that starts on a triangle and goes along its plane meets it at 0. It was missed if it ended before
//! the edge, or if something else was hit before the edge. Found by the oracle of mesh queries.

use sudar::query::{Body, ray};
use sudar::{DVec3, Mesh, Pose, Ray};

#[test]
fn it_meets_the_face_where_it_starts() {
    let floor = [DVec3::ZERO, DVec3::X * 4.0, DVec3::Y * 4.0];
    // A wall across the ray, before the edge of the floor; the walk may come to either first.
    let wall = [DVec3::new(1.5, 0.0, -1.0), DVec3::new(1.5, 0.0, 1.0), DVec3::new(1.5, 4.0, 0.0)];
    let to = Ray::new(DVec3::new(1.0, 1.0, 0.0), DVec3::X).unwrap();
    for (first, second, number) in [(floor, wall, 0), (wall, floor, 1)] {
        let vertices = first.into_iter().chain(second).collect();
        let mesh = Body::new(Mesh::new(vertices, vec![[0, 1, 2], [3, 4, 5]]).unwrap());
        for max in [0.0, 0.25, 1.0, f64::INFINITY] {
            let hit = ray(mesh.at(&Pose::IDENTITY), &to, max).unwrap();
            assert!(hit.t == 0.0 && hit.feature == number, "up to {max}: {hit:?}");
        }
    }
}
