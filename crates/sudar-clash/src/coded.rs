//! Clashes as bytes and back, to the last bit.

use sudar::{Aabb, DVec3, Interval};

use crate::depth::{BOX, PENETRATION, REGION};
use crate::found::Separation;
use crate::found::{APART, Clash};
use crate::options::ClashKind;
use crate::regions::{Form, Region};

/// The measures of depth, by number.
const MEASURES: [&str; 3] = [REGION, PENETRATION, BOX];
/// The forms, by number.
const FORMS: [Form; 5] = [Form::Piercing, Form::Protruding, Form::Touching, Form::Contained, Form::Duplicate];

/// The verdicts without a band, by number.
fn verdicts() -> impl Iterator<Item = &'static str> {
    ClashKind::ALL.into_iter().map(ClashKind::name).chain([APART])
}

/// Puts values after one another.
#[derive(Debug, Default)]
pub(crate) struct Writer {
    pub bytes: Vec<u8>,
}

impl Writer {
    pub fn raw(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    pub fn text(&mut self, text: &str) {
        self.count(text.len());
        self.raw(text.as_bytes());
    }

    pub fn wide(&mut self, x: u128) {
        self.raw(&x.to_le_bytes());
    }

    /// A length; none here comes near the limit.
    pub fn count(&mut self, n: usize) {
        self.raw(&u32::try_from(n).unwrap_or(u32::MAX).to_le_bytes());
    }

    pub fn clash(&mut self, clash: Option<&Clash>) {
        let Some(clash) = clash else { return };
        self.place(ClashKind::ALL.iter().position(|kind| *kind == clash.kind));
        self.byte(u8::from(clash.uncertain));
        self.interval(clash.distance);
        self.optional(clash.depth, Self::interval);
        self.place(clash.depth_is.and_then(|name| MEASURES.iter().position(|known| *known == name)));
        self.optional(clash.separation, |to, out| {
            to.interval(out.length);
            to.point(out.direction);
        });
        self.form(clash.form);
        self.place(clash.verdict_without_band.and_then(|name| verdicts().position(|known| known == name)));
        self.count(clash.regions.len());
        clash.regions.iter().for_each(|region| self.region(region));
        self.point(clash.point);
        self.optional(clash.normal, Self::point);
        self.raw(&(clash.triangle_pairs as u64).to_le_bytes());
    }

    fn region(&mut self, region: &Region) {
        self.interval(region.depth);
        self.point(region.direction);
        self.point(region.point);
        self.point(region.bounds.min);
        self.point(region.bounds.max);
        self.number(region.box_volume);
        self.form(Some(region.form));
    }

    fn form(&mut self, form: Option<Form>) {
        self.place(form.and_then(|form| FORMS.iter().position(|known| *known == form)));
    }

    pub fn byte(&mut self, byte: u8) {
        self.bytes.push(byte);
    }

    /// A place in a short list, or none.
    fn place(&mut self, place: Option<usize>) {
        self.byte(place.and_then(|place| u8::try_from(place).ok()).unwrap_or(NONE));
    }

    pub fn number(&mut self, x: f64) {
        self.raw(&x.to_le_bytes());
    }

    fn point(&mut self, p: DVec3) {
        p.to_array().into_iter().for_each(|x| self.number(x));
    }

    fn interval(&mut self, interval: Interval) {
        self.number(interval.lower);
        self.number(interval.upper);
    }

    fn optional<T>(&mut self, value: Option<T>, write: impl FnOnce(&mut Self, T)) {
        self.byte(u8::from(value.is_some()));
        if let Some(value) = value {
            write(self, value);
        }
    }
}

/// Stands for no place in a list.
const NONE: u8 = u8::MAX;

/// Takes values from the front; none where there are not enough bytes, or no such value.
pub(crate) struct Reader<'b> {
    bytes: &'b [u8],
}

