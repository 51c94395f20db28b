//! What the pair looks like, with what is known of it.

use sudar::query::{Contact, Impact, Sweep};
use sudar::{DMat3, DQuat, DVec3, Pose};
use sudar_classic::look::{Outline, ShownNode};
use sudar_classic::tree::Fate;
use sudar_view::{Color, Figure, Look, Placement, Scene};

use super::answers::Plane;
use super::desk::{Desk, Marked};
use super::gizmo::{AXES, Gizmo, Handle};
use super::hands::Hands;
use super::settings::Settings;
use super::trees::Trees;

/// The colours of the two bodies.
pub const COLORS: [Color; 2] = [Color::SKY, Color::ORANGE];

/// The outlines of more volumes than this say nothing.
pub const MOST_NODES: usize = 2000;

/// Draws the pair and all that is shown.
pub fn draw(desk: &Desk, settings: &mut Settings, hands: &Hands, scene: &mut Scene) {
    scene.camera = hands.camera();
    scene.sun.shadows = Some((hands.orbit.target, 4.0));
    draw_floor(scene, hands);
    draw_bodies(desk, settings, scene);
    draw_answers(desk, settings, scene);
    if let Some(trees) = &desk.trees {
        draw_trees(trees, desk, settings, scene);
    }
    if let Some(walk) = &desk.features {
        walk.draw(settings.pair, COLORS, scene);
    }
    if let Some(gizmo) = hands.gizmo(settings) {
        draw_gizmo(&gizmo, hands.active(), scene);
    }
}

fn draw_floor(scene: &mut Scene, hands: &Hands) {
    let target = hands.orbit.target;
    let at = DVec3::new(target.x.round(), target.y.round(), -2.05);
    let place = Placement { at, rotation: DQuat::IDENTITY, scale: DVec3::new(9.0, 9.0, 0.05) };
    scene.cube(place, Color::rgb(70, 76, 86), Look::Grid);
}

fn draw_bodies(desk: &Desk, settings: &Settings, scene: &mut Scene) {
    for (side, model) in desk.models().into_iter().enumerate() {
        let (pose, color) = (&desk.poses[side], COLORS[side].faded(settings.opacity));
        match &desk.marked[side] {
            Some(Marked { rest, meeting }) => {
                scene.figure(&Figure::of_geometry(rest.clone()), pose, color);
                let red = Color::VERMILION.faded(settings.opacity.max(0.5));
                scene.figure(&Figure::of_geometry(meeting.clone()), pose, red);
            }
            None => scene.figure(&model.figure, pose, color),
        }
        let top = model.body.aabb(pose);
        let above = top.center().with_z(top.max.z + 0.08 * model.size());
        if above.is_finite() {
            scene.label(
                above,
                format!("{} {}", ["A:", "B:"][side], model.name),
                COLORS[side].mix(Color::WHITE, 0.4),
            );
        }
    }
    let is_shown = settings.along > 0.0 || settings.handle == "end";
    if is_shown && settings.end != settings.stands[1] {
        draw_way(desk, scene);
        let [_, b] = desk.models();
        let ghost = if settings.handle == "end" { 0.3 } else { 0.12 };
        scene.figure(&b.figure, &settings.end.pose(), COLORS[1].faded(ghost));
    }
}

/// The way of the middle of b.
fn draw_way(desk: &Desk, scene: &mut Scene) {
    let middle = desk.models()[1].body.aabb(&Pose::IDENTITY).center();
    let at = |i: u32| desk.way.at(f64::from(i) / 24.0).apply(middle);
    // Every second piece, so that it is not taken for a measure.
    for i in (0..24).step_by(2) {
        scene.line(at(i), at(i + 1), COLORS[1].faded(0.8), 2.0);
    }
}

