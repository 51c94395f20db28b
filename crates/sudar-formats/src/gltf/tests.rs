//! Documents written by hand, with the triangles they must give.

use sudar::{DVec3, Pose};

use crate::{Cause, Format, Model, NoteKind, Place, read, read_bytes};

/// Nine f32: the points (0 0 0), (1 0 0), (0 1 0); then the bytes 0 1 2 0 as indices and sparse values.
fn buffer() -> Vec<u8> {
    let points: [f32; 9] = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0];
    let mut bytes: Vec<u8> = points.iter().flat_map(|x| x.to_le_bytes()).collect();
    bytes.extend([0, 1, 2, 0]);
    bytes
}

const VIEWS: &str =
    r#""bufferViews":[{"buffer":0,"byteLength":36},{"buffer":0,"byteOffset":36,"byteLength":4}]"#;
const POINTS: &str = r#"{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3"}"#;
const INDICES: &str = r#"{"bufferView":1,"componentType":5121,"count":3,"type":"SCALAR"}"#;
const MESH: &str = r#""meshes":[{"primitives":[{"attributes":{"POSITION":0},"indices":1}]}]"#;

/// A GLB with the members given; buffer, views and the two accessors are there already.
fn glb(members: &str) -> Vec<u8> {
    glb_with(&format!(r#"{members},"accessors":[{POINTS},{INDICES}],{VIEWS}"#))
}

fn glb_with(members: &str) -> Vec<u8> {
    let json = format!(r#"{{"asset":{{"version":"2.0"}},"buffers":[{{"byteLength":40}}],{members}}}"#);
    wrap(json.as_bytes(), &buffer())
}

fn wrap(json: &[u8], blob: &[u8]) -> Vec<u8> {
    let mut json = json.to_vec();
    json.resize(json.len().next_multiple_of(4), b' ');
    let mut out = b"glTF\x02\0\0\0".to_vec();
    out.extend(((28 + json.len() + blob.len()) as u32).to_le_bytes());
    for (kind, chunk) in [(b"JSON", json.as_slice()), (b"BIN\0", blob)] {
        out.extend((chunk.len() as u32).to_le_bytes());
        out.extend(kind);
        out.extend(chunk);
    }
    out
}

fn parse(bytes: &[u8]) -> Result<Model, Cause> {
    read_bytes(bytes, Format::Glb, "file.glb").map_err(|e| e.cause)
}

fn refusal(members: &str) -> String {
    parse(&glb(members)).unwrap_err().to_string()
}

fn close(a: DVec3, b: DVec3) -> bool {
    (a - b).length() < 1e-6
}

#[test]
fn rigid_nodes_share_the_mesh_in_the_order_of_the_file() {
    // A quarter turn about z, then 5 along x, for a child that is moved by 1 along x: x + 5 → (5, 1, 0).
    let model = parse(&glb(&format!(
        r#"{MESH},"scene":0,"scenes":[{{"nodes":[1,2]}}],"nodes":[
            {{"name":"child","mesh":0,"translation":[1,0,0]}},
            {{"children":[0],"translation":[5,0,0],"rotation":[0,0,0.70710678,0.70710678]}},
            {{"mesh":0}},{{"name":"hidden","mesh":0}}]"#
    )))
    .unwrap();
    assert_eq!(model.meshes.len(), 1);
    let names: Vec<&str> = model.parts.iter().map(|p| p.name.as_str()).collect();
    assert_eq!(names, ["child", "file"]);
    assert!(close(model.parts[0].pose.apply(DVec3::ZERO), DVec3::new(5.0, 1.0, 0.0)));
    assert_eq!(model.parts[1].pose, Pose::IDENTITY);
    assert_eq!(model.parts[1].numbers(), std::slice::from_ref(&(1..2)));
    assert_eq!((model.notes[0].kind, model.notes[0].count), (NoteKind::HiddenNode, 1));
}

#[test]
fn scales_are_baked_once_for_all_turns() {
    // Millimetres to metres above two nodes that are turned differently.
    let model = parse(&glb(&format!(
        r#"{MESH},"nodes":[{{"children":[1,2],"scale":[0.001,0.001,0.001]}},
            {{"mesh":0,"translation":[1000,0,0],"rotation":[0.5,0.5,0.5,0.5]}},
            {{"mesh":0,"rotation":[0.6,0,0,0.8]}}]"#
    )))
    .unwrap();
    assert_eq!((model.meshes.len(), model.notes[0].kind), (1, NoteKind::BakedMesh));
    // The first is turned by x → y → z → x.
    let merged = model.merged().unwrap();
    assert!(close(merged.triangle(0).a, DVec3::new(1.0, 0.0, 0.0)));
    assert!(close((merged.triangle(0).b - merged.triangle(0).a) * 1e3, DVec3::Y));
}

#[test]
fn mirrored_and_sheared_nodes_get_their_own_copy_wound_outward() {
    let model = parse(&glb(&format!(
        r#"{MESH},"nodes":[{{"mesh":0,"scale":[-2,1,1]}},{{"mesh":0,"scale":[-1,-1,-1]}},
            {{"mesh":0,"matrix":[1,0,0,0, 1,1,0,0, 0,0,1,0, 0,0,7,1]}},{{"mesh":0,"scale":[0,0,0]}}]"#
    )))
    .unwrap();
    let merged = model.merged().unwrap();
    let corners = |i| merged.triangle(i).corners();
    assert_eq!(corners(0), [DVec3::ZERO, DVec3::Y, DVec3::new(-2.0, 0.0, 0.0)]);
    assert_eq!(corners(1), [DVec3::ZERO, -DVec3::Y, -DVec3::X]);
    let up = 7.0 * DVec3::Z;
    assert_eq!(corners(2), [up, DVec3::X + up, DVec3::X + DVec3::Y + up]);
    assert_eq!(corners(3), [DVec3::ZERO; 3]);
    assert_eq!(model.meshes.len(), 4);
}

