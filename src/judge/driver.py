# The part of the judge that runs inside the sandbox, as module `_judge`.
#
# It is executed once, while the image is made: it imports the usual modules, bars the doors and
# leaves `run` behind. Each call of an answer then starts from a fresh copy of that memory, calls
# `run` once and gets one JSON text back. Nothing here is trusted to hold against the answer: the
# walls are WebAssembly's. The bars below are for a clear word ("refused") instead of an odd error.

import sys

sys.settrace(None)

import builtins
import functools
import gc
import importlib
import io
import json
import math
import os
import random
import socket
import subprocess
import types

_functools = sys.modules["_functools"]

# Cached recursion must not use native stack: the C wrapper does, the Python one does not.
_kept = dict(vars(functools))
del _functools._lru_cache_wrapper
importlib.reload(functools)
_pure = functools._lru_cache_wrapper
vars(functools).update(_kept)
functools._lru_cache_wrapper = _pure
del _kept, _pure

_USUAL = """
abc argparse array ast asyncio base64 binascii bisect builtins calendar cmath codecs collections
collections.abc colorsys concurrent.futures configparser contextlib contextvars copy copyreg csv
dataclasses datetime decimal difflib dis enum errno fnmatch fractions functools gc getopt glob
graphlib hashlib heapq hmac html html.parser importlib.util inspect io ipaddress itertools json
keyword linecache locale logging math numbers operator optparse os os.path pathlib pickle pkgutil
platform pprint queue random re reprlib sched secrets select selectors shlex shutil signal stat
statistics string struct symtable sys tempfile textwrap threading time timeit token tokenize
traceback types typing unicodedata unittest urllib.parse uuid warnings weakref xml.etree.ElementTree
zlib zoneinfo _pydecimal _pylong _strptime encodings.ascii encodings.latin_1 encodings.utf_16
encodings.utf_8_sig encodings.hex_codec encodings.rot_13 encodings.idna encodings.punycode
encodings.unicode_escape encodings.raw_unicode_escape encodings.cp437 encodings.cp1252
"""
for _name in _USUAL.split():
    try:
        importlib.import_module(_name)
    except ImportError:
        pass


class _Refused(PermissionError):
    """Raised where the answer tries what the sandbox forbids."""


class _RefusedImport(ModuleNotFoundError):
    """The same for a module that is left out on purpose."""


def _bar(what):
    def barred(*_args, **_kwargs):
        raise _Refused("the sandbox forbids " + what)

    return barred


_FORBIDDEN_FAMILIES = frozenset(
    "ctypes fcntl ftplib http imaplib mmap nntplib poplib pty shutil smtplib socket sqlite3 "
    "subprocess syslog tempfile urllib webbrowser".split()
)
_FORBIDDEN_EVENTS = frozenset(
    "open _thread.start_new_thread _thread.start_joinable_thread os.chdir os.chmod os.chown "
    "os.exec os.fork os.forkpty os.kill os.killpg os.link os.listdir os.listxattr os.lockf "
    "os.mkdir os.posix_spawn os.remove os.rename os.rmdir os.scandir os.spawn os.startfile "
    "os.symlink os.system os.truncate os.utime".split()
)
_FORBIDDEN_MODULES = frozenset(
    "_ctypes _multiprocessing _posixsubprocess ctypes fcntl mmap multiprocessing pty resource "
    "ssl termios".split()
)


def _hook(event, _args, families=_FORBIDDEN_FAMILIES, events=_FORBIDDEN_EVENTS, refused=_Refused):
    if event in events or event.partition(".")[0] in families:
        raise refused("the sandbox forbids " + event)


class _Finder:
    """Says "refused" for the modules that are left out on purpose."""

    @staticmethod
    def find_spec(name, _path=None, _target=None):
        if name.partition(".")[0] in _FORBIDDEN_MODULES:
            raise _RefusedImport("the sandbox forbids the module " + name, name=name)
        return None


class _Sink(io.TextIOBase):
    """Standard output and error: takes everything, keeps nothing."""

    encoding = "utf-8"
    errors = "strict"

    def __init__(self):
        self.buffer = _ByteSink()

    def writable(self):
        return True

    def write(self, text):
        if not isinstance(text, str):
            raise TypeError("write() argument must be str, not " + type(text).__name__)
        return len(text)


class _ByteSink(io.BufferedIOBase):
    def writable(self):
        return True

    def write(self, data):
        return len(data)


_MAX_VALUE = 1 << 20
_MAX_DEPTH = 100
_MAX_ERROR = 300


class _NotPlain(Exception):
    pass


class _TooMuch(Exception):
    pass


_quote = json.encoder.encode_basestring_ascii


