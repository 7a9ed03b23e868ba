//! Attacks that never end by themselves. Each defines `f`, as those of `table.rs` do.

use super::table::{Attack, attack};
use gauntlet::judge::job::RunVerdict::CodeLimit;

/// Attacks that compute until their fuel ends: some seconds each.
pub(crate) const BURNERS: &[Attack] = &[
    attack("a loop", "def f():\n while True: pass", CodeLimit),
    attack(
        "a loop that catches all",
        "def f():\n while True:\n  try: raise ValueError\n  except BaseException: pass",
        CodeLimit,
    ),
    attack("prints without end", "def f():\n while True: print('x' * 1000)", CodeLimit),
    attack(
        "prints without end, raw",
        "import os\ndef f():\n while True: os.write(1, b'x' * 1000)",
        CodeLimit,
    ),
    attack(
        "an endless pattern",
        "import re\ndef f():\n return re.match('(a+)+$', 'a' * 60 + 'b')",
        CodeLimit,
    ),
    attack("a giant power", "def f():\n return 9 ** 9 ** 9 % 10", CodeLimit),
    attack(
        "a giant product",
        "def f():\n a = 3 ** 10**6\n while True: a = a * a % (10 ** 10**5)",
        CodeLimit,
    ),
    attack(
        "a giant number in words",
        "import sys\ndef f():\n sys.set_int_max_str_digits(0)\n return len(str(3 ** 10**7))",
        CodeLimit,
    ),
    attack(
        "an endless sum",
        "import itertools\ndef f():\n return sum(itertools.count())",
        CodeLimit,
    ),
    attack(
        "an endless product",
        "import itertools\ndef f():\n return max(itertools.product(range(99), repeat=9))",
        CodeLimit,
    ),
    attack("objects without end", "class A: pass\ndef f():\n while True: A().a = A()", CodeLimit),
    attack(
        "a table of equal hashes",
        "class A:\n def __hash__(self): return 1\ndef f():\n return len({A() for _ in range(10**6)})",
        CodeLimit,
    ),
    attack(
        "a message without end",
        "class E(Exception):\n def __str__(self):\n  while True: pass\ndef f():\n raise E",
        CodeLimit,
    ),
    attack(
        "a finalizer without end",
        "class A:\n def __del__(self):\n  while True: pass\ndef f():\n A()\n return 1",
        CodeLimit,
    ),
    attack("lines without end", "def f():\n return len(eval('+'.join(['1'] * 10**7)))", CodeLimit),
    attack(
        "an audit hook",
        "import sys\ndef g(*a):\n raise SystemExit\ndef f():\n sys.addaudithook(g)\n return 1",
        CodeLimit,
    ),
];
