//! A second solver for tests, written differently: it knows only the printed prompt, reads the sentences word by word and tries
//! every set of liars.

use std::collections::BTreeSet;

type Liars = BTreeSet<char>;

/// For each village of a prompt every set of liars that fits, written in alphabetical order.
pub(super) fn solve(prompt: &str) -> Vec<Vec<String>> {
    let villages = prompt.split("\nTARGET ").skip(1).filter(|part| part.contains(" say\n"));
    villages
        .map(|village| {
            let said = village.lines().filter_map(|line| line.strip_prefix("  "));
            let said: Vec<(char, &str)> = said
                .map(|line| (line.chars().next().expect("a speaker"), &line[3..line.len() - 1]))
                .collect();
            let everybody: Vec<char> = said.iter().map(|(speaker, _)| *speaker).collect();
            subsets(&everybody)
                .into_iter()
                .filter(|liars| {
                    said.iter().all(|(speaker, claim)| {
                        is_true(claim, liars, everybody.len()) != liars.contains(speaker)
                    })
                })
                .map(|liars| liars.into_iter().collect())
                .collect()
        })
        .collect()
}

fn subsets(all: &[char]) -> Vec<Liars> {
    all.iter().fold(vec![Liars::new()], |sets, one| {
        let with = sets.iter().map(|set| set.iter().copied().chain([*one]).collect());
        with.chain(sets.iter().cloned()).collect()
    })
}

fn is_true(claim: &str, liars: &Liars, everybody: usize) -> bool {
    let claim = claim.to_ascii_lowercase();
    if let Some(two) = claim.strip_prefix("exactly one of these is true: ") {
        let (first, second) = two.split_once("; ").expect("two parts");
        return is_true(first, liars, everybody) ^ is_true(second, liars, everybody);
    }
    if let Some((first, second)) = claim.strip_prefix("if ").and_then(|it| it.split_once(", then "))
    {
        return is_true(second, liars, everybody) || !is_true(first, liars, everybody);
    }
    let lying = |names: &str| {
        let names = names.replace(" and ", ", ");
        let (mut lying, mut named) = (0, 0);
        for name in names.split(", ") {
            let [letter] = name.as_bytes() else { panic!("a name: {name}") };
            named += 1;
            lying += usize::from(liars.contains(&char::from(letter.to_ascii_uppercase())));
        }
        (lying, named)
    };
    if let Some((first, second)) =
        claim.strip_prefix("more of ").and_then(|it| it.split_once(" are liars than of "))
    {
        return lying(first).0 > lying(second).0;
    }
    if let Some(parity) = claim.strip_prefix("the number of liars is ") {
        return (liars.len() & 1 == 0) == (parity == "even");
    }
    if let Some(names) = claim.strip_suffix(" are of the same kind") {
        return [0, 2].contains(&lying(names).0);
    }
    if let Some(names) = claim.strip_suffix(" are of different kinds") {
        return lying(names).0 == 1;
    }
    if let Some(name) = claim.strip_suffix(" is truthful") {
        return lying(name).0 == 0;
    }
    let subject =
        claim.strip_suffix(" is a liar").or(claim.strip_suffix(" are liars")).expect("about liars");
    if let Some(count) =
        subject.strip_prefix("exactly ").and_then(|it| it.strip_suffix(" villagers"))
    {
        assert!(liars.len() <= everybody);
        return count.parse() == Ok(liars.len());
    }
    let Some((bound, names)) = subject.split_once(" of ") else { return lying(subject).0 == 1 };
    let (words, count) = bound.rsplit_once(' ').expect("a number");
    let count: usize = count.parse().expect("a number");
    let (found, named) = lying(names);
    assert!(count < named, "{claim}");
    match words {
        "exactly" => found == count,
        "at least" => found >= count,
        "at most" => found <= count,
        _ => panic!("no such claim: {claim}"),
    }
}
