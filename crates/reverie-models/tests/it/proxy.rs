//! Do requests go through a proxy where one is configured, and only there?

use reverie_models::{Endpoint, Proxy};

use crate::stage::{Behaviour, ScriptedModel, Stage, chat_on, question, told};

#[tokio::test]
async fn plain_requests_are_handed_to_the_proxy_with_its_password() {
    // The scripted server is the proxy; the model's host exists nowhere else.
    let proxy = ScriptedModel::always(Behaviour::says("好"));
    let mut endpoint = Endpoint::new("http://model.invalid:8080/v1");
    endpoint.proxy = Some(Proxy::new(&format!("http://mei:p%40ss@{}", proxy.authority())).unwrap());
    let outcome = chat_on(&Stage::new(), endpoint).ask(&question()).await;
    assert_eq!(told(&outcome), "好 [Stop]");
    let seen = proxy.seen();
    assert_eq!(seen[0].target, "http://model.invalid:8080/v1/chat/completions");
    assert_eq!(seen[0].header("host"), Some("model.invalid:8080"));
    // mei:p@ss
    assert_eq!(seen[0].header("proxy-authorization"), Some("Basic bWVpOnBAc3M="));
}

#[tokio::test]
async fn a_proxy_that_makes_no_way_is_named() {
    let proxy = ScriptedModel::always(Behaviour::status(407, ""));
    let mut endpoint =
        Endpoint::new("https://model.invalid/v1").key(reverie_models::Key::new("sk-swordfish").unwrap());
    endpoint.proxy = Some(Proxy::new(&proxy.authority()).unwrap());
    endpoint.retry.attempts = 1;
    let outcome = chat_on(&Stage::new(), endpoint).ask(&question()).await;
    let expected = format!(
        "unreachable: the proxy {} makes no way to model.invalid: it answered 407",
        proxy.authority()
    );
    assert_eq!(told(&outcome), expected);
    let seen = proxy.seen();
    assert_eq!((seen[0].method.as_str(), seen[0].target.as_str()), ("CONNECT", "model.invalid:443"));
    assert!(!format!("{:?}", seen[0].headers).contains("swordfish"), "the key is for the model alone");
}
