//! Fifty things that should not be published, of every kind, each in a sentence and with the part that must go.
//! A `¦` is taken out, so that no scanner takes this file for a leak.

/// Sentence and part.
const SECRETS: &[(&str, &str)] = &[
    ("key sk¦-proj-a8Kd02mQz81LpX93vbTT for the judge", "sk¦-proj-a8Kd02mQz81LpX93vbTT"),
    ("export HF=hf¦_QwErTyUiOp1234567890AsDf", "hf¦_QwErTyUiOp1234567890AsDf"),
    (
        "clone with ghp¦_16C7e42F292c6912E7710c838347Ae178B4a",
        "ghp¦_16C7e42F292c6912E7710c838347Ae178B4a",
    ),
    (
        "or github¦_pat_11ABCDEFG0aBcDeFgHiJkL_mNoPqRsTuV",
        "github¦_pat_11ABCDEFG0aBcDeFgHiJkL_mNoPqRsTuV",
    ),
    ("gitlab glpat¦-Zx9cVb8nMa7sDf6gHj5k", "glpat¦-Zx9cVb8nMa7sDf6gHj5k"),
    ("slack xoxb¦-123456789012-abcdefGHIJKL", "xoxb¦-123456789012-abcdefGHIJKL"),
    ("maps AIza¦SyD-9tSrke72PouQMnMX-a7eZSW0jkFMBWY", "AIza¦SyD-9tSrke72PouQMnMX-a7eZSW0jkFMBWY"),
    ("nim nvapi¦-Ab12Cd34Ef56Gh78Ij90Kl12", "nvapi¦-Ab12Cd34Ef56Gh78Ij90Kl12"),
    ("groq gsk¦_Ab12Cd34Ef56Gh78Ij90Kl12", "gsk¦_Ab12Cd34Ef56Gh78Ij90Kl12"),
    ("tailnet tskey¦-auth-kXyZ12CNTRL-AbCdEf", "tskey¦-auth-kXyZ12CNTRL-AbCdEf"),
    ("aws AKIA¦IOSFODNN7EXAMPLE here", "AKIA¦IOSFODNN7EXAMPLE"),
    (
        "and wJalrXUtnFEMI¦/K7MDENG/bPxRfiCYEXAMPLEKEY9 too",
        "wJalrXUtnFEMI¦/K7MDENG/bPxRfiCYEXAMPLEKEY9",
    ),
    ("Authorization: Bearer aB3¦dE5fG7hJ9kL1", "aB3¦dE5fG7hJ9kL1"),
    ("curl -u x: Basic dXNlcjpw¦YXNzd29yZA==", "dXNlcjpw¦YXNzd29yZA=="),
    (
        "jwt eyJhbGciOiJIUzI1NiJ9¦.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmN",
        "eyJhbGciOiJIUzI1NiJ9¦.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmN",
    ),
    (
        "bot 110201543¦:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw1 runs",
        "110201543¦:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw1",
    ),
    ("api_key = hunter2hunter2key", "hunter2hunter2key"),
    ("password: correct-horse", "correct-horse"),
    ("DB_PASSWD=s3same!open", "s3same!open"),
    ("serve --api-key local-9f8e7d", "local-9f8e7d"),
    ("client_secret => 7f6e5d4c3b2a", "7f6e5d4c3b2a"),
    ("Cookie: session=abc123def456", "session=abc123def456"),
    ("postgres://alice:wonder1and@db.example.org/x", "alice:wonder1and"),
    (
        "-----BEGIN OPENSSH¦ PRIVATE KEY-----b3BlbnNzaC1rZXktdjEAAAA=-----END OPENSSH PRIVATE KEY-----",
        "b3BlbnNzaC1rZXktdjEAAAA=",
    ),
    (
        "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGk3x9vQ2bYt7hLm4pNc8sWd",
        "AAAAC3NzaC1lZDI1NTE5AAAAIGk3x9vQ2bYt7hLm4pNc8sWd",
    ),
    ("write to mara.lindqvist@skola.example.se today", "mara.lindqvist@skola.example.se"),
    ("or o'neil+race@mail.example.co.uk", "neil+race@mail.example.co.uk"),
    ("the rig at 192.168.17.42 answers", "192.168.17.42"),
    ("outside it is 203.0.113.77:8080", "203.0.113.77"),
    ("fe80::1c2d:3eff:fe4a:5b6c%eth0 too", "fe80::1c2d:3eff:fe4a:5b6c%eth0"),
    ("http://[2001:db8:85a3::8a2e:370:7334]:8000/v1", "2001:db8:85a3::8a2e:370:7334"),
    ("card 3c:7c:3f:1e:a2:9b is up", "3c:7c:3f:1e:a2:9b"),
    ("card 3C-7C-3F-1E-A2-9C is up", "3C-7C-3F-1E-A2-9C"),
    ("switch 3c7c.3f1e.a29d is up", "3c7c.3f1e.a29d"),
    ("models in /home/maralind/models", "/home/maralind"),
    ("models in /Users/olofberg/Models", "/Users/olofberg"),
    (r"models in D:\Users\svenk\Models", r"D:\Users\svenk"),
    ("see ~torbjorn/notes", "torbjorn"),
    ("maralind started it", "maralind"),
    ("rsync to pelle@kvarnrig: done", "pelle"),
    ("the host kvarnrig hums", "kvarnrig"),
    ("http://snabbrig:8080/v1 is it", "snabbrig"),
    ("nas-07.local is full", "nas-07.local"),
    ("build.tailnet-9.ts.net is up", "build.tailnet-9.ts.net"),
    ("Serial Number: C02XL0GTJGH5", "C02XL0GTJGH5"),
    ("S/N 5CD1234XYZ on the lid", "5CD1234XYZ"),
    ("GPU-8c3f1b2a-4d5e-6f70-8192-a3b4c5d6e7f8 is hot", "GPU-8c3f1b2a-4d5e-6f70-8192-a3b4c5d6e7f8"),
    ("/dev/disk/by-id/nvme-Samsung_SSD_990_S7KGNJ0W912345", "nvme-Samsung_SSD_990_S7KGNJ0W912345"),
    ("it draws 412.7 W at the wall", "412.7 W"),
    ("power_draw = 318.25", "318.25"),
];

/// The secrets, as they are meant.
pub(crate) fn secrets() -> Vec<(String, String)> {
    SECRETS.iter().map(|(text, part)| (text.replace('¦', ""), part.replace('¦', ""))).collect()
}
