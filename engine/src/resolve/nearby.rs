//! Suggestions for references that lead nowhere.

use super::Sources;
use crate::document::{Document, ResourceId, pointer};
use crate::suggest::{SuggestBudget, nearest};
use serde_json::Value;

/// The two names of the place for definitions.
const DEFINITIONS: [&str; 2] = ["$defs", "definitions"];

/// Returns an existing pointer close to one that leads nowhere: with one name replaced by the
/// nearest one, or with the other keyword for definitions.
pub(super) fn pointer(root: &Value, path: &str) -> Option<String> {
    let tokens = path.split('/').skip(1).map(|token| Some(pointer::unescape(token)?.into_owned()));
    let tokens: Vec<String> = tokens.collect::<Option<_>>()?;
    if let Some(other) = tokens.first().and_then(|first| other_definitions(first)) {
        let mut moved = tokens.clone();
        other.clone_into(&mut moved[0]);
        if leads_somewhere(root, &moved) {
            return Some(written(&moved));
        }
    }
    let mut at = root;
    for (index, token) in tokens.iter().enumerate() {
        if let Some(child) = pointer::child(at, token) {
            at = child;
            continue;
        }
        let names = at.as_object()?.keys().map(String::as_str);
        let mut mended = tokens.clone();
        nearest(&mut SuggestBudget::default(), token, names)?.clone_into(&mut mended[index]);
        return leads_somewhere(root, &mended).then(|| written(&mended));
    }
    None
}

fn other_definitions(name: &str) -> Option<&'static str> {
    let [new, old] = DEFINITIONS;
    if name == new { Some(old) } else { (name == old).then_some(new) }
}

fn leads_somewhere(root: &Value, tokens: &[String]) -> bool {
    tokens.iter().try_fold(root, |value, token| pointer::child(value, token)).is_some()
}

/// Joins tokens to a pointer in a fragment.
fn written(tokens: &[String]) -> String {
    let mut path = String::new();
    tokens.iter().for_each(|token| pointer::push(&mut path, token));
    let mut fragment = String::new();
    pointer::push_as_fragment(&mut fragment, &path);
    fragment
}

/// Returns the nearest anchor of a resource.
pub(super) fn anchor<'s>(document: &Document<'s>, resource: ResourceId, name: &str) -> Option<&'s str> {
    let anchors = document.anchors.keys().filter(|(other, _)| *other == resource);
    let mut names: Vec<&str> = anchors.map(|(_, name)| *name).collect();
    // The order in a map is arbitrary.
    names.sort_unstable();
    nearest(&mut SuggestBudget::default(), name, names)
}

/// Returns a URI, registered or in the document, that differs only in its last part and is close.
pub(super) fn resource(document: &Document<'_>, sources: &Sources<'_>, uri: &str) -> Option<String> {
    let known = document.by_uri.keys().map(|uri| &**uri).chain(sources.by_uri.keys().map(|uri| &**uri));
    let (folder, last) = uri.rsplit_once('/')?;
    let siblings = known.filter_map(|uri| uri.rsplit_once('/')).filter(|(other, _)| *other == folder);
    let mut siblings: Vec<&str> = siblings.map(|(_, last)| last).collect();
    siblings.sort_unstable();
    nearest(&mut SuggestBudget::default(), last, siblings).map(|near| format!("{folder}/{near}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn pointers_are_mended_in_one_place() {
        let root = json!({"$defs": {"address": {"properties": {"a/b": {}}}, "x": {}}});
        assert_eq!(pointer(&root, "/$defs/adress").as_deref(), Some("/$defs/address"));
        assert_eq!(
            pointer(&root, "/$defs/adress/properties/a~1b").as_deref(),
            Some("/$defs/address/properties/a~1b")
        );
        assert_eq!(pointer(&root, "/definitions/x").as_deref(), Some("/$defs/x"));
        assert_eq!(pointer(&root, "/$def/x").as_deref(), Some("/$defs/x"));
        assert_eq!(pointer(&root, "/$defs/person"), None);
        assert_eq!(pointer(&root, "/$def/y"), None);
    }
}
