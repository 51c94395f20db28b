//! Pictures of the renderer: what is drawn is where it is.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::explicit_write)]

use std::io::Write;

use sudar::{Aabb, Cuboid, DQuat, DVec3, Pose};
use sudar_view::{Billboard, Camera, Color, Figure, Gl, Lamp, Look, Placement, Renderer, Scene, Viewport};

const SIZE: [u32; 2] = [320, 200];
const ASPECT: f64 = 1.6;

/// Draws a scene; `None` without OpenGL, said aloud, and an error if `REQUIRE_GL` is set.
fn draw(scene: &Scene) -> Option<Vec<u8>> {
    let [width, height] = SIZE;
    let gl = match Gl::headless(width, height) {
        Ok(gl) => gl,
        Err(error) => {
            assert!(
                std::env::var_os("REQUIRE_GL").is_none(),
                "REQUIRE_GL is set, and there is no OpenGL: {error}"
            );
            writeln!(std::io::stderr(), "LEFT OUT: a test of pictures, for there is no OpenGL: {error}")
                .unwrap();
            return None;
        }
    };
    let mut renderer = Renderer::new(gl).unwrap();
    renderer.paint(scene, Viewport::whole(width, height));
    Some(renderer.gl().read_pixels(width, height))
}

/// The colour where a point is seen.
fn at(pixels: &[u8], scene: &Scene, point: DVec3) -> [i32; 3] {
    let [x, y] = scene.camera.project(point, ASPECT).unwrap();
    let place = |v: f64, size: u32| ((0.5 + 0.5 * v) * f64::from(size)) as usize;
    let (column, row) = (place(x, SIZE[0]), place(-y, SIZE[1]));
    let first = (row * SIZE[0] as usize + column) * 4;
    [0, 1, 2].map(|k| i32::from(pixels[first + k]))
}

fn differ(a: [i32; 3], b: [i32; 3]) -> i32 {
    (0..3).map(|k| (a[k] - b[k]).abs()).max().unwrap()
}

fn scene() -> Scene {
    Scene::new(Camera::look_at(DVec3::new(3.0, -8.0, 5.0), DVec3::ZERO))
}

fn background(scene: &Scene) -> [i32; 3] {
    let [r, g, b, _] = scene.background.0;
    [r, g, b].map(i32::from)
}

#[test]
fn a_contact_is_drawn_where_it_is() {
    let mut scene = scene();
    let (contact, beside) = (DVec3::new(1.0, 0.5, -0.5), DVec3::new(1.0, 0.5, 0.3));
    scene.dot(contact, 4.0, Color::VERMILION);
    if let Some(pixels) = draw(&scene) {
        assert!(differ(at(&pixels, &scene, contact), [213, 94, 0]) < 3);
        assert!(differ(at(&pixels, &scene, beside), background(&scene)) < 3);
    }
}

#[test]
fn all_sides_of_turned_boxes_are_seen_from_all_around() {
    for k in 0..12 {
        let angle = f64::from(k) * 0.5;
        let eye = DVec3::new(6.0 * libm::cos(angle), 6.0 * libm::sin(angle), 4.0 * libm::sin(2.3 * angle));
        let mut scene = Scene::new(Camera::look_at(eye, DVec3::ZERO));
        let rotation = DQuat::from_rotation_x(0.3 * angle) * DQuat::from_rotation_z(0.7);
        let half = DVec3::new(1.0, 0.6, 0.8);
        scene.cube(Placement { at: DVec3::ZERO, rotation, scale: half }, Color::WHITE, Look::Bright);
        let Some(pixels) = draw(&scene) else { return };
        // A point on each side that faces the eye, near its edge.
        for side in DVec3::AXES.into_iter().chain(DVec3::AXES.map(|axis| -axis)) {
            let spot = rotation * (half * (side + (DVec3::ONE - side.abs()) * 0.9));
            if (rotation * side).dot(eye - spot) > 0.5 {
                assert!(differ(at(&pixels, &scene, spot), [255; 3]) < 3, "{k} {side}");
            }
        }
        let aside = scene.camera.axes()[0] * 2.5;
        assert!(differ(at(&pixels, &scene, aside), background(&scene)) < 3, "{k}");
    }
}

