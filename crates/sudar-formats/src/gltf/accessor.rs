//! Numbers out of buffers: points and indices, dense or sparse.

use sudar::DVec3;

use super::buffers::Buffers;
use super::document::{Accessor, ComponentType, Root, Sparse};
use crate::{Cause, Place};

/// Reads accessors of one document.
pub struct Accessors<'a> {
    root: &'a Root,
    buffers: &'a Buffers<'a>,
    /// How many bytes the results may still take, for any claim of the file.
    left: u64,
    /// How many elements that no byte stands behind are believed.
    unbacked: u64,
}

/// A number type and what its integers are divided by.
#[derive(Clone, Copy)]
struct Scalar {
    kind: ComponentType,
    normalized: bool,
}

/// Where the elements of an accessor lie.
#[derive(Clone, Copy)]
struct Layout<'b> {
    bytes: &'b [u8],
    stride: usize,
    size: usize,
}

impl<'a> Accessors<'a> {
    /// Reads from `buffers`, at most `left` bytes of results; `unbacked` limits sparse accessors of zeros.
    pub fn new(root: &'a Root, buffers: &'a Buffers<'a>, left: u64, unbacked: u64) -> Self {
        Self { root, buffers, left, unbacked }
    }

    /// Takes from the bytes that results may take.
    pub fn charge(&mut self, bytes: u64) -> Result<(), Cause> {
        self.left = self.left.checked_sub(bytes).ok_or(Cause::Bomb { limit: crate::source::MAX_EXPANDED })?;
        Ok(())
    }

    /// The points of accessor `index`, all finite.
    pub fn points(&mut self, index: usize) -> Result<Vec<DVec3>, Cause> {
        let place = move || Place::Item(format!("accessor {index}"));
        let accessor = self.get(index, "VEC3", "three numbers a vertex")?;
        let scalar = Scalar { kind: kind(accessor, place())?, normalized: accessor.normalized };
        let size = scalar.kind.size();
        let read = |bytes: &[u8]| {
            DVec3::from_array([0, 1, 2].map(|i| scalar.real(bytes.get(i * size..).unwrap_or_default())))
        };
        let points = self.elements(accessor, 3 * size, &place(), DVec3::ZERO, read)?;
        for (i, p) in points.iter().enumerate() {
            if let Some(&found) = p.as_ref().iter().find(|x| !x.is_finite()) {
                return Err(Cause::NotFinite {
                    place: Place::Item(format!("accessor {index}, vertex {i}")),
                    found,
                });
            }
        }
        Ok(points)
    }

    /// The indices of accessor `index`.
    pub fn indices(&mut self, index: usize) -> Result<Vec<u32>, Cause> {
        let place = || Place::Item(format!("accessor {index}"));
        let accessor = self.get(index, "SCALAR", "scalar indices")?;
        let kind = kind(accessor, place())?;
        if !kind.is_unsigned() {
            return Err(Cause::expected(place(), "unsigned indices", format!("{kind:?}").as_bytes()));
        }
        self.elements(accessor, kind.size(), &place(), 0, |bytes| index_of(kind, bytes))
    }

