//! Chooses the part of an index that a condition needs: one entry, a few ranges, or everything.
use crate::answer::{Cell, Failure};
use crate::eval::Scope;
use crate::schema::{Kind, Table};
use crate::sql::ast::{Expr, Op};
use crate::value::leading_number;
use bytes::Bytes;

/// The index entries to visit.
pub(crate) struct Path {
    pub(crate) index: usize,
    /// Ranges from the first bound (inclusive) to the second (exclusive), ascending.
    pub(crate) ranges: Vec<(Bytes, Bytes)>,
    /// All columns of a unique index are given: at most one row.
    pub(crate) is_point: bool,
    /// Each range is one value of a whole unique index.
    pub(crate) is_whole: bool,
    /// Number of given columns of the index.
    pub(crate) given: usize,
}

/// Most ranges of one path.
const RANGES_MAX: usize = 1000;

/// `column op constant`, required by the condition.
struct Demand {
    column: usize,
    op: Op,
    cells: Vec<Cell>,
}

/// Converts a constant to an index key of the column type, if both have the same order.
fn key_cell(kind: Kind, cell: Cell) -> Option<Cell> {
    match (kind, &cell) {
        (_, Cell::Null) | (Kind::Integer { .. }, Cell::Integer(_)) => Some(cell),
        (Kind::Integer { .. }, Cell::Text(text)) => match leading_number(text) {
            (units, 0, read) if read > 0 && read == text.len() => Some(Cell::Integer(units)),
            _ => None,
        },
        (Kind::Char(_) | Kind::Varchar(_) | Kind::Text, Cell::Text(_)) => Some(cell),
        (Kind::DateTime(_), Cell::Text(_) | Cell::DateTime { .. }) => {
            cell.time().map(|(micros, digits)| Cell::DateTime { micros, digits })
        }
        _ => None,
    }
}

fn is_constant(expr: &Expr) -> bool {
    !expr.any(|op| matches!(op, Op::Column | Op::Values))
}

const fn turned(op: Op) -> Op {
    match op {
        Op::Less => Op::Greater,
        Op::LessEqual => Op::GreaterEqual,
        Op::Greater => Op::Less,
        Op::GreaterEqual => Op::LessEqual,
        other => other,
    }
}

fn demands(expr: &Expr, table: &Table, scope: &Scope, found: &mut Vec<Demand>) -> Result<(), Box<Failure>> {
    let (op, column, constants) = match (expr.op, expr.args.as_slice()) {
        (Op::And, args) => return args.iter().try_for_each(|arg| demands(arg, table, scope, found)),
        (
            Op::Equal | Op::Less | Op::LessEqual | Op::Greater | Op::GreaterEqual | Op::In | Op::Between,
            [column, constants @ ..],
        ) if column.op == Op::Column && constants.iter().all(is_constant) => (expr.op, column, constants),
        (Op::Equal | Op::Less | Op::LessEqual | Op::Greater | Op::GreaterEqual, [constant, column])
            if column.op == Op::Column && is_constant(constant) =>
        {
            (turned(expr.op), column, expr.args.get(..1).unwrap_or_default())
        }
        _ => return Ok(()),
    };
    let Some(kind) = table.columns.get(column.index).map(|column| column.kind) else { return Ok(()) };
    let mut cells = Vec::with_capacity(constants.len());
    for constant in constants {
        match key_cell(kind, scope.eval(constant, &[])?) {
            Some(cell) => cells.push(cell),
            None => return Ok(()),
        }
    }
    let column = column.index;
    match (op, cells.as_slice()) {
        (Op::Between, [low, high]) => {
            found.push(Demand { column, op: Op::GreaterEqual, cells: vec![low.clone()] });
            found.push(Demand { column, op: Op::LessEqual, cells: vec![high.clone()] });
        }
        _ => found.push(Demand { column, op, cells }),
    }
    Ok(())
}

/// Prefixes of the entries with the required values in the first columns of an index, and the number of these columns.
fn starts(columns: &[usize], demands: &[Demand]) -> (Vec<Vec<u8>>, usize) {
    let mut starts = vec![Vec::new()];
    let mut given = 0;
    for column in columns {
        let fixed = demands.iter().find(|demand| demand.column == *column && matches!(demand.op, Op::Equal | Op::In));
        let Some(demand) = fixed.filter(|demand| starts.len().saturating_mul(demand.cells.len()) <= RANGES_MAX) else {
            break;
        };
        let mut longer = Vec::new();
        for start in &starts {
            // No value is equal to `NULL`.
            for cell in demand.cells.iter().filter(|cell| **cell != Cell::Null) {
                let mut start = start.clone();
                cell.encode(&mut start);
                if let Err(at) = longer.binary_search(&start) {
                    longer.insert(at, start);
                }
            }
        }
        starts = longer;
        given += 1;
    }
    (starts, given)
}

/// The cheapest path for a condition: a unique index with all columns given, else the index with the most given columns, else a range of
/// the primary key, else all rows. (MySQL's optimizer uses statistics and may choose otherwise for tiny tables.)
pub(crate) fn path(table: &Table, condition: Option<&Expr>, scope: &Scope) -> Result<Path, Box<Failure>> {
    let mut found = Vec::new();
    if let Some(condition) = condition {
        demands(condition, table, scope, &mut found)?;
    }
    let mut best: Option<Path> = None;
    for (index, of) in table.indexes.iter().enumerate() {
        let (starts, given) = starts(&of.columns, &found);
        let is_whole = of.is_unique && given == of.columns.len();
        if given == 0 || !is_whole && best.as_ref().is_some_and(|best| best.given >= given) {
            continue;
        }
        let is_point = is_whole && starts.len() <= 1;
        let ranges = starts.into_iter().map(|start| (start.clone().into(), after(start))).collect();
        best = Some(Path { index, ranges, is_point, is_whole, given });
        if is_whole {
            break;
        }
    }
    if let Some(path) = best {
        return Ok(path);
    }
    let first = table.indexes.first().and_then(|index| index.columns.first());
    let (mut low, mut high) = (Vec::new(), vec![0xff]);
    for demand in found.iter().filter(|demand| Some(&demand.column) == first) {
        let mut key = Vec::new();
        demand.cells.first().unwrap_or(&Cell::Null).encode(&mut key);
        match demand.op {
            Op::Greater => low = low.max(after(key).to_vec()),
            Op::GreaterEqual => low = low.max(key),
            Op::Less => high = high.min(key),
            _ => high = high.min(after(key).to_vec()),
        }
    }
    Ok(Path { index: 0, ranges: vec![(low.into(), high.into())], is_point: false, is_whole: false, given: 0 })
}

/// A bound after all entries with this prefix: the next byte of an entry is always 0 or 1.
fn after(mut start: Vec<u8>) -> Bytes {
    start.push(0xff);
    start.into()
}
