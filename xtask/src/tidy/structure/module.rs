//! Modules of a crate: what each defines and imports, and to which module a path leads.

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::{Item, UseTree, Visibility};

/// How many imports of imports are followed; more would be a cycle of re-exports.
const MAX_IMPORTS_FOLLOWED: usize = 8;

/// A module's path below its crate's root.
pub(super) type ModulePath = Vec<String>;

pub(super) struct Crate {
    pub(super) name: String,
    pub(super) modules: BTreeMap<ModulePath, Module>,
}

pub(super) struct Module {
    /// The file, for messages.
    pub(super) file: String,
    /// Its items, without tests.
    pub(super) items: Vec<Item>,
    definitions: BTreeSet<String>,
    imports: Vec<Import>,
}

/// A name that a `use` brings into a module.
struct Import {
    /// `None` for a glob.
    name: Option<String>,
    path: Vec<String>,
    /// Whether it is a re-export, which makes no dependency by itself.
    is_public: bool,
}

impl Module {
    pub(super) fn new(file: String, parsed: syn::File) -> Self {
        let items: Vec<Item> = parsed
            .items
            .into_iter()
            .filter(|item| !is_test(item))
            .collect();
        let mut definitions = BTreeSet::new();
        let mut imports = Vec::new();
        for item in &items {
            if let Some(name) = defined_name(item) {
                definitions.insert(name);
            }
            if let Item::Use(item) = item {
                let is_public = !matches!(item.vis, Visibility::Inherited);
                flatten(&item.tree, &mut Vec::new(), &mut |name, path| {
                    imports.push(Import {
                        name,
                        path,
                        is_public,
                    });
                });
            }
        }
        Self {
            file,
            items,
            definitions,
            imports,
        }
    }

    /// Every path in the module's code, of one or more words, without imports.
    fn paths(&self) -> Vec<Vec<String>> {
        let mut paths = Vec::new();
        for item in &self.items {
            if !matches!(item, Item::Use(_) | Item::Mod(_)) {
                collect_paths(item.to_token_stream(), &mut paths);
            }
        }
        paths
    }
}

impl Crate {
    /// The modules on which a module depends: those that define the items it names.
    pub(super) fn dependencies(&self, of: &ModulePath) -> BTreeSet<ModulePath> {
        let mut found = BTreeSet::new();
        let Some(module) = self.modules.get(of) else {
            return found;
        };
        for import in module.imports.iter().filter(|import| !import.is_public) {
            let path = match import.name {
                Some(_) => import.path.clone(),
                // The names of a glob import are in the module that it names.
                None => [&import.path[..], &["*".to_owned()]].concat(),
            };
            found.extend(self.defining_module(of, &path));
        }
        for path in module.paths() {
            let is_import = |name: &str| {
                let named = |import: &Import| import.name.as_deref() == Some(name);
                module.imports.iter().any(named)
            };
            if path.len() > 1 || is_import(&path[0]) {
                found.extend(self.defining_module(of, &path));
            }
        }
        found.remove(of);
        found
    }

    /// The module that defines the item at a path, as seen from a module; `None` if that is outside this crate.
    pub(super) fn defining_module(&self, from: &ModulePath, path: &[String]) -> Option<ModulePath> {
        self.follow(from, path, 0)
    }

    fn follow(&self, from: &ModulePath, path: &[String], followed: usize) -> Option<ModulePath> {
        if followed > MAX_IMPORTS_FOLLOWED {
            return None;
        }
        let mut at = from.clone();
        let mut words = path.iter().peekable();
        let mut is_absolute = false;
        while let Some(word) = words.peek() {
            match &word[..] {
                "crate" => at.clear(),
                "super" => {
                    at.pop()?;
                }
                "self" => {}
                _ => break,
            }
            is_absolute = true;
            words.next();
        }
        // A bare path begins with something in scope: a child module, an import or a definition.
        let first = words.peek().map(|word| word.to_string());
        if let Some(first) = first.filter(|_| !is_absolute)
            && !self.is_in_scope(&at, &first)
        {
            return None;
        }
        while let Some(word) = words.next() {
            let mut child = at.clone();
            child.push(word.clone());
            if self.modules.contains_key(&child) {
                at = child;
                continue;
            }
            let module = self.modules.get(&at)?;
            if word == "*" || module.definitions.contains(word) {
                return Some(at);
            }
            let rest: Vec<String> = words.cloned().collect();
            return self.follow_import(module, &at, word, &rest, followed);
        }
        // A module itself is not an item: the items used in it are named where they are used.
        None
    }