#[test]
fn a_skinned_node_stands_where_its_vertices_say() {
    // Node 1 has a skin, and so does node 2 below a scaled parent; node 3 has none.
    let members = format!(
        "{MESH},\"skins\":[{{\"joints\":[0]}}],\"nodes\":[{{}},{{\"mesh\":0,\"skin\":0,\"translation\":[1,2,3]}},
        {{\"mesh\":0,\"skin\":0}},{{\"mesh\":0,\"translation\":[1,2,3]}},{{\"scale\":[2,2,2],\"children\":[2]}}]"
    );
    let model = parse(&glb(&members)).unwrap();
    let places: Vec<DVec3> = model.parts.iter().map(|part| part.pose.translation()).collect();
    assert_eq!(places, [DVec3::ZERO, DVec3::ZERO, DVec3::new(1.0, 2.0, 3.0)]);
    assert_eq!(model.meshes.len(), 1);
    assert_eq!((model.notes[0].kind, model.notes[0].count), (NoteKind::RestShape, 2));
}

#[test]
fn strips_fans_and_bare_vertices_are_triangles() {
    // Points 0 1 2 as strip, fan, triangles without indices; lines and points are noted.
    let primitive =
        |mode: u32, rest: &str| format!(r#"{{"mode":{mode},"attributes":{{"POSITION":0}}{rest}}}"#);
    let list = [
        primitive(5, r#","indices":1"#),
        primitive(6, ""),
        primitive(4, ""),
        primitive(1, ""),
        primitive(0, ""),
        r#"{"attributes":{}}"#.to_owned(),
    ]
    .join(",");
    let model =
        parse(&glb(&format!(r#""meshes":[{{"name":"m","primitives":[{list}]}}],"nodes":[{{"mesh":0}}]"#)));
    let model = model.unwrap();
    assert_eq!(model.meshes[0].triangles(), [[0, 1, 2]; 3]);
    assert_eq!(model.parts[0].name, "m");
    let kinds: Vec<_> = model.notes.iter().map(|n| n.kind).collect();
    assert_eq!(kinds, [NoteKind::Line, NoteKind::Point, NoteKind::NoPositions]);
}

#[test]
fn sparse_accessors_replace_elements() {
    // Three zeros; numbers 1 and 2 (bytes 37, 38) become the second and third point.
    let sparse = r#"{"componentType":5126,"count":3,"type":"VEC3","sparse":{"count":2,
        "indices":{"bufferView":1,"byteOffset":1,"componentType":5121},"values":{"bufferView":0,"byteOffset":12}}}"#;
    let mesh = r#""meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],"nodes":[{"mesh":0}]"#;
    let model = parse(&glb_with(&format!(r#"{mesh},"accessors":[{sparse}],{VIEWS}"#))).unwrap();
    assert_eq!(model.meshes[0].triangle(0).corners(), [DVec3::ZERO, DVec3::X, DVec3::Y]);
    let claim = sparse.replace(r#""count":3"#, r#""count":99999999999"#);
    let refusal =
        parse(&glb_with(&format!(r#"{mesh},"accessors":[{claim}],{VIEWS}"#))).unwrap_err().to_string();
    assert!(refusal.contains("claims 99999999999 elements"), "{refusal}");
}

#[test]
fn quantized_positions_are_scaled() {
    // The bytes 0 1 2 0 as one normalised u8 point each, overlapping by the stride of 4: only one fits.
    let accessor = r#"{"bufferView":1,"componentType":5121,"normalized":true,"count":1,"type":"VEC3"}"#;
    let index = r#"{"bufferView":2,"componentType":5121,"count":3,"type":"SCALAR"}"#;
    let views = VIEWS.replace("}]", r#"},{"buffer":0,"byteOffset":0,"byteLength":3}]"#);
    let model = parse(&glb_with(&format!(
        r#"{MESH},"nodes":[{{"mesh":0}}],"accessors":[{accessor},{index}],{views}"#
    )));
    // The indices are the bytes of 0.0f32: three times vertex 0.
    let corner = model.unwrap().meshes[0].triangle(0).a;
    assert_eq!(corner, DVec3::new(0.0, 1.0 / 255.0, 2.0 / 255.0));
}

#[test]
fn references_to_nothing_are_refused_by_place() {
    let node = r#""nodes":[{"mesh":0}]"#;
    assert!(refusal(r#""nodes":[{"mesh":7}]"#).starts_with("mesh 7: expected a mesh that exists"));
    let mesh =
        |p: u32| format!(r#""meshes":[{{"primitives":[{{"attributes":{{"POSITION":{p}}}}}]}}],{node}"#);
    assert!(refusal(&mesh(9)).starts_with("accessor 9: expected an accessor that exists"));
    assert!(refusal(&mesh(1)).starts_with("accessor 1: expected three numbers a vertex"));
    assert!(refusal(&format!(r#"{MESH},{node},"scene":3"#)).starts_with("scene 3: expected"));
    assert!(refusal(&format!(r#"{MESH},"nodes":[{{"children":[4]}}]"#)).starts_with("node 4: expected"));
    assert!(refusal(MESH).starts_with("holds no triangle"));
}

#[test]
fn nodes_that_are_no_tree_are_refused() {
    let cycle = r#""scenes":[{"nodes":[0]}],"nodes":[{"children":[1]},{"children":[0],"mesh":0}]"#;
    assert!(refusal(&format!("{MESH},{cycle}")).starts_with("node 0: expected a tree of nodes"));
}

#[test]
fn a_node_with_two_parents_is_shown_under_both() {
    let twice = r#""scenes":[{"nodes":[0,1]}],"nodes":[{"children":[2]},{"children":[2],"translation":[5,0,0]},{"mesh":0}]"#;
    let model = parse(&glb(&format!("{MESH},{twice}"))).unwrap();
    let mut at: Vec<f64> = model.parts.iter().map(|part| part.pose.translation().x).collect();
    at.sort_by(f64::total_cmp);
    assert_eq!(at, [0.0, 5.0]);
    assert_eq!((model.meshes.len(), model.notes[0].kind), (1, NoteKind::SharedNode));
    // Thirty nodes, each twice below the one before: 2^30 places.
    let pair = |i: usize| format!(r#"{{"children":[{i},{i}]}}"#);
    let nodes: Vec<String> = (1..30).map(pair).chain([r#"{"mesh":0}"#.to_owned()]).collect();
    let bomb = format!(r#""scenes":[{{"nodes":[0]}}],"nodes":[{}]"#, nodes.join(","));
    assert!(refusal(&format!("{MESH},{bomb}")).contains("far too many ways"));
}

#[test]
fn the_first_version_is_refused_by_name() {
    let of = |text: &[u8]| read_bytes(text, Format::Gltf, "x").unwrap_err().to_string();
    let text = of(br#"{"nodes":{"a":{}},"meshes":{"b":{}}}"#);
    assert!(text.contains("glTF 1.0 is not supported; convert it"), "{text}");
    let text = of(b"glTF\x01\0\0\0\x14\0\0\0\0\0\0\0\0\0\0\0");
    assert!(text.contains("byte 4: glTF 1.0"), "{text}");
}

#[test]
fn what_is_not_about_triangles_is_not_looked_at() {
    let harmless = r#""nodes":[{"mesh":0}],"animations":[{"channels":7,"samplers":[{}]}],
        "extensionsRequired":["KHR_xmp_json_ld","EXT_structural_metadata","KHR_animation_pointer"]"#;
    assert_eq!(parse(&glb(&format!("{MESH},{harmless}"))).unwrap().triangles(), 1);
}

#[test]
fn what_would_change_the_surface_unseen_is_refused() {
    let extension = r#""extensionsRequired":["KHR_draco_mesh_compression"]"#;
    assert!(refusal(&format!("{MESH},{extension}")).contains("KHR_draco_mesh_compression` is not supported"));
    let material = format!(r#"{MESH},"nodes":[{{"mesh":0}}],"extensionsRequired":["KHR_materials_unlit"]"#);
    assert!(parse(&glb(&material)).is_ok());
    assert!(refusal(&format!(r#"{MESH},"nodes":[{{"mesh":0,"rotation":[0,0,0,2]}}]"#)).contains("length 2"));
    let matrix = r#""matrix":[1,0,0,0, 0,1,0,0, 0,0,1,0, 0,0,0,2]"#;
    assert!(refusal(&format!(r#"{MESH},"nodes":[{{"mesh":0,{matrix}}}]"#)).contains("last row"));
}

#[test]
fn damaged_containers_are_refused() {
    let whole = glb(&format!(r#"{MESH},"nodes":[{{"mesh":0}}]"#));
    assert!(parse(&whole).is_ok());
    for cut in 0..whole.len() {
        assert!(parse(&whole[..cut]).is_err(), "cut at {cut}");
    }
    let longer = [whole.as_slice(), b"more"].concat();
    assert_eq!(parse(&longer).unwrap().notes[0].kind, NoteKind::TrailingBytes);
    assert!(parse(&wrap(&wrap(b"{}", b""), b"")).is_err(), "a GLB inside a GLB");
    let short = [b"glTF\x02\0\0\0", &4u32.to_le_bytes()[..]].concat();
    assert!(parse(&short).is_err());
    let refusal = parse(b"{\"asset\":{\"version\":\"3.0\"}}").unwrap_err();
    assert!(matches!(refusal, Cause::Expected { place: Place::Item(_), .. }), "{refusal}");
}

fn with_uri(uri: &str) -> String {
    let mesh = format!(r#"{MESH},"nodes":[{{"mesh":0}}],"accessors":[{POINTS},{INDICES}],{VIEWS}"#);
    format!(r#"{{"asset":{{"version":"2.0"}},"buffers":[{{"byteLength":40,"uri":"{uri}"}}],{mesh}}}"#)
}

#[test]
fn other_files_are_opened_only_inside_the_folder() {
    let outer = tempfile::tempdir().unwrap();
    let folder = outer.path().join("model");
    std::fs::create_dir_all(folder.join("sub")).unwrap();
    for path in ["model/own file.bin", "model/sub/x.bin", "outside.bin"] {
        std::fs::write(outer.path().join(path), buffer()).unwrap();
    }
    std::fs::write(folder.join("short.bin"), &buffer()[1..]).unwrap();
    let load = |uri: &str| {
        let path = folder.join("a.gltf");
        std::fs::write(&path, with_uri(uri)).unwrap();
        read(&path).map_err(|e| e.cause)
    };
    assert!(load("own%20file.bin").is_ok() && load("./sub/x.bin").is_ok());
    let absolute = outer.path().join("outside.bin").display().to_string();
    for uri in ["../outside.bin", &absolute, "sub", "none.bin", "http://a/b.bin", "sub/../../outside.bin"] {
        assert!(matches!(load(uri), Err(Cause::Buffer { .. })), "{uri}");
    }
    assert!(matches!(load("short.bin"), Err(Cause::Claim { claimed: 40, room: 39, .. })));
    let unread = read_bytes(with_uri("own%20file.bin").as_bytes(), Format::Gltf, "a").unwrap_err();
    assert!(matches!(unread.cause, Cause::Buffer { .. }));
}

#[cfg(unix)]
#[test]
fn links_do_not_lead_out_of_the_folder() {
    let outer = tempfile::tempdir().unwrap();
    let folder = outer.path().join("model");
    std::fs::create_dir(&folder).unwrap();
    std::fs::write(outer.path().join("outside.bin"), buffer()).unwrap();
    std::os::unix::fs::symlink("../outside.bin", folder.join("link.bin")).unwrap();
    let path = folder.join("a.gltf");
    std::fs::write(&path, with_uri("link.bin")).unwrap();
    assert!(matches!(read(&path).unwrap_err().cause, Cause::Buffer { .. }));
}

#[test]
fn many_uses_of_the_same_bytes_cannot_fill_the_memory() {
    // 2000 primitives of the same million indices, in one byte each: 24 GB if all were read.
    let count = 999_999;
    let blob = [buffer(), vec![0; count]].concat();
    let primitive = r#"{"attributes":{"POSITION":0},"indices":1}"#;
    let json = format!(
        r#"{{"asset":{{"version":"2.0"}},"buffers":[{{"byteLength":{}}}],"nodes":[{{"mesh":0}}],
        "meshes":[{{"primitives":[{}]}}],"accessors":[{POINTS},
        {{"bufferView":1,"componentType":5121,"count":{count},"type":"SCALAR"}}],
        "bufferViews":[{{"buffer":0,"byteLength":36}},{{"buffer":0,"byteOffset":40,"byteLength":{count}}}]}}"#,
        blob.len(),
        vec![primitive; 2000].join(","),
    );
    assert!(matches!(parse(&wrap(json.as_bytes(), &blob)), Err(Cause::Bomb { .. })));
}

#[test]
fn extras_of_nodes_are_properties_of_parts() {
    let model = parse(&glb(&format!(
        r#"{MESH},"nodes":[{{"mesh":0,"extras":{{"class":"IfcWall","pset":{{"fire":true,"load":2.5}},"list":[1],"none":null}}}},
            {{"mesh":0,"extras":"a text"}},{{"mesh":0}}]"#
    )))
    .unwrap();
    let expected = [("class", "IfcWall"), ("pset.fire", "true"), ("pset.load", "2.5")];
    assert_eq!(model.parts[0].properties, expected.map(|(key, value)| (key.to_owned(), value.to_owned())));
    assert!(model.parts[1..].iter().all(|part| part.properties.is_empty()));
}

#[test]
fn parts_of_assemblies_are_called_by_their_paths_each_with_its_own() {
    let nodes = r#""nodes":[{"name":"engine","children":[1,3,5,7]},{"name":"NUT_7","children":[2]},
        {"name":"=>[0:1:1:3]","mesh":0},{"name":"pump","children":[4]},{"name":"rod","mesh":0},
        {"name":"pump","children":[6]},{"name":"rod","mesh":0},{"name":"pump (2)/rod","mesh":0}]"#;
    let bytes = glb(&format!(r#"{MESH},"scene":0,"scenes":[{{"nodes":[0]}}],{nodes}"#));
    let names = |model: Model| model.parts.into_iter().map(|part| part.name).collect::<Vec<_>>();
    let found = names(crate::read_assembly(&bytes, "engine.step").unwrap());
    assert_eq!(found, ["engine/NUT_7", "engine/pump/rod", "engine/pump (2)/rod", "engine/pump (2)/rod (2)"]);
    // What is no assembly of CAD keeps the names of its nodes.
    assert_eq!(names(parse(&bytes).unwrap())[..2], ["=>[0:1:1:3]", "rod"]);
}
