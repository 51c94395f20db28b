//! Things in the order of a number.

/// Things by a number of each, the least first, and equal ones as they were. The sort is of numbers alone: one for all
/// kinds of things, as sorts are large and what they sort is few.
pub(crate) fn ascending<T>(list: Vec<T>, number: impl FnMut(&T) -> f64) -> Vec<T> {
    let mut numbers: Vec<(f64, u32)> = list.iter().map(number).zip(0..).collect();
    sort(&mut numbers);
    let mut list: Vec<Option<T>> = list.into_iter().map(Some).collect();
    numbers.iter().filter_map(|(_, place)| list[*place as usize].take()).collect()
}

#[inline(never)]
fn sort(numbers: &mut [(f64, u32)]) {
    numbers.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
}

#[cfg(test)]
mod tests {
    use super::ascending;

    #[test]
    fn equal_ones_stay_as_they_were() {
        let list: Vec<(u32, u32)> = (0..200).map(|i| (i * 7 % 10, i)).collect();
        let mut expected = list.clone();
        expected.sort_by_key(|(key, _)| *key);
        assert_eq!(ascending(list, |(key, _)| f64::from(*key)), expected);
    }
}
