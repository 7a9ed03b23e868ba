//! Sealed seasons and signed races, as a user meets them: files, modes, exit codes, what is said.
#![expect(clippy::unwrap_used, reason = "a test fails by it")]

mod common;

use common::{fine, gauntlet, root, scratch};
use std::fs;
use std::path::{Path, PathBuf};

fn folder(name: &str) -> (PathBuf, impl Fn(&str) -> String) {
    let folder = scratch(name);
    fs::create_dir_all(&folder).unwrap();
    let here = folder.clone();
    (folder, move |name: &str| here.join(name).display().to_string())
}

/// A kept race, copied so that it can be changed.
fn copied(to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(root("replays/21-pacer-novice-attempt1")).unwrap() {
        let entry = entry.unwrap();
        fs::copy(entry.path(), to.join(entry.file_name())).unwrap();
    }
}

#[cfg(unix)]
fn mode(path: &str) -> u32 {
    use std::os::unix::fs::PermissionsExt;
    fs::metadata(path).unwrap().permissions().mode() & 0o777
}

#[test]
fn a_sealed_season_cannot_be_used_until_it_is_revealed() {
    let (out, path) = folder("seal");
    let (sealed, secret, open) = (path("sealed.toml"), path("22.secret"), path("22.toml"));
    let draft = root("seasons/21-hard.toml");
    let said = fine(&["season", "seal", &draft, "--secret", &secret, "--out", &sealed]);
    let commitment = said.out.trim();
    assert_eq!(commitment.len(), 64);
    assert!(fs::read_to_string(&sealed).unwrap().contains(commitment));
    #[cfg(unix)]
    assert_eq!(mode(&secret), 0o600);
    let races = path("races");
    for args in [
        vec!["race", "--season", &sealed, "--out", &races],
        vec!["task", "show", "--season", &sealed, "--range", "1"],
        vec!["task", "solve", "--season", &sealed, "--range", "1"],
        vec!["rank", &sealed, &root("replays")],
    ] {
        let said = gauntlet(&args);
        assert_eq!(said.code, 2, "{args:?}");
        assert!(said.err.contains("this season is sealed") && said.out.is_empty(), "{}", said.err);
    }
    assert!(!out.join("races").exists(), "nothing was written");
    for (args, word) in [
        (["season", "seal", &draft, "--secret", &secret, "--out", &path("b.toml")], "exists"),
        (["season", "seal", &draft, "--secret", &path("b"), "--out", &sealed], "left as it is"),
        (["season", "seal", &sealed, "--secret", &path("b"), "--out", &path("b.toml")], "sealed"),
        (["season", "reveal", &draft, "--secret", &secret, "--out", &open], "not sealed"),
        (["season", "reveal", &sealed, "--secret", &draft, "--out", &open], "draft"),
    ] {
        let said = gauntlet(&args);
        assert_eq!(said.code, 2, "{args:?}");
        assert!(said.err.contains(word) || word == "draft", "{args:?}: {}", said.err);
    }
    assert!(!Path::new(&open).exists() && !Path::new(&path("b.toml")).exists());
    let seed = fine(&["season", "reveal", &sealed, "--secret", &secret, "--out", &open]).out;
    assert!(fs::read_to_string(&secret).unwrap().contains(seed.trim()));

    let pacer = root("lanes/pacer-novice.toml");
    fine(&["race", "--plain", "--season", &open, "--lane", &pacer, "--out", &races]);
    let said = fine(&["verify", &races, "--sealed", &sealed]);
    assert!(said.out.contains(&format!("its seed opens {commitment}")), "{}", said.out);
    fine(&["rank", &open, &races]);

    // Another seal of the same draft: the race's season is not the one that it promised.
    let other = path("other.toml");
    fine(&["season", "seal", &draft, "--secret", &path("o.secret"), "--out", &other]);
    let said = gauntlet(&["verify", &races, "--sealed", &other]);
    assert_eq!(said.code, 1);
    assert!(said.out.contains("season.toml: its seed opens the seal"), "{}", said.out);
    let wrong = gauntlet(&["season", "reveal", &other, "--secret", &secret, "--out", &path("w")]);
    assert_eq!(wrong.code, 2);
    assert!(wrong.err.contains("of another seal"), "{}", wrong.err);
    // A season that never was sealed does not pass for one, and a seed that was put in by hand opens nothing.
    let kept = root("replays/21-pacer-novice-attempt1");
    assert_eq!(gauntlet(&["verify", &kept, "--sealed", &sealed]).code, 1);
    let forged = fs::read_to_string(&open).unwrap().replacen("seed = ", "seed = 1", 1);
    fs::write(path("forged.toml"), forged).unwrap();
    let said = gauntlet(&["task", "show", "--season", &path("forged.toml"), "--range", "1"]);
    assert_eq!(said.code, 2);
    assert!(said.err.contains("do not open this seal"), "{}", said.err);
}

#[test]
fn a_race_with_a_sealed_season_does_not_verify() {
    let (out, path) = folder("sealed-race");
    copied(&out.join("race"));
    let (sealed, secret) = (path("sealed.toml"), path("secret"));
    fine(&["season", "seal", &root("seasons/21.toml"), "--secret", &secret, "--out", &sealed]);
    fs::copy(&sealed, out.join("race/season.toml")).unwrap();
    let said = gauntlet(&["verify", &path("race")]);
    assert_eq!(said.code, 1);
    assert!(said.out.contains("season.toml, line 7: this season is sealed"), "{}", said.out);
}

