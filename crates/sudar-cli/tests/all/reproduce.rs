//! `reproduce` writes tables and figures whose numbers are plausible and the same every time.

#![expect(clippy::unwrap_used, reason = "a test may fail")]

use serde_json::json;

use crate::support::Folder;

/// A table: names of columns, rows.
struct Table {
    columns: Vec<String>,
    rows: Vec<Vec<String>>,
}

impl Table {
    /// The rows below comments and names.
    fn read(folder: &Folder, name: &str) -> Self {
        let text = std::fs::read_to_string(folder.join(name)).unwrap();
        let cells = |line: &str| line.split(',').map(str::to_owned).collect::<Vec<String>>();
        let mut lines = text.lines().filter(|line| !line.starts_with('#')).map(cells);
        let table = Self { columns: lines.next().unwrap(), rows: lines.collect() };
        assert!(!table.rows.is_empty() && table.rows.iter().all(|row| row.len() == table.columns.len()));
        table
    }

    fn at(&self, column: &str) -> usize {
        self.columns.iter().position(|c| c == column).unwrap()
    }

    /// The number in a column of the only row with these cells.
    fn number(&self, cells: &[&str], column: &str) -> f64 {
        let is_it = |row: &&Vec<String>| cells.iter().all(|cell| row.iter().any(|c| c == cell));
        let found: Vec<_> = self.rows.iter().filter(is_it).collect();
        assert_eq!(found.len(), 1, "{cells:?}");
        found[0][self.at(column)].parse().unwrap()
    }

    fn without(mut self, column: &str) -> Vec<Vec<String>> {
        let at = self.at(column);
        self.rows.iter_mut().for_each(|row| drop(row.remove(at)));
        self.rows
    }
}

fn quick(folder: &Folder, name: &str) {
    let run = folder.sudar(&["reproduce", name, "--quick", "--out", "out", "--json"]);
    assert_eq!((run.status, run.err.as_str()), (0, ""));
    let document = run.json();
    assert_eq!(document["quick"], json!(true));
    let experiment = &document["experiments"][0];
    assert_eq!(experiment["name"], json!(name));
    assert!(experiment["queries"].as_u64().unwrap() > 1000);
    for file in experiment["files"].as_array().unwrap() {
        let text = std::fs::read_to_string(folder.join(file.as_str().unwrap())).unwrap();
        let whole =
            if text.starts_with("<svg ") { text.ends_with("</svg>\n") } else { text.starts_with("# ") };
        assert!(whole && !text.contains("NaN"), "{file}");
    }
}

#[test]
fn cost_grows_slowly_with_the_number_of_vertices() {
    let folder = Folder::new();
    quick(&folder, "convex-vertices");
    let table = Table::read(&folder, "out/convex-vertices.csv");
    let mean = |cells: &[&str]| table.number(cells, "iterations_mean");
    let (cold, coherent) = ("random poses near contact", "smooth motion");
    // A simplex around or next to the origin takes some points; log 128 / log 8 = 7/3.
    let [few, many] = ["8", "128"].map(|n| mean(&[cold, n, "GJK"]));
    assert!((3.0..10.0).contains(&few) && few < many && many < few * 7.0 / 3.0, "{few} {many}");
    for vertices in ["8", "32", "128"] {
        // Hardly more than the one that finds that nothing has changed.
        assert!((1.0..4.0).contains(&mean(&[coherent, vertices, "Lin–Canny"])));
        assert!((1.0..2.0).contains(&mean(&[coherent, vertices, "separating vector"])));
        let memory = mean(&[coherent, vertices, "GJK with memory"]);
        assert!(memory < 0.6 * mean(&[coherent, vertices, "GJK"]), "{memory}");
        // The motion keeps the bodies apart.
        let cells = [coherent, vertices, "GJK"];
        assert_eq!(table.number(&cells, "apart"), table.number(&cells, "queries"));
    }
}

#[test]
fn memory_pays_for_small_steps() {
    let folder = Folder::new();
    quick(&folder, "convex-motion");
    let table = Table::read(&folder, "out/convex-motion.csv");
    for name in ["GJK with memory", "Lin–Canny", "separating vector"] {
        let [small, large] = ["0.1", "100"].map(|step| table.number(&[step, name], "iterations_mean"));
        assert!(small < 3.0 && large > 1.5 * small, "{name} {small} {large}");
    }
    // Who remembers nothing does not care.
    let [small, large] = ["0.1", "100"].map(|step| table.number(&[step, "GJK"], "iterations_mean"));
    assert!((0.8..1.25).contains(&(large / small)), "{small} {large}");
}