fn draw_answers(desk: &Desk, settings: &Settings, scene: &mut Scene) {
    let answers = &desk.answers;
    for [a, b] in &answers.curve {
        scene.line_on_top(*a, *b, Color::YELLOW, 3.0);
    }
    if let Some((_, Some(triangles))) = &answers.first {
        for triangle in triangles {
            let [a, b, c] = triangle.corners();
            [[a, b], [b, c], [c, a]]
                .into_iter()
                .for_each(|[p, q]| scene.line_on_top(p, q, Color::VERMILION, 3.0));
        }
    }
    if let Some(found) = answers.distance.as_ref().filter(|found| found.interval.upper > 0.0) {
        join(scene, [found.point_a, found.point_b], Color::WHITE, 3.0);
        let label = format!("{:.4} m", found.interval.upper);
        scene.label(0.5 * (found.point_a + found.point_b), label, Color::WHITE);
    }
    for minimum in answers.minima.iter().flatten().take(400) {
        join(scene, [minimum.point_a, minimum.point_b], Color::GREEN, 2.0);
    }
    if let Some(Some(plane)) = &answers.plane {
        draw_plane(plane, desk, scene);
    }
    answers.manifold.iter().flatten().take(400).for_each(|contact| draw_contact(contact, scene));
    if let Some(found) = answers.penetration.as_ref().filter(|found| found.signed.upper < 0.0) {
        // So far for certain, along there.
        let way = found.normal * -found.signed.lower;
        if way.is_finite() {
            scene.arrow(found.point_b, found.point_b + way, Color::PURPLE, 4.0);
            scene.label(
                found.point_b + way,
                format!("push b {:.4} m", way.length()),
                Color::PURPLE.mix(Color::WHITE, 0.4),
            );
        }
    }
    if let Some(Sweep::Hit(impact)) = &answers.impact {
        draw_impact(impact, desk, settings, scene);
    }
}

fn join(scene: &mut Scene, [a, b]: [DVec3; 2], color: Color, width: f32) {
    scene.line_on_top(a, b, color, width);
    scene.dot(a, 5.0, color);
    scene.dot(b, 5.0, color);
}

/// A clear square.
fn draw_plane(plane: &Plane, desk: &Desk, scene: &mut Scene) {
    let size = 1.2 * desk.models().iter().map(|model| model.size()).fold(0.0, f64::max);
    let rotation = DQuat::from_rotation_arc(DVec3::Z, plane.normal);
    let scale = DVec3::new(size, size, 0.002 * size);
    scene.cube(Placement { at: plane.at, rotation, scale }, Color::GREEN.faded(0.28), Look::Bright);
    let frame = Placement { at: plane.at, rotation, scale };
    scene.cube_edges(frame, Color::GREEN, 1.5);
}

fn draw_contact(contact: &Contact, scene: &mut Scene) {
    let middle = 0.5 * (contact.point_a + contact.point_b);
    scene.dot(contact.point_a, 5.0, COLORS[0]);
    scene.dot(contact.point_b, 5.0, COLORS[1]);
    scene.arrow(middle, middle + contact.normal * 0.35, Color::GREEN, 2.0);
}

/// The ghost of b where it first touches a, which stands still.
fn draw_impact(impact: &Impact, desk: &Desk, settings: &Settings, scene: &mut Scene) {
    let [_, b] = desk.models();
    if impact.time.lower > 0.0 && settings.along < impact.time.lower {
        let pose = desk.way.at(impact.time.lower);
        scene.figure(&b.figure, &pose, Color::YELLOW.faded(0.25));
    }
    scene.dot(impact.point_a, 7.0, Color::YELLOW);
    scene.label(impact.point_a, format!("first contact at {:.4}", impact.time.lower), Color::YELLOW);
}

