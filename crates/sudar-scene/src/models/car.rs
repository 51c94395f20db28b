//! Cars as large as those of Daneu 2002.

use sudar::{Aabb, DVec3, Mesh, MeshError, Triangle};

use super::round::{direction, round};

/// Which of the two cars of the source a car is as large as.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CarModel {
    /// Of 905 triangles.
    First,
    /// Of 878 triangles, with a smaller cabin.
    Second,
}

/// What a piece of a car is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CarPart {
    /// A wheel, of 72 triangles.
    Wheel,
    /// The long lower part.
    Body,
    /// The cabin on it.
    Cabin,
    /// Bumpers before and behind, and the wing.
    Slab,
    /// The flag at the back.
    Flag,
}

/// A car along x, its front at +x, on the ground z = 0: 4.2 long, 1.78 wide. Pieces overlap; they are not joined into
/// one closed surface.
///
/// # Errors
/// None in practice.
pub fn car(model: CarModel) -> Result<Mesh, MeshError> {
    let parts = car_parts(model)?;
    Mesh::joined(parts.iter().map(|(_, mesh)| mesh))
}

/// The pieces of [`car`], in the order of its triangles.
///
/// # Errors
/// None in practice.
pub fn car_parts(model: CarModel) -> Result<Vec<(CarPart, Mesh)>, MeshError> {
    let mut parts = Vec::new();
    for (x, y) in [(-1.2, -0.75), (-1.2, 0.75), (1.2, -0.75), (1.2, 0.75)] {
        let half = DVec3::new(0.35, 0.14, 0.35);
        parts.push((CarPart::Wheel, round(4, 12, |u, v| DVec3::new(x, y, 0.35) + direction(u, v) * half)?));
    }
    let cabin = if model == CarModel::First { 14 } else { 11 };
    let body = boxy([12, 20], DVec3::new(0.0, 0.0, 0.6), DVec3::new(2.0, 0.8, 0.3))?;
    parts.push((CarPart::Body, body));
    parts.push((CarPart::Cabin, boxy([6, cabin], DVec3::new(-0.1, 0.0, 1.05), DVec3::new(1.0, 0.7, 0.35))?));
    for (min, max) in [
        ([1.9, -0.75, 0.35], [2.1, 0.75, 0.5]),
        ([-2.1, -0.75, 0.35], [-1.9, 0.75, 0.5]),
        ([-1.9, -0.6, 0.95], [-1.6, 0.6, 1.0]),
    ] {
        parts.push((CarPart::Slab, Mesh::from_aabb(Aabb { min: min.into(), max: max.into() })));
    }
    parts.push((CarPart::Flag, flag(model)?));
    Ok(parts)
}

/// Rounded: powers of the directions make it nearly a box.
fn boxy([rows, columns]: [u32; 2], middle: DVec3, half: DVec3) -> Result<Mesh, MeshError> {
    let soft = |x: f64| libm::pow(x.abs(), 0.6).copysign(x);
    round(rows, columns, move |u, v| middle + direction(u, v).map(soft) * half)
}

fn flag(model: CarModel) -> Result<Mesh, MeshError> {
    let [a, b, c] = [DVec3::new(-1.5, 0.0, 1.0), DVec3::new(-1.5, 0.0, 1.5), DVec3::new(-1.7, 0.0, 1.5)];
    match model {
        CarModel::First => Ok(Mesh::from_triangle(Triangle::from([a, b, c]))),
        CarModel::Second => {
            let d = DVec3::new(-1.6, 0.2, 1.1);
            Mesh::new(vec![a, b, c, d], vec![[0, 1, 2], [0, 3, 1], [1, 3, 2], [2, 3, 0]])
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cars_are_as_large_as_those_of_the_source() {
        let count = |model| car(model).unwrap().triangles().len();
        assert_eq!([count(CarModel::First), count(CarModel::Second)], [905, 878]);
        let aabb = car(CarModel::First).unwrap().aabb();
        assert!(aabb.min.z.abs() < 1e-12 && (aabb.extent().x - 4.2).abs() < 1e-12);
    }
}
