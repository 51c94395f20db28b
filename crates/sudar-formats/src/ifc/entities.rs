//! What stands in the arguments of an entity.

use crate::step::{Entity, Step, references, text_length};

impl<'a> Step<'a> {
    /// The entity of a number.
    pub fn entity(&self, number: u32) -> Option<&Entity<'a>> {
        self.entities.get(&number)
    }
}

impl<'a> Entity<'a> {
    /// The argument of a number from 0, without blanks around it.
    pub fn argument(&self, number: usize) -> Option<&'a [u8]> {
        arguments(self.arguments).nth(number)
    }

    /// The entities that an argument refers to.
    pub fn references(&self, number: usize) -> impl Iterator<Item = u32> + use<'a> {
        self.argument(number).into_iter().flat_map(references).map(|(number, _)| number)
    }
}

/// The pieces between commas outside texts and parentheses.
fn arguments(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut rest = Some(text);
    std::iter::from_fn(move || {
        let whole = rest?;
        let end = comma(whole);
        rest = end.map(|end| &whole[end + 1..]);
        Some(whole[..end.unwrap_or(whole.len())].trim_ascii())
    })
}

/// Where the first comma is that is neither in a text nor in parentheses.
fn comma(text: &[u8]) -> Option<usize> {
    let (mut at, mut depth) = (0, 0_usize);
    while let Some(&byte) = text.get(at) {
        at += 1;
        match byte {
            b'\'' => at += text_length(&text[at..])?,
            b'(' => depth += 1,
            b')' => depth = depth.saturating_sub(1),
            b',' if depth == 0 => return Some(at - 1),
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entities_have_arguments_and_references() {
        let text = "ISO-10303-21;\nDATA;\n#1=IFCWALL('it''s; #9',(#2, #3),$, /* #8 */ #2);\n#2 = A();#3=(B(1)C(#2));\n\
                    ENDSEC;\nEND-ISO-10303-21;\n";
        let step = Step::read(text.as_bytes()).unwrap();
        let wall = step.entity(1).unwrap();
        assert_eq!(wall.class, "IFCWALL");
        assert_eq!(wall.argument(0).unwrap(), b"'it''s; #9'");
        assert_eq!(wall.references(1).collect::<Vec<_>>(), [2, 3]);
        assert_eq!(wall.references(3).collect::<Vec<_>>(), [2]);
        assert_eq!((wall.argument(2), wall.argument(4)), (Some(&b"$"[..]), None));
        assert_eq!(step.entity(3).unwrap().class, "");
    }
}
