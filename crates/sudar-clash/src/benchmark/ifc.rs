//! A discipline of the building as IFC4: extrusions, openings, windows that fill them, storeys, grid, a site far out.

use std::fmt::Write;

use super::building::{ACROSS, ALONG, BAY, Block, Discipline, Element, HEIGHT, STOREYS};

/// Where the site stands in the coordinates of the country, in metres.
const SITE: [f64; 3] = [456_789.0, 5_432_110.0, 120.0];

struct Writer {
    lines: String,
    last: u32,
    /// How many millimetres the unit of the file is.
    unit: f64,
}

/// The text of the file.
pub fn file(discipline: Discipline, elements: &[Element]) -> String {
    let unit = match discipline {
        Discipline::Architecture => 1000.0,
        Discipline::Structure => 1.0,
        Discipline::Services => 304.8,
    };
    let mut file = Writer { lines: String::new(), last: 0, unit };
    file.whole(discipline, elements);
    format!(
        "ISO-10303-21;\nHEADER;\nFILE_DESCRIPTION(('ViewDefinition [ReferenceView]'),'2;1');\n\
         FILE_NAME('{}.ifc','2026-01-01T00:00:00',(''),(''),'','sudar','');\nFILE_SCHEMA(('IFC4'));\nENDSEC;\nDATA;\n\
         {}ENDSEC;\nEND-ISO-10303-21;\n",
        discipline.name(),
        file.lines
    )
}

impl Writer {
    fn whole(&mut self, discipline: Discipline, elements: &[Element]) {
        let units = self.units();
        let frame = self.frame([0.0; 3]);
        let context = self.add(&format!("IFCGEOMETRICREPRESENTATIONCONTEXT($,'Model',3,1.E-5,#{frame},$)"));
        let project = self.rooted("IFCPROJECT", "'Benchmark',$,$,$,$", &format!("(#{context}),#{units}"));
        let site_place = self.placement(None, SITE.map(|x| x * 1000.0));
        let site = self.rooted("IFCSITE", &format!("'Site',$,$,#{site_place},$"), "$,.ELEMENT.,$,$,$,$,$");
        let building =
            self.rooted("IFCBUILDING", &format!("'Building',$,$,#{site_place},$"), "$,.ELEMENT.,$,$,$");
        self.aggregate(project, &[site]);
        self.aggregate(site, &[building]);
        let mut storeys = Vec::new();
        for n in 0..STOREYS {
            let base = n as i64 * HEIGHT;
            let place = self.placement(Some(site_place), [0.0, 0.0, base as f64]);
            let tail = format!("$,.ELEMENT.,{}", self.length(base as f64));
            let storey = self.rooted("IFCBUILDINGSTOREY", &format!("'level {n}',$,$,#{place},$"), &tail);
            let own: Vec<&Element> =
                elements.iter().filter(|e| e.discipline == discipline && e.storey == n).collect();
            let mut inside: Vec<u32> = own.iter().map(|e| self.element(e, context, place, base)).collect();
            if discipline == Discipline::Structure && n == 0 {
                inside.push(self.grid(context, place));
            }
            self.relate("IFCRELCONTAINEDINSPATIALSTRUCTURE", &inside, storey);
            storeys.push(storey);
        }
        self.aggregate(building, &storeys);
    }

    /// An element, and the openings cut out of it; a window is in one by its place alone.
    fn element(&mut self, element: &Element, context: u32, storey: u32, base: i64) -> u32 {
        let product = self.product(element.class, &element.name, &element.block, context, storey, base);
        for hole in &element.openings {
            let opening = self.product("IFCOPENINGELEMENT", "opening", hole, context, storey, base);
            let id = self.id();
            self.add(&format!("IFCRELVOIDSELEMENT('{id}',$,$,$,#{product},#{opening})"));
        }
        product
    }

    /// A box, extruded along its longest side.
    fn product(
        &mut self,
        class: &str,
        name: &str,
        [low, high]: &Block,
        context: u32,
        storey: u32,
        base: i64,
    ) -> u32 {
        let size = [0, 1, 2].map(|k| (high[k] - low[k]) as f64);
        let along = (0..3).max_by_key(|&k| high[k] - low[k]).unwrap_or(2);
        let (x, y) = ((along + 1) % 3, (along + 2) % 3);
        // The middle of the face where the extrusion begins.
        let start = [0, 1, 2].map(|k| {
            let low = (low[k] - if k == 2 { base } else { 0 }) as f64;
            if k == along { low } else { low + 0.5 * size[k] }
        });
        let axis = |k: usize| ["(1.,0.,0.)", "(0.,1.,0.)", "(0.,0.,1.)"][k];
        let (z, first) = (
            self.add(&format!("IFCDIRECTION({})", axis(along))),
            self.add(&format!("IFCDIRECTION({})", axis(x))),
        );
        let point = self.point(start);
        let frame = self.add(&format!("IFCAXIS2PLACEMENT3D(#{point},#{z},#{first})"));
        let place = self.add(&format!("IFCLOCALPLACEMENT(#{storey},#{frame})"));
        let sides = [x, y].map(|k| self.length(size[k]));
        let profile = self.add(&format!("IFCRECTANGLEPROFILEDEF(.AREA.,$,$,{},{})", sides[0], sides[1]));
        let up = self.add("IFCDIRECTION((0.,0.,1.))");
        let far = self.length(size[along]);
        let solid = self.add(&format!("IFCEXTRUDEDAREASOLID(#{profile},$,#{up},{far})"));
        let body = self.add(&format!("IFCSHAPEREPRESENTATION(#{context},'Body','SweptSolid',(#{solid}))"));
        let shape = self.add(&format!("IFCPRODUCTDEFINITIONSHAPE($,$,(#{body}))"));
        let tail = if class == "IFCWINDOW" { "$,$,$,$,$,$" } else { "$,$" };
        self.rooted(class, &format!("'{name}',$,$,#{place},#{shape}"), tail)
    }