impl<'b> Reader<'b> {
    pub fn new(bytes: &'b [u8]) -> Self {
        Self { bytes }
    }

    /// How many bytes are left.
    pub fn left(&self) -> usize {
        self.bytes.len()
    }

    pub fn text(&mut self) -> Option<String> {
        let length = self.count()?;
        String::from_utf8(self.bytes(length)?.to_vec()).ok()
    }

    /// Whether these bytes come next; then they are taken.
    pub fn begins_with(&mut self, bytes: &[u8]) -> bool {
        let rest = self.bytes.strip_prefix(bytes);
        self.bytes = rest.unwrap_or(self.bytes);
        rest.is_some()
    }

    pub fn bytes(&mut self, count: usize) -> Option<&'b [u8]> {
        let (head, rest) = self.bytes.split_at_checked(count)?;
        self.bytes = rest;
        Some(head)
    }

    pub fn wide(&mut self) -> Option<u128> {
        self.array().map(u128::from_le_bytes)
    }

    pub fn count(&mut self) -> Option<usize> {
        usize::try_from(self.u32()?).ok()
    }

    pub fn u32(&mut self) -> Option<u32> {
        self.array().map(u32::from_le_bytes)
    }

    /// The result of a pair: no bytes are no clash.
    pub fn clash(&mut self, [a, b]: [usize; 2]) -> Option<Option<Clash>> {
        if self.bytes.is_empty() {
            return Some(None);
        }
        let clash = Clash {
            a,
            b,
            kind: *ClashKind::ALL.get(self.place()??)?,
            uncertain: self.byte()? != 0,
            distance: self.interval()?,
            depth: self.optional(Self::interval)?,
            depth_is: match self.place()? {
                Some(place) => Some(*MEASURES.get(place)?),
                None => None,
            },
            separation: self
                .optional(|from| Some(Separation { length: from.interval()?, direction: from.point()? }))?,
            form: self.form()?,
            verdict_without_band: match self.place()? {
                Some(place) => Some(verdicts().nth(place)?),
                None => None,
            },
            regions: self.regions()?,
            point: self.point()?,
            normal: self.optional(Self::point)?,
            triangle_pairs: usize::try_from(u64::from_le_bytes(self.array()?)).ok()?,
        };
        self.bytes.is_empty().then_some(Some(clash))
    }

    fn regions(&mut self) -> Option<Vec<Region>> {
        let count = self.count()?;
        (0..count).map(|_| self.region()).collect()
    }

    fn region(&mut self) -> Option<Region> {
        Some(Region {
            depth: self.interval()?,
            direction: self.point()?,
            point: self.point()?,
            bounds: Aabb { min: self.point()?, max: self.point()? },
            box_volume: self.number()?,
            form: self.form()??,
        })
    }

    fn form(&mut self) -> Option<Option<Form>> {
        match self.place()? {
            Some(place) => FORMS.get(place).copied().map(Some),
            None => Some(None),
        }
    }

    fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (head, rest) = self.bytes.split_first_chunk()?;
        self.bytes = rest;
        Some(*head)
    }

    pub fn byte(&mut self) -> Option<u8> {
        self.array().map(|[byte]| byte)
    }

    fn place(&mut self) -> Option<Option<usize>> {
        self.byte().map(|byte| (byte != NONE).then_some(usize::from(byte)))
    }

    pub fn number(&mut self) -> Option<f64> {
        self.array().map(f64::from_le_bytes)
    }

    fn point(&mut self) -> Option<DVec3> {
        Some(DVec3::new(self.number()?, self.number()?, self.number()?))
    }

    fn interval(&mut self) -> Option<Interval> {
        Some(Interval { lower: self.number()?, upper: self.number()? })
    }

    fn optional<T>(&mut self, read: impl FnOnce(&mut Self) -> Option<T>) -> Option<Option<T>> {
        match self.byte()? {
            0 => Some(None),
            _ => read(self).map(Some),
        }
    }
}
