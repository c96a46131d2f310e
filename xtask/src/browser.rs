//! Does the reference page at /docs work in a real browser, from the binary alone?

pub(crate) mod chromium;
mod devtools;

use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use devtools::Page;
use serde_json::Value;

use crate::docs;
use crate::environment::{Environment, Scratch};
use crate::json::{at, text};
use crate::report::Tally;
use crate::server::Server;

/// For each condition to come true.
const PATIENCE: Duration = Duration::from_secs(30);

/// What must become true on the page, in this order: a name and a JavaScript expression.
const CHECKS: &[(&str, &str)] = &[
    (
        "every operation is listed",
        r#"(async () => {
            const { paths } = await (await fetch("/openapi.json")).json();
            const ids = Object.values(paths).flatMap((path) => Object.values(path)).map((operation) => operation.operationId);
            return ids.length > 0 && ids.every((id) => document.getElementById(id)?.tagName === "ARTICLE");
        })()"#,
    ),
    (
        "an operation opens and shows parameters, body and answers",
        r#"(() => {
            const article = document.getElementById("recall");
            article.querySelector("details").open = true;
            return article.querySelectorAll("h3").length >= 4 && article.querySelector("form.try textarea.body") !== null;
        })()"#,
    ),
    (
        "a call without a body is answered",
        r#"(() => {
            const article = document.getElementById("listWorlds");
            article.querySelector("details").open = true;
            if (!article.dataset.sent && article.querySelector("form")) {
                article.dataset.sent = "yes";
                article.querySelector("form").requestSubmit();
            }
            return article.querySelector(".status.good")?.textContent.startsWith("200") === true
                && article.querySelector("form pre").textContent.includes("harbour");
        })()"#,
    ),
    (
        "a call with a body is answered",
        r#"(() => {
            const article = document.getElementById("recall");
            if (!article.dataset.sent) {
                article.dataset.sent = "yes";
                article.querySelector("form").requestSubmit();
            }
            return article.querySelector(".status.good")?.textContent.startsWith("200") === true
                && article.querySelector("form pre").textContent.includes("messages");
        })()"#,
    ),
    (
        "the filter leaves what was asked for",
        r#"(() => {
            const filter = document.getElementById("filter");
            filter.value = "checkpoint restore";
            filter.dispatchEvent(new Event("input"));
            const shown = [...document.querySelectorAll("article")].filter((article) => !article.hidden);
            const right = shown.length === 1 && shown[0].id === "restoreCheckpoint";
            filter.value = "";
            filter.dispatchEvent(new Event("input"));
            return right;
        })()"#,
    ),
    (
        "a group of which nothing is left has no heading",
        r#"(() => {
            const filter = document.getElementById("filter");
            const headings = () => [...document.querySelectorAll("h2")].filter((heading) => heading.offsetParent !== null).length;
            const all = headings();
            filter.value = "checkpoint restore";
            filter.dispatchEvent(new Event("input"));
            const left = headings();
            filter.value = "";
            filter.dispatchEvent(new Event("input"));
            return left === 2 && all > 10 && headings() === all;
        })()"#,
    ),
    (
        "calls are filled in with the sample world, but not those that delete",
        r#"(() => {
            const value = (id) => document.getElementById(id)?.value;
            for (const id of ["listLines", "getCharacter", "deleteWorld", "getHistory"]) document.getElementById(id).querySelector("details").open = true;
            return value("listLines-world") === "harbour" && value("listLines-conversation") === "lighthouse" && value("listLines-cursor") === ""
                && value("getCharacter-character") === "mo" && value("getHistory-participants") === "mo\nyou" && value("deleteWorld-world") === "";
        })()"#,
    ),
    (
        "only what writes says that it may change something",
        r#"(() => {
            const warns = (id) => {
                document.getElementById(id).querySelector("details").open = true;
                return document.getElementById(id).querySelector("form.try p").textContent.includes("change stored data");
            };
            return warns("recordLines") && warns("putWorld") && !warns("recall") && !warns("perspective") && !warns("listWorlds");
        })()"#,
    ),
    (
        "types read like a sentence",
        r#"(() => {
            document.getElementById("recall").querySelector("details").open = true;
            document.getElementById("recordLines").querySelector("details").open = true;
            const types = (id) => [...document.getElementById(id).querySelectorAll(".type")].map((element) => element.textContent);
            return types("recall").includes("array of NewLine or null") && types("recordLines").includes("array of NewLine")
                && ![...document.querySelectorAll(".type")].some((element) => /[<>]/.test(element.textContent));
        })()"#,
    ),
    (
        "it speaks Chinese when told to",
        r#"(() => {
            if (document.documentElement.lang !== "zh-CN") document.getElementById("language").click();
            return document.documentElement.lang === "zh-CN" && document.getElementById("filter").placeholder === "查找接口";
        })()"#,
    ),
    (
        "every summary and every group is Chinese then",
        r#"(() => {
            const all = [...document.querySelectorAll("article .summary, nav a > span:last-child, h2")];
            return all.length > 60 && all.every((element) => /\p{Script=Han}/u.test(element.textContent));
        })()"#,
    ),
    (
        "what stands in backticks is shown as code",
        r#"(() => {
            const all = [...document.querySelectorAll("article > details")];
            all.forEach((details) => { details.open = true; });
            return all.every((details) => details.children.length === 2)
                && !document.body.innerText.includes("`") && document.querySelectorAll(".note.text code").length > 10;
        })()"#,
    ),
];