    fn grid(&mut self, context: u32, storey: u32) -> u32 {
        let frame = self.frame([0.0; 3]);
        let place = self.add(&format!("IFCLOCALPLACEMENT(#{storey},#{frame})"));
        let (wide, long) = ((4 * BAY) as f64, (3 * BAY) as f64);
        let far = |k: usize| k as f64 * BAY as f64;
        let mut curves = Vec::new();
        let across = ACROSS.iter().enumerate().map(|(k, name)| (*name, [[far(k), 0.0], [far(k), long]]));
        let across = self.axes(across, &mut curves);
        let along = ALONG.iter().enumerate().map(|(k, name)| (*name, [[0.0, far(k)], [wide, far(k)]]));
        let along = self.axes(along, &mut curves);
        let set = self.add(&format!("IFCGEOMETRICCURVESET({})", list(&curves)));
        let drawn =
            self.add(&format!("IFCSHAPEREPRESENTATION(#{context},'FootPrint','GeometricCurveSet',(#{set}))"));
        let shape = self.add(&format!("IFCPRODUCTDEFINITIONSHAPE($,$,(#{drawn}))"));
        let tail = format!("{},{},$,$", list(&across), list(&along));
        self.rooted("IFCGRID", &format!("'Grid',$,$,#{place},#{shape}"), &tail)
    }

    fn axes(
        &mut self,
        axes: impl Iterator<Item = (&'static str, [[f64; 2]; 2])>,
        curves: &mut Vec<u32>,
    ) -> Vec<u32> {
        axes.map(|(name, ends)| {
            let [from, to] = ends.map(|p| self.flat(p));
            let line = self.add(&format!("IFCPOLYLINE((#{from},#{to}))"));
            curves.push(line);
            self.add(&format!("IFCGRIDAXIS('{name}',#{line},.T.)"))
        })
        .collect()
    }

    fn units(&mut self) -> u32 {
        let metre = self.add("IFCSIUNIT(*,.LENGTHUNIT.,$,.METRE.)");
        let length = if self.unit == 1000.0 {
            metre
        } else if self.unit == 1.0 {
            self.add("IFCSIUNIT(*,.LENGTHUNIT.,.MILLI.,.METRE.)")
        } else {
            let powers = self.add("IFCDIMENSIONALEXPONENTS(1,0,0,0,0,0,0)");
            let foot = self.add(&format!("IFCMEASUREWITHUNIT(IFCLENGTHMEASURE(0.3048),#{metre})"));
            self.add(&format!("IFCCONVERSIONBASEDUNIT(#{powers},.LENGTHUNIT.,'FOOT',#{foot})"))
        };
        self.add(&format!("IFCUNITASSIGNMENT((#{length}))"))
    }

    fn add(&mut self, entity: &str) -> u32 {
        self.last += 1;
        // Writing to a text cannot fail.
        let _ = writeln!(self.lines, "#{}={entity};", self.last);
        self.last
    }

    /// An object with a GlobalId and no owner, with attributes before and behind.
    fn rooted(&mut self, class: &str, head: &str, tail: &str) -> u32 {
        let id = self.id();
        self.add(&format!("{class}('{id}',$,{head},{tail})"))
    }

    /// A GlobalId, another one in each file and for each entity.
    fn id(&self) -> String {
        const LETTERS: &[u8; 64] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_$";
        let mut rest = u64::from(self.last) | (self.unit.to_bits() >> 40) << 32;
        let mut letters = vec!['0'; 22];
        for letter in letters.iter_mut().rev() {
            *letter = char::from(LETTERS[(rest & 63) as usize]);
            rest >>= 6;
        }
        letters.into_iter().collect()
    }

    /// A length of so many millimetres, in the unit of the file.
    fn length(&self, millimetres: f64) -> String {
        format!("{:?}", millimetres / self.unit)
    }

    fn point(&mut self, p: [f64; 3]) -> u32 {
        let [x, y, z] = p.map(|x| self.length(x));
        self.add(&format!("IFCCARTESIANPOINT(({x},{y},{z}))"))
    }

    fn flat(&mut self, p: [f64; 2]) -> u32 {
        let [x, y] = p.map(|x| self.length(x));
        self.add(&format!("IFCCARTESIANPOINT(({x},{y}))"))
    }

    fn frame(&mut self, p: [f64; 3]) -> u32 {
        let point = self.point(p);
        self.add(&format!("IFCAXIS2PLACEMENT3D(#{point},$,$)"))
    }

    fn placement(&mut self, parent: Option<u32>, p: [f64; 3]) -> u32 {
        let frame = self.frame(p);
        let parent = parent.map_or("$".to_owned(), |parent| format!("#{parent}"));
        self.add(&format!("IFCLOCALPLACEMENT({parent},#{frame})"))
    }

    fn aggregate(&mut self, whole: u32, parts: &[u32]) {
        let id = self.id();
        self.add(&format!("IFCRELAGGREGATES('{id}',$,$,$,#{whole},{})", list(parts)));
    }

    fn relate(&mut self, class: &str, parts: &[u32], to: u32) {
        let id = self.id();
        self.add(&format!("{class}('{id}',$,$,$,{},#{to})", list(parts)));
    }
}

fn list(numbers: &[u32]) -> String {
    let all: Vec<String> = numbers.iter().map(|n| format!("#{n}")).collect();
    format!("({})", all.join(","))
}