#[test]
fn chung_wang_ends_with_the_switch_only() {
    let folder = Folder::new();
    quick(&folder, "chung-wang-cases");
    let table = Table::read(&folder, "out/chung-wang-cases.csv");
    for pairs in ["random polyhedra", "needles", "thin plates", "facing thin plates"] {
        assert_eq!(table.number(&[pairs, "Chung–Wang"], "undecided"), 0.0);
        assert!(table.number(&[pairs, "Chung–Wang"], "rounds_max") < 50.0);
        assert_eq!(table.number(&[pairs, "GJK"], "queries"), 200.0);
    }
    assert!(table.number(&["facing thin plates", "Chung–Wang without switch"], "without_end") > 0.0);
    // Every query is in one bin.
    let rounds = Table::read(&folder, "out/chung-wang-cases-rounds.csv");
    let at = rounds.at("queries");
    assert_eq!(rounds.rows.iter().map(|row| row[at].parse::<u32>().unwrap()).sum::<u32>(), 4 * 2 * 200);
}

#[test]
fn newtons_method_ends_the_searches_of_round_bodies() {
    let folder = Folder::new();
    quick(&folder, "iterations");
    let table = Table::read(&folder, "out/iterations.csv");
    let mean = |algorithm: &str, bodies: &str| {
        let rows = table.rows.iter().filter(|row| row[0] == algorithm && row[1] == bodies);
        let (mut sum, mut all) = (0.0, 0.0);
        for row in rows {
            let [iterations, queries]: [f64; 2] = [2, 3].map(|i| row[i].parse().unwrap());
            (sum, all) = (sum + iterations * queries, all + queries);
        }
        assert_eq!(all, 200.0, "{algorithm} {bodies}");
        sum / all
    };
    for algorithm in ["GJK apart", "EPA meeting"] {
        let [boxes, hulls] = ["boxes", "hulls"].map(|kind| mean(algorithm, kind));
        assert!(boxes < hulls, "{boxes} {hulls}");
    }
    // Of bodies that are apart Newton's method takes over after three support points; GJK alone needed 24 to 37.
    for kind in ["cylinders", "cones", "ellipsoids"] {
        let round = mean("GJK apart", kind);
        assert!((3.0..6.0).contains(&round), "{kind}: {round}");
    }
    // A tetrahedron has four corners.
    for kind in ["boxes", "hulls", "cylinders", "cones", "ellipsoids"] {
        assert!((4.0..7.0).contains(&mean("GJK meeting", kind)));
    }
}

#[test]
fn voxels_find_the_inertia_that_the_source_missed() {
    let folder = Folder::new();
    let run = folder.sudar(&["reproduce", "mass", "--quick", "--out", "out", "--json"]);
    assert_eq!((run.status, run.err.as_str()), (0, ""));
    let table = Table::read(&folder, "out/mass.csv");
    let (step, at) = (table.at("step"), |column: &str| table.at(column));
    let number = |body: &str, width: &str, column: &str| {
        let row = table.rows.iter().find(|row| row[0] == body && row[step] == width).unwrap();
        row[at(column)].parse::<f64>().unwrap()
    };
    let cube = |step: &str, column: &str| number("cube", step, column);
    // A cube of side 500 has 500²/6; rays through a grid that fits it find that at any step.
    for step in ["50", "10", "2.5"] {
        assert!((cube(step, "exact_xx") / (250_000.0 / 6.0) - 1.0).abs() < 1e-12);
        assert!((cube(step, "voxel_xx") / cube(step, "exact_xx") - 1.0).abs() < 1e-9);
    }
    assert_eq!(cube("50", "source_xx"), 45565.1);
    // Sums of 32 bits are as good as others on coarse grids, and a little off where terms are lost.
    assert!((cube("10", "program_xx") / cube("10", "snapped_xx") - 1.0).abs() < 0.001);
    assert!((cube("2.5", "program_xx") / cube("2.5", "snapped_xx") - 1.0).abs() > 0.001);
    let cone = |column: &str| number("cone", "0.75", column);
    assert!((cone("voxel_yy") / cone("exact_yy") - 1.0).abs() < 1e-3);
    assert!(std::fs::read_to_string(folder.join("out/mass.svg")).unwrap().ends_with("</svg>\n"));
}

