//! `plan.json`, which contains the cells of a plan, so that results can be read without the solvers and programs that made them.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::path::Path;

use plaintext::Escaped;
use serde::Deserialize;

use super::cells::{self, ExpectedCells};
use super::{Cell, Plan};
use crate::board::problem::Problem;
use crate::board::{BoardSize, ProblemError};
use crate::count::Shard;
use crate::instance::Instance;
use crate::model::SolverRef;
use crate::record::{InstanceText, RecordError, SCHEMA_VERSION, parse_json};
use crate::solver::Stat;
use crate::spec::{Naming, Spec};

/// The content of `plan.json`, without its version.
#[derive(Deserialize)]
struct PlanFile {
    statistics: Vec<String>,
    #[serde(default)]
    names: BTreeMap<String, Naming>,
    #[serde(default)]
    instances: BTreeMap<String, InstanceText>,
    cells: Vec<Cell>,
}

impl Plan {
    /// Name of the file in a result directory.
    pub const FILE: &'static str = "plan.json";

    /// The text of `plan.json`, with a line for each instance and each cell.
    pub fn to_json(&self) -> String {
        const JSON: &str = "texts, numbers and maps by texts";
        let statistics: Vec<&str> = self.statistics.iter().map(|stat| stat.name()).collect();
        let names = self.names.iter().filter(|(_, naming)| **naming != Naming::default());
        let names: BTreeMap<&String, &Naming> = names.collect();
        let instance = |instance: &Instance| {
            let (name, text) = (serde_json::to_string(&instance.name), serde_json::to_string(&instance.text));
            format!("    {}: {}", name.expect(JSON), text.expect(JSON))
        };
        let mut instances: Vec<String> = self.instances.iter().map(instance).collect();
        instances.sort();
        let instances = match instances.is_empty() {
            true => String::new(),
            false => format!("  \"instances\": {{\n{}\n  }},\n", instances.join(",\n")),
        };
        let cell = |cell: &Cell| {
            let cell = Cell { instance: None, ..cell.clone() };
            format!("    {}", serde_json::to_string(&cell).expect(JSON))
        };
        let text = format!(
            "{{\n  \"schema_version\": {SCHEMA_VERSION},\n  \"statistics\": {},\n  \"names\": {},\n{instances}  \"cells\": [\n{}\n  ]\n}}\n",
            serde_json::to_string(&statistics).expect(JSON),
            serde_json::to_string(&names).expect(JSON),
            self.cells.iter().map(cell).collect::<Vec<_>>().join(",\n"),
        );
        plaintext::json(&text)
    }

    /// Parses the text of `plan.json`; `path` is the name used in errors. `versions` are those of the
    /// solvers of the experiment.
    ///
    /// # Errors
    ///
    /// The text is not a plan; an instance is not a problem; a cell is repeated or not in the experiment; or the label or group
    /// of a series differs from the experiment.
    pub fn of_json(
        path: &Path,
        text: &[u8],
        spec: Spec,
        versions: BTreeMap<String, String>,
        shard: Option<Shard>,
    ) -> Result<Self, RecordError> {
        let plan_error = |reason: String| RecordError::table(path, reason);
        let (_, PlanFile { statistics, names, instances, mut cells }) = parse_json(path, text)?;
        let instances = instances.into_iter().map(|(name, text)| {
            let problem = BoardSize::large(text.n).map_err(ProblemError::from);
            let problem = problem.and_then(|n| Problem::from_text(n, &text.problem));
            let problem = problem.map_err(|reason| plan_error(format!("instance {name}: {reason}")))?;
            Ok(Instance { name, text, problem })
        });
        let instances = instances.collect::<Result<Vec<_>, RecordError>>()?;
        let spec_error =
            |error: crate::spec::SpecError| plan_error(format!("its experiment: {}", error.on_one_line()));
        cells::check_number_of_runs(&spec, &cells).map_err(spec_error)?;
        let texts: HashMap<&str, &InstanceText> =
            instances.iter().map(|instance| (instance.name.as_str(), &instance.text)).collect();
        let expected_cells = ExpectedCells::new(&spec, &instances).map_err(spec_error)?;
        let mut ids = HashSet::new();
        for cell in &mut cells {
            let name = cell.key.problem.instance_name();
            cell.instance = name.and_then(|name| texts.get(name).copied()).cloned();
            let error_in_cell = |what: &str| {
                let (id, name) = (Escaped(&cell.id), cell.name());
                plan_error(format!("cell {id} ({}): {what}", Escaped(&name)))
            };
            if !expected_cells.contains(cell) {
                return Err(error_in_cell(&format!("it is not a cell of {}", Spec::FILE)));
            }
            if !ids.insert(cell.id.clone()) {
                return Err(error_in_cell("it occurs twice"));
            }
        }
        let solvers = cells.iter().map(|cell| &cell.key.solver);
        let named_solvers = names.keys().map(|name| name.parse::<SolverRef>()).collect::<Result<Vec<_>, _>>();
        let named_solvers = named_solvers.map_err(|error| plan_error(format!("names: {error}")))?;
        for solver in solvers.chain(&named_solvers).collect::<BTreeSet<_>>() {
            let naming = names.get(solver.as_str()).cloned().unwrap_or_default();
            if !expected_cells.has_naming(solver, &naming) {
                let solver = Escaped(solver.as_str());
                return Err(plan_error(format!(
                    "names: the label and the group of {solver} differ from {}",
                    Spec::FILE
                )));
            }
        }
        if cells.is_empty() {
            return Err(plan_error("it has no cells".to_owned()));
        }
        // The order of runs depends on the order of sizes.
        cells.sort_by_key(|cell| cell.key.n);
        // Statistics that only another version of queenlab has are ignored.
        let statistics = statistics.iter().filter_map(|name| Stat::named(name)).collect();
        Ok(Self { shard, ..Self::of_cells(spec, cells, instances, versions, statistics, names) })
    }
}

/// The instances in the text of a `plan.json`, by name; `path` is the name used in errors.
///
/// # Errors
///
/// The text is not a plan.
pub(in crate::experiment) fn stored_instances(
    path: &Path,
    text: &[u8],
) -> Result<BTreeMap<String, InstanceText>, RecordError> {
    let (_, PlanFile { instances, .. }) = parse_json(path, text)?;
    Ok(instances)
}
