//! STEP files of cubes (AP214), in millimetres.

use std::fmt::Write;

/// A cube from the origin, so many millimetres wide.
pub fn step_cube(size: f64) -> String {
    step_boxes(&[([0.0; 3], size)])
}

/// One product of cubes: the least corner and the width of each, in millimetres.
pub fn step_boxes(cubes: &[([f64; 3], f64)]) -> String {
    let mut file = Step::default();
    let solids: Vec<usize> = cubes.iter().map(|(corner, size)| file.cube(*corner, *size)).collect();
    file.product(&solids);
    format!(
        "ISO-10303-21;\nHEADER;\nFILE_DESCRIPTION((''),'2;1');\n\
         FILE_NAME('cube','2020-01-01T00:00:00',(''),(''),'','','');\nFILE_SCHEMA(('AUTOMOTIVE_DESIGN'));\nENDSEC;\n\
         DATA;\n{}ENDSEC;\nEND-ISO-10303-21;\n",
        file.lines
    )
}

/// The corners of each face counter-clockwise from outside, its axis, and which way is out.
const FACES: [([usize; 4], usize, f64); 6] = [
    ([0, 4, 6, 2], 0, -1.0),
    ([1, 3, 7, 5], 0, 1.0),
    ([0, 1, 5, 4], 1, -1.0),
    ([2, 6, 7, 3], 1, 1.0),
    ([0, 2, 3, 1], 2, -1.0),
    ([4, 5, 7, 6], 2, 1.0),
];

#[derive(Default)]
struct Step {
    lines: String,
    last: usize,
}

impl Step {
    fn add(&mut self, entity: &str) -> usize {
        self.last += 1;
        // Writing to a text cannot fail.
        let _ = writeln!(self.lines, "#{}={entity};", self.last);
        self.last
    }

    fn cube(&mut self, least: [f64; 3], size: f64) -> usize {
        let corner = |n: usize| [0, 1, 2].map(|k| least[k] + if n >> k & 1 == 1 { size } else { 0.0 });
        let vertices: Vec<usize> = (0..8)
            .map(|n| {
                let point = self.point(corner(n));
                self.add(&format!("VERTEX_POINT('',#{point})"))
            })
            .collect();
        let edges: Vec<([usize; 2], usize)> = (0..8_usize)
            .flat_map(|from| (0..3).map(move |axis| [from, from | 1 << axis]))
            .filter(|[from, to]| from != to)
            .map(|[from, to]| {
                ([from, to], self.edge(corner(from), corner(to), [vertices[from], vertices[to]]))
            })
            .collect();
        let faces: Vec<usize> = FACES
            .iter()
            .map(|(loop_, axis, out)| self.face(&edges, *loop_, corner(loop_[0]), *axis, *out))
            .collect();
        let shell = self.add(&format!("CLOSED_SHELL('',{})", list(&faces)));
        self.add(&format!("MANIFOLD_SOLID_BREP('cube',#{shell})"))
    }

    fn point(&mut self, [x, y, z]: [f64; 3]) -> usize {
        self.add(&format!("CARTESIAN_POINT('',({x:?},{y:?},{z:?}))"))
    }

    fn direction(&mut self, [x, y, z]: [f64; 3]) -> usize {
        self.add(&format!("DIRECTION('',({x:?},{y:?},{z:?}))"))
    }

    fn edge(&mut self, from: [f64; 3], to: [f64; 3], ends: [usize; 2]) -> usize {
        let size: f64 = (0..3).map(|k| to[k] - from[k]).sum();
        let way = self.direction([0, 1, 2].map(|k| (to[k] - from[k]) / size));
        let (start, vector) = (self.point(from), self.add(&format!("VECTOR('',#{way},{size:?})")));
        let line = self.add(&format!("LINE('',#{start},#{vector})"));
        self.add(&format!("EDGE_CURVE('',#{},#{},#{line},.T.)", ends[0], ends[1]))
    }

