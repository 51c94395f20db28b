//! The building of the benchmark, in whole millimetres.

/// A box: its least and its greatest corner.
pub type Block = [[i64; 3]; 2];

/// Whose file an element is in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Discipline {
    Architecture,
    Structure,
    Services,
}

impl Discipline {
    pub const ALL: [Self; 3] = [Self::Architecture, Self::Structure, Self::Services];

    pub const fn name(self) -> &'static str {
        match self {
            Self::Architecture => "architecture",
            Self::Structure => "structure",
            Self::Services => "services",
        }
    }
}

/// An element: a box with openings through it along y.
#[derive(Debug, Clone)]
pub struct Element {
    pub name: String,
    pub class: &'static str,
    pub discipline: Discipline,
    pub storey: usize,
    pub block: Block,
    pub openings: Vec<Block>,
    /// What it is there for, if it is a planted fault or a near miss.
    pub planted: Option<&'static str>,
}

pub const STOREYS: usize = 3;
pub const HEIGHT: i64 = 3500;
/// Axes A to E across x, 1 to 4 across y.
pub const BAY: i64 = 6000;
pub const ACROSS: [&str; 5] = ["A", "B", "C", "D", "E"];
pub const ALONG: [&str; 4] = ["1", "2", "3", "4"];
const SLAB: i64 = 250;

/// All elements: a frame of columns and beams on slabs, outer walls with windows, inner walls, pipes and ducts; and
/// planted faults, the same on each storey.
pub fn building() -> Vec<Element> {
    let mut all = Vec::new();
    for storey in 0..STOREYS {
        Storey { number: storey, base: storey as i64 * HEIGHT, elements: &mut all }.build();
    }
    all
}

struct Storey<'a> {
    number: usize,
    /// The height of the upper side of its slab.
    base: i64,
    elements: &'a mut Vec<Element>,
}

