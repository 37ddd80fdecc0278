//! A patch as a program asks for it: what `POST /api/patch/diff` and the MCP tool `patch_apply` take. The answer is a
//! [`PatchReport`](super::PatchReport).

use super::PatchOptions;

/// A wish. Only `diff` is needed; unknown fields are refused, so that a misspelt one is not silently ignored.
#[derive(Debug, Clone, PartialEq, serde::Deserialize, serde::Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PatchRequest {
    /// The edits, in any format that is read.
    pub diff: String,
    /// Only show what would change.
    #[serde(default)]
    pub preview: bool,
    /// False: lines in keep regions may be changed, for `reason`.
    #[serde(default = "yes")]
    pub keep_regions: bool,
    /// Why keep regions may be changed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// How far a hunk may be from where its header says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_offset: Option<u64>,
    /// The confidence below which a hunk is refused.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub min_confidence: Option<f64>,
    /// Ignored files and vendor folders may be changed.
    #[serde(default)]
    pub allow_ignored: bool,
    /// A person's yes to what is guarded: what the preview answered as `confirm`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confirm: Option<String>,
}

fn yes() -> bool {
    true
}

impl PatchRequest {
    /// The options. Opening keep regions without a reason gives an empty one, which is refused.
    pub fn options(&self) -> PatchOptions {
        PatchOptions {
            max_offset: self.max_offset,
            min_confidence: self.min_confidence,
            open_keep_regions: (!self.keep_regions).then(|| self.reason.clone().unwrap_or_default()),
            allow_ignored: self.allow_ignored,
            reverse: false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_diff_is_needed_and_the_rest_is_careful() {
        let request: PatchRequest = serde_json::from_str(r#"{"diff": "x"}"#).unwrap();
        let options = request.options();
        assert!(!request.preview && request.keep_regions);
        assert_eq!((options.open_keep_regions, options.allow_ignored), (None, false));
        assert!(serde_json::from_str::<PatchRequest>(r#"{"diff": "x", "keepRegion": false}"#).is_err());
    }

    #[test]
    fn keep_regions_are_not_opened_without_a_reason() {
        let request: PatchRequest = serde_json::from_str(r#"{"diff": "x", "keepRegions": false}"#).unwrap();
        assert_eq!(request.options().validate().unwrap_err().code(), "usage");
    }
}