fn draw_trees(trees: &Trees, desk: &Desk, settings: &Settings, scene: &mut Scene) {
    let visit = trees.visits().get(settings.visit.saturating_sub(1) as usize).filter(|_| settings.walks);
    for (side, pose) in desk.poses.iter().enumerate() {
        let color = COLORS[side].mix(Color::WHITE, 0.25);
        if visit.is_none() {
            for node in trees.level(side, settings.level.min(trees.depth())).take(MOST_NODES) {
                draw_outline(node, pose, (color.faded(0.8), 1.2), scene);
            }
        }
        let Some(visit) = visit else { continue };
        let Some(node) = trees.nodes(side).get(visit.nodes[side] as usize) else { continue };
        let strong = match visit.fate {
            Fate::Pruned => Color::STONE,
            Fate::Leaves { hits, .. } if hits > 0 => Color::VERMILION,
            Fate::Opened | Fate::Leaves { .. } | Fate::Measured(_) | _ => Color::YELLOW,
        };
        draw_outline(node, pose, (color, 3.5), scene);
        draw_triangles(node, desk, side, strong, scene);
        // Where it is in the tree: the volumes above, thin.
        let mut above = node.parent;
        while let Some(parent) = above.and_then(|i| trees.nodes(side).get(i as usize)) {
            draw_outline(parent, pose, (color.faded(0.3), 1.0), scene);
            above = parent.parent;
        }
    }
}

/// The edges of a volume.
fn draw_outline(node: &ShownNode, pose: &Pose, (color, width): (Color, f32), scene: &mut Scene) {
    match &node.outline {
        Outline::Sphere(sphere) => {
            scene.circles(pose.apply(sphere.center), sphere.radius, color, width);
        }
        Outline::Aabb(aabb) => {
            let rotation = DQuat::from_mat3(&pose.rotation());
            let place = Placement { at: pose.apply(aabb.center()), rotation, scale: 0.5 * aabb.extent() };
            scene.cube_edges(place, color, width);
        }
        Outline::Obb(obb) => {
            let rotation = DQuat::from_mat3(&(pose.rotation() * right_handed(obb.axes)));
            scene.cube_edges(
                Placement { at: pose.apply(obb.center), rotation, scale: obb.half },
                color,
                width,
            );
        }
        outline @ (Outline::Polytope(_) | Outline::Hull(_) | _) => {
            let edges = outline.edges();
            edges.iter().for_each(|[a, b]| scene.line(pose.apply(*a), pose.apply(*b), color, width));
        }
    }
}

/// The same box with axes that make a rotation.
fn right_handed(axes: DMat3) -> DMat3 {
    if axes.determinant() < 0.0 { DMat3::from_cols(axes.x_axis, axes.y_axis, -axes.z_axis) } else { axes }
}

/// The triangles of a leaf.
fn draw_triangles(node: &ShownNode, desk: &Desk, side: usize, color: Color, scene: &mut Scene) {
    let (model, pose) = (desk.models()[side], &desk.poses[side]);
    let Some(mesh) = &model.mesh else { return };
    for triangle in node.triangles.iter().filter(|t| (**t as usize) < mesh.triangles().len()) {
        let [a, b, c] = mesh.triangle(*triangle).corners().map(|p| pose.apply(p));
        [[a, b], [b, c], [c, a]].into_iter().for_each(|[p, q]| scene.line_on_top(p, q, color, 2.0));
    }
}

fn draw_gizmo(gizmo: &Gizmo, active: Option<Handle>, scene: &mut Scene) {
    // Red, green and blue are the custom; these three are told apart by everybody.
    let colors = [Color::VERMILION, Color::GREEN, Color::BLUE.mix(Color::SKY, 0.4)];
    for axis in 0..3 {
        let color = |handle| if active == Some(handle) { Color::WHITE } else { colors[axis] };
        scene.arrow(gizmo.at, gizmo.tip(axis), color(Handle::Arrow(axis)), 4.0);
        let ring: Vec<DVec3> = gizmo.ring(axis).collect();
        let of_ring = color(Handle::Ring(axis)).faded(0.75);
        ring.windows(2).for_each(|pair| scene.line_on_top(pair[0], pair[1], of_ring, 2.0));
        scene.label(
            gizmo.at + AXES[axis] * 1.08 * gizmo.size,
            ["x", "y", "z"][axis],
            colors[axis].mix(Color::WHITE, 0.4),
        );
    }
}
