//! The number of fields and methods of each type.

use std::collections::BTreeMap;

use syn::{Fields, ImplItem, Item, Type};

use super::module::{Crate, ModulePath};

/// A type and its size. Methods of traits do not count, because the trait determines their number.
pub(super) struct Shape {
    pub(super) krate: String,
    pub(super) name: String,
    /// The file that defines it.
    pub(super) place: String,
    pub(super) fields: usize,
    pub(super) methods: usize,
}

pub(super) fn shapes(krate: &Crate) -> Vec<Shape> {
    let mut shapes = BTreeMap::<(ModulePath, String), Shape>::new();
    for (path, module) in &krate.modules {
        for item in &module.items {
            let (name, fields) = match item {
                Item::Struct(item) => (item.ident.to_string(), count(&item.fields)),
                Item::Enum(item) => (item.ident.to_string(), 0),
                _ => continue,
            };
            let shape = Shape {
                krate: krate.name.clone(),
                name: name.clone(),
                place: module.file.clone(),
                fields,
                methods: 0,
            };
            shapes.insert((path.clone(), name), shape);
        }
    }
    for (path, module) in &krate.modules {
        for item in &module.items {
            let Item::Impl(item) = item else { continue };
            let (None, Type::Path(of)) = (&item.trait_, &*item.self_ty) else {
                continue;
            };
            let words: Vec<String> = of
                .path
                .segments
                .iter()
                .map(|it| it.ident.to_string())
                .collect();
            let Some(name) = words.last().cloned() else {
                continue;
            };
            let Some(home) = krate.defining_module(path, &words) else {
                continue;
            };
            let methods = item
                .items
                .iter()
                .filter(|item| matches!(item, ImplItem::Fn(_)));
            if let Some(shape) = shapes.get_mut(&(home, name)) {
                shape.methods += methods.count();
            }
        }
    }
    shapes.into_values().collect()
}

fn count(fields: &Fields) -> usize {
    match fields {
        Fields::Named(fields) => fields.named.len(),
        Fields::Unnamed(fields) => fields.unnamed.len(),
        Fields::Unit => 0,
    }
}
