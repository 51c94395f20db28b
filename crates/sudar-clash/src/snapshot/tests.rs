use std::io::Cursor;

use super::*;
use crate::options::{ClashKind, ClashOptions};
use crate::part::{Assembly, body_of};
use crate::{PartDetails, find_clashes};
use sudar::{Mesh, Pose};

/// Boxes by their names, least and greatest corners.
fn assembly(boxes: &[(&str, [f64; 3], [f64; 3])]) -> Assembly {
    let part = |&(name, min, max): &(&str, [f64; 3], [f64; 3])| Part {
        name: name.to_owned(),
        body: body_of(Mesh::from_aabb(Aabb { min: min.into(), max: max.into() }).into()),
        pose: Pose::IDENTITY,
    };
    Assembly { parts: boxes.iter().map(part).collect() }
}

/// The camera and the pixels of the first clash of an assembly.
fn shot(assembly: &Assembly, clearance: f64, up: DVec3) -> (ClashKind, DVec3, Camera, Vec<[u8; 3]>) {
    let options = ClashOptions::new(clearance).unwrap();
    let report = find_clashes(assembly, &options, &|_, _| {}).unwrap();
    let details = vec![PartDetails::default(); assembly.parts.len()];
    let document = Document::new(&assembly.parts, &details, &report, None);
    let photographer = Photographer { parts: &assembly.parts, document: &document, up };
    let clash = &document.clashes[0];
    let (camera, png) = photographer.shoot(clash, true).unwrap();
    let again = photographer.shoot(clash, true).unwrap();
    assert_eq!((Some(&camera), &png), (Some(&again.0), &again.1));
    let png = png.unwrap();
    assert!(png.len() < 30_000, "{} bytes", png.len());
    assert_eq!(photographer.shoot(clash, false).unwrap(), (camera.clone(), None));
    (clash.kind, clash.point, camera, pixels(&png))
}

fn pixels(png: &[u8]) -> Vec<[u8; 3]> {
    let mut decoder = png::Decoder::new(Cursor::new(png));
    decoder.set_transformations(png::Transformations::EXPAND);
    let mut reader = decoder.read_info().unwrap();
    let mut bytes = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut bytes).unwrap();
    assert_eq!([info.width as usize, info.height as usize], SIZE);
    bytes[..info.buffer_size()].chunks_exact(3).map(|rgb| [rgb[0], rgb[1], rgb[2]]).collect()
}

fn is_red(&[r, g, b]: &[u8; 3]) -> bool {
    r > 90 && u16::from(r) > 2 * u16::from(g) && u16::from(r) > 2 * u16::from(b)
}

fn is_blue(&[r, g, b]: &[u8; 3]) -> bool {
    b > 60 && u16::from(b) * 2 > 3 * u16::from(r) && b > g
}

fn is_orange(&[r, g, b]: &[u8; 3]) -> bool {
    r > 60 && u16::from(r) > 2 * u16::from(b) && u16::from(g) * 3 > u16::from(r)
}

fn count(pixels: &[[u8; 3]], is: fn(&[u8; 3]) -> bool) -> usize {
    pixels.iter().filter(|pixel| is(pixel)).count()
}

/// Those at most `reach` beside the middle.
fn middle(pixels: &[[u8; 3]], reach: usize) -> Vec<[u8; 3]> {
    let [width, height] = SIZE;
    let rows = height / 2 - reach..height / 2 + reach;
    rows.flat_map(|row| pixels[row * width + width / 2 - reach..row * width + width / 2 + reach].to_vec())
        .collect()
}

#[test]
fn what_both_fill_is_red_and_the_parts_are_blue_and_orange() {
    let boxes = [("a", [0.0; 3], [1.0; 3]), ("b", [0.75, 0.2, 0.2], [1.75, 0.8, 0.8])];
    let (kind, point, camera, pixels) = shot(&assembly(&boxes), 0.0, DVec3::Z);
    assert_eq!(kind, ClashKind::Hard);
    assert!(camera.forward.is_normalized() && camera.up.is_normalized());
    assert!(camera.forward.dot(camera.up).abs() < 1e-12 && camera.up.z > 0.0);
    // The camera looks at the point of the clash, which so is in the middle.
    let way = (point - camera.eye).normalize();
    assert!(way.distance(camera.forward) < 1e-12, "{way} {camera:?}");
    assert!(count(&middle(&pixels, 3), is_red) > 20);
    let [red, blue, orange] = [is_red, is_blue, is_orange].map(|is| count(&pixels, is));
    assert!(red > 1_000 && blue > 5_000 && orange > 5_000, "{red} {blue} {orange}");
    // With another axis up the camera stands otherwise.
    let (_, _, other, _) = shot(&assembly(&boxes), 0.0, DVec3::Y);
    assert!(other.up.y > 0.5);
}

