//! A server address and its connection settings, from a URL. The password is never shown.

use std::path::PathBuf;
use std::time::Duration;

use percent_encoding::percent_decode_str;
use tokio_postgres::Config;
use tokio_postgres::config::{Host, SslMode};

use crate::BrokerError;

/// The server's timeout for a call, in milliseconds.
const STATEMENT_MS: u64 = 30_000;

/// A server with the settings of its URL.
#[derive(Clone, Debug)]
pub(crate) struct Target {
    pub(crate) config: Config,
    pub(crate) tls: Tls,
}

/// Whether the connection is encrypted, and how the server is verified.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Tls {
    Disable,
    Prefer,
    Require,
    VerifyFull(Roots),
}

/// The root certificates to trust.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Roots {
    System,
    File(PathBuf),
}

impl Target {
    /// Parses a URL; `password` is used if it contains none.
    pub(crate) fn parse(url: &str, password: Option<&str>) -> Result<Self, BrokerError> {
        let bad = || BrokerError::BadUrl("expected postgres://USER@HOST:PORT/DATABASE".into());
        let (base, query) = url.split_once('?').unwrap_or((url, ""));
        if !base.starts_with("postgres://") && !base.starts_with("postgresql://") {
            return Err(bad());
        }
        // The library's message about a bad URL may contain part of the password.
        let mut config: Config = base.parse().map_err(|_| bad())?;
        let [host] = config.get_hosts() else {
            return Err(bad());
        };
        let is_remote = matches!(host, Host::Tcp(_));
        let tls = tls(query)?.unwrap_or(if is_remote { Tls::Prefer } else { Tls::Disable });
        if config.get_password().is_none()
            && let Some(password) = password
        {
            config.password(password);
        }
        config
            .application_name("fleet")
            .connect_timeout(Duration::from_secs(10))
            .keepalives_idle(Duration::from_secs(10))
            .keepalives_interval(Duration::from_secs(5))
            .keepalives_retries(3)
            .tcp_user_timeout(Duration::from_secs(25))
            .options(server_settings())
            .ssl_mode(match tls {
                Tls::Disable => SslMode::Disable,
                Tls::Prefer => SslMode::Prefer,
                Tls::Require | Tls::VerifyFull(_) => SslMode::Require,
            });
        Ok(Self { config, tls })
    }

    /// Adds the server to a connection error.
    pub(crate) fn named(&self, error: BrokerError) -> BrokerError {
        match error {
            BrokerError::BadUrl(_) => error,
            error => BrokerError::Connect {
                server: self.shown(),
                reason: Box::new(error),
            },
        }
    }

    /// The server and the database, for messages.
    pub(crate) fn shown(&self) -> String {
        let host = match self.config.get_hosts().first() {
            Some(Host::Tcp(name)) => name.clone(),
            #[cfg(unix)]
            Some(Host::Unix(path)) => path.display().to_string(),
            None => String::new(),
        };
        let port = self.config.get_ports().first().copied().unwrap_or(5432);
        let database = self.config.get_dbname().or(self.config.get_user());
        format!("{host}:{port}/{}", database.unwrap_or_default())
    }
}

/// Sets deadlines and durability independently of the server's configuration.
fn server_settings() -> String {
    format!(
        "-c statement_timeout={STATEMENT_MS} -c idle_in_transaction_session_timeout=600000 \
         -c synchronous_commit=on -c client_min_messages=warning \
         -c tcp_keepalives_idle=30 -c tcp_keepalives_interval=10 -c tcp_keepalives_count=3"
    )
}

