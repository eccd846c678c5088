//! The header says what the code says.

use std::collections::BTreeMap;

const HEADER: &str = include_str!("../include/stanchion.h");
const CODE: &str = include_str!("abi.rs");

/// A function: what it returns, then the types of its arguments with their names.
type Signature = Vec<String>;

/// The functions of the header.
fn declared() -> BTreeMap<String, Signature> {
    let text = without_comments(HEADER);
    let text: String =
        text.lines().filter(|line| !line.trim_start().starts_with('#')).collect::<Vec<_>>().join(" ");
    let mut functions = BTreeMap::new();
    for statement in text.split(';') {
        let Some((head, rest)) = statement.split_once('(') else { continue };
        let Some((arguments, _)) = rest.split_once(')') else { continue };
        let words = head.rsplit(['{', '}']).next().unwrap_or_default().trim();
        let (returned, name) = words.rsplit_once([' ', '*']).expect("a type and a name");
        let pointer = if words.contains('*') { "*" } else { "" };
        let mut signature = vec![c_type(&[returned, pointer].concat())];
        if arguments.trim() != "void" {
            signature.extend(arguments.split(',').map(c_argument));
        }
        functions.insert(name.to_owned(), signature);
    }
    functions
}

fn without_comments(text: &str) -> String {
    let mut parts = text.split("/*");
    let mut code = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        code.push_str(part.split_once("*/").expect("a comment ends").1);
    }
    code
}

/// `const char *schema` → `const char * schema`.
fn c_argument(text: &str) -> String {
    let text = text.trim();
    let at = text.rfind([' ', '*']).expect("a type and a name") + 1;
    format!("{} {}", c_type(&text[..at]), &text[at..])
}

fn c_type(text: &str) -> String {
    text.replace('*', " * ").split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The functions of the code.
fn defined() -> BTreeMap<String, Signature> {
    let mut functions = BTreeMap::new();
    for part in CODE.split("#[unsafe(no_mangle)]").skip(1) {
        let (_, rest) = part.split_once("extern \"C\" fn ").expect("an exported function is one of C");
        let (name, rest) = rest.split_once('(').expect("arguments");
        let (arguments, rest) = rest.split_once(')').expect("the end of the arguments");
        let head = rest.split('{').next().unwrap_or_default();
        let returned = head.split_once("->").map_or("()", |(_, returned)| returned.trim());
        let mut signature = vec![rust_type(returned)];
        for argument in arguments.split(',').map(str::trim).filter(|argument| !argument.is_empty()) {
            let (name, kind) = argument.split_once(':').expect("a name and a type");
            signature.push(format!("{} {}", rust_type(kind.trim()), name.trim()));
        }
        functions.insert(name.to_owned(), signature);
    }
    functions
}

/// A type of Rust as C writes it.
fn rust_type(kind: &str) -> String {
    if let Some(rest) = kind.strip_prefix("*const ") {
        return format!("const {} *", rust_type(rest));
    }
    if let Some(rest) = kind.strip_prefix("*mut ") {
        return format!("{} *", rust_type(rest));
    }
    let name = match kind {
        "()" => "void",
        "c_char" => "char",
        "c_int" => "int",
        "usize" => "size_t",
        "u32" => "uint32_t",
        "u64" => "uint64_t",
        "u8" => "uint8_t",
        other => other,
    };
    name.to_owned()
}

#[test]
fn the_header_declares_what_is_defined() {
    let (declared, defined) = (declared(), defined());
    assert!(defined.len() > 15, "{defined:?}");
    assert_eq!(declared, defined);
}

/// The members of an enumeration of the header.
fn members(name: &str) -> Vec<(String, u32)> {
    let text = without_comments(HEADER);
    let (_, rest) = text.split_once(&format!("typedef enum {name} {{")).expect("an enumeration");
    let (body, _) = rest.split_once('}').expect("its end");
    let member = |line: &str| {
        let (name, number) = line.split_once('=').expect("a name and a number");
        (name.trim().to_owned(), number.trim().parse().expect("a number"))
    };
    body.split(',').map(member).collect()
}

#[test]
fn the_header_has_the_numbers() {
    use stanchion_wire::{CONTRACT_VERSION, Output, Status};
    let upper = |name: &str| format!("STANCHION_{}", name.to_uppercase());
    let statuses = Status::ALL.map(|status| (upper(status.name()), status as u32));
    assert_eq!(members("stanchion_status"), statuses);
    let outputs = Output::ALL.map(|output| (upper(output.name()), output as u32));
    assert_eq!(members("stanchion_format"), outputs);
    assert!(HEADER.contains(&format!("#define STANCHION_ABI_VERSION {CONTRACT_VERSION}\n")));
}

#[test]
fn the_parsers_see_differences() {
    assert_eq!(c_argument(" const stanchion_validator *validator"), "const stanchion_validator * validator");
    assert_eq!(c_argument("stanchion_validator **validator"), "stanchion_validator * * validator");
    assert_eq!(rust_type("*mut *mut stanchion_validator"), "stanchion_validator * *");
    assert_eq!(rust_type("*const c_char"), "const char *");
    assert_eq!(declared()["stanchion_abi_version"], ["uint32_t"]);
    assert_eq!(declared()["stanchion_version"], ["const char *"]);
}
