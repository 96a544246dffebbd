//! Paths that try to leave their folder.

use crate::common::web::server;

#[tokio::test]
async fn no_path_leads_out_of_the_files() {
    let server = server().await;
    for folder in ["/static", "/static/play"] {
        for path in [
            "/../Cargo.toml",
            "/..%2fCargo.toml",
            "/%2e%2e/Cargo.toml",
            "/%2e%2e%2fCargo.toml",
            "/..%5cCargo.toml",
            "/..\\Cargo.toml",
            "/....//Cargo.toml",
            "//etc/passwd",
            "/%2fetc%2fpasswd",
            "/site.css/../../Cargo.toml",
            "/site.css%00.html",
            "/%c0%ae%c0%ae/Cargo.toml",
            "/",
            "",
            "/.",
            "/..",
            "/package.json",
            "/C:/windows/win.ini",
        ] {
            let request =
                format!("GET {folder}{path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n");
            let answer = server.raw(request.as_bytes()).await;
            let status = answer.split(' ').nth(1).unwrap_or("");
            assert!(["404", "400"].contains(&status), "{folder}{path}: {answer}");
            assert!(
                !answer.contains("[package]") && !answer.contains("root:"),
                "{path}"
            );
        }
    }
    let own = server.visitor().get("/static/site.css").await;
    assert_eq!(own.status, 200);
}