#[test]
fn only_what_both_fill_is_red() {
    // A pipe through a wall: the walls are red where it is, and nowhere else.
    let boxes = [("wall", [-3.0, 0.0, -3.0], [3.0, 0.4, 3.0]), ("pipe", [-0.2, -2.0, -0.2], [0.2, 2.0, 0.2])];
    let (_, _, _, pixels) = shot(&assembly(&boxes), 0.0, DVec3::Z);
    let red = count(&pixels, is_red);
    assert!((200..15_000).contains(&red), "{red}");
    assert!(count(&pixels, is_blue) > 20_000);
}

#[test]
fn every_kind_shows_where() {
    let unit = ("a", [0.0; 3], [1.0; 3]);
    let cases = [
        (("b", [0.5, 0.0, 0.0], [1.5, 1.0, 1.0]), ClashKind::Hard),
        (("b", [0.0; 3], [1.0; 3]), ClashKind::Duplicate),
        (("b", [0.25; 3], [0.5; 3]), ClashKind::Contained),
        (("b", [1.0, 0.0, 0.0], [2.0, 1.0, 1.0]), ClashKind::Touch),
        (("b", [1.0, 1.0, 1.0], [2.0, 2.0, 2.0]), ClashKind::Touch),
        (("b", [1.05, 0.0, 0.0], [2.0, 1.0, 1.0]), ClashKind::Clearance),
    ];
    for (other, expected) in cases {
        let (kind, _, _, pixels) = shot(&assembly(&[unit, other]), 0.1, DVec3::Z);
        assert_eq!(kind, expected);
        let red = count(&pixels, is_red);
        assert!(red > 50, "{kind:?}: {red}");
        assert!(count(&pixels, is_blue) + count(&pixels, is_orange) + red > 10_000, "{kind:?}");
    }
}

#[test]
fn surfaces_without_an_inside_show_the_curve() {
    let sheet = |x: f64, turned: bool| {
        let corners = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)];
        let corner = |(u, v)| if turned { DVec3::new(x, u, v) } else { DVec3::new(u, v, 0.1) };
        Mesh::new(corners.map(corner).to_vec(), vec![[0, 1, 2], [0, 2, 3]]).unwrap()
    };
    let part = |mesh: Mesh| Part { name: "s".to_owned(), body: body_of(mesh.into()), pose: Pose::IDENTITY };
    let crossing = Assembly { parts: vec![part(sheet(0.3, false)), part(sheet(0.3, true))] };
    let (kind, _, _, pixels) = shot(&crossing, 0.0, DVec3::Z);
    assert_eq!(kind, ClashKind::Hard);
    assert!(count(&pixels, is_red) > 100);
}

#[test]
fn neighbours_are_grey_and_see_through() {
    let pair = [("a", [0.0; 3], [1.0; 3]), ("b", [0.75, 0.0, 0.0], [1.75, 1.0, 1.0])];
    let alone = shot(&assembly(&pair), 0.0, DVec3::Z).3;
    let roof = ("roof", [-2.0, -2.0, 1.2], [4.0, 3.0, 1.3]);
    let with = shot(&assembly(&[pair[0], pair[1], roof]), 0.0, DVec3::Z).3;
    let is_grey = |&[r, g, b]: &[u8; 3]| r.max(g).max(b) - r.min(g).min(b) < 16 && r < 250;
    let grey = |pixels: &[[u8; 3]]| pixels.iter().filter(|pixel| is_grey(pixel)).count();
    assert!(grey(&with) > grey(&alone) + 2_000, "{} {}", grey(&with), grey(&alone));
    // What is behind it is still seen.
    assert!(count(&with, is_red) * 2 > count(&alone, is_red));
    assert!(count(&with, is_orange) * 4 > count(&alone, is_orange));
}

#[test]
fn any_size_and_place_is_seen_alike() {
    let boxes = |scale: f64, x: f64| {
        let corner = |p: [f64; 3]| [x + scale * p[0], scale * p[1], scale * p[2]];
        assembly(&[
            ("a", corner([0.0; 3]), corner([1.0; 3])),
            // What both fill is a cube, so that its middle is one point.
            ("b", corner([0.75, 0.25, 0.25]), corner([1.75, 0.5, 0.5])),
        ])
    };
    let red = |assembly: &Assembly| count(&shot(assembly, 0.0, DVec3::Z).3, is_red);
    let usual = red(&boxes(1.0, 0.0));
    for (scale, x) in [(1e-6, 0.0), (1e6, 0.0), (1.0, 4096.0), (1024.0, 1e6)] {
        let other = red(&boxes(scale, x));
        assert!(other.abs_diff(usual) < usual / 20, "{scale} {x}: {usual} {other}");
    }
}

#[test]
fn tiny_places_have_a_ring() {
    let boxes = [("a", [0.0; 3], [1.0; 3]), ("b", [0.9999, 0.9999, 0.9999], [2.0; 3])];
    let (_, _, _, pixels) = shot(&assembly(&boxes), 0.0, DVec3::Z);
    let [width, height] = SIZE;
    let beside = (height / 2) * width + width / 2 + 26;
    assert!(pixels[beside - 2..beside + 2].iter().any(is_red));
}
