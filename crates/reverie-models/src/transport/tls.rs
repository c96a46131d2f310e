//! Whom do we believe to be who they say they are?
//!
//! Mozilla's list of authorities, built in, so that a machine without one works the same; and those that the
//! configuration adds, for servers in one's own house.

use std::io;
use std::sync::Arc;

use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName};
use tokio_rustls::rustls::{ClientConfig, Error as TlsError, RootCertStore};

use super::connect::Stream;
use crate::error::{Error, Kind, Result};

pub(super) struct Tls {
    connector: TlsConnector,
    name: ServerName<'static>,
}

impl Tls {
    pub(super) fn new(host: &str, trusted_pem: Option<&str>) -> Result<Self> {
        let name = ServerName::try_from(host.to_owned())
            .map_err(|_| Error::invalid("the model's address holds no proper host name"))?;
        let mut roots = RootCertStore { roots: webpki_roots::TLS_SERVER_ROOTS.to_vec() };
        if let Some(pem) = trusted_pem {
            add_trusted(&mut roots, pem)?;
        }
        let config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()
            .map_err(|error| Error::invalid(format!("TLS cannot be set up: {error}")))?
            .with_root_certificates(roots)
            .with_no_client_auth();
        Ok(Self { connector: TlsConnector::from(Arc::new(config)), name })
    }

    pub(super) async fn wrap(&self, stream: Box<dyn Stream>, server: &str) -> Result<Box<dyn Stream>> {
        match self.connector.connect(self.name.clone(), stream).await {
            Ok(stream) => Ok(Box::new(stream)),
            Err(error) => Err(not_trusted(&error, server)),
        }
    }
}

fn add_trusted(roots: &mut RootCertStore, pem: &str) -> Result<()> {
    let wrong = || {
        Error::invalid("the trusted certificates cannot be read")
            .hint("give certificates of authorities in PEM form (-----BEGIN CERTIFICATE-----)")
    };
    let mut added = 0;
    for certificate in CertificateDer::pem_slice_iter(pem.as_bytes()) {
        roots.add(certificate.map_err(|_| wrong())?).map_err(|_| wrong())?;
        added += 1;
    }
    if added == 0 { Err(wrong()) } else { Ok(()) }
}

fn not_trusted(error: &io::Error, server: &str) -> Error {
    let inner = error.get_ref().and_then(|inner| inner.downcast_ref::<TlsError>());
    if let Some(TlsError::InvalidCertificate(why)) = inner {
        return Error::new(
            Kind::Unreachable,
            format!("{server} is not trusted: its certificate is wrong ({why})"),
        )
        .hint("check the address; for a server of your own, add its authority to the trusted certificates");
    }
    Error::new(Kind::Unreachable, format!("{server} and we could not agree on TLS"))
        .hint("check the port; if the server speaks plain HTTP, begin its address with http://")
}
