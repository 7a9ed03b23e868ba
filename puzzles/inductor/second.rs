//! A second solver for tests, written differently: it knows only the printed prompt, does the steps as their sentences say on
//! growing lists, and tries every chain.

use std::collections::BTreeSet;

type Numbers = Vec<i64>;

/// A step as the prompt names it, with its sentence and the number for k.
struct Step {
    does: String,
    k: i64,
}

/// What a prompt asks: steps, longest chain, examples and the lists of the targets.
struct Asked {
    steps: Vec<Step>,
    longest: usize,
    examples: Vec<(Numbers, Numbers)>,
    targets: Vec<Numbers>,
}

/// The different answers, each to all five targets, of the chains that fit all examples.
pub(super) fn solve(prompt: &str) -> BTreeSet<Vec<String>> {
    let asked = read(prompt);
    let mut found = BTreeSet::new();
    let mut lists: Vec<Numbers> = asked.examples.iter().map(|(input, _)| input.clone()).collect();
    lists.extend(asked.targets.iter().cloned());
    follow(&asked, &lists, asked.longest, &mut found);
    found
}

fn follow(asked: &Asked, lists: &[Numbers], left: usize, found: &mut BTreeSet<Vec<String>>) {
    if asked.examples.iter().zip(lists).all(|((_, output), list)| output == list) {
        let answers = lists[asked.examples.len()..].iter();
        found.insert(answers.map(|list| write(list)).collect());
    }
    if left == 0 {
        return;
    }
    for step in &asked.steps {
        if left == 1 {
            // The last step is done on the first example before it is done on the others.
            let (_, output) = &asked.examples[0];
            if after(step, &lists[0]) != *output {
                continue;
            }
        }
        let next: Vec<Numbers> = lists.iter().map(|list| after(step, list)).collect();
        follow(asked, &next, left - 1, found);
    }
}

fn write(list: &[i64]) -> String {
    list.iter().map(i64::to_string).collect::<Vec<_>>().join(" ")
}

fn numbers(text: &str) -> Numbers {
    text.split_whitespace().map(|word| word.parse().expect("a number")).collect()
}

fn read(prompt: &str) -> Asked {
    let (_, after_most) = prompt.split_once("a chain of at most ").expect("a size");
    let longest = after_most[..1].parse().expect("a digit");
    let (_, menu) = prompt.split_once("Steps, each shown on the list ").expect("steps");
    let (menu, rest) = menu.split_once("\n\nExamples\n").expect("examples");
    let (shown, menu) = menu.split_once('\n').expect("a list");
    let mut steps: Vec<Step> = Vec::new();
    let mut first = 0;
    for line in menu.lines() {
        if let Some(entry) = line.strip_prefix("- ") {
            first = steps.len();
            let (name, does) = entry.split_once(": ").expect("a sentence");
            let ks = name.split_once("(k is ").map_or("0", |(_, ks)| ks.trim_end_matches(')'));
            let ks = ks.replace(" or ", ", ");
            let ks = ks.split(", ").map(|k| k.parse().expect("a number"));
            steps.extend(ks.map(|k| Step { does: does.to_owned(), k }));
        } else if let Some(result) = line.strip_prefix("    ") {
            let result = result.split_once(": ").map_or(result, |(_, result)| result);
            assert_eq!(write(&after(&steps[first], &numbers(shown))), result, "{line}");
        }
    }
    let (examples, rest) = rest.split_once("\nSeveral chains").expect("an end");
    let examples = examples.lines().map(|line| {
        let (input, output) = line.split_once(" -> ").expect("a pair");
        (numbers(input), numbers(output))
    });
    let targets = rest.lines().filter_map(|line| line.split_once(": what becomes of "));
    Asked {
        steps,
        longest,
        examples: examples.collect(),
        targets: targets.map(|(_, list)| numbers(list)).collect(),
    }
}

/// The numbers at odd or at even places, from 1.
fn at(list: &[i64], odd: bool) -> Numbers {
    (1..).zip(list).filter(|(place, _)| (place % 2 == 1) == odd).map(|(_, it)| *it).collect()
}

fn of(list: &[i64], stays: impl Fn(i64) -> bool) -> Numbers {
    list.iter().copied().filter(|number| stays(*number)).collect()
}

fn each(list: &[i64], becomes: impl Fn(usize, i64) -> i64) -> Numbers {
    list.iter().enumerate().map(|(at, number)| becomes(at, *number)).collect()
}

