//! How is a browser told what to do? Over a pipe, in the DevTools protocol: JSON messages, each ended by a zero byte.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::time::{Duration, Instant};

use crate::json::{at, text};
use anyhow::{Context, Result, bail};
use serde_json::{Value, json};

/// For any one answer.
const PATIENCE: Duration = Duration::from_secs(60);

/// One tab of a browser of its own.
pub(super) struct Page {
    child: Child,
    to: ChildStdin,
    from: Receiver<Value>,
    session: Option<String>,
    last_id: u64,
    events: Vec<Value>,
}

impl Page {
    pub(super) fn open(program: &Path, profile: &Path, is_root: bool) -> Result<Self> {
        // The browser reads from descriptor 3 and writes to 4; the shell puts our pipes there.
        let mut command = Command::new("sh");
        command.arg("-c").arg(r#"exec "$0" "$@" 3<&0 4>&1 </dev/null >/dev/null"#).arg(program);
        command.args([
            "--headless",
            "--remote-debugging-pipe",
            "--disable-gpu",
            "--disable-dev-shm-usage",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            "--no-first-run",
            "--no-default-browser-check",
            "--lang=en-US",
        ]);
        if is_root {
            // The sandbox refuses to work for root.
            command.arg("--no-sandbox");
        }
        command.arg(format!("--user-data-dir={}", profile.display())).arg("about:blank");
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().context("cannot start the browser")?;
        let (Some(to), Some(from)) = (child.stdin.take(), child.stdout.take()) else {
            bail!("the browser has no pipes");
        };
        let (sender, receiver) = mpsc::channel();
        std::thread::spawn(move || {
            let mut from = BufReader::new(from);
            let mut message = Vec::new();
            while from.read_until(0, &mut message).is_ok_and(|read| read > 0) {
                message.pop();
                let sent = serde_json::from_slice(&message).map(|message| sender.send(message));
                if !matches!(sent, Ok(Ok(()))) {
                    return;
                }
                message.clear();
            }
        });
        let mut page = Self { child, to, from: receiver, session: None, last_id: 0, events: Vec::new() };
        let target = page.call("Target.createTarget", json!({"url": "about:blank"}))?;
        let attach = json!({"targetId": at(&target, "/targetId"), "flatten": true});
        let attached = page.call("Target.attachToTarget", attach)?;
        page.session =
            Some(text(&attached, "/sessionId").context("the browser opened no session")?.to_owned());
        for domain in ["Page", "Runtime", "Log", "Network"] {
            page.call(&format!("{domain}.enable"), json!({}))?;
        }
        Ok(page)
    }

    pub(super) fn go_to(&mut self, url: &str) -> Result<()> {
        let answer = self.call("Page.navigate", json!({"url": url}))?;
        match text(&answer, "/errorText") {
            Some(error) => bail!("{url}: {error}"),
            None => Ok(()),
        }
    }

    /// The value of an expression on the page; promises are waited for.
    pub(super) fn evaluate(&mut self, expression: &str) -> Result<Value> {
        let ask = json!({"expression": expression, "awaitPromise": true, "returnByValue": true});
        let answer = self.call("Runtime.evaluate", ask)?;
        if let Some(exception) = answer.get("exceptionDetails") {
            bail!("{}", text(exception, "/exception/description").unwrap_or("the expression failed"));
        }
        Ok(at(&answer, "/result/value").clone())
    }

    /// All that the browser reported so far.
    pub(super) fn events(&mut self) -> Result<&[Value]> {
        // An answer comes behind every event that happened before the question.
        self.evaluate("true")?;
        Ok(&self.events)
    }

    fn call(&mut self, method: &str, parameters: Value) -> Result<Value> {
        self.last_id += 1;
        let id = self.last_id;
        let message = match &self.session {
            Some(session) => json!({"id": id, "method": method, "params": parameters, "sessionId": session}),
            None => json!({"id": id, "method": method, "params": parameters}),
        };
        let mut bytes = message.to_string().into_bytes();
        bytes.push(0);
        self.to.write_all(&bytes).with_context(|| format!("the browser is gone before {method}"))?;
        let deadline = Instant::now() + PATIENCE;
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            let message = self
                .from
                .recv_timeout(left)
                .with_context(|| format!("the browser did not answer {method}"))?;
            if *at(&message, "/id") != json!(id) {
                self.events.push(message);
                continue;
            }
            if let Some(error) = message.get("error") {
                bail!("{method}: {error}");
            }
            return Ok(at(&message, "/result").clone());
        }
    }
}

impl Drop for Page {
    fn drop(&mut self) {
        crate::run::end(&mut self.child);
    }
}