#[test]
fn what_is_nearer_hides_what_is_farther() {
    let mut scene = scene();
    let near = scene.camera.eye * 0.3;
    scene.ball(DVec3::ZERO, 1.0, Color::GREEN);
    let figure = Figure::new(&Cuboid::new(DVec3::splat(0.1)).unwrap().into());
    scene.figure_with(&figure, &Pose::from_translation(near).unwrap(), Color::ORANGE, Look::Bright);
    if let Some(pixels) = draw(&scene) {
        assert!(differ(at(&pixels, &scene, DVec3::ZERO), [230, 159, 0]) < 3);
    }
}

#[test]
fn a_ball_throws_a_shadow_where_the_sun_is_hidden() {
    let mut scene = scene();
    scene.aabb(&Aabb { min: DVec3::new(-6.0, -6.0, -0.2), max: DVec3::new(6.0, 6.0, 0.0) }, Color::STONE);
    scene.ball(DVec3::Z * 2.0, 0.5, Color::BLUE);
    scene.sun.toward = DVec3::new(0.5, 0.0, 1.0);
    let (shaded, lit) = (DVec3::new(-1.0, 0.0, 0.0), DVec3::new(-1.0, 1.5, 0.0));
    let Some(without) = draw(&scene) else { return };
    assert!(differ(at(&without, &scene, shaded), at(&without, &scene, lit)) < 12);
    scene.sun.shadows = Some((DVec3::ZERO, 7.0));
    let Some(with) = draw(&scene) else { return };
    assert!(at(&with, &scene, lit)[0] - at(&with, &scene, shaded)[0] > 40);
    // Nothing else of the floor shades itself.
    for k in 0..20 {
        let place = DVec3::new(-4.0 + 0.4 * f64::from(k), 2.5, 0.0);
        assert!(differ(at(&with, &scene, place), at(&without, &scene, place)) < 6, "{place}");
    }
}

#[test]
fn lines_have_their_width_and_lie_on_top_if_they_shall() {
    let mut scene = scene();
    scene.ball(DVec3::ZERO, 1.0, Color::GREEN);
    let behind = scene.camera.forward * 3.0;
    scene.line(behind - DVec3::Z, behind + DVec3::Z, Color::WHITE, 5.0);
    let Some(pixels) = draw(&scene) else { return };
    assert!(at(&pixels, &scene, behind)[0] < 200, "hidden by the ball");
    scene.line_on_top(behind - DVec3::Z, behind + DVec3::Z, Color::WHITE, 5.0);
    let Some(pixels) = draw(&scene) else { return };
    assert!(differ(at(&pixels, &scene, behind), [255; 3]) < 3);
    let row: Vec<i32> = pixels.chunks_exact(4).skip(100 * 320).take(320).map(|p| i32::from(p[0])).collect();
    let wide = row.iter().filter(|red| **red > 250).count();
    assert!((4..=6).contains(&wide), "{wide}");
}

#[test]
fn a_line_that_passes_the_eye_is_cut_and_not_thrown_across_the_picture() {
    let mut scene = scene();
    let aside = scene.camera.axes()[0] * 0.5;
    let eye = scene.camera.eye;
    scene.line(
        eye - scene.camera.forward * 5.0 + aside,
        eye + scene.camera.forward * 9.0 + aside,
        Color::WHITE,
        3.0,
    );
    if let Some(pixels) = draw(&scene) {
        let ahead = eye + scene.camera.forward * 4.0 + aside;
        assert!(differ(at(&pixels, &scene, ahead), [255; 3]) < 3);
        let left = eye + scene.camera.forward * 4.0 - aside;
        assert!(differ(at(&pixels, &scene, left), background(&scene)) < 3);
    }
}