/// A list after a step.
fn after(step: &Step, list: &[i64]) -> Numbers {
    let (does, k) = (step.does.as_str(), step.k);
    let says = |words: &str| does.contains(words);
    let even = |number: i64| number & 1 == 0;
    let turned = |list: &[i64]| list.iter().rev().copied().collect::<Numbers>();
    let mut sorted = list.to_vec();
    sorted.sort_unstable();
    let len = list.len();
    if says("the others are put in reverse order") {
        let (first, rest) = list.split_at(len.min(1));
        [first, &turned(rest)].concat()
    } else if says("are put in reverse order") {
        turned(list)
    } else if says("are sorted") {
        if says("the smallest first") { sorted } else { turned(&sorted) }
    } else if says("k times, the first") {
        (0..k).fold(list.to_vec(), |list, _| match list.split_first() {
            Some((first, rest)) => [rest, &[*first]].concat(),
            None => list,
        })
    } else if says("k times, the last") {
        (0..k).fold(list.to_vec(), |list, _| match list.split_last() {
            Some((last, rest)) => [&[*last], rest].concat(),
            None => list,
        })
    } else if says("the 1st and the 2nd") {
        list.chunks(2).flat_map(turned).collect()
    } else if says("the last two numbers swap") {
        turned(&turned(list).chunks(2).flat_map(turned).collect::<Numbers>())
    } else if says("first come the numbers at places 1") {
        [at(list, true), at(list, false)].concat()
    } else if says("first come the numbers at places 2") {
        [at(list, false), at(list, true)].concat()
    } else if says("first come the even") {
        [of(list, even), of(list, |it| !even(it))].concat()
    } else if says("first come the odd") {
        [of(list, |it| !even(it)), of(list, even)].concat()
    } else if says("the first k numbers are taken out") {
        list.iter().skip(k as usize).copied().collect()
    } else if says("the last k numbers are taken out") {
        turned(&turned(list).into_iter().skip(k as usize).collect::<Numbers>())
    } else if says("only the even numbers stay") {
        of(list, even)
    } else if says("only the odd numbers stay") {
        of(list, |it| !even(it))
    } else if says("k itself does not") {
        of(list, |it| it > k)
    } else if says("only k itself and") {
        of(list, |it| it >= k)
    } else if says("only the first one stays") {
        list.iter().fold(Numbers::new(), |seen, it| {
            if seen.contains(it) { seen } else { [seen, vec![*it]].concat() }
        })
    } else if says("only the last one stays") {
        let seen = list.iter().rev().fold(Numbers::new(), |seen, it| {
            if seen.contains(it) { seen } else { [seen, vec![*it]].concat() }
        });
        turned(&seen)
    } else if says("larger than all before it") {
        list.iter().fold(Numbers::new(), |kept, it| {
            if kept.last().is_some_and(|top| top >= it) { kept } else { [kept, vec![*it]].concat() }
        })
    } else if says("larger than the one just before it") {
        let climbs = list.windows(2).filter(|two| two[1] > two[0]).map(|two| two[1]);
        list.iter().take(1).copied().chain(climbs).collect()
    } else if says("only the numbers at places 1") {
        at(list, true)
    } else if says("only the numbers at places 2") {
        at(list, false)
    } else if says("the largest number is taken out") {
        of(list, |it| Some(&it) != sorted.last())
    } else if says("the smallest number is taken out") {
        of(list, |it| Some(&it) != sorted.first())
    } else if says("k is added to every") {
        each(list, |_, it| it + k)
    } else if says("k is added to the numbers at places 2") {
        each(list, |at, it| if at % 2 == 1 { it + k } else { it })
    } else if says("every number is multiplied") {
        each(list, |_, it| it * k)
    } else if says("every even number is multiplied") {
        each(list, |_, it| if even(it) { it * k } else { it })
    } else if says("becomes its distance to k") {
        each(list, |_, it| if it < k { k - it } else { it - k })
    } else if says("k is subtracted") {
        each(list, |_, it| if it < k { 0 } else { it - k })
    } else if says("its place from the end is added") {
        each(list, |at, it| it + (len - at) as i64)
    } else if says("its place is added") {
        each(list, |at, it| it + 1 + at as i64)
    } else if says("sum of itself and all numbers before") {
        each(list, |at, _| list[..=at].iter().sum())
    } else if says("sum of itself and all numbers after") {
        each(list, |at, _| list[at..].iter().sum())
    } else if says("sum of itself and the next one") {
        each(list, |at, it| it + list.get(at + 1).unwrap_or(&0))
    } else if says("sum of itself and the one before") {
        each(list, |at, it| if at == 0 { it } else { it + list[at - 1] })
    } else if says("its distance to the next one") {
        each(list, |at, it| list.get(at + 1).map_or(it, |next| it.max(*next) - it.min(*next)))
    } else if says("its distance to the one before") {
        each(list, |at, it| if at == 0 { it } else { it.max(list[at - 1]) - it.min(list[at - 1]) })
    } else if says("rounded down") {
        each(list, |_, it| it >> 1)
    } else if says("rounded up") {
        each(list, |_, it| it - (it >> 1))
    } else if says("largest of itself and all numbers before") {
        each(list, |at, it| list[..at].iter().fold(it, |top, other| top.max(*other)))
    } else if says("largest of itself and all numbers after") {
        each(list, |at, it| list[at..].iter().fold(it, |top, other| top.max(*other)))
    } else if says("the sum of all numbers is put at the end") {
        [list, &[list.iter().sum()]].concat()
    } else if says("the sum of all numbers is put at the front") {
        [&[list.iter().sum()], list].concat()
    } else if says("the number of numbers is put at the end") {
        [list, &[len as i64]].concat()
    } else if says("the number of numbers is put at the front") {
        [&[len as i64], list].concat()
    } else {
        panic!("no such step: {does}")
    }
}
