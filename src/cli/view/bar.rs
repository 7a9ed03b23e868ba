//! Bars in whole cells, by integer arithmetic: where the time went, and how far a race came. A part that took any time at
//! all keeps a cell. Used by the card, the live view and replay.

/// Splits `cells` by the size of each part, so that they fill it exactly and nothing but an empty part gets none.
///
/// With more parts than cells the later ones get none; a bar of nothing stays empty.
pub(crate) fn shares(parts: &[u64], cells: usize) -> Vec<usize> {
    let whole: u128 = parts.iter().map(|part| u128::from(*part)).sum();
    if whole == 0 {
        return vec![0; parts.len()];
    }
    let exact = |part: u64| u128::from(part) * cells as u128;
    let mut given: Vec<usize> = parts
        .iter()
        .map(|part| {
            usize::try_from(exact(*part) / whole).unwrap_or(cells).max(usize::from(*part > 0))
        })
        .collect();
    // What rounding left over goes to the largest rests; what the small parts took comes from the largest part.
    while given.iter().sum::<usize>() < cells {
        let short =
            |index: &usize| exact(parts[*index]).saturating_sub(given[*index] as u128 * whole);
        let Some(index) = (0..parts.len()).max_by_key(|index| (short(index), parts.len() - index))
        else {
            break;
        };
        given[index] += 1;
    }
    while given.iter().sum::<usize>() > cells {
        let Some(index) = (0..parts.len()).max_by_key(|index| (given[*index], *index)) else {
            break;
        };
        given[index] -= 1;
    }
    given
}

/// Cells of a bar that fills from 0 to `whole`: any progress shows, and only the whole is full.
pub(crate) fn filled(part: u64, whole: u64, cells: usize) -> usize {
    if part == 0 || cells == 0 {
        return 0;
    }
    if part >= whole {
        return cells;
    }
    let exact = u128::from(part) * cells as u128 / u128::from(whole);
    usize::try_from(exact).unwrap_or(cells).clamp(1, cells.saturating_sub(1).max(1))
}

/// A stretch of a time line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Stretch<K> {
    /// What fills it.
    pub kind: K,
    /// Where it begins.
    pub from_ms: u64,
    /// Where it ends.
    pub to_ms: u64,
}

/// The cells of a time line of `whole_ms`: each stretch gets one cell at least and pushes the next one on; nothing where
/// no stretch is.
pub(crate) fn timeline<K: Copy>(
    stretches: &[Stretch<K>],
    whole_ms: u64,
    cells: usize,
) -> Vec<Option<K>> {
    let mut line = vec![None; cells];
    if whole_ms == 0 {
        return line;
    }
    let cell = |ms: u64| {
        let exact = u128::from(ms.min(whole_ms)) * cells as u128;
        usize::try_from((exact + u128::from(whole_ms) / 2) / u128::from(whole_ms)).unwrap_or(cells)
    };
    let mut free = 0;
    for stretch in stretches.iter().filter(|it| it.to_ms > it.from_ms) {
        let begins = cell(stretch.from_ms).max(free).min(cells);
        let ends = cell(stretch.to_ms).max(begins + 1).min(cells);
        line[begins..ends].fill(Some(stretch.kind));
        free = ends;
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn no_part_is_rounded_away() {
        assert_eq!(shares(&[255_000, 400, 28_800, 52_000], 76), [57, 1, 6, 12]);
        assert_eq!(shares(&[1, 0, 1], 5), [3, 0, 2]);
        assert_eq!(shares(&[0, 0], 5), [0, 0]);
        assert_eq!(shares(&[9, 9, 9], 2), [1, 1, 0]);
    }

    #[test]
    fn a_bar_is_full_only_at_its_end() {
        assert_eq!(
            (filled(1, 35_000, 36), filled(34_999, 35_000, 36), filled(35_000, 35_000, 36)),
            (1, 35, 36)
        );
        assert_eq!((filled(0, 0, 5), filled(3, 0, 5), filled(3, 9, 0)), (0, 5, 0));
    }

    #[test]
    fn a_short_stretch_keeps_a_cell() {
        let at = |kind, from_ms, to_ms| Stretch { kind, from_ms, to_ms };
        let line = timeline(
            &[at('-', 0, 10_400), at('t', 10_400, 10_800), at('s', 10_800, 18_000)],
            36_000,
            10,
        );
        let text: String = line.into_iter().map(|cell| cell.unwrap_or('.')).collect();
        assert_eq!(text, "---ts.....");
    }

    proptest! {
        #[test]
        fn shares_fill_the_bar(parts in prop::collection::vec(any::<u64>(), 1..9), cells in 9_usize..200) {
            let given = shares(&parts, cells);
            prop_assert_eq!(given.len(), parts.len());
            for (cells, part) in given.iter().zip(&parts) {
                prop_assert_eq!(*cells > 0, *part > 0);
            }
            if parts.iter().any(|part| *part > 0) {
                prop_assert_eq!(given.iter().sum::<usize>(), cells);
            }
        }

        #[test]
        fn no_time_line_leaves_its_cells(edges in prop::collection::vec(any::<u64>(), 2..30), whole in any::<u64>(), cells in 0_usize..99) {
            let pairs = edges.windows(2).map(|it| Stretch { kind: (), from_ms: it[0], to_ms: it[1] });
            let stretches: Vec<_> = pairs.collect();
            prop_assert_eq!(timeline(&stretches, whole, cells).len(), cells);
        }
    }
}
