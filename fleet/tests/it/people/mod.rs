//! People and machines: the API and the pages, as the server surrounds them, on a private `PostgreSQL`.

mod lab;
mod links;
mod quotas;
mod roles;
mod sessions;
mod tokens;
