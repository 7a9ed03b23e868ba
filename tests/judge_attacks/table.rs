//! Attacks on the sandbox: what each tries, its code, and how it must end. Each defines `f`, which is called without arguments.

use gauntlet::judge::job::RunVerdict::{self, CodeError, CodeLimit, Ok, Refused};

/// One attack.
pub(crate) struct Attack {
    pub(crate) what: &'static str,
    pub(crate) code: &'static str,
    pub(crate) ends: RunVerdict,
}

pub(crate) const fn attack(what: &'static str, code: &'static str, ends: RunVerdict) -> Attack {
    Attack { what, code, ends }
}

/// Attacks that end at once.
pub(crate) const QUICK: &[Attack] = &[
    // Processes, signals, threads.
    attack("fork", "import os\ndef f():\n return os.fork()", Refused),
    attack("fork by the module below", "import posix\ndef f():\n return posix.fork()", CodeError),
    attack(
        "run a program",
        "import subprocess\ndef f():\n return subprocess.check_output(['id'])",
        Refused,
    ),
    attack("run a shell", "import os\ndef f():\n return os.popen('id').read()", Refused),
    attack(
        "spawn by the module below",
        "import posix\ndef f():\n return posix.posix_spawn('/bin/id', ['id'], {})",
        CodeError,
    ),
    attack(
        "a thread",
        "import threading\ndef f():\n t = threading.Thread(target=print)\n t.start()\n t.join()",
        Refused,
    ),
    attack(
        "a raw thread",
        "import _thread\ndef f():\n return _thread.start_new_thread(print, ())",
        Refused,
    ),
    attack(
        "a pool of threads",
        "from concurrent.futures import ThreadPoolExecutor as P\ndef f():\n return list(P(2).map(str, [1]))",
        CodeError,
    ),
    attack(
        "a pool of processes",
        "def f():\n import multiprocessing\n return multiprocessing.Pool(2).map(str, [1])",
        Refused,
    ),
    attack("kill the parent", "import os\ndef f():\n os.kill(os.getppid(), 9)", CodeError),
    attack("kill by number", "import os\ndef f():\n os.kill(1, 9)", Refused),
    attack(
        "raise a signal",
        "import signal\ndef f():\n signal.raise_signal(signal.SIGTERM)\n return 1",
        CodeLimit,
    ),
    attack("an alarm", "import signal\ndef f():\n signal.alarm(1)\n return 1", CodeError),
    attack(
        "code at exit",
        "import atexit, os\ndef f():\n atexit.register(lambda: os.system('id'))\n return 1",
        Ok,
    ),
    attack("leave", "import sys\ndef f():\n sys.exit(0)", CodeError),
    attack("leave at once", "import os\ndef f():\n os._exit(0)", CodeError),
    attack("abort", "import os\ndef f():\n os.abort()", Refused),
    attack(
        "ptrace",
        "def f():\n import ctypes\n return ctypes.CDLL(None).ptrace(16, 1, 0, 0)",
        Refused,
    ),
    // Files of the host.
    attack("a host file", "def f():\n return open('/etc/passwd').read()", Refused),
    attack(
        "a host file, raw",
        "import os\ndef f():\n return os.read(os.open('/proc/self/mem', 0), 9)",
        Refused,
    ),
    attack(
        "a host file by the type",
        "import _io\ndef f():\n return _io.FileIO('/etc/passwd').read()",
        Refused,
    ),
    attack("a host file by number", "def f():\n return open(3).read()", Refused),
    attack(
        "every open number",
        "import os\ndef f():\n got = []\n for n in range(64):\n  try: got.append(len(os.read(n, 9)))\n  except OSError: pass\n return got",
        Ok,
    ),
    attack("list the root", "import os\ndef f():\n return os.listdir('/')", Refused),
    attack(
        "walk the root",
        "import pathlib\ndef f():\n return [str(p) for p in pathlib.Path('/').iterdir()]",
        Refused,
    ),
    attack(
        "write a file",
        "import pathlib\ndef f():\n pathlib.Path('escaped').write_text('x')",
        Refused,
    ),
    attack("a temporary file", "import tempfile\ndef f():\n return tempfile.mkstemp()", CodeError),
    attack("make a folder", "import os\ndef f():\n os.mkdir('escaped')", Refused),
    attack("remove a file", "import os\ndef f():\n os.remove('/etc/passwd')", Refused),
    attack("stat a file", "import os\ndef f():\n return os.stat('/etc/passwd').st_size", CodeError),
    attack("the environment", "import os\ndef f():\n return sorted(os.environ)", Ok),
    attack("map memory", "def f():\n import mmap\n return mmap.mmap(-1, 4096)", Refused),
    attack("a database", "def f():\n import sqlite3\n return sqlite3.connect('x.db')", CodeError),
    // The network.
    attack(
        "a socket",
        "import socket\ndef f():\n return socket.create_connection(('127.0.0.1', 80))",
        Refused,
    ),
    attack(
        "a socket by the module below",
        "def f():\n import _socket\n s = _socket.socket()\n s.connect(('127.0.0.1', 80))",
        Refused,
    ),
    attack("a name", "import socket\ndef f():\n return socket.gethostbyname('localhost')", Refused),
    attack(
        "a page",
        "def f():\n from urllib.request import urlopen\n return urlopen('http://127.0.0.1/').read()",
        CodeError,
    ),
    attack(
        "a loop of its own",
        "import asyncio\nasync def g():\n r, w = await asyncio.open_connection('127.0.0.1', 80)\ndef f():\n return asyncio.run(g())",
        CodeError,
    ),
    // Native code.
    attack("native code", "def f():\n import ctypes\n return ctypes.string_at(0)", Refused),
    attack(
        "native code below",
        "def f():\n import _ctypes\n return _ctypes.dlopen('libc.so.6', 0)",
        Refused,
    ),
    attack(
        "a fault on purpose",
        "import faulthandler\ndef f():\n faulthandler._sigsegv()",
        CodeLimit,
    ),
    attack(
        "broken bytecode",
        "def g(): pass\ndef f():\n g.__code__ = g.__code__.replace(co_code=b'\\xff' * 64)\n return g()",
        CodeLimit,
    ),
    // Tampering with the judge's own.
    attack(
        "the driver's names",
        "import sys\ndef f():\n d = sys._getframe(1).f_globals\n d['_encode'] = None\n return 1",
        CodeError,
    ),
    attack(
        "a forged reply",
        "import sys\ndef f():\n sys._getframe(1).f_globals['_reply'] = lambda *a, **k: '{\"verdict\":\"ok\",\"value\":7}'\n return 1",
        Ok,
    ),
    attack(
        "a reply that is none",
        "import sys\ndef f():\n sys._getframe(1).f_globals['_reply'] = lambda *a, **k: 'x'\n return 1",
        CodeError,
    ),
    attack(
        "the garbage collector",
        "import gc\ndef f():\n for o in gc.get_objects():\n  if isinstance(o, dict) and '_hook' in o:\n   o.clear()\n return open('/etc/passwd').read()",
        Refused,
    ),
    attack(
        "the hook's defaults",
        "import gc\ndef f():\n for o in gc.get_objects():\n  if getattr(o, '__name__', '') == '_hook':\n   o.__defaults__ = (frozenset(), frozenset(), None)\n return open('/etc/passwd').read()",
        Refused,
    ),
    attack(
        "tracing",
        "import sys\ndef f():\n sys.settrace(lambda *a: 1 / 0)\n return 1",
        CodeError,
    ),
    attack(
        "a profile",
        "import sys\ndef f():\n sys.setprofile(lambda *a: 1 / 0)\n return 1",
        CodeError,
    ),
    attack(
        "an exit hook in sys",
        "import sys\ndef f():\n sys.excepthook = sys.unraisablehook = lambda *a: open('/etc/passwd')\n raise ValueError",
        CodeError,
    ),
    attack(
        "builtins replaced",
        "import builtins\ndef f():\n builtins.isinstance = lambda *a: True\n builtins.len = lambda *a: 0\n return {1, 2}",
        CodeError,
    ),
    attack(
        "JSON replaced",
        "import json\ndef f():\n json.loads = json.dumps = None\n return 1",
        CodeError,
    ),
    attack("modules removed", "import sys\ndef f():\n sys.modules.clear()\n return 1", CodeError),
    attack(
        "the importer replaced",
        "import sys\ndef f():\n sys.meta_path.clear()\n import ctypes\n return 1",
        CodeError,
    ),
    attack(
        "the standard output",
        "import sys\ndef f():\n sys.__stdout__.write('{\"judgement\":0}' * 9)\n sys.__stdout__.flush()\n return 1",
        Ok,
    ),
    attack(
        "the output by number",
        "import os\ndef f():\n return [os.write(n, b'{\"judgement\":0}') for n in (1, 2)]",
        Ok,
    ),
    // What comes back.
    attack(
        "a number that is more",
        "class I(int):\n def __repr__(self): return '[' * 10**6\ndef f():\n return I(3)",
        Ok,
    ),
    attack(
        "a list that never ends",
        "class L(list):\n def __iter__(self):\n  while True: yield 1\ndef f():\n return L([1])",
        Ok,
    ),
    attack(
        "a dict that lies",
        "class D(dict):\n def items(self): return [(open, open)]\ndef f():\n return D(a=1)",
        Ok,
    ),
    attack(
        "a string that lies",
        "class S(str):\n def __len__(self): return -5\n def encode(self, *a): return None\ndef f():\n return S('x')",
        Ok,
    ),
    attack(
        "a type that lies",
        "class C:\n @property\n def __class__(self): return int\ndef f():\n return C()",
        CodeError,
    ),
    attack("a list inside itself", "def f():\n a = []\n a.append(a)\n return a", CodeError),
    attack("too large", "def f():\n return ['x' * 1000] * 2000", CodeLimit),
    attack("too deep", "def f():\n a = []\n for _ in range(200): a = [a]\n return a", CodeError),
    attack("a half character", "def f():\n return '\\ud800'", CodeError),
    attack("no number", "def f():\n return [float('inf'), float('nan')]", CodeError),
    attack("a coroutine", "async def f():\n return 1", CodeError),
    attack("a generator", "def f():\n yield 1", CodeError),
    // Exceptions.
    attack("a huge message", "def f():\n raise ValueError('x' * 10**7)", CodeError),
    attack(
        "a message that raises",
        "class E(Exception):\n def __str__(self): raise self\ndef f():\n raise E",
        CodeError,
    ),
    attack(
        "a message that forks",
        "import os\nclass E(Exception):\n def __str__(self): return str(os.fork())\ndef f():\n raise E",
        CodeError,
    ),
    attack("a huge name", "def f():\n raise type('E' * 10**6, (Exception,), {})", CodeError),
    attack(
        "causes in a ring",
        "def f():\n a, b = ValueError('a'), ValueError('b')\n a.__cause__, b.__cause__ = b, a\n raise a",
        CodeError,
    ),
    attack(
        "a nest of groups",
        "def f():\n e = ValueError()\n for _ in range(2000): e = ExceptionGroup('g', [e])\n raise e",
        CodeError,
    ),
    attack(
        "escapes in a message",
        "def f():\n raise ValueError('\\x1b]0;x\\x07\\u202e\\x00\\ud800')",
        CodeError,
    ),
    attack("no exception at all", "def f():\n raise 1", CodeError),
    attack("leave by keyboard", "def f():\n raise KeyboardInterrupt", CodeError),
    // Memory and numbers.
    attack("all memory at once", "def f():\n return len('x' * 10**9)", CodeLimit),
    attack("all memory by width", "def f():\n return len('{:999999999}'.format(1))", CodeLimit),
    attack(
        "all memory piece by piece",
        "def f():\n a = []\n while True: a.append(bytearray(1 << 20))",
        CodeLimit,
    ),
    attack(
        "all memory, survived",
        "def f():\n try:\n  a = [bytearray(1 << 20) for _ in range(10**4)]\n except MemoryError: return 'survived'",
        Ok,
    ),
    attack("a number too long to print", "def f():\n return str(10**5000)", CodeError),
    attack("a number too long to return", "def f():\n return 10**5000", CodeError),
    attack(
        "no limit on digits",
        "import sys\ndef f():\n sys.set_int_max_str_digits(0)\n return len(str(10**20000))",
        Ok,
    ),
    // Stack.
    attack("recursion", "def f():\n return f()", CodeError),
    attack(
        "recursion without a limit",
        "import sys\ndef f():\n sys.setrecursionlimit(10**9)\n def g(): return g()\n return g()",
        CodeLimit,
    ),
    attack(
        "recursion through repr",
        "class A:\n def __repr__(self): return repr(self)\ndef f():\n return repr(A())",
        CodeError,
    ),
    attack(
        "recursion through getattr",
        "class A:\n def __getattr__(self, n): return getattr(self, n + 'x')\ndef f():\n return A().x",
        CodeError,
    ),
    attack(
        "a deep chain of iterators",
        "import itertools\ndef f():\n a = iter([])\n for _ in range(200000): a = itertools.chain(a, [])\n return next(a, 1)",
        Ok,
    ),
    attack(
        "a deep tuple let go",
        "def f():\n a = ()\n for _ in range(10**6): a = (a,)\n del a\n return 1",
        CodeLimit,
    ),
    attack("deep source", "def f():\n return eval('-' * 100000 + '1')", CodeLimit),
    attack("deep brackets", "def f():\n return eval('[' * 5000 + ']' * 5000)", CodeLimit),
    attack("deep JSON", "import json\ndef f():\n return json.loads('[' * 200000)", CodeLimit),
    attack(
        "a deep pattern",
        "import re\ndef f():\n return re.compile('(' * 5000 + ')' * 5000)",
        CodeError,
    ),
    attack(
        "deep literals",
        "import ast\ndef f():\n return ast.literal_eval('(' * 100 + '1' + ',)' * 100)",
        Ok,
    ),
    // Waiting.
    attack("sleep", "import time\ndef f():\n time.sleep(10**9)\n return 1", Ok),
    attack(
        "a lock that is held",
        "import threading\ndef f():\n l = threading.Lock()\n l.acquire()\n l.acquire()",
        CodeLimit,
    ),
    attack("read what nobody writes", "import sys\ndef f():\n return input()", CodeError),
    attack(
        "wait for nothing",
        "import asyncio\nasync def g():\n await asyncio.sleep(10**6)\n return 1\ndef f():\n return asyncio.run(g())",
        CodeError,
    ),
    attack("select", "import select\ndef f():\n return select.select([0], [], [], 10**6)", Ok),
    // The runtime below.
    attack(
        "the runtime's callbacks",
        "def f():\n import sys\n m = sys.modules['__main__']\n return [n for n in dir(m) if 'invoke' in n or 'callback' in n] and m.invoke('x')",
        CodeError,
    ),
];
