//! The commands of docs/bim.md, as they stand there, on a small building of our own.
#![allow(clippy::unwrap_used, reason = "all of this is test code")]

use std::fmt::Write;

use crate::support::{Folder, Run};

const PAGE: &str = include_str!("../../../../docs/bim.md");
/// The file that the page is about.
const HOUSE: &str = "AC11-FZK-Haus-IFC.ifc";

/// A box: class, name, least corner and sizes in metres.
type Element = (&'static str, &'static str, [f64; 3], [f64; 3]);

/// An IFC4 file of boxes in millimetres.
fn ifc(elements: &[Element]) -> String {
    let mut text = "ISO-10303-21;\nHEADER;FILE_DESCRIPTION((''),'2;1');FILE_NAME('','',(''),(''),'','','');\
                    FILE_SCHEMA(('IFC4'));ENDSEC;\nDATA;\n#1=IFCCARTESIANPOINT((0.,0.,0.));\n\
                    #2=IFCDIRECTION((0.,0.,1.));\n#3=IFCAXIS2PLACEMENT3D(#1,$,$);\n\
                    #4=IFCGEOMETRICREPRESENTATIONCONTEXT($,'Model',3,1.E-5,#3,$);\n\
                    #5=IFCSIUNIT(*,.LENGTHUNIT.,.MILLI.,.METRE.);\n#6=IFCUNITASSIGNMENT((#5));\n\
                    #7=IFCPROJECT('3QrBVMwsnEgBFJtnQJGLi$',$,'house',$,$,$,$,(#4),#6);\n\
                    #8=IFCBUILDINGSTOREY('0zF7GRZYnCpxZLSBfHL1Id',$,'EG',$,$,$,$,$,.ELEMENT.,0.);\n\
                    #9=IFCRELAGGREGATES('3VWmDvU4X1xPwqvGndkISi',$,$,$,#7,(#8));\n"
        .to_owned();
    let mut products = Vec::new();
    for (i, (class, name, min, size)) in elements.iter().enumerate() {
        let n = 100 + 10 * i;
        let [x, y, z] = min.map(|x| format!("{:.3}", 1000.0 * x));
        let [dx, dy, dz] = size.map(|x| format!("{:.3}", 1000.0 * x));
        let [mx, my] = [size[0], size[1]].map(|x| format!("{:.3}", 500.0 * x));
        let id = format!("2hUaypderEdvxEdk4w{i:02}wB");
        writeln!(
            text,
            "#{n}=IFCCARTESIANPOINT(({x},{y},{z}));\n#{a}=IFCAXIS2PLACEMENT3D(#{n},$,$);\n\
             #{b}=IFCLOCALPLACEMENT($,#{a});\n#{c}=IFCCARTESIANPOINT(({mx},{my}));\n\
             #{d}=IFCAXIS2PLACEMENT2D(#{c},$);\n#{e}=IFCRECTANGLEPROFILEDEF(.AREA.,$,#{d},{dx},{dy});\n\
             #{f}=IFCEXTRUDEDAREASOLID(#{e},#3,#2,{dz});\n\
             #{g}=IFCSHAPEREPRESENTATION(#4,'Body','SweptSolid',(#{f}));\n\
             #{h}=IFCPRODUCTDEFINITIONSHAPE($,$,(#{g}));\n#{p}={class}('{id}',$,'{name}',$,$,#{b},#{h},$,$);",
            a = n + 1,
            b = n + 2,
            c = n + 3,
            d = n + 4,
            e = n + 5,
            f = n + 6,
            g = n + 7,
            h = n + 8,
            p = n + 9,
        )
        .unwrap();
        products.push(format!("#{}", n + 9));
    }
    let products = products.join(",");
    text + &format!(
        "#99=IFCRELCONTAINEDINSPATIALSTRUCTURE('0Vi4rb4K11lgbnUOOfktIH',$,$,$,({products}),#8);\n\
         ENDSEC;\nEND-ISO-10303-21;\n"
    )
}

