//! Small IFC files, written line by line: boxes on storeys, with openings, fillings, spaces and systems.

use std::fmt::Write;

/// A length unit of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IfcUnit {
    /// Millimetres.
    Millimetre,
    /// Metres.
    Metre,
    /// Feet of 0.3048 m.
    Foot,
}

/// A box along the axes: its lowest corner and its size, in the unit of the file.
pub type IfcBox = ([f64; 3], [f64; 3]);

/// An IFC file in the making. Entities are named by their numbers.
#[derive(Debug)]
pub struct Ifc {
    schema: &'static str,
    lines: String,
    last: u32,
    context: u32,
    origin: u32,
    building: u32,
}

/// The letters of a `GlobalId`, whose 22 hold 128 bits.
const LETTERS: &[u8; 64] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_$";

impl Ifc {
    /// A project with a site and a building, by `IFC2X3` or `IFC4`.
    pub fn new(schema: &'static str, unit: IfcUnit) -> Self {
        let mut file = Self { schema, lines: String::new(), last: 0, context: 0, origin: 0, building: 0 };
        let person = file.add("IFCPERSON($,'A',$,$,$,$,$,$)");
        let firm = file.add("IFCORGANIZATION($,'A',$,$,$)");
        let both = file.add(&format!("IFCPERSONANDORGANIZATION(#{person},#{firm},$)"));
        let program = file.add(&format!("IFCAPPLICATION(#{firm},'1','Generator','G')"));
        // Number 5, the owner of everything.
        file.add(&format!("IFCOWNERHISTORY(#{both},#{program},$,.ADDED.,$,$,$,0)"));
        let point = file.point([0.0; 3]);
        file.origin = file.add(&format!("IFCAXIS2PLACEMENT3D(#{point},$,$)"));
        file.context =
            file.add(&format!("IFCGEOMETRICREPRESENTATIONCONTEXT($,'Model',3,1.E-5,#{},$)", file.origin));
        let units = file.units(unit);
        let id = global_id(file.last);
        let project =
            file.add(&format!("IFCPROJECT('{id}',#5,'Project',$,$,$,$,(#{}),#{units})", file.context));
        let site = file.spatial("IFCSITE", "Site", ",$,$,$,$,$");
        file.building = file.spatial("IFCBUILDING", "Building", ",$,$,$");
        file.aggregate(project, &[site]);
        file.aggregate(site, &[file.building]);
        file
    }

    /// A storey of the building, or one in a storey.
    pub fn storey(&mut self, name: &str, parent: Option<u32>) -> u32 {
        let storey = self.spatial("IFCBUILDINGSTOREY", name, ",0.");
        self.aggregate(parent.unwrap_or(self.building), &[storey]);
        storey
    }

    /// A box of this class on a storey. Attributes behind the eighth are left out.
    pub fn element(&mut self, class: &str, name: &str, storey: u32, shape: IfcBox) -> u32 {
        let element = self.product(class, name, shape);
        self.relate("IFCRELCONTAINEDINSPATIALSTRUCTURE", &[element], storey);
        element
    }

    /// A box that belongs to nothing yet.
    pub fn product(&mut self, class: &str, name: &str, shape: IfcBox) -> u32 {
        let shape = self.shape("IFCPRODUCTDEFINITIONSHAPE", shape);
        self.product_of(class, name, shape)
    }

    /// A box whose shape is an `IfcProductRepresentation`, as some programs write it.
    pub fn product_with_plain_representation(
        &mut self,
        class: &str,
        name: &str,
        storey: u32,
        shape: IfcBox,
    ) -> u32 {
        let shape = self.shape("IFCPRODUCTREPRESENTATION", shape);
        let element = self.product_of(class, name, shape);
        self.relate("IFCRELCONTAINEDINSPATIALSTRUCTURE", &[element], storey);
        element
    }

    /// A room on a storey.
    pub fn space(&mut self, name: &str, storey: u32, shape: IfcBox) -> u32 {
        let (id, shape) = (global_id(self.last), self.shape("IFCPRODUCTDEFINITIONSHAPE", shape));
        let place = self.placement();
        let space =
            self.add(&format!("IFCSPACE('{id}',#5,'{name}',$,$,#{place},#{shape},$,.ELEMENT.,.INTERNAL.,$)"));
        self.aggregate(storey, &[space]);
        space
    }

    /// A box cut out of an element.
    pub fn opening(&mut self, host: u32, shape: IfcBox) -> u32 {
        let opening = self.product("IFCOPENINGELEMENT", "Opening", shape);
        let id = global_id(self.last);
        self.add(&format!("IFCRELVOIDSELEMENT('{id}',#5,$,$,#{host},#{opening})"));
        opening
    }

    /// Puts a door or window in an opening.
    pub fn fill(&mut self, opening: u32, element: u32) {
        let id = global_id(self.last);
        self.add(&format!("IFCRELFILLSELEMENT('{id}',#5,$,$,#{opening},#{element})"));
    }

    /// Makes elements parts of a whole.
    pub fn aggregate(&mut self, whole: u32, parts: &[u32]) {
        let (id, parts) = (global_id(self.last), list(parts));
        self.add(&format!("IFCRELAGGREGATES('{id}',#5,$,$,#{whole},{parts})"));
    }

