//! Hostile lane files, seasons and published results.

use super::{EVIL, bounded, folder, long, root, run, toml};
use std::fs;

#[test]
fn hostile_lane_files_and_seasons() {
    let out = folder("evil-files");
    let path = |name: &str| out.join(name).display().to_string();
    let races = path("races");
    let quoted = toml(EVIL);
    let good = format!(
        "name = \"x\"\nkind = \"http\"\nmemory_gb = 8\nbase_url = \"http://127.0.0.1:1/v1\"\nmodel = {quoted}\n"
    );
    let raw = EVIL.replace(['\r', '\n'], " ");
    let mut lanes = vec![
        good.clone(),
        format!("{good}{quoted} = 1\n"),
        format!("{good}# {raw}\n"),
        format!("{good}title = \"{raw}\"\n"),
        format!("{good}api_key_env = {quoted}\n"),
        format!("{good}cache_off = {quoted}\nforced = {quoted}\n"),
        format!("{good}[thinking]\nswitch = {quoted}\nmode = {quoted}\n"),
        format!("{good}[extra]\n{quoted} = {quoted}\nmodel = {quoted}\n"),
        format!("{good}[sampling]\n{quoted} = {quoted}\n"),
        raw.clone(),
    ];
    for (from, to) in [
        ("\"x\"", quoted.as_str()),
        ("\"http\"", &quoted),
        ("\"http://127.0.0.1:1/v1\"", &quoted),
        ("8\n", &format!("{quoted}\n")),
    ] {
        lanes.push(good.replacen(from, to, 1));
    }
    lanes.push(good.replace("127.0.0.1:1", &toml(&EVIL.replace('/', "")).replace('"', "")));
    for (number, text) in lanes.iter().enumerate() {
        let lane = path(&format!("{number}.toml"));
        fs::write(&lane, text).unwrap();
        for args in
            [["race", "--lane", &lane, "--out", &races], ["lane", "ask", &lane, "--prompt", "x"]]
        {
            let (code, said) = run(&args);
            assert!(code == 2 || code == 3, "{args:?}: {code}: {said}");
        }
        run(&["lane", "check", &lane]);
    }

    let season = fs::read_to_string(root("seasons/21.toml")).unwrap();
    let titled = path("titled.toml");
    fs::write(&titled, season.replace("\"Season 21\"", &toml(&long()))).unwrap();
    let (code, _) = run(&["race", "--season", &titled, "--out", &races]);
    assert_eq!(code, 0);
    for format in ["table", "json", "csv", "md"] {
        let (code, said) = run(&["rank", &titled, &races, "--format", format]);
        assert_eq!(code, 0, "{said}");
    }
    bounded(&["rank", &titled, &races]);
    bounded(&["replay", &format!("{races}/21-pacer-club-attempt1"), "--instant"]);
    bounded(&["verify", &races]);
    run(&["season", "seal", &titled, "--secret", &path("secret"), "--out", &path("sealed.toml")]);
    bounded(&["race", "--season", &path("sealed.toml"), "--out", &races]);
    for (number, (from, to)) in [
        ("\"21\"", quoted.clone()),
        ("\"painter\"", quoted.clone()),
        ("\"gauntlet-4\"", quoted.clone()),
        ("\"ranked\"", quoted.clone()),
        ("\"gauntlet-season\"", quoted.clone()),
        ("[levels.2]", format!("[levels.{quoted}]")),
        ("clock_gap_ms", quoted.clone()),
        ("seed = 21 ", format!("seed_sha256 = {quoted}\n")),
        ("seed = 21 ", format!("seed = 21\nseed_salt = {quoted}\nseed_sha256 = {quoted}\n")),
        ("seed = 21 ", raw.clone()),
    ]
    .into_iter()
    .enumerate()
    {
        let file = path(&format!("season-{number}.toml"));
        fs::write(&file, season.replacen(from, &to, 1)).unwrap();
        for args in [
            vec!["race", "--season", &file, "--out", &races],
            vec!["task", "show", "--season", &file, "--range", "1"],
            vec!["rank", &file, &races],
            vec!["season", "seal", &file, "--secret", &path("s"), "--out", &path("o")],
        ] {
            let (code, said) = run(&args);
            assert_eq!(code, 2, "{args:?}: {said}");
        }
    }
    let published = out.join("titled").join("published.toml");
    fs::create_dir_all(published.parent().unwrap()).unwrap();
    let text = fs::read_to_string(root("seasons/21/published.toml")).unwrap();
    for (from, to) in [
        ("lane = ", format!("lane = {quoted} # ")),
        ("format = ", raw),
        ("family = ", format!("family = {quoted} # ")),
    ] {
        fs::write(&published, text.replacen(from, &to, 1)).unwrap();
        for format in ["table", "json", "csv", "md"] {
            run(&["rank", &titled, "--published", "--format", format]);
        }
    }
}