def _encode(value, out, depth, _quote=_quote, _finite=math.isfinite):
    """Appends the JSON text of a plain value to `out[0]`, counting its size in `out[1]`."""
    if depth > _MAX_DEPTH:
        raise _NotPlain("a value nested more than %d deep" % _MAX_DEPTH)
    if value is None:
        text = "null"
    elif value is True:
        text = "true"
    elif value is False:
        text = "false"
    elif isinstance(value, str):
        if str.__len__(value) > _MAX_VALUE:
            raise _TooMuch
        text = _quote_checked(value)
    elif isinstance(value, int):
        if not -(1 << 63) <= int.__index__(value) < (1 << 64):
            raise _NotPlain("an integer too large (it must fit 64 bits)")
        text = int.__repr__(value)
    elif isinstance(value, float):
        if not _finite(value):
            raise _NotPlain("a float that is not finite")
        text = float.__repr__(value)
    elif isinstance(value, (list, tuple)):
        _emit(out, "[")
        items = list.__iter__(value) if isinstance(value, list) else tuple.__iter__(value)
        comma = ""
        for item in items:
            if comma:
                _emit(out, comma)
            _encode(item, out, depth + 1)
            comma = ","
        text = "]"
    elif isinstance(value, dict):
        _emit(out, "{")
        comma = ""
        for key, item in dict.items(value):
            if not isinstance(key, str):
                raise _NotPlain("a dict with a key of type %s" % type(key).__name__)
            _emit(out, comma + _quote_checked(key) + ":")
            _encode(item, out, depth + 1)
            comma = ","
        text = "}"
    else:
        raise _NotPlain("a value of type %s" % type(value).__name__)
    _emit(out, text)


def _quote_checked(text):
    text = str.__str__(text)
    try:
        str.encode(text, "utf-8")
    except UnicodeEncodeError:
        raise _NotPlain("a string with a lone surrogate") from None
    return _quote(text)


def _emit(out, text):
    out[1] += len(text)
    if out[1] > _MAX_VALUE:
        raise _TooMuch
    out[0].append(text)


def _line(trace):
    """The last line of the answer in a traceback."""
    found = None
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == "solution.py":
            found = trace.tb_lineno
        trace = trace.tb_next
    return found


def _describe(error):
    try:
        message = str(error)
    except BaseException:
        message = "(its message cannot be made)"
    line = _line(error.__traceback__)
    if isinstance(error, SyntaxError):
        message = str(error.msg)
        if line is None:
            line = error.lineno
    message = " ".join(message[: 4 * _MAX_ERROR].split())
    text = type(error).__name__ + (": " + message if message else "")
    tail = "" if line is None else " (line %d)" % line
    if len(text) + len(tail) > _MAX_ERROR:
        text = text[: _MAX_ERROR - len(tail) - 3] + "..."
    return text + tail


def _was_refused(error):
    seen = []
    while error is not None and len(seen) < 50 and not any(error is s for s in seen):
        if isinstance(error, (_Refused, _RefusedImport)):
            return True
        seen.append(error)
        error = error.__cause__ or error.__context__
    return False


def _reply(verdict, value=None, error=None):
    text = '{"verdict":"%s"' % verdict
    if value is not None:
        text += ',"value":' + value
    if error is not None:
        text += ',"error":' + _quote(error.encode("utf-8", "backslashreplace").decode("utf-8"))
    return text + "}"


def run(payload, _loads=json.loads):
    """Loads an answer, calls its function once and says how that ended, as JSON."""
    sys.settrace(None)
    sys.stdout = sys.stderr = _Sink()
    sys.stdin = io.StringIO("")
    code, function, arguments = _loads(payload)
    try:
        module = types.ModuleType("solution")
        sys.modules["solution"] = module
        names = vars(module)
        names["__builtins__"] = builtins
        exec(compile(code, "solution.py", "exec", dont_inherit=True), names)
        if function not in names:
            return _reply("code_error", error="the function %s is not defined" % function)
        value = names[function](*arguments)
        out = [[], 0]
        _encode(value, out, 0)
        return _reply("ok", value="".join(out[0]))
    except _NotPlain as e:
        return _reply("code_error", error="returned %s, which is not plain data" % e)
    except _TooMuch:
        return _reply("code_limit", error="returned more than 1 MiB")
    except BaseException as e:
        if _was_refused(e):
            verdict = "refused"
        elif isinstance(e, MemoryError):
            verdict = "code_limit"
        else:
            verdict = "code_error"
        return _reply(verdict, error=_describe(e))


def _seal():
    for name in """abort execl execle execlp execlpe execv execve execvp execvpe fork forkpty kill
        killpg popen posix_spawn posix_spawnp spawnl spawnle spawnlp spawnlpe spawnv spawnve
        spawnvp spawnvpe startfile system wait waitpid""".split():
        setattr(os, name, _bar("os." + name))
    subprocess.Popen.__init__ = _bar("subprocess.Popen")
    subprocess.Popen.__del__ = lambda self: None
    socket.socket.__init__ = _bar("socket.socket")
    socket.socket.__del__ = lambda self: None
    for name in ("create_connection", "create_server", "getaddrinfo", "gethostbyname"):
        setattr(socket, name, _bar("socket." + name))
    asyncio = sys.modules.get("asyncio")
    if asyncio is not None:
        asyncio.events._set_running_loop(None)
    # Everything importable is in memory; nothing else exists.
    sys.path.clear()
    sys.path_hooks.clear()
    sys.path_importer_cache.clear()
    sys.meta_path.append(_Finder)
    sys.dont_write_bytecode = True
    random.seed(0)
    sys.addaudithook(_hook)


_module = types.ModuleType("_judge")
_module.run = run
sys.modules["_judge"] = _module
_seal()
gc.collect()
gc.freeze()
result = sorted({getattr(m, "__file__", None) or "" for m in list(sys.modules.values())})
