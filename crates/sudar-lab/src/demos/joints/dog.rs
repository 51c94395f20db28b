//! The robot of the laboratory: a trunk on four legs, as URDF.

use std::fmt::Write;

/// Lengths of a thigh and of a shank, in metres, and the radius of a foot.
const LEG: f64 = 0.22;
const FOOT: f64 = 0.035;

/// How far hips are turned where it stands, in rad; knees are turned twice as far the other way.
pub const STANCE: f64 = 0.6;

/// The joint that is no leg's.
pub const NECK: &str = "neck";

/// Where hips are: in front or behind, left or right.
const HIPS: [(&str, f64, f64); 4] = [
    ("front-left", 0.21, 0.13),
    ("front-right", 0.21, -0.13),
    ("rear-left", -0.21, 0.13),
    ("rear-right", -0.21, -0.13),
];

/// Its description.
pub fn urdf() -> String {
    let mut text = String::from("<robot name=\"dog\">\n");
    link(&mut text, "trunk", 7.0, [0.52, 0.2, 0.12], 0.0, "");
    link(&mut text, "head", 1.2, [0.16, 0.12, 0.1], 0.05, "");
    joint(&mut text, NECK, ["trunk", "head"], [0.32, 0.0, 0.06], ["0 0 1", "-1.2", "1.2"], 8.0);
    for (name, x, y) in HIPS {
        let [thigh, shank] = ["thigh", "shank"].map(|part| format!("{name} {part}"));
        link(&mut text, &thigh, 0.8, [0.05, 0.04, LEG], -0.5 * LEG, "");
        let foot = format!(
            "<collision><origin xyz=\"0 0 {}\"/><geometry><sphere radius=\"{FOOT}\"/></geometry></collision>",
            -LEG
        );
        link(&mut text, &shank, 0.4, [0.035, 0.03, LEG], -0.5 * LEG, &foot);
        let hip = format!("{name} hip");
        joint(&mut text, &hip, ["trunk", &thigh], [x, y, 0.0], ["0 1 0", "-0.6", "1.5"], 40.0);
        let knee = format!("{name} knee");
        joint(&mut text, &knee, [&thigh, &shank], [0.0, 0.0, -LEG], ["0 1 0", "-2.6", "0.1"], 40.0);
    }
    text + "</robot>\n"
}

/// A box with its mass, so high above the frame of the link, and other geometry.
fn link(text: &mut String, name: &str, mass: f64, [x, y, z]: [f64; 3], up: f64, more: &str) {
    let inertia = |a: f64, b: f64| mass * (a * a + b * b) / 12.0;
    let (ixx, iyy, izz) = (inertia(y, z), inertia(x, z), inertia(x, y));
    let at = format!("<origin xyz=\"0 0 {up}\"/>");
    // Writing into a string does not fail.
    let _ = writeln!(
        text,
        "<link name=\"{name}\"><inertial>{at}<mass value=\"{mass}\"/><inertia ixx=\"{ixx}\" iyy=\"{iyy}\" izz=\"{izz}\" \
         ixy=\"0\" ixz=\"0\" iyz=\"0\"/></inertial><collision>{at}<geometry><box size=\"{x} {y} {z}\"/></geometry>\
         </collision>{more}</link>"
    );
}

/// A joint that turns about an axis between two angles, with a torque.
fn joint(
    text: &mut String,
    name: &str,
    [parent, child]: [&str; 2],
    [x, y, z]: [f64; 3],
    [axis, lower, upper]: [&str; 3],
    effort: f64,
) {
    let _ = writeln!(
        text,
        "<joint name=\"{name}\" type=\"revolute\"><parent link=\"{parent}\"/><child link=\"{child}\"/>\
         <origin xyz=\"{x} {y} {z}\"/><axis xyz=\"{axis}\"/><limit lower=\"{lower}\" upper=\"{upper}\" \
         effort=\"{effort}\" velocity=\"9\"/></joint>"
    );
}

/// Its configuration with hips turned by an angle: the feet stay below them.
pub fn configuration(names: &[&str], hips: f64) -> Vec<f64> {
    let value = |name: &&str| match *name {
        name if name.ends_with("hip") => hips,
        name if name.ends_with("knee") => -2.0 * hips,
        _ => 0.0,
    };
    names.iter().map(value).collect()
}
