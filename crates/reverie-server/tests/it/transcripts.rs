//! Commands as somebody types them, and all that they answer: stdout, stderr, exit code.
//!
//! A transcript is a file of blocks. `$ reverie …` is run in an empty folder of its own; its stdout follows as it is, its
//! stderr behind `! `, its exit code, unless 0, behind `? `. `< FILE` and `> FILE` do what a shell does. `$ write FILE` makes a
//! file of the lines behind `| `, `$ same A B` compares two; the files of `scenes/` are there already. The folder itself is shown as `[DIR]`, numbers
//! of bytes as `[N]`.

use std::path::Path;

use crate::run::{Directory, Ended, reverie, run_with};

const SCENES: &[(&str, &str)] = &[
    ("one-to-one.json", include_str!("scenes/one-to-one.json")),
    ("christmas.json", include_str!("scenes/christmas.json")),
];

macro_rules! transcripts {
    ($($(#[$condition:meta])* $name:ident)*) => {$(
        #[test]
        $(#[$condition])*
        fn $name() {
            check(stringify!($name), include_str!(concat!("transcripts/", stringify!($name), ".txt")));
        }
    )*};
}

transcripts! {
    perspective
    lore
    eval
    // These say what the system says about missing files.
    #[cfg(unix)]
    tables
    #[cfg(unix)]
    exports
    #[cfg(unix)]
    limits
    #[cfg(unix)]
    mistakes
    #[cfg(unix)]
    imports
    #[cfg(unix)]
    folders
    loose
    writing
    chat_files
    rounds
    talking
    names
    #[cfg(unix)]
    memories
}

fn check(name: &str, expected: &str) {
    let directory = Directory::new();
    for (file, text) in SCENES {
        directory.write(file, text);
    }
    let blocks = expected.split("\n\n").map(|block| play(&directory, block.trim_end()));
    let actual = blocks.collect::<Vec<_>>().join("\n\n") + "\n";
    if actual == expected {
        return;
    }
    let saved = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}.txt"));
    std::fs::write(&saved, &actual).unwrap();
    let pairs = expected.lines().chain(["(the end)"]).zip(actual.lines().chain(["(the end)"]));
    let (number, (expected, actual)) = pairs.enumerate().find(|(_, (a, b))| a != b).unwrap_or_default();
    panic!(
        "{name}, line {}:\n expected {expected}\n but was {actual}\nall of it: {}",
        number + 1,
        saved.display()
    );
}

/// The block again, with what really happened.
fn play(directory: &Directory, block: &str) -> String {
    let (comments, rest): (Vec<&str>, Vec<&str>) =
        block.lines().partition(|line| line.starts_with("# ") || line.is_empty());
    let Some(command) = rest.first().and_then(|line| line.strip_prefix("$ ")) else {
        assert!(rest.is_empty(), "not a command: {rest:?}");
        return block.to_owned();
    };
    let mut shown: Vec<String> = comments.iter().map(ToString::to_string).collect();
    shown.push(format!("$ {command}"));
    let words = words(command);
    match words.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["write", file] => {
            let lines = rest[1..].iter().map(|line| line.strip_prefix("| ").unwrap_or_default());
            directory.write(file, &lines.collect::<Vec<_>>().join("\n"));
            return block.to_owned();
        }
        ["same", one, other] => {
            let read = |file: &str| std::fs::read(directory.path().join(file)).unwrap();
            assert!(read(one) == read(other), "{one} and {other} differ");
        }
        ["reverie", arguments @ ..] => shown.extend(type_in(directory, arguments)),
        other => panic!("nobody knows {other:?}"),
    }
    shown.join("\n")
}

fn type_in(directory: &Directory, arguments: &[&str]) -> Vec<String> {
    let redirect = |sign: &str| arguments.iter().position(|word| *word == sign).map(|at| arguments[at + 1]);
    let end = arguments.iter().position(|word| ["<", ">"].contains(word)).unwrap_or(arguments.len());
    let stdin = redirect("<").map(|file| std::fs::read_to_string(directory.path().join(file)).unwrap());
    let Ended { code, mut stdout, stderr } =
        run_with(reverie(directory).args(&arguments[..end]), stdin.unwrap_or_default());
    for request in ["/v1/", "GET ", "PUT ", "POST ", "PATCH ", "DELETE "] {
        let said = if arguments.contains(&"--json") { &stdout } else { &stderr };
        assert!(
            code == Some(0) || !said.contains(request),
            "whoever types a command sends no request: {said}"
        );
    }
    if let Some(file) = redirect(">") {
        directory.write(file, &std::mem::take(&mut stdout));
    }
    let mask = |text: &str| mask_bytes(&text.replace(directory.path().to_str().unwrap(), "[DIR]"));
    let mut shown: Vec<String> = mask(&stdout).lines().map(ToOwned::to_owned).collect();
    shown.extend(mask(&stderr).lines().map(|line| format!("! {line}")));
    shown.extend(code.filter(|code| *code != 0).map(|code| format!("? {code}")));
    shown
}

/// Blanks part words, but not inside of single quotes.
fn words(command: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    for (index, piece) in command.split('\'').enumerate() {
        match index % 2 {
            0 => words.extend(piece.split_whitespace().map(ToOwned::to_owned)),
            _ => words.push(piece.to_owned()),
        }
    }
    words
}

/// `1234 bytes` and `"bytes":1234` differ from version to version.
fn mask_bytes(text: &str) -> String {
    let mut masked = String::new();
    let mut rest = text;
    while let Some(start) = rest.find(|c: char| c.is_ascii_digit()) {
        let (before, from) = rest.split_at(start);
        let digits = from.find(|c: char| !c.is_ascii_digit()).unwrap_or(from.len());
        let (number, after) = from.split_at(digits);
        let is_bytes = after.starts_with(" bytes") || before.ends_with("\"bytes\":");
        masked.push_str(before);
        masked.push_str(if is_bytes { "[N]" } else { number });
        rest = after;
    }
    masked + rest
}