fn tls(query: &str) -> Result<Option<Tls>, BrokerError> {
    let bad = |text: &str| Err(BrokerError::BadUrl(text.to_owned()));
    let (mut mode, mut roots) = (None, None);
    for option in query.split('&').filter(|option| !option.is_empty()) {
        let Some((name, value)) = option.split_once('=') else {
            return bad("an option without a value; known are sslmode and sslrootcert");
        };
        let Ok(value) = percent_decode_str(value).decode_utf8() else {
            return bad("an option is not UTF-8");
        };
        match name {
            "sslmode" => mode = Some(value),
            "sslrootcert" if value == "system" => roots = Some(Roots::System),
            "sslrootcert" => roots = Some(Roots::File(PathBuf::from(&*value))),
            _ => return bad("an unknown option; known are sslmode and sslrootcert"),
        }
    }
    let tls = match (mode.as_deref(), roots) {
        (Some("verify-full"), Some(roots)) => Tls::VerifyFull(roots),
        (Some("verify-full"), None) => {
            return bad("sslmode=verify-full needs sslrootcert=FILE or sslrootcert=system");
        }
        (_, Some(_)) => return bad("sslrootcert is for sslmode=verify-full"),
        (None, None) => return Ok(None),
        (Some("disable"), None) => Tls::Disable,
        (Some("prefer"), None) => Tls::Prefer,
        (Some("require"), None) => Tls::Require,
        _ => return bad("sslmode is one of disable, prefer, require, verify-full"),
    };
    Ok(Some(tls))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tls_of(options: &str) -> Tls {
        let url = format!("postgres://u:secret@host/db{options}");
        Target::parse(&url, None).expect("a good URL").tls
    }

    #[test]
    fn modes() {
        assert_eq!(tls_of(""), Tls::Prefer);
        assert_eq!(tls_of("?sslmode=disable"), Tls::Disable);
        assert_eq!(tls_of("?sslmode=require"), Tls::Require);
        let file = Roots::File("/a b.pem".into());
        let verified = tls_of("?sslrootcert=/a%20b.pem&sslmode=verify-full");
        assert_eq!(verified, Tls::VerifyFull(file));
        let verified = tls_of("?sslmode=verify-full&sslrootcert=system");
        assert_eq!(verified, Tls::VerifyFull(Roots::System));
    }

    #[test]
    fn bad_urls_are_refused_and_show_no_secret() {
        let rows = [
            ("", "expected postgres://"),
            ("mysql://u:secret@host/db", "expected postgres://"),
            ("host=h password=secret", "expected postgres://"),
            ("postgres://u:secret@host:port/db", "expected postgres://"),
            ("postgres://u:secret@one,two/db", "expected postgres://"),
            ("postgres://u:sec?secret@host/db", "expected postgres://"),
            ("postgres://u@host/db?sslmode", "an option without a value"),
            ("postgres://u@host/db?secret=1", "an unknown option"),
            (
                "postgres://u@host/db?sslmode=secret",
                "sslmode is one of disable",
            ),
            (
                "postgres://u@host/db?sslmode=verify-full",
                "needs sslrootcert",
            ),
            (
                "postgres://u@host/db?sslrootcert=a.pem",
                "is for sslmode=verify-full",
            ),
        ];
        for (url, expected) in rows {
            let error = Target::parse(url, None).expect_err(url).to_string();
            assert!(error.contains(expected), "{url}: {error}");
            assert!(!error.contains("secret"), "{url}: {error}");
        }
    }

    #[test]
    fn the_password_of_the_url_goes_before_that_of_the_environment() {
        let password = |url| {
            let target = Target::parse(url, Some("other")).expect("a good URL");
            target.config.get_password().map(<[u8]>::to_vec)
        };
        assert_eq!(password("postgres://u:p%40@host/db"), Some(b"p@".to_vec()));
        assert_eq!(password("postgres://u@host/db"), Some(b"other".to_vec()));
    }

    #[test]
    fn what_is_shown_has_no_password() {
        let target = Target::parse("postgres://u:secret@host:77/db", None).expect("a good URL");
        assert_eq!(target.shown(), "host:77/db");
        assert!(!format!("{target:?}").contains("secret"));
    }
}