#[test]
fn all_but_the_times_is_the_same_every_time() {
    let rows = || {
        let folder = Folder::new();
        quick(&folder, "convex-motion");
        let figure = std::fs::read(folder.join("out/convex-motion-iterations.svg")).unwrap();
        (Table::read(&folder, "out/convex-motion.csv").without("time_ns"), figure)
    };
    assert!(rows() == rows());
}

#[test]
fn a_page_shows_every_figure_with_what_follows_from_its_tables() {
    let folder = Folder::new();
    let run = folder.sudar(&["reproduce", "spring-mtv", "--quick", "--out", "out", "--json"]);
    let findings = &run.json()["experiments"][0]["findings"];
    assert_eq!(findings.as_array().unwrap().len(), 2);
    assert!(
        findings.as_array().unwrap().iter().all(|finding| finding["agrees"] == json!(true)),
        "{findings}"
    );
    let page = std::fs::read_to_string(folder.join("out/index.html")).unwrap();
    assert!(page.starts_with("<!DOCTYPE html>") && page.contains("<svg ") && page.contains("spring-mtv.csv"));
    assert_eq!(page.matches("Dimitrijević 2019, section 2.6").count(), 2);
    assert_eq!(page.matches("<b class=\"yes\">It agrees.</b>").count(), 2);
    // What stands in the folder stays on the page.
    folder.sudar(&["reproduce", "swift", "--quick", "--out", "out"]);
    let page = std::fs::read_to_string(folder.join("out/index.html")).unwrap();
    assert!(
        page.contains("id=\"swift\"")
            && page.contains("id=\"spring-mtv\"")
            && page.matches("<svg ").count() == 2
    );
}

#[test]
fn a_cube_keeps_its_energy_and_the_cure_that_of_all() {
    let folder = Folder::new();
    let run = folder.sudar(&["reproduce", "contact-rule", "--quick", "--out", "out", "--json"]);
    assert_eq!((run.status, run.err.as_str()), (0, ""));
    let table = Table::read(&folder, "out/contact-rule-collisions.csv");
    let above = |model: &str, method: &str| {
        let row = table.rows.iter().find(|row| row[0] == model && row.join(",").contains(method)).unwrap();
        row[row.len() - 3].parse::<u32>().unwrap()
    };
    for model in ["cube", "cuboid", "fighter", "turned fighter"] {
        assert_eq!(above(model, "cure"), 0, "{model}");
    }
    assert_eq!(above("cube", "free spin and full"), 0);
    assert!(above("turned fighter", "free spin and diagonal") > 0);
}

