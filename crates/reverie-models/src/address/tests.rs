//! Do addresses as people write them lead where they should?

use super::*;

#[track_caller]
fn check(api: Api, address: &str, model: &str, expected: &str) {
    let found = Addresses::read(address, api, model).map(|read| {
        let scheme = if read.origin.is_https { "https" } else { "http" };
        let operation = if address.contains("mbed") { Operation::EmbedOne } else { Operation::Chat };
        let ways: Vec<String> = (0..read.ways()).map(|way| read.target(way, operation)).collect();
        format!("{scheme} {} {}", read.origin.authority(), ways.join(" or "))
    });
    assert_eq!(found.unwrap_or_else(|error| error.to_string()), expected, "{address}");
}

#[test]
fn openai_compatible_addresses_as_people_write_them() {
    let both = "/v1/chat/completions or /chat/completions";
    for (address, expected) in [
        ("https://api.openai.com", format!("https api.openai.com {both}")),
        ("https://api.openai.com/v1/", format!("https api.openai.com {both}")),
        (" https://api.deepseek.com ", format!("https api.deepseek.com {both}")),
        ("localhost:11434", format!("http localhost:11434 {both}")),
        ("127.0.0.1:8080/v1", format!("http 127.0.0.1:8080 {both}")),
        ("api.openai.com/v1", format!("https api.openai.com {both}")),
        ("http://[::1]:1234/v1", format!("http [::1]:1234 {both}")),
        ("https://x.example/v1/chat/completions", "https x.example /v1/chat/completions".to_owned()),
        ("https://x.example/chat/completions/", "https x.example /chat/completions".to_owned()),
        ("https://x.example/v1/models", "https x.example /v1/chat/completions".to_owned()),
        (
            "https://x.example/api",
            "https x.example /api/chat/completions or /api/v1/chat/completions".to_owned(),
        ),
        (
            "https://x.example/api/paas/v4",
            "https x.example /api/paas/v4/chat/completions or /api/paas/chat/completions".to_owned(),
        ),
        (
            "https://x.example/openai/deployments/d/chat/completions?api-version=2024-10-21",
            "https x.example /openai/deployments/d/chat/completions?api-version=2024-10-21".to_owned(),
        ),
        ("https://x.example:8443/v1/embeddings", "https x.example:8443 /v1/embeddings".to_owned()),
    ] {
        check(Api::OpenAi, address, "m", &expected);
    }
}

#[test]
fn gemini_addresses_as_people_write_them() {
    let home = "https generativelanguage.googleapis.com";
    let base = "https://generativelanguage.googleapis.com";
    let flash = format!("{home} /v1beta/models/gemini-1.5-flash:generateContent");
    for (address, model) in [
        (String::new(), "gemini-1.5-flash"),
        (base.to_owned(), "gemini-1.5-flash"),
        (format!("{base}/v1beta"), "models/gemini-1.5-flash"),
        (format!("{base}/v1beta/models/"), "gemini-1.5-flash"),
        (format!("{base}/v1beta/models/gemini-1.5-flash:generateContent"), ""),
        (format!("{base}/v1beta/models/gemini-1.5-flash:generateContent"), "gemini-1.5-flash"),
        (format!("{base}/v1beta/models/gemini-1.5-flash:streamGenerateContent?alt=sse"), ""),
    ] {
        check(Api::Gemini, &address, model, &flash);
    }
    let embedding = format!("{base}/v1beta/models/embedding-001:embedContent");
    check(
        Api::Gemini,
        &embedding,
        "embedding-001",
        &format!("{home} /v1beta/models/embedding-001:embedContent"),
    );
    check(
        Api::Gemini,
        base,
        "tunedModels/猫",
        &format!("{home} /v1beta/tunedModels/%E7%8C%AB:generateContent"),
    );
}

#[test]
fn what_cannot_be_used_is_refused_without_being_repeated() {
    for (address, expected) in [
        ("", "the model has no address"),
        ("https://", "the model's address cannot be used: it is no URL"),
        ("ftp://x.example", "the model's address cannot be used: it must begin with https:// or http://"),
        (
            "https://mei:hunter2@x.example",
            "the model's address cannot be used: it holds a user name or password",
        ),
        ("https://x.example/v1?key=hunter2", "a key stands in the model's address"),
        ("模型 一", "the model's address cannot be used: it is no URL"),
    ] {
        check(Api::OpenAi, address, "m", expected);
    }
    check(Api::OpenAi, "https://x.example", " ", "no model is named for x.example");
}

#[test]
fn an_address_tells_its_api() {
    for (address, api) in [
        ("https://generativelanguage.googleapis.com/v1beta", Api::Gemini),
        ("https://generativelanguage.googleapis.com/v1beta/openai/", Api::OpenAi),
        ("https://mirror.example/v1beta/models/embedding-001:embedContent", Api::Gemini),
        ("https://api.deepseek.com", Api::OpenAi),
    ] {
        assert_eq!(Api::of_address(address), api, "{address}");
    }
}