    fn get(&self, index: usize, shape: &str, wanted: &str) -> Result<&'a Accessor, Cause> {
        let place = || Place::Item(format!("accessor {index}"));
        let missing = || Cause::expected(place(), "an accessor that exists", b"none");
        let accessor = self.root.accessors.get(index).ok_or_else(missing)?;
        if accessor.shape == shape {
            Ok(accessor)
        } else {
            Err(Cause::expected(place(), wanted, accessor.shape.as_bytes()))
        }
    }

    /// The elements, with sparse replacements made.
    fn elements<T: Copy>(
        &mut self,
        accessor: &Accessor,
        size: usize,
        place: &Place,
        zero: T,
        read: impl Fn(&[u8]) -> T,
    ) -> Result<Vec<T>, Cause> {
        let count = accessor.count;
        let mut elements = match accessor.buffer_view {
            Some(view) => {
                let layout = self.layout(view, accessor.byte_offset, count, size, place)?;
                self.charge(count.saturating_mul(size_of::<T>() as u64))?;
                layout.each(count as usize).map(&read).collect()
            }
            None => {
                check_claim(count, self.unbacked, "elements", place)?;
                self.charge(count.saturating_mul(size_of::<T>() as u64))?;
                vec![zero; count as usize]
            }
        };
        if let Some(sparse) = &accessor.sparse {
            self.replace(sparse, &mut elements, size, place, read)?;
        }
        Ok(elements)
    }

    /// Makes the replacements of a sparse accessor.
    fn replace<T>(
        &self,
        sparse: &Sparse,
        elements: &mut [T],
        size: usize,
        place: &Place,
        read: impl Fn(&[u8]) -> T,
    ) -> Result<(), Cause> {
        let kind = ComponentType::of(sparse.indices.component_type).filter(|kind| kind.is_unsigned());
        let other = || Cause::expected(place.clone(), "unsigned sparse indices", b"another type");
        let (kind, count) = (kind.ok_or_else(other)?, sparse.count);
        let (at, values) = (&sparse.indices, &sparse.values);
        let at = self.layout(at.buffer_view, at.byte_offset, count, kind.size(), place)?;
        let values = self.layout(values.buffer_view, values.byte_offset, count, size, place)?;
        let length = elements.len();
        for (at, value) in at.each(count as usize).zip(values.each(count as usize)) {
            let index = index_of(kind, at);
            let beyond = || Cause::NoSuchVertex { place: place.clone(), index: index.into(), count: length };
            *elements.get_mut(index as usize).ok_or_else(beyond)? = read(value);
        }
        Ok(())
    }

    /// Where `count` elements of `size` bytes lie, all of them inside the view.
    fn layout(
        &self,
        view: usize,
        offset: u64,
        count: u64,
        size: usize,
        place: &Place,
    ) -> Result<Layout<'a>, Cause> {
        let bytes = self.buffers.view(view)?;
        let stride = self.root.buffer_views[view].byte_stride;
        let stride = if stride == 0 { size } else { stride };
        let bytes = usize::try_from(offset).ok().and_then(|offset| bytes.get(offset..)).unwrap_or_default();
        let room = match bytes.len().checked_sub(size) {
            Some(more) => (more / stride) as u64 + 1,
            None => 0,
        };
        check_claim(count, room, "elements of its buffer view", place)?;
        Ok(Layout { bytes, stride, size })
    }
}

fn check_claim(claimed: u64, room: u64, what: &str, place: &Place) -> Result<(), Cause> {
    if claimed <= room {
        return Ok(());
    }
    Err(Cause::Claim { place: place.clone(), what: what.to_owned(), claimed, room })
}

fn kind(accessor: &Accessor, place: Place) -> Result<ComponentType, Cause> {
    let other = || Cause::expected(place, "a known component type", b"another");
    ComponentType::of(accessor.component_type).ok_or_else(other)
}

impl<'b> Layout<'b> {
    /// The bytes of each of the first `count` elements.
    fn each(self, count: usize) -> impl Iterator<Item = &'b [u8]> {
        (0..count).map(move |i| {
            let start = i * self.stride;
            self.bytes.get(start..start + self.size).unwrap_or_default()
        })
    }
}

impl Scalar {
    /// The number at the front of the bytes; NaN if there are too few.
    fn real(self, bytes: &[u8]) -> f64 {
        fn first<const N: usize, T: Into<f64>>(bytes: &[u8], from: impl Fn([u8; N]) -> T) -> f64 {
            bytes.first_chunk::<N>().map_or(f64::NAN, |b| from(*b).into())
        }
        let (value, largest) = match self.kind {
            ComponentType::I8 => (first(bytes, i8::from_le_bytes), 127.0),
            ComponentType::U8 => (first(bytes, u8::from_le_bytes), 255.0),
            ComponentType::I16 => (first(bytes, i16::from_le_bytes), 32767.0),
            ComponentType::U16 => (first(bytes, u16::from_le_bytes), 65535.0),
            ComponentType::U32 => (first(bytes, u32::from_le_bytes), 4_294_967_295.0),
            ComponentType::F32 => return first(bytes, f32::from_le_bytes),
        };
        // NaN must stay NaN, so not `max`.
        let scaled = value / largest;
        if !self.normalized {
            value
        } else if scaled < -1.0 {
            -1.0
        } else {
            scaled
        }
    }
}

/// The unsigned number at the front of the bytes; the greatest, which is no index, if there are too few.
fn index_of(kind: ComponentType, bytes: &[u8]) -> u32 {
    let mut word = [0; 4];
    match bytes.get(..kind.size()) {
        Some(own) => word[..own.len()].copy_from_slice(own),
        None => word = [0xff; 4],
    }
    u32::from_le_bytes(word)
}
