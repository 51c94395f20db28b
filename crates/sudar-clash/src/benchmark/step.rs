//! A discipline of the building as STEP (AP214): an assembly of faceted solids, in millimetres.

use std::fmt::Write;

use super::building::{Block, Discipline, Element};

#[derive(Default)]
struct Writer {
    lines: String,
    last: u32,
    context: u32,
    of_product: u32,
    of_definition: u32,
}

/// A product: its definition and its shape.
#[derive(Clone, Copy)]
struct Product {
    definition: u32,
    shape: u32,
}

/// The text of the file.
pub fn file(discipline: Discipline, elements: &[Element]) -> String {
    let name = discipline.name();
    let mut file = Writer::default();
    file.contexts();
    let own: Vec<&Element> = elements.iter().filter(|element| element.discipline == discipline).collect();
    let products: Vec<Product> = own.iter().map(|element| file.element(element)).collect();
    let frame = file.frame();
    let top = file.shape_of(name, &format!("SHAPE_REPRESENTATION('',(#{frame}),#{})", file.context));
    for (element, product) in own.iter().zip(products) {
        file.use_in(&element.name, top, product);
    }
    format!(
        "ISO-10303-21;\nHEADER;\nFILE_DESCRIPTION((''),'2;1');\n\
         FILE_NAME('{name}.step','2026-01-01T00:00:00',(''),(''),'','sudar','');\n\
         FILE_SCHEMA(('AUTOMOTIVE_DESIGN {{ 1 0 10303 214 1 1 1 1 }}'));\nENDSEC;\nDATA;\n{}ENDSEC;\nEND-ISO-10303-21;\n",
        file.lines
    )
}

/// The corners of each face of a box counter-clockwise from outside, by bits of x, y and z; its axis and its direction.
const FACES: [([usize; 4], usize, f64); 6] = [
    ([0, 4, 6, 2], 0, -1.0),
    ([1, 3, 7, 5], 0, 1.0),
    ([0, 1, 5, 4], 1, -1.0),
    ([2, 6, 7, 3], 1, 1.0),
    ([0, 2, 3, 1], 2, -1.0),
    ([4, 5, 7, 6], 2, 1.0),
];

impl Writer {
    fn element(&mut self, element: &Element) -> Product {
        let corners = self.corners(&element.block);
        let holes: Vec<[u32; 8]> = element.openings.iter().map(|hole| self.corners(hole)).collect();
        let mut faces = Vec::new();
        for (loop_, axis, out) in FACES {
            let mut loops = vec![loop_.map(|i| corners[i])];
            for hole in &holes {
                match axis {
                    // Openings go through along y: their borders run the other way round.
                    1 => loops.push([3, 2, 1, 0].map(|k| hole[loop_[k]])),
                    _ => faces.push(self.face(&[[3, 2, 1, 0].map(|k| hole[loop_[k]])], axis, -out)),
                }
            }
            faces.push(self.face(&loops, axis, out));
        }
        let shell = self.add(&format!("CLOSED_SHELL('',{})", list(&faces)));
        let solid = self.add(&format!("FACETED_BREP('',#{shell})"));
        let frame = self.frame();
        let context = self.context;
        let shape = format!("FACETED_BREP_SHAPE_REPRESENTATION('',(#{frame},#{solid}),#{context})");
        self.shape_of(&element.name, &shape)
    }

    fn corners(&mut self, [low, high]: &Block) -> [u32; 8] {
        [0, 1, 2, 3, 4, 5, 6, 7].map(|n: usize| {
            let p = [0, 1, 2].map(|k| if n >> k & 1 == 1 { high[k] } else { low[k] });
            self.add(&format!("CARTESIAN_POINT('',({}.,{}.,{}.))", p[0], p[1], p[2]))
        })
    }

    /// A plane face: its outer border first, then those of its holes.
    fn face(&mut self, loops: &[[u32; 4]], axis: usize, out: f64) -> u32 {
        let bounds: Vec<u32> = (0..)
            .zip(loops)
            .map(|(n, corners)| {
                let border = self.add(&format!("POLY_LOOP('',{})", list(corners)));
                let kind = if n == 0 { "FACE_OUTER_BOUND" } else { "FACE_BOUND" };
                self.add(&format!("{kind}('',#{border},.T.)"))
            })
            .collect();
        let (normal, along) = (self.direction(axis, out), self.direction((axis + 1) % 3, 1.0));
        let frame = self.add(&format!("AXIS2_PLACEMENT_3D('',#{},#{normal},#{along})", loops[0][0]));
        let plane = self.add(&format!("PLANE('',#{frame})"));
        self.add(&format!("FACE_SURFACE('',{},#{plane},.T.)", list(&bounds)))
    }

