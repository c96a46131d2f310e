//! Killed while it makes its data file: does the next start find a way?

use std::process::Stdio;
use std::time::Instant;

use crate::client::{PATIENCE, get};
use crate::run::{Directory, reverie, run, serve};

/// The server is killed as soon as it has made one of these.
const MOMENTS: &[&[&str]] =
    &[&["reverie.db"], &["reverie.db-journal", "reverie.db-wal"], &["reverie.db-wal"]];

#[test]
fn a_server_killed_at_its_first_start_starts_again() {
    for moment in MOMENTS.iter().cycle().take(MOMENTS.len() * 4) {
        let data = Directory::new();
        let mut command = reverie(&data);
        command.args(["--listen", "127.0.0.1:0", "--data", "."]);
        let mut child =
            command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let start = Instant::now();
        while !moment.iter().any(|file| data.path().join(file).exists()) {
            assert!(start.elapsed() < PATIENCE, "nothing came");
            std::hint::spin_loop();
        }
        child.kill().unwrap();
        child.wait().unwrap();
        let server = serve(&["--data", data.path().to_str().unwrap()], &[]);
        assert_eq!(get(server.address, "/health").status, 200, "{moment:?}");
        assert_eq!(run(reverie(&data).args(["doctor", "--data", "."])).code, Some(0), "{moment:?}");
    }
}