#[test]
fn clear_bodies_let_through_what_is_behind() {
    let mut scene = scene();
    scene.ball(DVec3::ZERO, 1.0, Color::GREEN);
    let Some(plain) = draw(&scene) else { return };
    let near = scene.camera.eye * 0.5;
    let cube = Aabb { min: near - DVec3::splat(0.2), max: near + DVec3::splat(0.2) };
    scene.aabb(&cube, Color::WHITE.faded(0.5));
    let Some(veiled) = draw(&scene) else { return };
    let [before, after] = [&plain, &veiled].map(|pixels| at(pixels, &scene, DVec3::ZERO));
    assert!(after[0] > before[0] + 30 && after[0] < 230 && after[1] > after[0], "{before:?} {after:?}");
}

#[test]
fn lamps_and_explosions_shine() {
    let mut scene = scene();
    scene.aabb(&Aabb { min: DVec3::new(-6.0, -6.0, -0.2), max: DVec3::new(6.0, 6.0, 0.0) }, Color::STONE);
    let spot = DVec3::new(-2.0, 1.0, 0.0);
    let Some(dark) = draw(&scene) else { return };
    scene.lamps.push(Lamp { at: spot + DVec3::Z, reach: 1.0, color: [1.0, 0.2, 0.2] });
    scene.billboard(Billboard {
        at: DVec3::new(2.0, 0.0, 1.0),
        size: 1.0,
        color: Color::WHITE,
        age: Some(0.2),
    });
    let Some(bright) = draw(&scene) else { return };
    let [before, after] = [&dark, &bright].map(|pixels| at(pixels, &scene, spot));
    assert!(after[0] > before[0] + 30 && after[2] < after[0], "{before:?} {after:?}");
    let fire = at(&bright, &scene, DVec3::new(2.0, 0.0, 1.0));
    assert!(fire[0] > 200 && fire[0] > fire[2] + 40, "{fire:?}");
}

#[test]
fn nothing_is_drawn_twice_or_kept_after_its_last_use() {
    let Ok(gl) = Gl::headless(SIZE[0], SIZE[1]) else { return };
    let mut renderer = Renderer::new(gl).unwrap();
    let empty = scene();
    renderer.paint(&empty, Viewport::whole(SIZE[0], SIZE[1]));
    let before = renderer.gl().read_pixels(SIZE[0], SIZE[1]);
    for k in 0..30 {
        let mut full = scene();
        let mesh = sudar::Mesh::from_aabb(Aabb { min: DVec3::ZERO, max: DVec3::ONE });
        full.figure(&Figure::new(&mesh.into()), &Pose::IDENTITY, Color::cycle(k));
        renderer.paint(&full, Viewport::whole(SIZE[0], SIZE[1]));
        assert!(renderer.gl().read_pixels(SIZE[0], SIZE[1]) != before);
        renderer.paint(&empty, Viewport::whole(SIZE[0], SIZE[1]));
        assert!(renderer.gl().read_pixels(SIZE[0], SIZE[1]) == before, "{k}");
    }
}

#[test]
fn every_instance_is_drawn() {
    let mut scene = Scene::new(Camera::look_at(DVec3::new(0.0, -30.0, 0.0), DVec3::ZERO));
    let places: Vec<DVec3> = (0..1600)
        .map(|i| DVec3::new(f64::from(i % 40) - 19.5, f64::from(i * 7 % 5), f64::from(i / 40) - 19.5) * 0.6)
        .collect();
    for at in &places {
        let place = Placement { at: *at, rotation: DQuat::IDENTITY, scale: DVec3::splat(0.2) };
        scene.cube(place, Color::WHITE, Look::Bright);
    }
    scene.sun.shadows = Some((DVec3::ZERO, 20.0));
    if let Some(pixels) = draw(&scene) {
        let missing = places.iter().filter(|p| at(&pixels, &scene, **p)[0] < 250).count();
        assert_eq!(missing, 0);
    }
}