pub(crate) fn check(environment: &Environment) -> Result<Tally> {
    let program = match chromium::find_or_install(environment) {
        Ok(program) => program,
        Err(why) => {
            println!("skipped: {why:#}");
            return Ok(Tally::SKIPPED);
        }
    };
    println!("browser: {}", program.display());
    let scratch = Scratch::new("browser")?;
    let server = Server::start(&docs::binary(environment)?, scratch.path(), &[])?;
    let mut page = Page::open(&program, &scratch.path().join("profile"), environment.is_root())?;
    page.go_to(&format!("{}/docs", server.address))?;
    let mut tally = Tally::default();
    for (name, condition) in CHECKS {
        report(&mut tally, name, comes_true(&mut page, condition));
    }
    report(
        &mut tally,
        "nothing failed and nothing came from elsewhere",
        complaints(&mut page, &server.address),
    );
    Ok(tally)
}

fn report(tally: &mut Tally, name: &str, result: Result<()>) {
    if let Err(error) = &result {
        println!("  problem: {error:#}");
    }
    println!("browser {name} ... {}", if result.is_ok() { "ok" } else { "FAILED" });
    tally.add(if result.is_ok() { Tally::PASSED } else { Tally::FAILED });
}

fn comes_true(page: &mut Page, condition: &str) -> Result<()> {
    let start = Instant::now();
    loop {
        // While the page is still being drawn, parts that the expression names may be missing.
        let value = page.evaluate(condition);
        if matches!(value, Ok(Value::Bool(true))) {
            return Ok(());
        }
        if start.elapsed() > PATIENCE {
            let last = value.map_or_else(|error| format!("{error:#}"), |value| value.to_string());
            bail!("not within {} s; the last answer was {last}", PATIENCE.as_secs());
        }
        std::thread::sleep(Duration::from_millis(100));
    }
}

/// Errors in the console and requests to other hosts, from all that the browser reported.
fn complaints(page: &mut Page, address: &str) -> Result<()> {
    let mut found = Vec::new();
    for event in page.events()? {
        let details = at(event, "/params");
        match text(event, "/method") {
            Some("Runtime.exceptionThrown") => found.push(at(details, "/exceptionDetails").to_string()),
            Some("Log.entryAdded") if *at(details, "/entry/level") == "error" => {
                found.push(at(details, "/entry").to_string())
            }
            Some("Network.requestWillBeSent") => {
                let url = text(details, "/request/url").unwrap_or_default();
                if !url.starts_with(address) {
                    found.push(format!("a request to {url}"));
                }
            }
            _ => {}
        }
    }
    if found.is_empty() { Ok(()) } else { bail!("{}", found.join("\n  ")) }
}