    fn follow_import(
        &self,
        module: &Module,
        at: &ModulePath,
        word: &str,
        rest: &[String],
        followed: usize,
    ) -> Option<ModulePath> {
        for import in &module.imports {
            let target = match &import.name {
                Some(name) if name == word => [&import.path[..], rest].concat(),
                Some(_) => continue,
                None => [&import.path[..], &[word.to_owned()], rest].concat(),
            };
            if let Some(found) = self.follow(at, &target, followed + 1) {
                return Some(found);
            }
        }
        None
    }

    fn is_in_scope(&self, at: &ModulePath, word: &str) -> bool {
        let child = [&at[..], &[word.to_owned()]].concat();
        let module = self.modules.get(at);
        self.modules.contains_key(&child)
            || module.is_some_and(|module| {
                let imports = |import: &Import| import.name.as_deref().is_none_or(|it| it == word);
                module.definitions.contains(word) || module.imports.iter().any(imports)
            })
    }
}

fn is_test(item: &Item) -> bool {
    let attributes = match item {
        Item::Mod(item) => &item.attrs,
        Item::Use(item) => &item.attrs,
        Item::Fn(item) => &item.attrs,
        Item::Impl(item) => &item.attrs,
        Item::Struct(item) => &item.attrs,
        _ => return false,
    };
    attributes.iter().any(|attribute| {
        let text = attribute.to_token_stream().to_string();
        text.contains("cfg")
            && text
                .split(|c: char| !c.is_alphanumeric())
                .any(|it| it == "test")
    })
}

fn defined_name(item: &Item) -> Option<String> {
    let name = match item {
        Item::Const(item) => &item.ident,
        Item::Enum(item) => &item.ident,
        Item::Fn(item) => &item.sig.ident,
        Item::Static(item) => &item.ident,
        Item::Struct(item) => &item.ident,
        Item::Trait(item) => &item.ident,
        Item::Type(item) => &item.ident,
        Item::Union(item) => &item.ident,
        Item::Macro(item) => item.ident.as_ref()?,
        _ => return None,
    };
    Some(name.to_string())
}

/// Calls `found` with the name and the path of everything that a `use` imports.
fn flatten(
    tree: &UseTree,
    before: &mut Vec<String>,
    found: &mut impl FnMut(Option<String>, Vec<String>),
) {
    match tree {
        UseTree::Path(path) => {
            before.push(path.ident.to_string());
            flatten(&path.tree, before, found);
            before.pop();
        }
        UseTree::Name(name) if name.ident == "self" => {
            found(before.last().cloned(), before.clone())
        }
        UseTree::Name(name) => {
            let name = name.ident.to_string();
            found(Some(name.clone()), [&before[..], &[name]].concat());
        }
        UseTree::Rename(rename) => {
            let path = [&before[..], &[rename.ident.to_string()]].concat();
            found(Some(rename.rename.to_string()), path);
        }
        UseTree::Glob(_) => found(None, before.clone()),
        UseTree::Group(group) => {
            for tree in &group.items {
                flatten(tree, before, found);
            }
        }
    }
}

/// Collects words joined by `::`, even inside macros, which have no syntax tree.
fn collect_paths(tokens: TokenStream, paths: &mut Vec<Vec<String>>) {
    let mut path: Vec<String> = Vec::new();
    let mut colons = 0;
    for token in tokens {
        match token {
            TokenTree::Ident(word) => {
                if colons != 2 && !path.is_empty() {
                    paths.push(std::mem::take(&mut path));
                }
                path.push(word.to_string());
                colons = 0;
            }
            TokenTree::Punct(mark) if mark.as_char() == ':' => colons += 1,
            other => {
                if !path.is_empty() {
                    paths.push(std::mem::take(&mut path));
                }
                colons = 0;
                if let TokenTree::Group(group) = other {
                    collect_paths(group.stream(), paths);
                }
            }
        }
    }
    if !path.is_empty() {
        paths.push(path);
    }
}
