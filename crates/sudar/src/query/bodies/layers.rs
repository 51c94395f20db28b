//! What stands over the triangles of a body: built when a query first needs it, or before.

/// A structure over the triangles of a body. The first query that needs one builds it;
/// [`Body::prepare`](super::body::Body::prepare) does so before.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Layer {
    /// The triangles and their tree. Bodies of meshes, height fields and point clouds have it from the start;
    /// boxes, hulls and simpler shapes only where a query needs their triangles.
    Tree,
    /// Oriented boxes over the tree and around the whole, for distances and for meshes that boxes along the
    /// axes separate badly.
    OrientedBoxes,
    /// Slabs across the mean normals of the nodes, for all searches of triangles that meet but the shortest.
    Slabs,
    /// The connected pieces of the surface, for what lies inside of what.
    Pieces,
    /// The triangles around each vertex and edge, for local minima.
    Stars,
    /// Moments of the triangles below each node, for winding numbers.
    Windings,
    /// Flat facets, the creases between them and the side they face, for contacts.
    Facets,
}

impl Layer {
    /// All of them, in the order in which they can be built.
    pub const ALL: [Self; 7] = [
        Self::Tree,
        Self::OrientedBoxes,
        Self::Slabs,
        Self::Pieces,
        Self::Stars,
        Self::Windings,
        Self::Facets,
    ];

    /// A short name, such as "oriented_boxes".
    pub fn name(self) -> &'static str {
        match self {
            Self::Tree => "tree",
            Self::OrientedBoxes => "oriented_boxes",
            Self::Slabs => "slabs",
            Self::Pieces => "pieces",
            Self::Stars => "stars",
            Self::Windings => "windings",
            Self::Facets => "facets",
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::math::Pose;
    use crate::query::Body;
    use crate::shape::{Aabb, Compound, Mesh, Segment, Shape, Sphere};
    use glam::DVec3;

    #[test]
    fn prepared_layers_are_there_for_clones_and_parts() {
        let mesh = Arc::new(Mesh::from_aabb(Aabb { min: DVec3::ZERO, max: DVec3::ONE }));
        let parts = vec![
            (Shape::Mesh(mesh.clone()), Pose::IDENTITY),
            (Shape::Segment(Segment::new(DVec3::ZERO, DVec3::ONE).unwrap()), Pose::IDENTITY),
            (Shape::Sphere(Sphere::new(DVec3::ZERO, 1.0).unwrap()), Pose::IDENTITY),
        ];
        for body in [Body::new(Shape::Mesh(mesh)), Body::new(Compound::new(parts).unwrap())] {
            let clone = body.clone();
            assert!(body.layer_bytes(Layer::Tree) > 0);
            for layer in Layer::ALL.into_iter().skip(1) {
                assert_eq!(clone.layer_bytes(layer), 0, "{}", layer.name());
                body.prepare(&[layer]);
                let bytes = clone.layer_bytes(layer);
                assert!(bytes > 0, "{}", layer.name());
                body.prepare(&[layer]);
                assert_eq!(clone.layer_bytes(layer), bytes);
            }
        }
        let ball = Body::new(Sphere::new(DVec3::ZERO, 1.0).unwrap());
        ball.prepare(&Layer::ALL);
        assert!(Layer::ALL.into_iter().all(|layer| ball.layer_bytes(layer) == 0));
    }
}