#[test]
fn a_signed_race_shows_whose_it_is_and_what_was_done_to_it() {
    let (out, path) = folder("sign");
    let (key, race) = (path("key"), path("race"));
    let public = fine(&["sign", "--new-key", &key]).out.trim().to_owned();
    assert_eq!(public.len(), "ed25519:".len() + 64);
    #[cfg(unix)]
    assert_eq!(mode(&key), 0o600);
    let folder = out.join("race");
    copied(&folder);
    let signed_by = |args: &[&str]| gauntlet(&[&["verify", &race][..], args].concat());
    let unsigned = signed_by(&["--key", &public]);
    assert_eq!(unsigned.code, 1);
    assert!(unsigned.out.contains("signature.json: no signature"), "{}", unsigned.out);
    assert_eq!(fine(&["sign", &race, "--key", &key]).out.trim(), public);
    let json = fine(&["verify", &race, "--key", &public, "--format", "json"]).out;
    assert!(json.contains(&format!("\"signed_by\": \"{public}\"")), "{json}");
    fs::write(path("key.pub"), format!("# mine\n{public}\n")).unwrap();
    assert!(signed_by(&["--key", &path("key.pub")]).out.contains(&format!("signed by {public}")));
    let again = gauntlet(&["sign", &race, "--key", &key]);
    assert!(again.code == 2 && again.err.contains("signed already"), "{}", again.err);
    let other = fine(&["sign", "--new-key", &path("other")]).out.trim().to_owned();
    let said = signed_by(&["--key", &other]);
    assert!(said.code == 1 && said.out.contains(&format!("and {other} is asked for")));
    for wrong in ["ed25519:00", &path("none"), &key] {
        let said = signed_by(&["--key", wrong]);
        assert!(said.code == 2 && said.err.contains("no public key"), "{wrong}: {}", said.err);
        assert!(!said.err.contains("secret:"), "a key is never printed");
    }

    // What is done to the folder is named, file by file. A comment in command.txt is nothing that verify looks at otherwise.
    fs::write(folder.join("command.txt"), "gauntlet race --lane other.toml\n").unwrap();
    fs::write(folder.join("more.txt"), "x").unwrap();
    fs::remove_file(folder.join("verify.txt")).unwrap();
    let said = signed_by(&[]);
    assert_eq!(said.code, 1);
    for word in [
        "command.txt: was changed after it was signed",
        "more.txt: was added after the race was signed",
        "verify.txt: was signed and is missing",
    ] {
        assert!(said.out.contains(word), "{}", said.out);
    }
    assert!(!said.out.contains("signed by"), "{}", said.out);
    let ranked = gauntlet(&["rank", &root("seasons/21.toml"), &race, "--verify"]);
    assert_eq!(ranked.code, 1, "{}", ranked.out);
}

#[test]
fn a_forged_signature_and_an_unsafe_key_are_refused() {
    let (out, path) = folder("forged");
    let (key, race) = (path("key"), path("race"));
    let public = fine(&["sign", "--new-key", &key]).out.trim().to_owned();
    let other = fine(&["sign", "--new-key", &path("other")]).out.trim().to_owned();
    let folder = out.join("race");
    copied(&folder);
    fine(&["sign", &race, "--key", &key]);
    let file = folder.join("signature.json");
    let text = fs::read_to_string(&file).unwrap();
    let signature = text.rsplit('"').nth(1).unwrap().to_owned();
    for (changed, word) in [
        (text.replace(&public, &other), "is not one of"),
        (text.replace(&public, &format!("ed25519:{}", "0".repeat(64))), ""),
        (text.replace(&signature, &"0".repeat(128)), "is not one of"),
        (text.replace(&signature, "zz"), "holds no signature"),
        (text.replacen("command.txt", "zommand.txt", 1), "order of their names"),
        (text.replacen("command.txt", "../cmd.txt", 1), "order of their names"),
        (text.replace("\"major\": 1", "\"major\": 2"), "a newer gauntlet reads it"),
        (String::from("{"), "cannot be read"),
        (String::new(), "cannot be read"),
    ] {
        fs::write(&file, &changed).unwrap();
        let said = gauntlet(&["verify", &race]);
        assert_eq!(said.code, 1, "{}", said.out);
        assert!(said.out.contains("signature.json: ") && said.out.contains(word), "{}", said.out);
    }
    fs::remove_file(&file).unwrap();

    let inside = gauntlet(&["sign", "--new-key", &format!("{race}/key")]);
    assert!(inside.code == 2 && inside.err.contains("race folder"), "{}", inside.err);
    assert!(!folder.join("key").exists());
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        fs::set_permissions(&key, fs::Permissions::from_mode(0o644)).unwrap();
        let said = gauntlet(&["sign", &race, "--key", &key]);
        assert!(said.code == 2 && said.err.contains("chmod 600"), "{}", said.err);
        fs::set_permissions(&key, fs::Permissions::from_mode(0o600)).unwrap();
        std::os::unix::fs::symlink("/etc/hostname", folder.join("link")).unwrap();
        let said = gauntlet(&["sign", &race, "--key", &key]);
        assert!(said.code == 2 && said.err.contains("cannot be signed"), "{}", said.err);
        assert!(!file.exists());
    }
}