impl Storey<'_> {
    fn build(&mut self) {
        self.frame();
        self.walls();
        self.services();
        self.faults();
    }

    /// Adds a box between two corners above the slab.
    fn add(
        &mut self,
        discipline: Discipline,
        class: &'static str,
        name: &str,
        [low, high]: Block,
    ) -> &mut Element {
        let up = |[x, y, z]: [i64; 3]| [x, y, z + self.base];
        self.elements.push(Element {
            name: format!("{name} L{}", self.number),
            class,
            discipline,
            storey: self.number,
            block: [up(low), up(high)],
            openings: Vec::new(),
            planted: None,
        });
        let last = self.elements.len() - 1;
        &mut self.elements[last]
    }

    fn plant(
        &mut self,
        why: &'static str,
        discipline: Discipline,
        class: &'static str,
        name: &str,
        block: Block,
    ) {
        self.add(discipline, class, name, block).planted = Some(why);
    }

    fn frame(&mut self) {
        let (x, y) = (4 * BAY + 200, 3 * BAY + 200);
        self.add(Discipline::Structure, "IFCSLAB", "slab", [[-200, -200, -SLAB], [x, y, 0]]);
        let top = HEIGHT - SLAB;
        for (i, a) in ACROSS.iter().enumerate() {
            for (j, one) in ALONG.iter().enumerate() {
                let (x, y) = (i as i64 * BAY, j as i64 * BAY);
                let column = [[x - 200, y - 200, 0], [x + 200, y + 200, top]];
                self.add(Discipline::Structure, "IFCCOLUMN", &format!("column {a}{one}"), column);
                if i + 1 < ACROSS.len() {
                    let beam = [[x + 200, y - 150, top - 400], [x + BAY - 200, y + 150, top]];
                    self.add(Discipline::Structure, "IFCBEAM", &format!("beam {a}{one}"), beam);
                }
            }
        }
    }

    /// Outer walls on axes 1 and 4 between columns, with a window flush in an opening each; inner walls across x.
    fn walls(&mut self) {
        let top = HEIGHT - SLAB - 400;
        for i in 0..4_i64 {
            for (j, side) in [(0, "south"), (3, "north")] {
                let (x, y) = (i * BAY, j * BAY);
                let name = format!("wall {side} {}", i + 1);
                let hole = [[x + 2000, y - 150, 900], [x + 4000, y + 150, 2300]];
                let lifted = hole.map(|[x, y, z]| [x, y, z + self.base]);
                let wall = [[x + 200, y - 150, 0], [x + BAY - 200, y + 150, top]];
                self.add(Discipline::Architecture, "IFCWALL", &name, wall).openings.push(lifted);
                let window = [[x + 2000, y - 40, 900], [x + 4000, y + 40, 2300]];
                self.add(Discipline::Architecture, "IFCWINDOW", &format!("window {side} {}", i + 1), window);
            }
        }
        for i in 0..4_i64 {
            let x = i * BAY + 3000;
            let wall = [[x - 60, 150, 0], [x + 60, BAY - 150, 2400]];
            self.add(Discipline::Architecture, "IFCWALL", &format!("partition {}", i + 1), wall);
        }
    }

    /// Pipes and ducts that are in nobody's way: above the partitions, below the beams, apart from each other.
    fn services(&mut self) {
        for k in 0..4_i64 {
            let y = 1000 + 1100 * k;
            let pipe = [[500, y, 2500], [4 * BAY - 500, y + 110, 2610]];
            self.add(Discipline::Services, "IFCPIPESEGMENT", &format!("pipe {}", k + 1), pipe);
        }
        for k in 0..3_i64 {
            let x = 7000 + 5000 * k;
            let duct = [[x, BAY + 300, 2300], [x + 400, 2 * BAY - 300, 2600]];
            self.add(Discipline::Services, "IFCDUCTSEGMENT", &format!("duct {}", k + 1), duct);
        }
    }

    fn faults(&mut self) {
        use Discipline::{Architecture, Services, Structure};
        let pipe = "IFCPIPESEGMENT";
        let duct = "IFCDUCTSEGMENT";
        // Through a partition, and through a beam and its neighbours of the storey below its top.
        self.plant(
            "hard",
            Services,
            pipe,
            "pipe through partition",
            [[2500, 3000, 1500], [3500, 3110, 1610]],
        );
        self.plant(
            "hard",
            Services,
            duct,
            "duct through beam",
            [[2000, 2 * BAY - 1000, 2880], [2500, 2 * BAY + 1000, 3180]],
        );
        self.plant("hard", Services, pipe, "pipe through slab", [[9500, 8000, -600], [9610, 8110, 400]]);
        // By two millimetres into a column, and by forty into a slab.
        self.plant(
            "hard",
            Architecture,
            "IFCWALL",
            "wall 2 mm into column",
            [[BAY + 198, BAY - 60, 0], [BAY + 2000, BAY + 60, 2400]],
        );
        self.plant(
            "hard",
            Architecture,
            "IFCWALL",
            "wall 40 mm into slab",
            [[1000, 14000, -40], [4000, 14120, 2400]],
        );
        // Wholly inside.
        self.plant("contained", Services, pipe, "pipe inside wall", [[800, -50, 300], [1800, 50, 400]]);
        self.plant(
            "contained",
            Services,
            pipe,
            "pipe inside slab",
            [[12000, 9000, -150], [14000, 9050, -100]],
        );
        // The same column in two files.
        let column = [[2 * BAY - 200, BAY - 200, 0], [2 * BAY + 200, BAY + 200, HEIGHT - SLAB]];
        self.plant("duplicate", Architecture, "IFCCOLUMN", "column of the architect C2", column);
        // Face to face, edge to edge, and corner to corner.
        self.plant("touch", Services, duct, "duct on slab", [[16000, 13000, 0], [17000, 13400, 300]]);
        self.plant(
            "touch",
            Services,
            duct,
            "duct along duct on slab",
            [[17000, 13400, 0], [18000, 13800, 300]],
        );
        self.plant(
            "touch",
            Services,
            pipe,
            "pipe at corner of duct",
            [[15900, 12900, 300], [16000, 13000, 400]],
        );
        // Too near, and just far enough.
        self.plant(
            "clearance",
            Services,
            pipe,
            "pipe 30 mm from duct",
            [[7430, 7000, 2400], [7540, 9000, 2510]],
        );
        self.plant(
            "clearance",
            Services,
            pipe,
            "pipe 49 mm from slab",
            [[20000, 15000, 49], [22000, 15110, 159]],
        );
        self.plant(
            "near miss",
            Services,
            pipe,
            "pipe 51 mm from slab",
            [[20000, 16000, 51], [22000, 16110, 161]],
        );
        self.plant(
            "near miss",
            Structure,
            "IFCBEAM",
            "beam 60 mm from duct",
            [[12460, 7000, 2300], [12700, 9000, 2600]],
        );
    }
}