/// A pipe through a wall, a rafter in a roof, and walls that stand on a slab; the pipe at a height.
fn house(height: f64) -> String {
    ifc(&[
        ("IFCSLAB", "Sohle", [0.0, 0.0, -0.2], [8.0, 6.0, 0.2]),
        ("IFCWALL", "Wand", [0.0, 0.0, 0.0], [8.0, 0.3, 2.7]),
        ("IFCPIPESEGMENT", "Rohr", [2.0, -0.4, height], [0.1, 1.1, 0.1]),
        ("IFCROOF", "Dach", [0.0, 0.0, 3.0], [8.0, 6.0, 0.3]),
        ("IFCBEAM", "Sparren", [1.0, 1.0, 3.1], [0.1, 3.0, 0.1]),
    ])
}

/// The blocks of a language on the page.
fn blocks(language: &str) -> Vec<&'static str> {
    let fence = format!("```{language}\n");
    PAGE.split(&*fence).skip(1).map(|rest| rest.split("```").next().unwrap()).collect()
}

#[test]
fn the_commands_of_the_page_work_as_they_stand() {
    let folder = Folder::new();
    folder.write(HOUSE, house(1.3));
    folder.write("rules.toml", blocks("toml")[0]);
    let commands = blocks("sh")[0].lines().filter_map(|line| line.strip_prefix("sudar "));
    let mut runs: Vec<(String, Run)> = Vec::new();
    for command in commands {
        // The next version has the pipe elsewhere.
        if command.contains("# after the next version") {
            folder.write(HOUSE, house(1.8));
        }
        let words = command.split('#').next().unwrap().split_whitespace();
        let run = folder.sudar(&words.collect::<Vec<_>>());
        assert!(run.err.is_empty(), "{command}: {}", run.err);
        runs.push((command.to_owned(), run));
    }
    let statuses: Vec<i32> = runs.iter().map(|(_, run)| run.status).collect();
    assert_eq!(statuses, [0, 1, 1, 1], "one command to look, one to report, two for topics");
    assert!(std::fs::metadata(folder.join("report.html")).unwrap().len() > 10_000);
    // The pipe in the wall is hard, the rafter in the roof is one that the rules ignore, all else touches or is near.
    let found = |n: usize| &runs[n].1.out;
    assert!(found(1).contains("2 clashes (1 contained, 1 hard)"), "{}", found(1));
    assert!(found(2).contains("1 hard") && !found(2).contains("contained"), "{}", found(2));
    assert!(found(2).contains("BCF gets no new topics of these"), "{}", found(2));
    assert!(found(3).contains("1 active"), "{}", found(3));
    let bcf = sudar_clash::Bcf::read(&std::fs::read(folder.join("house.bcf")).unwrap()).unwrap();
    assert_eq!(bcf.len(), 1);
    // With the matrix the pairs that have a cell alone are checked.
    folder.write("rules.toml", blocks("toml").concat());
    let run = folder.sudar(&["clash", HOUSE, "--ignore", "rules.toml", "--kinds", "hard"]);
    assert!(run.status == 1 && run.out.contains("critical") && run.err.is_empty(), "{}{}", run.out, run.err);
}

#[test]
fn the_rules_that_come_with_it_are_read() {
    let folder = Folder::new();
    folder.write(HOUSE, house(1.3));
    let rules = concat!(env!("CARGO_MANIFEST_DIR"), "/../sudar-clash/rules");
    let mut files: Vec<_> = std::fs::read_dir(rules).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|file| file.extension().is_some_and(|ending| ending == "toml"));
    assert!(files.len() >= 4, "{files:?}");
    for file in files {
        let file = file.display().to_string();
        let run = folder.sudar(&["clash", HOUSE, "--touch", "1mm", "--ignore", &file]);
        assert!(run.err.is_empty() && [0, 1].contains(&run.status), "{file}: {}", run.err);
    }
}