    fn direction(&mut self, axis: usize, sign: f64) -> u32 {
        let [x, y, z] = [0, 1, 2].map(|k| if k == axis { sign } else { 0.0 });
        self.add(&format!("DIRECTION('',({x:?},{y:?},{z:?}))"))
    }

    fn frame(&mut self) -> u32 {
        let origin = self.add("CARTESIAN_POINT('',(0.,0.,0.))");
        let (up, along) = (self.direction(2, 1.0), self.direction(0, 1.0));
        self.add(&format!("AXIS2_PLACEMENT_3D('',#{origin},#{up},#{along})"))
    }

    fn contexts(&mut self) {
        let length = self.add("(LENGTH_UNIT() NAMED_UNIT(*) SI_UNIT(.MILLI.,.METRE.))");
        let angle = self.add("(NAMED_UNIT(*) PLANE_ANGLE_UNIT() SI_UNIT($,.RADIAN.))");
        let solid = self.add("(NAMED_UNIT(*) SI_UNIT($,.STERADIAN.) SOLID_ANGLE_UNIT())");
        let off = self.add(&format!(
            "UNCERTAINTY_MEASURE_WITH_UNIT(LENGTH_MEASURE(1.E-06),#{length},'distance_accuracy_value','')"
        ));
        self.context = self.add(&format!(
            "(GEOMETRIC_REPRESENTATION_CONTEXT(3) GLOBAL_UNCERTAINTY_ASSIGNED_CONTEXT((#{off})) \
             GLOBAL_UNIT_ASSIGNED_CONTEXT((#{length},#{angle},#{solid})) REPRESENTATION_CONTEXT('',''))"
        ));
        let application = self.add("APPLICATION_CONTEXT('automotive design')");
        self.of_product = self.add(&format!("PRODUCT_CONTEXT('',#{application},'mechanical')"));
        self.of_definition =
            self.add(&format!("PRODUCT_DEFINITION_CONTEXT('part definition',#{application},'design')"));
    }

    /// A product of this shape.
    fn shape_of(&mut self, name: &str, shape: &str) -> Product {
        let shape = self.add(shape);
        let product = self.add(&format!("PRODUCT('{name}','{name}','',(#{}))", self.of_product));
        let formation = self.add(&format!("PRODUCT_DEFINITION_FORMATION('','',#{product})"));
        let definition =
            self.add(&format!("PRODUCT_DEFINITION('design','',#{formation},#{})", self.of_definition));
        let property = self.add(&format!("PRODUCT_DEFINITION_SHAPE('','',#{definition})"));
        self.add(&format!("SHAPE_DEFINITION_REPRESENTATION(#{property},#{shape})"));
        Product { definition, shape }
    }

    /// Puts a product in another as it stands.
    fn use_in(&mut self, name: &str, whole: Product, part: Product) {
        let (a, b) = (whole.definition, part.definition);
        let usage = self.add(&format!("NEXT_ASSEMBLY_USAGE_OCCURRENCE('{name}','{name}','',#{a},#{b},$)"));
        let (from, to) = (self.frame(), self.frame());
        let motion = self.add(&format!("ITEM_DEFINED_TRANSFORMATION('','',#{from},#{to})"));
        let relation = self.add(&format!(
            "(REPRESENTATION_RELATIONSHIP('','',#{},#{}) \
             REPRESENTATION_RELATIONSHIP_WITH_TRANSFORMATION(#{motion}) SHAPE_REPRESENTATION_RELATIONSHIP())",
            part.shape, whole.shape
        ));
        let property = self.add(&format!("PRODUCT_DEFINITION_SHAPE('','',#{usage})"));
        self.add(&format!("CONTEXT_DEPENDENT_SHAPE_REPRESENTATION(#{relation},#{property})"));
    }

    fn add(&mut self, entity: &str) -> u32 {
        self.last += 1;
        // Writing to a text cannot fail.
        let _ = writeln!(self.lines, "#{}={entity};", self.last);
        self.last
    }
}

fn list(numbers: &[u32]) -> String {
    let all: Vec<String> = numbers.iter().map(|n| format!("#{n}")).collect();
    format!("({})", all.join(","))
}
