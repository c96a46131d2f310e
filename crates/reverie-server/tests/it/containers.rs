//! Do the files and commands of the guide's part on Docker fit this program? No container is run: what stands in them is read, the server is
//! started with it, and called by the names that containers have.

use serde_json::Value;

use crate::client::request;
use crate::run::{Directory, Server, reverie, run, serve};

const GUIDES: [&str; 2] = [
    include_str!("../../../../docs/guides/clients.md"),
    include_str!("../../../../docs/guides/zh-CN/clients.md"),
];
const TOKEN: &str = "rv_0123456789abcdef0123456789abcdef";

/// The blocks of one language behind the heading.
fn blocks(language: &str) -> impl Iterator<Item = Vec<String>> {
    let fence = format!("```{language}\n");
    GUIDES.into_iter().map(move |guide| {
        let docker = guide.split_once("\n## Docker\n").unwrap().1;
        let blocks = docker.split(&fence).skip(1);
        blocks
            .map(|block| block.split("```").next().unwrap().replace("rv_…", TOKEN).replace("sk-…", "sk-key"))
            .collect()
    })
}

/// A server with variables and flags of the guide, on any port of the address that they name.
fn serve_as(variables: &[(String, String)], flags: &[&str]) -> Server {
    let mut variables: Vec<(&str, &str)> =
        variables.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    for (name, value) in &mut variables {
        match *name {
            // Its own directory is the volume.
            "REVERIE_DATA" => assert_eq!(std::mem::replace(value, "."), "/data"),
            "REVERIE_LISTEN" => assert_eq!(*value, "0.0.0.0:7878"),
            _ => {}
        }
    }
    let flags = [flags, &["--listen", "127.0.0.1:0"]].concat();
    let server = serve(&flags, &variables);
    assert!(!server.log().contains("unknown"), "{}", server.log());
    server
}

fn check_door(server: &Server, name: &str) {
    let ask = |host: &str, headers: &str| {
        let headers = format!("host: {host}\n{headers}");
        request(server.address, "GET /v1/worlds", &headers, "").status
    };
    let token = format!("authorization: Bearer {TOKEN}");
    assert_eq!(ask(name, &token), 200, "{name}");
    assert_eq!(ask(name, ""), 401, "{name}");
    assert_eq!(ask("elsewhere:7878", &token), 403);
}

/// Variables that belong to Reverie, of lines like `NAME: value` or `NAME=value`.
fn variables<'a>(words: impl Iterator<Item = &'a str>, between: &str) -> Vec<(String, String)> {
    let pair = |word: &'a str| word.trim().split_once(between);
    let own = words.filter_map(pair).filter(|(name, _)| name.starts_with("REVERIE_"));
    own.map(|(name, value)| (name.to_owned(), value.trim().to_owned())).collect()
}

#[test]
fn the_image() {
    for (files, commands) in blocks("dockerfile").zip(blocks("sh")) {
        let [file] = files.as_slice() else { panic!("{files:?}") };
        let mut stages = Vec::new();
        let mut binary = None;
        for line in file.lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#')) {
            let (instruction, rest) = line.split_once(' ').unwrap();
            let words: Vec<&str> = rest.split(' ').collect();
            match instruction {
                "FROM" => stages.push(words.get(2).copied().unwrap_or_default()),
                "COPY" => {
                    if let Some(stage) = words[0].strip_prefix("--from=") {
                        assert!(stages.contains(&stage), "{line}");
                        assert!(words[1].ends_with("/target/release/reverie"), "{line}");
                        binary = words[2].rsplit('/').next();
                    }
                }
                "CMD" => {
                    let command: Value = serde_json::from_str(rest).unwrap();
                    assert_eq!(command[0], binary.unwrap());
                    let help = run(reverie(&Directory::new()).args([command[1].as_str().unwrap(), "--help"]));
                    assert_eq!(help.code, Some(0), "{}", help.stderr);
                }
                "EXPOSE" => assert_eq!(rest, "7878"),
                "WORKDIR" | "RUN" | "USER" | "ENV" | "VOLUME" => {}
                other => panic!("no instruction of Docker: {other}"),
            }
        }
        let set = file.lines().find_map(|line| line.strip_prefix("ENV ")).unwrap();
        let run = commands.iter().find(|block| block.contains("docker run")).unwrap();
        let mut all = variables(set.split(' '), "=");
        all.extend(variables(run.split_whitespace(), "="));
        assert_eq!(all.len(), 6, "{all:?}");
        // Through the published port it is called by the host's own name.
        check_door(&serve_as(&all, &[]), "127.0.0.1:7878");
    }
}

#[test]
fn the_composition() {
    for files in blocks("yaml") {
        let [file] = files.as_slice() else { panic!("{files:?}") };
        assert!(file.lines().all(|line| !line.contains('\t') && line.trim_end() == line), "{file}");
        let own = variables(file.lines(), ": ");
        assert_eq!(own.len(), 3, "{own:?}");
        let value = |name: &str| {
            let line = file.lines().find_map(|line| line.trim().strip_prefix(name)?.strip_prefix(": "));
            line.unwrap().to_owned()
        };
        // The other service calls it by its name, with its token.
        let host = value("OPENAI_API_BASE_URL");
        let host = host.strip_prefix("http://").unwrap().strip_suffix("/v1").unwrap();
        let service = host.strip_suffix(":7878").unwrap();
        assert!(file.contains(&format!("\n  {service}:\n    build: .\n")), "{file}");
        assert_eq!((value("OPENAI_API_KEY"), value("REVERIE_TOKEN")), (TOKEN.to_owned(), TOKEN.to_owned()));
        check_door(&serve_as(&own, &[]), host);
    }
}

#[test]
fn a_client_in_a_container() {
    for commands in blocks("sh") {
        let line = commands[0].trim();
        let (before, flags) = line.split_once(" reverie serve --listen 0.0.0.0:7878 ").unwrap();
        let flags: Vec<&str> = flags.split(' ').collect();
        check_door(&serve_as(&variables([before].into_iter(), "="), &flags), "host.docker.internal:7878");
    }
}
