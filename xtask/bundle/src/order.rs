//! Orders the functions of a program so that like ones stand side by side, and leaves their names out.
//!
//! Servers compress within a window of 32 kB. Instances of a generic function are much alike; by name they stand near
//! each other, and the program compresses into a twentieth less than by size, as wasm-bindgen orders it. Each after
//! those whose code is most like its own, it takes another fortieth less.

use std::error::Error;

use wasm_encoder::reencode::{self, Reencode};
use wasm_encoder::{CodeSection, FunctionSection, Module};
use wasmparser::{
    CodeSectionReader, CustomSectionReader, FunctionSectionReader, ImportSectionReader, KnownCustom, Name,
    Parser, Payload, TypeRef,
};

use crate::likeness;

/// Writes the program in this order. It computes the same: only numbers of functions change.
pub fn by_likeness(wasm: &[u8]) -> Result<Vec<u8>, Box<dyn Error>> {
    let mut module = Module::new();
    Order::by_likeness(wasm)?.parse_core_module(&mut module, Parser::new(0), wasm)?;
    Ok(module.finish())
}

/// An order of the functions that are not imported, which follow the imported ones.
struct Order {
    imported: u32,
    /// Old places by new ones.
    old: Vec<usize>,
    /// New places by old ones.
    new: Vec<u32>,
}

impl Order {
    fn by_likeness(wasm: &[u8]) -> Result<Self, Box<dyn Error>> {
        let (mut imported, mut count) = (0, 0);
        let (mut named, mut bodies) = (Vec::new(), Vec::new());
        for payload in Parser::new(0).parse_all(wasm) {
            match payload? {
                Payload::ImportSection(section) => imported = functions(section)?,
                Payload::FunctionSection(section) => count = section.count() as usize,
                Payload::CodeSectionEntry(body) => bodies.push(body.as_bytes()),
                Payload::CustomSection(section) => named.extend(names(&section)?),
                _ => {}
            }
        }
        let mut keys = vec![""; count];
        for (index, name) in named {
            let place = index.checked_sub(imported).and_then(|place| keys.get_mut(place as usize));
            if let Some(key) = place {
                *key = without_hash(name);
            }
        }
        // Equal names stay ordered by size.
        let mut named: Vec<usize> = (0..count).collect();
        named.sort_by_key(|&place| (method(keys[place]), keys[place]));
        let old = likeness::order(&bodies, &named);
        let mut new = vec![0; count];
        for (to, &from) in (0..).zip(&old) {
            new[from] = to;
        }
        Ok(Self { imported, old, new })
    }
}

impl Reencode for Order {
    type Error = std::convert::Infallible;

    fn function_index(&mut self, index: u32) -> Result<u32, reencode::Error> {
        let place = index.checked_sub(self.imported).and_then(|place| self.new.get(place as usize));
        Ok(place.map_or(index, |place| self.imported + place))
    }

    fn parse_function_section(
        &mut self,
        functions: &mut FunctionSection,
        section: FunctionSectionReader<'_>,
    ) -> Result<(), reencode::Error> {
        let types = section.into_iter().collect::<Result<Vec<_>, _>>()?;
        for place in &self.old {
            functions.function(types[*place]);
        }
        Ok(())
    }

    fn parse_code_section(
        &mut self,
        code: &mut CodeSection,
        section: CodeSectionReader<'_>,
    ) -> Result<(), reencode::Error> {
        let bodies = section.into_iter().collect::<Result<Vec<_>, _>>()?;
        for place in self.old.clone() {
            self.parse_function_body(code, bodies[place].clone())?;
        }
        Ok(())
    }

    /// Names say nothing to those who open the page.
    fn parse_custom_section(
        &mut self,
        module: &mut Module,
        section: CustomSectionReader<'_>,
    ) -> Result<(), reencode::Error> {
        match section.as_known() {
            KnownCustom::Name(_) => Ok(()),
            _ => reencode::utils::parse_custom_section(self, module, section),
        }
    }
}

/// How many functions are imported.
fn functions(section: ImportSectionReader<'_>) -> Result<u32, Box<dyn Error>> {
    let mut count = 0;
    for import in section.into_imports() {
        count += u32::from(matches!(import?.ty, TypeRef::Func(_) | TypeRef::FuncExact(_)));
    }
    Ok(count)
}

/// The names of functions, if this section has them.
fn names<'w>(section: &CustomSectionReader<'w>) -> Result<Vec<(u32, &'w str)>, Box<dyn Error>> {
    let KnownCustom::Name(parts) = section.as_known() else {
        return Ok(Vec::new());
    };
    let mut names = Vec::new();
    for part in parts {
        if let Name::Function(functions) = part? {
            for naming in functions {
                let naming = naming?;
                names.push((naming.index, naming.name));
            }
        }
    }
    Ok(names)
}

/// `core::slice::sort::stable::quicksort::quicksort` of `…::h0123456789abcdef`, which tells instances apart.
fn without_hash(name: &str) -> &str {
    name.rsplit_once("::h").map_or(name, |(name, _)| name)
}

/// `core::fmt::Debug>::fmt` of `<sudar::Mesh as core::fmt::Debug>::fmt`: a trait's methods are more alike than those of
/// a type.
fn method(name: &str) -> &str {
    name.rsplit_once(" as ").map_or(name, |(_, method)| method)
}
