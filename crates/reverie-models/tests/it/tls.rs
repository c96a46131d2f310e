//! Is only believed whom somebody vouches for?

use std::io::{Read, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::sync::Arc;

use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, IsCa, KeyPair};
use reverie_models::{Endpoint, Proxy};
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer, PrivatePkcs8KeyDer};
use tokio_rustls::rustls::{ServerConfig, ServerConnection, StreamOwned};

use crate::stage::{Behaviour, ScriptedModel, Stage, chat_on, question, told};

/// A server with a certificate, and the authority behind it.
struct Guarded {
    port: u16,
    authority_pem: String,
}

/// Answers every connection's first request with the same words.
fn guarded(names: &[&str]) -> Guarded {
    let mut params = CertificateParams::new(Vec::new()).unwrap();
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    let authority = CertifiedIssuer::self_signed(params, KeyPair::generate().unwrap()).unwrap();
    let key = KeyPair::generate().unwrap();
    let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
    let certificate = CertificateParams::new(names).unwrap().signed_by(&key, &authority).unwrap();
    let chain = vec![CertificateDer::from(certificate.der().to_vec())];
    let key = PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(key.serialize_der()));
    let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(chain, key)
        .unwrap();
    let config = Arc::new(config);
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let port = listener.local_addr().unwrap().port();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let (Ok(stream), config) = (stream, config.clone()) else { return };
            // A client that does not believe us hangs up.
            std::thread::spawn(move || drop(answer(stream, config)));
        }
    });
    Guarded { port, authority_pem: authority.pem() }
}

fn answer(stream: TcpStream, config: Arc<ServerConfig>) -> std::io::Result<()> {
    let connection = ServerConnection::new(config).map_err(std::io::Error::other)?;
    let mut stream = StreamOwned::new(connection, stream);
    let mut request = Vec::new();
    let mut chunk = [0; 1024];
    while !request.ends_with(b"}") {
        let count = stream.read(&mut chunk)?;
        request.extend(chunk.iter().take(count));
    }
    let body = r#"{"choices":[{"message":{"content":"好"},"finish_reason":"stop"}]}"#;
    write!(stream, "HTTP/1.1 200 OK\r\ncontent-length: {}\r\n\r\n{body}", body.len())?;
    stream.flush()
}

fn at(server: &Guarded, host: &str) -> Endpoint {
    let mut endpoint = Endpoint::new(&format!("https://{host}:{}/v1", server.port));
    endpoint.retry.attempts = 1;
    endpoint
}

#[tokio::test]
async fn a_stranger_is_not_trusted_and_one_vouched_for_is() {
    let server = guarded(&["localhost"]);
    let mut endpoint = at(&server, "localhost");
    let outcome = chat_on(&Stage::new(), endpoint.clone()).ask(&question()).await;
    let said = told(&outcome);
    assert!(said.starts_with(&format!("unreachable: localhost:{} is not trusted", server.port)), "{said}");

    endpoint.trusted_pem = Some(server.authority_pem.clone());
    assert_eq!(told(&chat_on(&Stage::new(), endpoint).ask(&question()).await), "好 [Stop]");

    // Vouched for, but as somebody else.
    let mut endpoint = at(&server, "127.0.0.1");
    endpoint.trusted_pem = Some(server.authority_pem.clone());
    let said = told(&chat_on(&Stage::new(), endpoint).ask(&question()).await);
    assert!(said.contains("is not trusted"), "{said}");
}

#[tokio::test]
async fn the_wrong_kind_of_server_is_told_as_such() {
    let plain = ScriptedModel::always(Behaviour::Perfect);
    let mut endpoint = Endpoint::new(&plain.openai().replace("http://", "https://"));
    endpoint.retry.attempts = 1;
    let said = told(&chat_on(&Stage::new(), endpoint).ask(&question()).await);
    assert_eq!(said, format!("unreachable: {} and we could not agree on TLS", plain.authority()));
}

#[tokio::test]
async fn a_tunnel_through_a_proxy_hides_everything_from_it() {
    let server = guarded(&["model.invalid"]);
    let proxy = tunnelling_to(server.port);
    let mut endpoint =
        Endpoint::new("https://model.invalid/v1").key(reverie_models::Key::new("sk-swordfish").unwrap());
    endpoint.trusted_pem = Some(server.authority_pem.clone());
    endpoint.proxy = Some(Proxy::new(&format!("http://mei:pass@127.0.0.1:{}", proxy.0)).unwrap());
    endpoint.retry.attempts = 1;
    assert_eq!(told(&chat_on(&Stage::new(), endpoint).ask(&question()).await), "好 [Stop]");
    let head = proxy.1.recv().unwrap();
    assert!(head.starts_with("CONNECT model.invalid:443 HTTP/1.1\r\n"), "{head}");
    assert!(head.contains("proxy-authorization: Basic bWVpOnBhc3M="), "{head}");
    assert!(!head.contains("swordfish"), "{head}");
}

/// A proxy that takes everybody to one port, and tells what it was asked.
fn tunnelling_to(port: u16) -> (u16, std::sync::mpsc::Receiver<String>) {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let own_port = listener.local_addr().unwrap().port();
    let (tell, told) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        let (mut client, _) = listener.accept().unwrap();
        let mut head = Vec::new();
        let mut byte = [0];
        while !head.ends_with(b"\r\n\r\n") && client.read(&mut byte).unwrap() > 0 {
            head.push(byte[0]);
        }
        tell.send(String::from_utf8(head).unwrap()).unwrap();
        client.write_all(b"HTTP/1.1 200 Connected\r\n\r\n").unwrap();
        let mut server = TcpStream::connect((Ipv4Addr::LOCALHOST, port)).unwrap();
        let (mut from_client, mut to_server) = (client.try_clone().unwrap(), server.try_clone().unwrap());
        std::thread::spawn(move || drop(std::io::copy(&mut from_client, &mut to_server)));
        drop(std::io::copy(&mut server, &mut client));
    });
    (own_port, told)
}
