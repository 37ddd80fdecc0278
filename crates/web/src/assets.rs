//! Style, scripts and icon: in the program, under names that change with their content, so that browsers may keep them.

use std::sync::LazyLock;

use axum::extract::Path;
use axum::http::StatusCode;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use sha2::{Digest, Sha256};

struct Asset {
    name: &'static str,
    kind: &'static str,
    text: &'static str,
}

const ASSETS: [Asset; 3] = [
    Asset { name: "style.css", kind: "text/css; charset=utf-8", text: include_str!("assets/style.css") },
    Asset { name: "page.js", kind: "text/javascript; charset=utf-8", text: include_str!("assets/page.js") },
    Asset { name: "icon.svg", kind: "image/svg+xml", text: include_str!("assets/icon.svg") },
];

static HASHES: LazyLock<Vec<String>> = LazyLock::new(|| {
    let hash = |asset: &Asset| {
        let digest = Sha256::digest(asset.text.as_bytes());
        digest.iter().take(6).map(|byte| format!("{byte:02x}")).collect()
    };
    ASSETS.iter().map(hash).collect()
});

/// Where an asset is: `/assets/HASH-NAME`.
pub(crate) fn url(name: &str) -> String {
    let at = ASSETS.iter().position(|asset| asset.name == name).unwrap_or(0);
    format!("/assets/{}-{}", HASHES[at], ASSETS[at].name)
}

/// Serves an asset by its exact name; there are no files behind it.
pub(crate) async fn serve(Path(wanted): Path<String>) -> Response {
    let found = ASSETS.iter().zip(HASHES.iter()).find(|(asset, hash)| {
        wanted.strip_prefix(hash.as_str()).and_then(|rest| rest.strip_prefix('-')) == Some(asset.name)
    });
    match found {
        Some((asset, _)) => {
            let headers = [
                (header::CONTENT_TYPE, asset.kind),
                (header::CACHE_CONTROL, "public, max-age=31536000, immutable"),
            ];
            (headers, asset.text).into_response()
        }
        None => StatusCode::NOT_FOUND.into_response(),
    }
}
