//! What is found, what stays, and that nothing panics or takes forever.

use super::*;

fn found(text: &str) -> Vec<(&'static str, &str)> {
    let hits = find(text, &Known::default());
    hits.into_iter().map(|hit| (hit.kind.word(), &text[hit.range])).collect()
}

#[test]
fn what_only_looks_like_a_secret_stays() {
    for text in [
        "x[1::2] and y[::-1] and z[2000::2]",
        "at 12:34:56 and 01.02.2026, ratio 3:2, v1.2.3.4 and 1.2.3.4.5",
        "http://127.0.0.1:8080/v1 and http://localhost:8080 and [::1]:80",
        "https://huggingface.co/Qwen/Qwen3-30B-A3B-Instruct-2507-GGUF",
        "TARGET 1: WAABCD; go 3 W, then 5 N; 10 Wide",
        "prompt_tokens: 12, first_token = [1], token = tokens[i], limit_tokens = 2048",
        "@lru_cache(maxsize=None)\ndef f(a, b): return a @ b",
        "self.local = threading.local()",
        "api_key_env = \"MY_KEY\"; password = input(); token: str; secret = $SECRET",
        "46705ba23fc26da03f7df86f42ed080b70c510b39e95ae573429607af95228fe",
        "the bearer of bad news; Basic understanding; a task-force; disk-usage-of-everything",
        "/home/user/models, /root/x, ~/models, /usr/lib/x.local/y",
        "C:\\Windows and D:/models",
        "to the power: of three; 1 watt-hour is 3600 J",
        "redacted-ip-1-0123456789ab and http://redacted-host-2-0123456789ab:8080/v1",
    ] {
        let left: Vec<_> = found(text).into_iter().filter(|(_, it)| *it != "1 watt").collect();
        assert!(left.is_empty(), "{text}: {left:?}");
    }
}

#[test]
fn names_and_shapes_that_give_a_value_away() {
    for (text, part) in [
        ("/mnt/c/Users/Bobby/models", "/Users/Bobby"),
        ("hostname = \"kista17\"", "kista17"),
        ("HOSTNAME=kista", "kista"),
        ("USER=robertina", "robertina"),
        ("username: robertina", "robertina"),
        ("the password hunter22 works", "hunter22"),
        (r"on \\nas7\models", "nas7"),
        ("PGPASSWORD=foo1bar2", "foo1bar2"),
        ("redis://:s3cretp@cache/0", ":s3cretp"),
        ("passwd: 'a b c d'", "a b c d"),
        (
            "MTE5ODYyMjQ4MzQ3MTkyNTI0OA.CwQEnA.aB3dE5fG7hJ9kL1mN2oP3qR4sT5",
            "MTE5ODYyMjQ4MzQ3MTkyNTI0OA.CwQEnA.aB3dE5fG7hJ9kL1mN2oP3qR4sT5",
        ),
        ("inet6 2a02:8071:b87:4c00:21a:2bff:fe3c:4d5e/64", "2a02:8071:b87:4c00:21a:2bff:fe3c:4d5e"),
    ] {
        assert!(found(text).iter().any(|(_, it)| *it == part), "{text}: {:?}", found(text));
    }
    for text in [
        "user: please go on",
        "host: the",
        "the user: me",
        "a password is needed",
        "\\\\alpha\\beta",
        "src/home/index",
        "https://x.org/home/index",
    ] {
        assert_eq!(found(text), [], "{text}");
    }
}

#[test]
fn an_overlap_goes_whole_and_what_is_known_goes_everywhere() {
    let login = found("http://bob:pw@bob.example.org:80/");
    assert_eq!(login, [("login", "bob:pw@bob.example.org")]);
    let mut known = Known::default();
    let text = "in /home/marta/x marta met martas Marta";
    find(text, &known).iter().for_each(|hit| learn(text, hit, &mut known));
    assert_eq!(known.len(), 1);
    let places: Vec<_> = find(text, &known).into_iter().map(|hit| hit.range).collect();
    assert_eq!(places, [3..14, 17..22]);
    assert_eq!(known.remove_words_of("marta rows"), [(Kind::User, String::from("marta"))]);
    assert_eq!(find(text, &known).len(), 1);
}

#[test]
fn a_column_of_a_table_says_what_its_numbers_are() {
    let text = "t, power.draw [W], c\n1, 312.5, 40\n2, 318, 41\n";
    let hits = find_in_table(text, &Known::default());
    let values: Vec<&str> = hits.into_iter().map(|hit| &text[hit.range]).collect();
    assert_eq!(values, ["312.5", "318"]);
}

#[test]
fn long_texts_of_one_thing_take_no_time_to_speak_of() {
    for piece in [
        "=",
        "--",
        "-",
        "sk-",
        "sk-1",
        "eyJ-",
        "a/",
        "1,",
        "1.",
        ":",
        "://",
        "@",
        "a@",
        "a@b.",
        "-----BEGIN PRIVATE KEY-----",
        "/var/folders/",
        "~",
        "[",
        "::",
        "f:",
        "/home/",
        "=\"",
        "Bearer ",
        "S/N ",
        "x.local",
        ".local.",
        "\\Users\\",
        "token: ",
        "power: 1 ",
        "password=a",
    ] {
        let text = piece.repeat(400_000 / piece.len());
        drop(find(&text, &Known::default()));
    }
}

proptest::proptest! {
    #[test]
    fn no_text_makes_it_panic_and_no_hit_overlaps(text in "(\\PC|[@:./=~\\-\\\\\"' ]|(://|eyJ|/home/|sk-|AKIA|-----BEGIN PRIVATE KEY)){0,60}") {
        let hits = find(&text, &Known::default());
        let ends: Vec<usize> = hits.iter().flat_map(|hit| [hit.range.start, hit.range.end]).collect();
        assert!(ends.is_sorted(), "{hits:?}");
        assert!(hits.iter().all(|hit| text.get(hit.range.clone()).is_some()));
    }
}
