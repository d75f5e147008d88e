//! Scripts to write in a lesson's source: the cases in which they run.
use super::achieve;
use super::folder::text_of;
use super::repairs::Maker;
use super::toml_file::{Lines, TaskToml, VariationToml};
use super::{Mistake, traffic};
use crate::scripting::{Case, SCRIPT, Scripting};

/// Checks that each case runs the script and claims something.
pub fn check(task: &TaskToml, lines: &Lines, faults: &mut Vec<Mistake>) {
    if task.kind.as_ref() != "script" {
        return;
    }
    for case in &task.variations {
        let mut fault = |what: &str| faults.push(lines.fault(case.id.span(), what));
        let inputs = || case.inputs.iter().flat_map(|inputs| inputs.as_ref());
        if !inputs().any(|line| line.contains(SCRIPT)) {
            fault("a case of a script runs it: one of the lines under `do` has `{script}`");
        }
        if case.when.is_empty() {
            fault("a case of a script says what must hold at the end (`when`)");
        }
    }
}

impl Maker<'_> {
    /// The compiled form of a task to write a script.
    pub fn scripting(&self, task: &TaskToml) -> Scripting {
        let solution = task.solution.as_ref().and_then(|solution| solution.as_ref().file()).unwrap_or_default();
        let wrong = task.wrong.iter().flat_map(|wrong| wrong.as_ref()).map(|wrong| self.wrong(task, wrong));
        Scripting {
            start: self.program(&text_of(task.start.as_ref())).to_owned(),
            solution: self.program(solution).to_owned(),
            wrong: wrong.collect(),
            cases: task.variations.iter().map(|case| self.case(case)).collect(),
        }
    }

    fn case(&self, case: &VariationToml) -> Case {
        let inputs = case.inputs.iter().flat_map(|inputs| inputs.as_ref());
        Case {
            id: case.id.as_ref().clone(),
            title: case.title.of(self.language).to_owned(),
            setup: case.setup.clone().unwrap_or_else(|| self.toml.setup.clone()),
            inputs: inputs.map(|line| traffic::expanded(self.toml, self.programs, self.language, line)).collect(),
            checks: case.when.iter().map(|claim| achieve::shown(claim, self.programs, self.language)).collect(),
        }
    }
}
