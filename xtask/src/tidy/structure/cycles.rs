//! Cycles of modules: sets in which each module depends on each other one, directly or through others.

use std::collections::BTreeMap;

use super::module::{Crate, ModulePath};

/// The cycles of two or more modules, as names of modules.
pub(super) fn cycles(krate: &Crate) -> Vec<Vec<String>> {
    let mut walk = Walk::default();
    let edges: BTreeMap<&ModulePath, Vec<ModulePath>> = krate
        .modules
        .keys()
        .map(|module| (module, krate.dependencies(module).into_iter().collect()))
        .collect();
    for module in krate.modules.keys() {
        if !walk.order.contains_key(module) {
            walk.visit(module, &edges);
        }
    }
    walk.found
}

/// Tarjan's search for strongly connected components.
#[derive(Default)]
struct Walk {
    order: BTreeMap<ModulePath, usize>,
    lowest: BTreeMap<ModulePath, usize>,
    stack: Vec<ModulePath>,
    found: Vec<Vec<String>>,
}

impl Walk {
    fn visit(&mut self, module: &ModulePath, edges: &BTreeMap<&ModulePath, Vec<ModulePath>>) {
        let number = self.order.len();
        self.order.insert(module.clone(), number);
        self.lowest.insert(module.clone(), number);
        self.stack.push(module.clone());
        for next in edges.get(module).into_iter().flatten() {
            let reached = if !self.order.contains_key(next) {
                self.visit(next, edges);
                self.lowest.get(next).copied()
            } else if self.stack.contains(next) {
                self.order.get(next).copied()
            } else {
                None
            };
            if let (Some(reached), Some(lowest)) = (reached, self.lowest.get_mut(module)) {
                *lowest = reached.min(*lowest);
            }
        }
        if self.lowest.get(module) == Some(&number) {
            let start = self.stack.iter().rposition(|it| it == module).unwrap_or(0);
            let component = self.stack.split_off(start);
            if component.len() > 1 {
                self.found.push(component.iter().map(name).collect());
            }
        }
    }
}

fn name(path: &ModulePath) -> String {
    match path.is_empty() {
        true => "crate root".to_owned(),
        false => path.join("::"),
    }
}