#[test]
fn experiments_are_listed() {
    let folder = Folder::new();
    let listed = folder.sudar(&["reproduce", "--list", "--json"]).json();
    let names: Vec<_> = listed.as_array().unwrap().iter().map(|e| e["name"].as_str().unwrap()).collect();
    let convex = ["convex-vertices", "convex-motion", "chung-wang-cases", "iterations"];
    let steps = ["mass", "inertia-frames", "obb-fits", "angle-sum"];
    let classic = [
        "systems",
        "traversal-share",
        "cd-patches",
        "quickcd",
        "parallel-surfaces",
        "split-points",
        "solid",
        "sat-axes",
        "swift",
    ];
    let broad = ["broad-objects", "broad-octree", "broad-speeds", "broad-scaling"];
    let rest = [&["sweeps"][..], &classic, &["contact-rule", "spring-mtv", "mechanisms"], &broad].concat();
    assert_eq!(names, [&convex[..], &steps, &rest].concat());
    let run = folder.sudar(&["reproduce", "--list"]);
    assert!(run.status == 0 && names.iter().all(|name| run.out.contains(name)));
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn pages_are_written_from_tables_without_measuring() {
    let folder = Folder::new();
    std::fs::create_dir_all(folder.join("docs/reproduce")).unwrap();
    std::fs::create_dir(folder.join("docs/more")).unwrap();
    std::fs::write(folder.join("docs/reproduce/t.csv"), "# of a day\na,b\nx,2\ny,3\n").unwrap();
    std::fs::write(folder.join("docs/more/page.md.in"), "# Title\n\nIt is {t b, a y}.\n").unwrap();
    let run = folder.sudar(&["reproduce", "--pages", "docs", "--json"]);
    assert_eq!((run.status, run.json()), (0, json!(["docs/more/page.md"])));
    let page = std::fs::read_to_string(folder.join("docs/more/page.md")).unwrap();
    assert!(page.ends_with("\n\n# Title\n\nIt is 3.\n"), "{page}");
    std::fs::write(folder.join("docs/more/page.md.in"), "{t b, a z}").unwrap();
    let problem = "docs/more/page.md.in: {t b, a z}: 0 rows instead of one";
    assert!(folder.sudar(&["reproduce", "--pages", "docs"]).error().starts_with(problem));
    assert!(folder.sudar(&["reproduce", "--pages", "none"]).error().starts_with("none/reproduce: "));
}

#[test]
fn errors_say_what_is_wrong() {
    let folder = Folder::with_cube();
    assert!(folder.sudar(&["reproduce", "convex"]).error().contains("convex-vertices"));
    let run = folder.sudar(&["reproduce", "convex-motion", "--quick", "--out", "cube.obj"]);
    assert!(run.error().starts_with("cube.obj: cannot be made"), "{}", run.err);
}

/// The tables that an experiment of the classic systems writes, run quickly.
fn classic(name: &str, tables: &[&str]) -> Vec<Table> {
    let folder = Folder::new();
    let run = folder.sudar(&["reproduce", name, "--quick", "--out", "out", "--json"]);
    assert_eq!((run.status, run.err.as_str()), (0, ""));
    for file in run.json()["experiments"][0]["files"].as_array().unwrap() {
        let text = std::fs::read_to_string(folder.join(file.as_str().unwrap())).unwrap();
        assert!(!text.contains("NaN") && (text.starts_with("# ") || text.ends_with("</svg>\n")), "{file}");
    }
    tables.iter().map(|table| Table::read(&folder, &format!("out/{table}.csv"))).collect()
}

#[test]
fn the_classic_systems_agree_and_test_fewer_triangles_than_all() {
    let table = &classic("systems", &["systems"])[0];
    for gap in ["far", "near", "close", "inside"] {
        let tests = |system: &str| table.number(&["cars", gap, system], "triangle_tests");
        let convex = ["SWIFT++", "I-COLLIDE", "Q-COLLIDE"];
        let by_volumes = ["sphere tree", "SOLID", "ColDet", "RAPID", "QuickCD", "CD", "sudar"];
        for system in convex.into_iter().chain(by_volumes) {
            assert!(tests(system) <= tests("every pair"), "{gap} {system}");
            assert_eq!(table.number(&["cars", gap, system], "disagreements"), 0.0, "{gap} {system}");
        }
    }
}

#[test]
fn cd_has_a_row_for_each_size_of_patch() {
    let table = &classic("cd-patches", &["cd-patches"])[0];
    assert_eq!(table.rows.len(), 30);
    let patches = |most: &str| table.number(&["spheres", most], "patches");
    assert_eq!(patches("1"), 1984.0);
    assert!(patches("6") < 1984.0 / 4.0);
}

#[test]
fn quick_cd_and_solid_find_the_same_with_every_rule() {
    // Other numbers of hits or pairs are errors of the command.
    let table = &classic("quickcd", &["quickcd"])[0];
    let volume = |choice: &str| table.number(&["split point", choice], "total_volume");
    assert!(volume("mean") < volume("median"));
    let tests = |k: &str| table.number(&["k", k], "volume_tests");
    assert!(tests("26") < tests("6"));
    let table = &classic("solid", &["solid"])[0];
    // A tree that is re-fitted tests as many boxes where nothing is bent, and not many more where the ring is twisted.
    let bent = |by: &str, column: &str| table.number(&["deformation", by], column);
    let ratio = |by: &str| bent(by, "volume_tests") / bent(by, "volume_tests_rebuilt");
    assert!(ratio("0") == 1.0 && ratio("4") < 1.25, "{} {}", ratio("0"), ratio("4"));
}

#[test]
fn oriented_boxes_need_fewest_tests_between_close_surfaces() {
    let table = &classic("parallel-surfaces", &["parallel-surfaces"])[0];
    let tests = |volume: &str| table.number(&[volume, "0.05"], "volume_tests");
    assert!(3.0 * tests("OBB") < tests("AABB") && tests("AABB") < tests("sphere"));
}

#[test]
fn the_first_axes_separate_most_boxes_and_a_directed_search_tests_no_more_hulls() {
    let table = &classic("sat-axes", &["sat-axes"])[0];
    let found = |order: &str| table.number(&["order", order], "separates");
    assert_eq!(found("as numbered"), found("products first"));
    assert!(found("first six alone") > 0.8 * found("as numbered"));
    let table = &classic("swift", &["swift"])[0];
    let tests = |poses: &str, body: &str, order: &str, cached: &str| {
        table.number(&[poses, body, "median", order, cached], "hull_tests")
    };
    for poses in ["apart", "overlapping"] {
        let of = |order, cached| tests(poses, "surface", order, cached);
        assert!(of("nearest first", "false") <= of("depth first", "false"), "{poses}");
        let solid = tests(poses, "solid", "nearest first", "false");
        assert!(solid <= of("nearest first", "false"), "{poses}");
    }
    // The front pays where much is searched: of bodies that overlap.
    let of = |order, cached| tests("overlapping", "surface", order, cached);
    assert!(
        of("front", "true") < of("depth first", "false") && of("front", "true") < of("depth first", "true")
    );
    assert_eq!(table.rows.len(), 2 * 4 * 5);
}

#[test]
fn sampling_misses_less_the_more_it_samples_and_the_sweep_nothing() {
    let folder = Folder::new();
    quick(&folder, "sweeps");
    let table = Table::read(&folder, "out/sweeps-sampling.csv");
    let missed = |samples: &str| {
        let row = table.rows.iter().find(|row| row[0] == "sampled" && row[1] == samples);
        row.unwrap()[table.at("missed")].parse::<u32>().unwrap()
    };
    assert!(missed("4") > missed("64") && missed("64") >= missed("1024"), "{} {}", missed("4"), missed("64"));
    assert_eq!(table.number(&["continuous"], "missed"), 0.0);
    let steps = Table::read(&folder, "out/sweeps-steps.csv");
    // Straight motion along a face costs one look, however near.
    assert!(steps.number(&["straight", "1e-8"], "steps_max") <= 2.0);
    assert!(steps.number(&["turning", "1e-1"], "steps_mean") < 200.0);
}

#[test]
fn octrees_gather_and_leaves_of_one_box_cost_most() {
    let folder = Folder::new();
    quick(&folder, "broad-octree");
    let table = Table::read(&folder, "out/broad-octree.csv");
    let operations = |sweep: &str, x: &str, name: &str| {
        let row = table.rows.iter().find(|row| row[0] == sweep && row[1] == name && row[3] == x);
        row.unwrap()[table.at("operations")].parse::<f64>().unwrap()
    };
    // Of the operations, which do not depend on the machine: a tree of one level compares nearly all pairs.
    for name in ["octree-dup", "octree"] {
        assert!(operations("depth", "1", name) > 3.0 * operations("depth", "10", name), "{name}");
    }
    // All 1500 boxes meet in the middle after some two seconds, and boxes of a hundredth then meet many others.
    let pairs: Vec<u32> = table
        .rows
        .iter()
        .filter(|row| row[0] == "gathering" && row[1] == "octree")
        .map(|row| row[4].parse().unwrap())
        .collect();
    let most = *pairs.iter().max().unwrap();
    assert!(pairs.len() == 60 && most > 20 * (pairs[0] + 1), "{pairs:?}");
}

#[test]
fn sweep_and_prune_swaps_as_much_as_boxes_move() {
    let folder = Folder::new();
    quick(&folder, "broad-speeds");
    let table = Table::read(&folder, "out/broad-speeds.csv");
    let swaps = |speed: &str| {
        let row = table.rows.iter().find(|row| row[0] == "speed" && row[1] == speed && row[2] == "300");
        row.unwrap()[table.at("swaps")].parse::<f64>().unwrap()
    };
    // As many ends are passed as the way is long: twice as many for twice the speed.
    for [fast, slow] in [["w/5", "w/10"], ["w/10", "w/20"]] {
        let ratio = swaps(fast) / swaps(slow);
        assert!((1.6..2.4).contains(&ratio), "{fast}: {ratio}");
    }
    assert!(swaps("w/5") > 30.0 * swaps("w/320"));
    let feedback = table.rows.iter().filter(|row| row[0] == "feedback").count();
    assert_eq!(feedback, 20);
}

#[test]
fn every_broad_phase_finds_the_pairs_of_bouncing_boxes() {
    let folder = Folder::new();
    for name in ["broad-objects", "broad-scaling"] {
        quick(&folder, name);
    }
    let table = Table::read(&folder, "out/broad-scaling.csv");
    // Sixteen algorithms, two speeds, 100 and 300 boxes; the command compares their pairs.
    assert_eq!(table.rows.len(), 16 * 2 * 2);
    let chosen = |n: &str| {
        let row = table.rows.iter().find(|row| row[1] == "auto" && row[2] == n).unwrap();
        row[table.at("chosen")].clone()
    };
    assert_eq!((chosen("100").as_str(), chosen("300").as_str()), ("brute", "strips"));
}