    /// A system of elements.
    pub fn system(&mut self, name: &str, elements: &[u32]) -> u32 {
        let id = global_id(self.last);
        let system = self.add(&format!("IFCSYSTEM('{id}',#5,'{name}',$,$)"));
        let (id, elements) = (global_id(self.last), list(elements));
        self.add(&format!("IFCRELASSIGNSTOGROUP('{id}',#5,$,$,{elements},$,#{system})"));
        system
    }

    /// The `GlobalId` of an entity that is a product.
    pub fn global_id_of(&self, product: u32) -> String {
        let line = self.lines.lines().find(|line| line.starts_with(&format!("#{product}=")));
        line.and_then(|line| line.split('\'').nth(1)).unwrap_or_default().to_owned()
    }

    /// A line of one's own; its number.
    pub fn add(&mut self, entity: &str) -> u32 {
        self.last += 1;
        // Writing to a text cannot fail.
        let _ = writeln!(self.lines, "#{}={entity};", self.last);
        self.last
    }

    /// The file.
    pub fn text(&self) -> String {
        format!(
            "ISO-10303-21;\nHEADER;\nFILE_DESCRIPTION(('ViewDefinition [CoordinationView]'),'2;1');\n\
             FILE_NAME('a.ifc','2020-01-01T00:00:00',('A'),('A'),'1','Generator','');\nFILE_SCHEMA(('{}'));\n\
             ENDSEC;\nDATA;\n{}ENDSEC;\nEND-ISO-10303-21;\n",
            self.schema, self.lines
        )
    }

    fn units(&mut self, unit: IfcUnit) -> u32 {
        let length = match unit {
            IfcUnit::Millimetre => self.add("IFCSIUNIT(*,.LENGTHUNIT.,.MILLI.,.METRE.)"),
            IfcUnit::Metre => self.add("IFCSIUNIT(*,.LENGTHUNIT.,$,.METRE.)"),
            IfcUnit::Foot => {
                let metre = self.add("IFCSIUNIT(*,.LENGTHUNIT.,$,.METRE.)");
                let powers = self.add("IFCDIMENSIONALEXPONENTS(1,0,0,0,0,0,0)");
                let size = self.add(&format!("IFCMEASUREWITHUNIT(IFCLENGTHMEASURE(0.3048),#{metre})"));
                self.add(&format!("IFCCONVERSIONBASEDUNIT(#{powers},.LENGTHUNIT.,'FOOT',#{size})"))
            }
        };
        let angle = self.add("IFCSIUNIT(*,.PLANEANGLEUNIT.,$,.RADIAN.)");
        self.add(&format!("IFCUNITASSIGNMENT((#{length},#{angle}))"))
    }

    fn spatial(&mut self, class: &str, name: &str, rest: &str) -> u32 {
        let (id, place) = (global_id(self.last), self.placement());
        self.add(&format!("{class}('{id}',#5,'{name}',$,$,#{place},$,$,.ELEMENT.{rest})"))
    }

    fn product_of(&mut self, class: &str, name: &str, shape: u32) -> u32 {
        let (id, place) = (global_id(self.last), self.placement());
        self.add(&format!("{class}('{id}',#5,'{name}',$,$,#{place},#{shape},$)"))
    }

    fn placement(&mut self) -> u32 {
        self.add(&format!("IFCLOCALPLACEMENT($,#{})", self.origin))
    }

    fn shape(&mut self, class: &str, (corner, size): IfcBox) -> u32 {
        let middle = self.point([corner[0] + 0.5 * size[0], corner[1] + 0.5 * size[1], corner[2]]);
        let place = self.add(&format!("IFCAXIS2PLACEMENT3D(#{middle},$,$)"));
        let zero = self.add("IFCCARTESIANPOINT((0.,0.))");
        let flat = self.add(&format!("IFCAXIS2PLACEMENT2D(#{zero},$)"));
        let [x, y, z] = size.map(number);
        let profile = self.add(&format!("IFCRECTANGLEPROFILEDEF(.AREA.,$,#{flat},{x},{y})"));
        let up = self.add("IFCDIRECTION((0.,0.,1.))");
        let solid = self.add(&format!("IFCEXTRUDEDAREASOLID(#{profile},#{place},#{up},{z})"));
        let body =
            self.add(&format!("IFCSHAPEREPRESENTATION(#{},'Body','SweptSolid',(#{solid}))", self.context));
        self.add(&format!("{class}($,$,(#{body}))"))
    }

    fn point(&mut self, at: [f64; 3]) -> u32 {
        let [x, y, z] = at.map(number);
        self.add(&format!("IFCCARTESIANPOINT(({x},{y},{z}))"))
    }

    fn relate(&mut self, class: &str, related: &[u32], relating: u32) {
        let (id, related) = (global_id(self.last), list(related));
        self.add(&format!("{class}('{id}',#5,$,$,{related},#{relating})"));
    }
}

/// A number as the format wants it, with a point.
fn number(x: f64) -> String {
    format!("{x:?}")
}

fn list(numbers: &[u32]) -> String {
    let all: Vec<String> = numbers.iter().map(|n| format!("#{n}")).collect();
    format!("({})", all.join(","))
}

/// An identity from a number: the first letter holds two bits, each of the others six.
fn global_id(seed: u32) -> String {
    let bits = u128::from(seed).wrapping_mul(0x9E37_79B9_7F4A_7C15_F39C_C060_5CED_C835);
    (0..22).rev().map(|place| LETTERS[(bits >> (6 * place) & 63) as usize] as char).collect()
}
