//! Encrypted connections with rustls.

use std::sync::Arc;

use kit::read;
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::{CryptoProvider, ring, verify_tls12_signature, verify_tls13_signature};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::{ClientConfig, DigitallySignedStruct, RootCertStore, SignatureScheme};
use tokio_postgres_rustls::MakeRustlsConnect;

use super::target::{Roots, Tls};
use crate::BrokerError;

/// The TLS connector; `None` for unencrypted connections.
pub(super) fn connector(tls: &Tls) -> Result<Option<MakeRustlsConnect>, BrokerError> {
    let provider = Arc::new(ring::default_provider());
    let builder = ClientConfig::builder_with_provider(Arc::clone(&provider))
        .with_safe_default_protocol_versions()
        .map_err(|error| BrokerError::Failed(format!("no version of TLS: {error}")))?;
    let config = match tls {
        Tls::Disable => return Ok(None),
        Tls::Prefer | Tls::Require => builder
            .dangerous()
            .with_custom_certificate_verifier(Arc::new(Anybody(provider)))
            .with_no_client_auth(),
        Tls::VerifyFull(roots) => builder
            .with_root_certificates(store(roots)?)
            .with_no_client_auth(),
    };
    Ok(Some(MakeRustlsConnect::new(config)))
}

fn store(roots: &Roots) -> Result<RootCertStore, BrokerError> {
    let mut store = RootCertStore::empty();
    match roots {
        Roots::System => {
            store.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
        }
        Roots::File(path) => {
            let bad = |error: &dyn std::fmt::Display| {
                BrokerError::BadUrl(format!("sslrootcert {}: {error}", path.display()))
            };
            let text = read::file(path, read::SETTINGS).map_err(|error| bad(&error))?;
            for certificate in CertificateDer::pem_slice_iter(&text) {
                let certificate = certificate.map_err(|error| bad(&error))?;
                store.add(certificate).map_err(|error| bad(&error))?;
            }
        }
    }
    if store.is_empty() {
        return Err(BrokerError::BadUrl(
            "sslrootcert holds no certificate".into(),
        ));
    }
    Ok(store)
}

/// Accepts any server certificate: modes without verification only request encryption.
#[derive(Debug)]
struct Anybody(Arc<CryptoProvider>);

impl ServerCertVerifier for Anybody {
    fn verify_server_cert(
        &self,
        _: &CertificateDer<'_>,
        _: &[CertificateDer<'_>],
        _: &ServerName<'_>,
        _: &[u8],
        _: UnixTime,
    ) -> Result<ServerCertVerified, rustls::Error> {
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        let known = &self.0.signature_verification_algorithms;
        verify_tls12_signature(message, certificate, signature, known)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        let known = &self.0.signature_verification_algorithms;
        verify_tls13_signature(message, certificate, signature, known)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.0.signature_verification_algorithms.supported_schemes()
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn certificates_without_end_are_refused() {
        let error = store(&Roots::File("/dev/zero".into())).expect_err("no certificates");
        let expected = "bad URL of a broker: sslrootcert /dev/zero: more than 1 MiB, the most that is read of it";
        assert_eq!(error.to_string(), expected);
    }
}
