//! The table of cases that pins how answers are read. Tests of `extraction.rs`.

use super::*;

/// The declarations as `1=VALUE (rule)`, one a line.
fn read(answer: &str, whole: bool) -> String {
    declarations(answer, whole)
        .iter()
        .map(|it| format!("{}={}|{}", it.target + 1, it.value, it.rule))
        .collect::<Vec<_>>()
        .join("\n")
}

#[test]
fn table_of_lines() {
    let cases: &[(&str, &str)] = &[
        ("TARGET 1: DBACE", "1=DBACE|line"),
        ("target 2 = dbace", "2=dbace|line"),
        ("Target 3 : A B C", "3=A B C|line"),
        ("  - **TARGET 1:** DBACE", "1=DBACE|line, marks taken off"),
        ("**TARGET 1**: `DBACE`", "1=DBACE|line, marks taken off"),
        ("1. TARGET 1: DBACE", "1=DBACE|line"),
        ("> TARGET 4: DBACE.", "4=DBACE|line, marks taken off"),
        ("### TARGET 5: \"DBACE\"", "5=DBACE|line, marks taken off"),
        ("\\boxed{TARGET 1: DBACE}", "1=DBACE|line, marks taken off"),
        ("TARGET 1: $\\boxed{DBACE}$", "1=DBACE|line, marks taken off"),
        ("TARGET 1: \\text{DBACE}", "1=DBACE|line, marks taken off"),
        ("TARGET １： ＤＢＡＣＥ", "1=DBACE|line, folded characters"),
        ("TARGET 1: AB → C", "1=AB > C|line, folded characters"),
        ("TARGET 1: AB — C", "1=AB - C|line, folded characters"),
        ("TARGET 1: U,D", "1=U,D|line"),
        ("TARGET 1: A, TARGET 2: B", "1=A|line, marks taken off\n2=B|line"),
        ("TARGET <1>: X", "1=X|line"),
        ("TARGET [1]: X", "1=X|line"),
        ("TARGET 1:", "1=|line"),
        ("TARGET 1: -", "1=-|line"),
        ("TARGET 6: X", ""),
        ("TARGET 0: X", ""),
        ("TARGET 12: X", ""),
        ("TARGET one: X", ""),
        ("TARGET 1 X", ""),
        ("MYTARGET 1: X", ""),
        ("the target is 1: X", ""),
        ("TARGET 1: A\nTARGET 1: B", "1=A|line\n1=B|line"),
        ("TARGET 1: A\r\nTARGET 2: B\r\n", "1=A|line\n2=B|line"),
        ("TARGET 1: A or TARGET 1: B", "1=A or|line\n1=B|line"),
        ("TARGET 1: 2143/3412/1234/4321", "1=2143/3412/1234/4321|line"),
        ("TARGET 1: \u{1b}[31mA", "1=[31mA|line, folded characters"),
        ("TARGET 1: \u{200b}DBACE\u{feff}", "1=DBACE|line, folded characters"),
        ("$\\boxed{\\text{TARGET 1: DBACE}}$", "1=DBACE|line, marks taken off"),
        ("TARGET 1: \\(\\boxed{DBACE}\\)", "1=DBACE|line, marks taken off"),
        ("Ẕ TARGET 1: ẞA", "1=ẞA|line"),
        ("", ""),
    ];
    for (answer, expected) in cases {
        assert_eq!(read(answer, true), *expected, "in {answer:?}");
    }
}

#[test]
fn a_cut_answer_loses_its_last_line_only() {
    assert_eq!(read("TARGET 1: A\nTARGET 2: B", false), "1=A|line");
    assert_eq!(read("TARGET 1: A\nTARGET 2: B\n", false), "1=A|line\n2=B|line");
}

#[test]
fn table_of_code() {
    /// An answer, whether it is whole, and the code with the rule that found it.
    type Case = (&'static str, bool, Option<(&'static str, &'static str)>);
    let cases: &[Case] = &[
        (
            "```python\ndef f(x):\n    return x\n```",
            true,
            Some(("def f(x):\n    return x\n", "fenced")),
        ),
        ("~~~py\ndef f (x): return 1\n~~~\n", true, Some(("def f (x): return 1\n", "fenced"))),
        (
            "```\ndef f(): return 1\n```\ntext\n```\ndef f(): return 2\n```",
            true,
            Some(("def f(): return 2\n", "fenced")),
        ),
        (
            "```\ndef f(): return 1\n```\n```\nprint(f())\n```",
            true,
            Some(("def f(): return 1\n", "fenced")),
        ),
        ("```\ndef g(): return 1\n```", true, None),
        ("```python\ndef f(): return 1", true, Some(("def f(): return 1", "unclosed fence"))),
        ("```python\ndef f(): return 1", false, None),
        (
            "```python\ndef f(): return 1\n```\n```python\ndef f(): ret",
            false,
            Some(("def f(): return 1\n", "fenced")),
        ),
        (
            "Here it is:\nimport math\ndef f(): return 1\n",
            true,
            Some(("import math\ndef f(): return 1\n", "bare")),
        ),
        (
            "A table first:\nSTEP = {1: 2}\n\ndef f(x):\n    return STEP[x]\n\nThis works because it looks up.\n",
            true,
            Some(("STEP = {1: 2}\n\ndef f(x):\n    return STEP[x]\n\n", "bare")),
        ),
        ("def f(): return 1", false, None),
        (
            "1. step\n   ```python\n   def f():\n       return 1\n   ```\n",
            true,
            Some(("def f():\n    return 1\n", "fenced")),
        ),
        (
            "````md\n```\ndef f(): return 1\n```\n````",
            true,
            Some(("```\ndef f(): return 1\n```\n", "fenced")),
        ),
        ("define f(x)", true, None),
        ("", true, None),
    ];
    for (answer, whole, expected) in cases {
        let found = code(answer, "f", *whole);
        let found = found.as_ref().map(|(text, rule)| (text.as_str(), *rule));
        assert_eq!(found, *expected, "in {answer:?}");
    }
}

proptest::proptest! {
    #[test]
    fn nothing_panics(answer in "(?s).{0,200}", whole: bool) {
        let read = declarations(&answer, whole);
        proptest::prop_assert!(read.iter().all(|it| it.target < 5));
        let found = code(&answer, "f", whole);
        proptest::prop_assert!(found.is_none() || answer.contains("def"));
    }

    #[test]
    fn what_is_declared_is_read(target in 1usize..=5, value in "[A-Z]{1,12}") {
        let found = declarations(&format!("working\nTARGET {target}: {value}\nbye"), true);
        proptest::prop_assert_eq!(found.len(), 1);
        proptest::prop_assert_eq!(&found[0].value, &value);
    }
}
