//! The third view: the difference A − B around the origin, and a round of a method in it.

use egui::{Align2, Context, Sense, Ui, Vec2, vec2};
use sudar::{DQuat, DVec3, Pose};
use sudar_classic::convex::trace::TraceStep;
use sudar_view::{Color, Figure, Look, Orbit, Placement, Scene};

use super::difference::{self, Shown};
use crate::stage;

/// Its size in points.
const SIZE: Vec2 = vec2(390.0, 290.0);

/// The camera of the view.
#[derive(Debug)]
pub struct Window {
    orbit: Orbit,
    is_placed: bool,
}

impl Window {
    /// Looks from where it sees most.
    pub fn new() -> Self {
        Self { orbit: Orbit::new(DVec3::ZERO, 6.0), is_placed: false }
    }

    /// Shows it over the picture, and what the round does under it.
    pub fn show(&mut self, ctx: &Context, shown: &Shown, round: u32) {
        let window = egui::Window::new("The difference A - B of the convex hulls")
            .anchor(Align2::RIGHT_TOP, [-12.0, 44.0])
            .resizable(false)
            .collapsible(true);
        window.show(ctx, |ui| {
            self.look(shown);
            let scene = self.scene(shown, round);
            let (rect, response) = ui.allocate_exact_size(SIZE, Sense::drag());
            let drag = response.drag_delta();
            self.orbit.turn(-0.008 * f64::from(drag.x), 0.008 * f64::from(drag.y));
            if response.hovered() {
                let wheel = ui.input(|state| state.smooth_scroll_delta().y);
                self.orbit.zoom(libm::exp2(f64::from(wheel) / 240.0));
            }
            stage::paint(ui, rect, scene);
            words(ui, shown, round);
        });
    }

    /// Sees the difference and the origin when it is first shown.
    fn look(&mut self, shown: &Shown) {
        if !self.is_placed {
            let far = shown.middle.length().max(shown.size);
            self.orbit = Orbit::new(0.5 * shown.middle, 2.6 * far);
            self.is_placed = true;
        }
    }

    fn scene(&self, shown: &Shown, round: u32) -> Scene {
        let mut scene = Scene::new(self.orbit.camera());
        scene.background = Color::rgb(30, 34, 42);
        let whole = Figure::of_geometry(shown.geometry.clone());
        scene.figure_with(&whole, &Pose::IDENTITY, Color::SKY.faded(0.22), Look::Plain);
        // Those of round bodies are too many to say anything.
        for [a, b] in edges(shown).into_iter().filter(|_| shown.hull.faces().len() < 500) {
            scene.line(a, b, Color::SKY.faded(0.5), 1.0);
        }
        origin(&mut scene, 0.35 * shown.size);
        if let Some(step) = step_of(shown, round) {
            draw_step(step, shown.size, &mut scene);
        }
        scene
    }
}

/// The round that is shown: the last if there are fewer.
fn step_of(shown: &Shown, round: u32) -> Option<&TraceStep> {
    let steps = &shown.trace.steps;
    steps.get((round.max(1) as usize - 1).min(steps.len().saturating_sub(1)))
}

fn edges(shown: &Shown) -> Vec<[DVec3; 2]> {
    sudar_classic::look::Outline::Hull(shown.hull.clone()).edges()
}

fn origin(scene: &mut Scene, size: f64) {
    for axis in [DVec3::X, DVec3::Y, DVec3::Z] {
        scene.line_on_top(DVec3::ZERO, axis * size, Color::WHITE.faded(0.6), 1.5);
    }
    scene.dot(DVec3::ZERO, 6.0, Color::WHITE);
    scene.label(DVec3::ZERO, "origin", Color::WHITE);
}

fn draw_step(step: &TraceStep, size: f64, scene: &mut Scene) {
    let dot = |scene: &mut Scene, at: DVec3, color: Color| scene.dot(at, 5.0, color);
    for point in &step.points {
        dot(scene, *point, Color::ORANGE);
    }
    if step.faces.is_empty() {
        // A simplex joins all of its corners; the points of Chung and Wang are those of half-spaces.
        if step.points.len() <= 4 {
            for (i, a) in step.points.iter().enumerate() {
                step.points[i + 1..].iter().for_each(|b| scene.line_on_top(*a, *b, Color::ORANGE, 2.5));
            }
        } else {
            step.points
                .iter()
                .for_each(|p| scene.line_on_top(DVec3::ZERO, *p, Color::ORANGE.faded(0.5), 1.5));
        }
    }
    for [a, b, c] in &step.faces {
        for [i, j] in [[a, b], [b, c], [c, a]] {
            if i < j {
                let [from, to] = [i, j].map(|k| step.points[*k as usize]);
                scene.line_on_top(from, to, Color::ORANGE, 1.5);
            }
        }
    }
    dot(scene, step.support, Color::VERMILION);
    scene.label(step.support, "support", Color::VERMILION.mix(Color::WHITE, 0.4));
    scene.arrow(step.support, step.support + step.direction * (0.3 * size), Color::VERMILION, 2.5);
    if let Some(nearest) = step.nearest {
        scene.line_on_top(DVec3::ZERO, nearest, Color::GREEN, 3.0);
        dot(scene, nearest, Color::GREEN);
    }
    plane(step, size, scene);
}

/// The plane across the direction through the support point: all of the difference lies below it.
fn plane(step: &TraceStep, size: f64, scene: &mut Scene) {
    let rotation = DQuat::from_rotation_arc(DVec3::Z, step.direction);
    let scale = DVec3::new(0.6 * size, 0.6 * size, 1e-3 * size);
    scene.cube(Placement { at: step.support, rotation, scale }, Color::VERMILION.faded(0.15), Look::Bright);
}

fn words(ui: &mut Ui, shown: &Shown, round: u32) {
    let steps = shown.trace.steps.len();
    let Some(step) = step_of(shown, round) else {
        ui.label("No round: the hulls are apart, and there is no depth to expand to.");
        return;
    };
    let now = (round.max(1) as usize).min(steps);
    ui.label(format!("Round {now} of {steps}; at last {}", difference::says(shown.trace.outcome)));
    let Some(nearest) = step.nearest else {
        ui.label(format!(
            "{} points; the support point is at height {:.4}",
            step.points.len(),
            step.direction.dot(step.support)
        ));
        return;
    };
    let (lower, upper) = (step.bounds.lower, step.bounds.upper);
    ui.label(format!(
        "nearest point {:.6} from the origin; certain: {lower:.6} to {upper:.6}",
        nearest.length()
    ));
}