    fn face(
        &mut self,
        edges: &[([usize; 2], usize)],
        corners: [usize; 4],
        at: [f64; 3],
        axis: usize,
        out: f64,
    ) -> usize {
        let oriented: Vec<usize> = (0..4)
            .map(|k| {
                let (from, to) = (corners[k], corners[(k + 1) % 4]);
                let ([first, _], edge) =
                    edges.iter().find(|(ends, _)| ends.contains(&from) && ends.contains(&to)).unwrap();
                let sense = if *first == from { 'T' } else { 'F' };
                self.add(&format!("ORIENTED_EDGE('',*,*,#{edge},.{sense}.)"))
            })
            .collect();
        let border = self.add(&format!("EDGE_LOOP('',{})", list(&oriented)));
        let bound = self.add(&format!("FACE_BOUND('',#{border},.T.)"));
        let normal = self.direction([0, 1, 2].map(|k| if k == axis { out } else { 0.0 }));
        let along = self.direction([0, 1, 2].map(|k| if k == (axis + 1) % 3 { 1.0 } else { 0.0 }));
        let place = self.point(at);
        let frame = self.add(&format!("AXIS2_PLACEMENT_3D('',#{place},#{normal},#{along})"));
        let plane = self.add(&format!("PLANE('',#{frame})"));
        self.add(&format!("ADVANCED_FACE('',(#{bound}),#{plane},.T.)"))
    }

    /// What makes solids the shape of a product.
    fn product(&mut self, solids: &[usize]) {
        let length = self.add("(LENGTH_UNIT() NAMED_UNIT(*) SI_UNIT(.MILLI.,.METRE.))");
        let angle = self.add("(NAMED_UNIT(*) PLANE_ANGLE_UNIT() SI_UNIT($,.RADIAN.))");
        let solid_angle = self.add("(NAMED_UNIT(*) SI_UNIT($,.STERADIAN.) SOLID_ANGLE_UNIT())");
        let off = self.add(&format!(
            "UNCERTAINTY_MEASURE_WITH_UNIT(LENGTH_MEASURE(1.E-07),#{length},'distance_accuracy_value','')"
        ));
        let context = self.add(&format!(
            "(GEOMETRIC_REPRESENTATION_CONTEXT(3) GLOBAL_UNCERTAINTY_ASSIGNED_CONTEXT((#{off})) \
             GLOBAL_UNIT_ASSIGNED_CONTEXT((#{length},#{angle},#{solid_angle})) REPRESENTATION_CONTEXT('',''))"
        ));
        let (origin, up, along) =
            (self.point([0.0; 3]), self.direction([0.0, 0.0, 1.0]), self.direction([1.0, 0.0, 0.0]));
        let frame = self.add(&format!("AXIS2_PLACEMENT_3D('',#{origin},#{up},#{along})"));
        let items = [&[frame], solids].concat();
        let shape = self.add(&format!("ADVANCED_BREP_SHAPE_REPRESENTATION('',{},#{context})", list(&items)));
        let application = self.add("APPLICATION_CONTEXT('automotive design')");
        let of_product = self.add(&format!("PRODUCT_CONTEXT('',#{application},'mechanical')"));
        let product = self.add(&format!("PRODUCT('cube','cube','',(#{of_product}))"));
        let formation = self.add(&format!("PRODUCT_DEFINITION_FORMATION('','',#{product})"));
        let design =
            self.add(&format!("PRODUCT_DEFINITION_CONTEXT('part definition',#{application},'design')"));
        let definition = self.add(&format!("PRODUCT_DEFINITION('design','',#{formation},#{design})"));
        let property = self.add(&format!("PRODUCT_DEFINITION_SHAPE('','',#{definition})"));
        self.add(&format!("SHAPE_DEFINITION_REPRESENTATION(#{property},#{shape})"));
    }
}

fn list(numbers: &[usize]) -> String {
    let all: Vec<String> = numbers.iter().map(|n| format!("#{n}")).collect();
    format!("({})", all.join(","))
}
