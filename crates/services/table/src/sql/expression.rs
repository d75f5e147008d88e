//! Parses expressions.
use super::ast::{Expr, Op};
use super::parse::{Error, Parser};
use super::tokens::{Kind, unquote};
use crate::answer::{Cell, Failure};
use crate::error::{join, lossy};
use bytes::Bytes;

/// Maximum nesting depth of an expression.
const DEPTH_MAX: u16 = 200;
/// Maximum number of open parentheses.
const OPEN_MAX: u16 = 64;

/// Binary operators, lowest precedence first.
const LEVELS: &[(u8, &str, Op)] = &[
    (0, "||", Op::Or),
    (0, "OR", Op::Or),
    (1, "&&", Op::And),
    (1, "AND", Op::And),
    (3, "=", Op::Equal),
    (3, "<=>", Op::NullSafeEqual),
    (3, "<>", Op::NotEqual),
    (3, "!=", Op::NotEqual),
    (3, "<", Op::Less),
    (3, "<=", Op::LessEqual),
    (3, ">", Op::Greater),
    (3, ">=", Op::GreaterEqual),
    (3, "LIKE", Op::Like),
    (4, "+", Op::Add),
    (4, "-", Op::Subtract),
    (5, "*", Op::Multiply),
    (5, "/", Op::Divide),
    (5, "%", Op::Modulo),
    (5, "DIV", Op::IntegerDivide),
    (5, "MOD", Op::Modulo),
];
const NOT_LEVEL: u8 = 2;
const COMPARE_LEVEL: u8 = 3;
const ADD_LEVEL: u8 = 4;
const MULTIPLY_LEVEL: u8 = 5;

/// Functions: name, minimum and maximum number of arguments.
const FUNCTIONS: &[(&str, Op, usize, usize)] = &[
    ("IF", Op::If, 3, 3),
    ("IFNULL", Op::IfNull, 2, 2),
    ("COALESCE", Op::Coalesce, 1, 99),
    ("GREATEST", Op::Greatest, 2, 99),
    ("LEAST", Op::Least, 2, 99),
    ("CONCAT", Op::Concat, 1, 99),
    ("UNIX_TIMESTAMP", Op::UnixTimestamp, 0, 1),
    ("LAST_INSERT_ID", Op::LastInsertId, 0, 1),
    ("ROW_COUNT", Op::RowCount, 0, 0),
    ("CONNECTION_ID", Op::ConnectionId, 0, 0),
    ("LENGTH", Op::Length, 1, 1),
    ("CHAR_LENGTH", Op::CharLength, 1, 1),
    ("UPPER", Op::Upper, 1, 1),
    ("LOWER", Op::Lower, 1, 1),
    ("ABS", Op::Abs, 1, 1),
    ("MOD", Op::Modulo, 2, 2),
    ("COUNT", Op::Count, 1, 1),
    ("SUM", Op::Sum, 1, 1),
    ("MIN", Op::Min, 1, 1),
    ("MAX", Op::Max, 1, 1),
    ("AVG", Op::Avg, 1, 1),
    ("GET_LOCK", Op::GetLock, 2, 2),
    ("RELEASE_LOCK", Op::ReleaseLock, 1, 1),
    ("IS_FREE_LOCK", Op::IsFreeLock, 1, 1),
];

const UNITS: &[(&str, i64)] = &[
    ("MICROSECOND", 1),
    ("SECOND", 1_000_000),
    ("MINUTE", 60_000_000),
    ("HOUR", 3_600_000_000),
    ("DAY", 86_400_000_000),
    ("WEEK", 604_800_000_000),
];

impl Parser<'_> {
    pub(super) fn expr(&mut self) -> Result<Expr, Error> {
        self.open = self.open.saturating_add(1);
        let expr = if self.open > OPEN_MAX { self.fail() } else { self.level(0) };
        self.open -= 1;
        expr
    }

    fn node(&self, op: Op, args: Vec<Expr>) -> Result<Expr, Error> {
        let expr = Expr::new(op, args);
        if expr.depth > DEPTH_MAX { self.fail() } else { Ok(expr) }
    }

    fn level(&mut self, level: u8) -> Result<Expr, Error> {
        if level == NOT_LEVEL {
            let mut times = 0u32;
            while self.eat("NOT") {
                times += 1;
            }
            let mut expr = self.level(COMPARE_LEVEL)?;
            for _ in 0..times {
                expr = self.node(Op::Not, vec![expr])?;
            }
            return Ok(expr);
        }
        if level > MULTIPLY_LEVEL {
            return self.unary();
        }
        let mut left = self.level(level + 1)?;
        loop {
            if level == COMPARE_LEVEL
                && let Some(expr) = self.special(&left)?
            {
                left = expr;
                continue;
            }
            let Some(&(_, _, op)) = LEVELS.iter().find(|(own, word, _)| *own == level && self.eat(word)) else {
                return Ok(left);
            };
            if level == ADD_LEVEL && self.eat("INTERVAL") {
                let op = if op == Op::Add { Op::AddInterval } else { Op::SubtractInterval };
                left = self.interval(op, left)?;
            } else {
                let right = self.level(level + 1)?;
                left = self.node(op, vec![left, right])?;
            }
        }
    }

    fn interval(&mut self, op: Op, time: Expr) -> Result<Expr, Error> {
        let count = self.expr()?;
        let Some(&(_, micros)) = UNITS.iter().find(|(word, _)| self.eat(word)) else { return self.fail() };
        let mut expr = self.node(op, vec![time, count])?;
        expr.cell = Cell::Integer(micros);
        Ok(expr)
    }

    /// `IS`, `IN` and `BETWEEN`, and operators negated by `NOT`, such as `NOT LIKE`.
    fn special(&mut self, left: &Expr) -> Result<Option<Expr>, Error> {
        let expr = if self.eat("IS") {
            let op = if self.eat("NOT") { Op::IsNotNull } else { Op::IsNull };
            self.expect("NULL")?;
            self.node(op, vec![left.clone()])?
        } else {
            let is_not = self.peek_is("NOT");
            if is_not {
                self.advance();
            }
            let expr = if self.eat("IN") {
                self.expect("(")?;
                let mut args = vec![left.clone()];
                args.extend(self.list(Parser::expr)?);
                self.expect(")")?;
                self.node(Op::In, args)?
            } else if self.eat("BETWEEN") {
                let low = self.level(ADD_LEVEL)?;
                self.expect("AND")?;
                let high = self.level(ADD_LEVEL)?;
                self.node(Op::Between, vec![left.clone(), low, high])?
            } else if is_not && self.eat("LIKE") {
                let pattern = self.level(ADD_LEVEL)?;
                self.node(Op::Like, vec![left.clone(), pattern])?
            } else if is_not {
                return self.fail();
            } else {
                return Ok(None);
            };
            if is_not { self.node(Op::Not, vec![expr])? } else { expr }
        };
        Ok(Some(expr))
    }

    fn unary(&mut self) -> Result<Expr, Error> {
        let mut signs = Vec::new();
        loop {
            if self.eat("-") {
                signs.push(Op::Negate);
            } else if self.eat("!") {
                signs.push(Op::Not);
            } else if !self.eat("+") {
                break;
            }
        }
        let mut expr = self.primary()?;
        for op in signs.into_iter().rev() {
            expr = match (op, &expr.cell) {
                (Op::Negate, Cell::Integer(n)) if expr.op == Op::Literal => {
                    Expr::leaf(Op::Literal, Cell::Integer(n.wrapping_neg()))
                }
                _ => self.node(op, vec![expr])?,
            };
        }
        Ok(expr)
    }

    fn primary(&mut self) -> Result<Expr, Error> {
        let token = self.token;
        let literal = |cell| Ok(Expr::leaf(Op::Literal, cell));
        match token.kind {
            Kind::Number => {
                let cell = crate::value::number_literal(self.text_of(token));
                self.advance();
                cell.map_or_else(|| self.fail_at(token), literal)
            }
            Kind::Text => {
                let mut text = Vec::new();
                while self.token.kind == Kind::Text {
                    text.extend(unquote(self.text_of(self.token)));
                    self.advance();
                }
                literal(Cell::Text(text.into()))
            }
            Kind::Symbol if self.eat("(") => {
                let expr = self.expr()?;
                self.expect(")")?;
                Ok(expr)
            }
            Kind::Word if self.eat("NULL") => literal(Cell::Null),
            Kind::Word if self.eat("TRUE") => literal(Cell::Integer(1)),
            Kind::Word if self.eat("FALSE") => literal(Cell::Integer(0)),
            Kind::Word if self.eat("INTERVAL") => {
                let count = self.expr()?;
                let Some(&(_, micros)) = UNITS.iter().find(|(word, _)| self.eat(word)) else { return self.fail() };
                self.expect("+")?;
                let time = self.level(MULTIPLY_LEVEL)?;
                let mut expr = self.node(Op::AddInterval, vec![time, count])?;
                expr.cell = Cell::Integer(micros);
                Ok(expr)
            }
            Kind::Word if self.eat("CURRENT_TIMESTAMP") => self.now(),
            Kind::Word if self.next_is("(") => self.call(),
            Kind::Word | Kind::Name => self.column(),
            _ => self.fail(),
        }
    }

    /// A column, possibly qualified by its table.
    pub(super) fn column(&mut self) -> Result<Expr, Error> {
        let mut name = self.name()?;
        let mut qualifier = Bytes::new();
        if self.eat(".") {
            qualifier = name;
            name = self.any_name()?;
        }
        let mut expr = Expr::leaf(Op::Column, Cell::Text(name));
        if !qualifier.is_empty() {
            expr.args.push(Expr::leaf(Op::Literal, Cell::Text(qualifier)));
        }
        Ok(expr)
    }

    fn now(&mut self) -> Result<Expr, Error> {
        let mut expr = Expr::leaf(Op::Now, Cell::Null);
        if self.eat("(") {
            if self.token.kind == Kind::Number {
                expr.index = usize::try_from(self.number()?).unwrap_or(0).min(6);
            }
            self.expect(")")?;
        }
        Ok(expr)
    }

    fn call(&mut self) -> Result<Expr, Error> {
        let token = self.token;
        let word = self.text_of(token).to_ascii_uppercase();
        if word == b"NOW" {
            self.advance();
            return self.now();
        }
        if word == b"VALUES" || word == b"VALUE" {
            self.advance();
            self.expect("(")?;
            let mut expr = self.column()?;
            self.expect(")")?;
            expr.op = Op::Values;
            return Ok(expr);
        }
        let Some(&(name, op, least, most)) = FUNCTIONS.iter().find(|(name, ..)| name.as_bytes() == word) else {
            if self.is_reserved(token) {
                return self.fail();
            }
            return Err(Error::Failed(Failure::new(
                1305,
                b"42000",
                join(&["FUNCTION lockstep.", &lossy(self.text_of(token)), " does not exist"]),
            )));
        };
        self.advance();
        self.expect("(")?;
        let args = if op == Op::Count && self.eat("*") {
            vec![Expr::leaf(Op::Literal, Cell::Integer(1))]
        } else if self.peek_is(")") {
            Vec::new()
        } else {
            self.list(Parser::expr)?
        };
        // For functions that are keywords, a wrong number of arguments is a syntax error; for others it is reported after parsing.
        let is_word =
            matches!(op, Op::If | Op::Count | Op::Sum | Op::Min | Op::Max | Op::Avg | Op::Coalesce | Op::Modulo);
        if is_word && (args.len() < least || args.len() > most) {
            return self.fail();
        }
        self.expect(")")?;
        if args.len() < least || args.len() > most {
            return Err(Error::Failed(Failure::new(
                1582,
                b"42000",
                join(&["Incorrect parameter count in the call to native function '", name, "'"]),
            )));
        }
        self.node(op, args)
    }
}
