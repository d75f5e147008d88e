//! Parses statements. Like MySQL's, the error names the first token that does not fit.
use super::ast::{Expr, Filter, Item, OnDuplicate, Op, Statement, Wait};
use super::tokens::{self, Kind, Token, unquote};
use crate::answer::{Cell, Failure};
use crate::error::{join, lossy};
use bytes::Bytes;

/// Reserved words, which are names only in backticks. Source: "Keywords and Reserved Words" of the MySQL 5.7 manual, limited to those
/// that this subset uses or that a learner may type.
const RESERVED: &str = " ADD ALL ALTER AND AS ASC BETWEEN BIGINT BY CASE CHAR CHECK COLUMN CONSTRAINT CREATE CROSS CURRENT_TIMESTAMP \
    DATABASE DATABASES DEFAULT DELETE DESC DESCRIBE DISTINCT DIV DOUBLE DROP ELSE EXISTS EXPLAIN FALSE FLOAT FOR FOREIGN FROM \
    FULLTEXT GRANT GROUP HAVING IF IGNORE IN INDEX INNER INSERT INT INTEGER INTERVAL INTO IS JOIN KEY KEYS KILL LEFT LIKE LIMIT \
    LOCK MOD NOT NULL NUMERIC ON OR ORDER OUTER PRIMARY READ REFERENCES REPLACE RIGHT SELECT SET SHOW SMALLINT TABLE THEN TINYINT \
    TO TRUE UNION UNIQUE UNLOCK UNSIGNED UPDATE USE USING VALUES VARCHAR WHEN WHERE WITH WRITE XOR ";

/// Most bytes of a statement that an error repeats.
const NEAR_BYTES_MAX: usize = 80;

/// Why a statement cannot be parsed.
pub(super) enum Error {
    /// Syntax error at this token.
    At(Token),
    /// Valid syntax, but an error independent of any table.
    Failed(Box<Failure>),
}

/// The parser of a statement.
pub(super) struct Parser<'a> {
    text: &'a [u8],
    /// The next token.
    pub(super) token: Token,
    /// End of the previous token.
    end: usize,
    /// Current nesting depth of expressions.
    pub(super) open: u16,
}

/// Parses one statement.
///
/// # Errors
/// 1064 for a syntax error, 1065 for an empty statement, others for errors that can be detected without a table.
pub(crate) fn parse(text: &[u8]) -> Result<Statement, Box<Failure>> {
    let mut parser = Parser { text, token: tokens::next(text, 0), end: 0, open: 0 };
    while parser.eat(";") {}
    if parser.token.kind == Kind::End {
        return Err(Failure::new(1065, b"42000", "Query was empty"));
    }
    let statement = parser.statement().and_then(|statement| {
        parser.eat(";");
        if parser.token.kind == Kind::End { Ok(statement) } else { parser.fail() }
    });
    statement.map_err(|error| match error {
        Error::Failed(failure) => failure,
        Error::At(token) => syntax_error(text, token.start),
    })
}

fn syntax_error(text: &[u8], at: usize) -> Box<Failure> {
    // A trailing semicolon belongs to the client, which removes it.
    let end = text.len() - usize::from(text.ends_with(b";"));
    let rest = text.get(at..end).unwrap_or_default();
    let line = text.iter().take(at).filter(|byte| **byte == b'\n').count().saturating_add(1);
    let near = lossy(rest.get(..NEAR_BYTES_MAX).unwrap_or(rest));
    let message = join(&[
        "You have an error in your SQL syntax; check the manual that corresponds to your MySQL server version for the right \
         syntax to use near '",
        near.trim_end_matches('\u{fffd}'),
        "' at line ",
        &line.to_string(),
    ]);
    Failure::new(1064, b"42000", message)
}

impl<'a> Parser<'a> {
    pub(super) fn text_of(&self, token: Token) -> &'a [u8] {
        self.text.get(token.start..token.end).unwrap_or_default()
    }

    pub(super) fn fail<T>(&self) -> Result<T, Error> {
        self.fail_at(self.token)
    }

    pub(super) fn fail_at<T>(&self, token: Token) -> Result<T, Error> {
        Err(Error::At(token))
    }

    #[inline(never)]
    pub(super) fn advance(&mut self) {
        self.end = self.token.end;
        self.token = tokens::next(self.text, self.end);
    }

    #[inline(never)]
    fn is(&self, token: Token, word: &str) -> bool {
        matches!(token.kind, Kind::Word | Kind::Symbol) && self.text_of(token).eq_ignore_ascii_case(word.as_bytes())
    }

    /// Whether the next token is this keyword or symbol.
    pub(super) fn peek_is(&self, word: &str) -> bool {
        self.is(self.token, word)
    }

    /// Whether the token after the next one is this keyword or symbol.
    #[inline(never)]
    pub(super) fn next_is(&self, word: &str) -> bool {
        self.is(tokens::next(self.text, self.token.end), word)
    }

    /// Consumes a keyword or symbol if it comes next.
    #[inline(never)]
    pub(super) fn eat(&mut self, word: &str) -> bool {
        let is = self.peek_is(word);
        if is {
            self.advance();
        }
        is
    }

    /// Consumes keywords and symbols that must come next.
    #[inline(never)]
    pub(super) fn expect(&mut self, words: &str) -> Result<(), Error> {
        for word in words.split(' ') {
            if !self.eat(word) {
                return self.fail();
            }
        }
        Ok(())
    }

    /// Consumes these words if the first one comes next; then all others must follow.
    #[inline(never)]
    pub(super) fn eat_all(&mut self, words: &str) -> Result<bool, Error> {
        let (first, rest) = words.split_once(' ').unwrap_or((words, ""));
        if !self.eat(first) {
            return Ok(false);
        }
        self.expect(rest).map(|()| true)
    }

    pub(super) fn is_reserved(&self, token: Token) -> bool {
        let word = lossy(self.text_of(token)).to_ascii_uppercase();
        token.kind == Kind::Word && RESERVED.contains(join(&[" ", &word, " "]).as_str())
    }

    /// Parses a name.
    #[inline(never)]
    pub(super) fn name(&mut self) -> Result<Bytes, Error> {
        if self.is_reserved(self.token) || self.text_of(self.token).starts_with(b"@") {
            return self.fail();
        }
        self.any_name()
    }

    /// Parses a name after a point, which may be a keyword.
    #[inline(never)]
    pub(super) fn any_name(&mut self) -> Result<Bytes, Error> {
        let name = match self.token.kind {
            Kind::Word => Bytes::copy_from_slice(self.text_of(self.token)),
            Kind::Name => Bytes::from(unquote(self.text_of(self.token))),
            _ => return self.fail(),
        };
        self.advance();
        Ok(name)
    }

    /// Parses the name of a table, possibly qualified by the schema.
    pub(super) fn table(&mut self) -> Result<Bytes, Error> {
        let name = self.name()?;
        if self.eat(".") { self.any_name() } else { Ok(name) }
    }

    pub(super) fn number(&mut self) -> Result<u64, Error> {
        let text = self.text_of(self.token);
        match lossy(text).parse() {
            Ok(number) if self.token.kind == Kind::Number => {
                self.advance();
                Ok(number)
            }
            _ => self.fail(),
        }
    }

    /// Parses one or more items, separated by commas.
    pub(super) fn list<T>(&mut self, mut one: impl FnMut(&mut Self) -> Result<T, Error>) -> Result<Vec<T>, Error> {
        let mut items = vec![one(self)?];
        while self.eat(",") {
            items.push(one(self)?);
        }
        Ok(items)
    }

    /// `(a, b)`
    pub(super) fn names(&mut self) -> Result<Vec<Bytes>, Error> {
        self.expect("(")?;
        let names = self.list(Parser::name)?;
        self.expect(")")?;
        Ok(names)
    }

    fn statement(&mut self) -> Result<Statement, Error> {
        if self.peek_is("SELECT") {
            return self.select();
        }
        if self.eat("INSERT") {
            return self.insert(false);
        }
        if self.eat("REPLACE") {
            return self.insert(true);
        }
        if self.eat("UPDATE") {
            let table = self.table()?;
            self.expect("SET")?;
            let set = self.assignments()?;
            let filter = self.filter(false)?;
            return Ok(Statement::Update { table, set, filter });
        }
        if self.eat("DELETE") {
            if !self.eat("FROM") {
                // A list of tables could follow here, but only one table is supported.
                self.table()?;
                return self.fail();
            }
            let table = self.table()?;
            let filter = self.filter(false)?;
            return Ok(Statement::Delete { table, filter });
        }
        if self.eat("BEGIN") {
            self.eat("WORK");
            return Ok(Statement::Begin);
        }
        if self.eat_all("START TRANSACTION")? {
            return Ok(Statement::Begin);
        }
        if self.eat("COMMIT") {
            self.eat("WORK");
            return Ok(Statement::Commit);
        }
        if self.eat("ROLLBACK") {
            self.eat("WORK");
            return Ok(Statement::Rollback);
        }
        if self.eat("SET") {
            return Ok(Statement::Set(self.list(Parser::setting)?));
        }
        if self.eat("KILL") {
            self.eat("CONNECTION");
            return self.expr().map(Statement::Kill);
        }
        if self.eat("SHOW") {
            return self.show();
        }
        if self.eat("DESCRIBE") || self.eat("DESC") {
            return self.table().map(Statement::Describe);
        }
        if self.eat("USE") {
            return self.name().map(Statement::Use);
        }
        self.definition()
    }

    fn show(&mut self) -> Result<Statement, Error> {
        if self.eat("TABLES") {
            return Ok(Statement::ShowTables);
        }
        if self.eat("PROCESSLIST") {
            return Ok(Statement::ShowProcesslist);
        }
        if self.eat("WARNINGS") {
            return Ok(Statement::ShowWarnings);
        }
        if self.eat_all("CREATE TABLE")? {
            return self.table().map(Statement::ShowCreate);
        }
        if self.eat_all("COLUMNS FROM")? {
            return self.table().map(Statement::Describe);
        }
        self.fail()
    }

    fn setting(&mut self) -> Result<(Bytes, Expr), Error> {
        let _ = self.eat("SESSION") || self.eat("@@SESSION");
        let name = self.any_name()?;
        if !self.eat(":=") {
            self.expect("=")?;
        }
        // Words such as `ON` are values themselves.
        let value = if self.token.kind == Kind::Word && !self.next_is("(") {
            let word = Bytes::copy_from_slice(self.text_of(self.token));
            self.advance();
            Expr::leaf(Op::Literal, Cell::Text(word))
        } else {
            self.expr()?
        };
        Ok((name, value))
    }

    fn select(&mut self) -> Result<Statement, Error> {
        self.advance();
        let items = self.list(Parser::item)?;
        let mut table = None;
        let mut filter = Filter::default();
        let mut lock = None;
        if self.eat("FROM") {
            table = Some(self.table()?);
        }
        if table.is_some() || self.peek_is("LIMIT") {
            filter = self.filter(true)?;
        }
        if table.is_some() {
            if self.eat_all("LOCK IN SHARE MODE")? {
                lock = Some((false, self.patience()?));
            } else if self.eat("FOR") {
                let is_exclusive = self.eat("UPDATE");
                if !is_exclusive {
                    self.expect("SHARE")?;
                }
                lock = Some((is_exclusive, self.patience()?));
            }
        }
        Ok(Statement::Select { items, table, filter, lock })
    }

    fn patience(&mut self) -> Result<Wait, Error> {
        if self.eat("NOWAIT") {
            return Ok(Wait::Refuse);
        }
        Ok(if self.eat_all("SKIP LOCKED")? { Wait::Skip } else { Wait::Patient })
    }

    fn item(&mut self) -> Result<Item, Error> {
        if self.eat("*") {
            return Ok(None);
        }
        while self.eat("+") {}
        let start = self.token.start;
        let expr = self.expr()?;
        let written = self.text.get(start..self.end).unwrap_or_default();
        if self.eat("AS") || matches!(self.token.kind, Kind::Word | Kind::Name) && !self.is_reserved(self.token) {
            let name = if self.token.kind == Kind::Text {
                let name = Bytes::from(unquote(self.text_of(self.token)));
                self.advance();
                name
            } else {
                self.name()?
            };
            return Ok(Some((expr, name)));
        }
        // A single column or string is named by its content.
        let name = match (&expr.cell, expr.op) {
            (Cell::Text(name), Op::Column | Op::Literal) => name.clone(),
            _ => Bytes::copy_from_slice(written),
        };
        Ok(Some((expr, name)))
    }

    fn filter(&mut self, with_offset: bool) -> Result<Filter, Error> {
        let mut filter = Filter::default();
        if self.eat("WHERE") {
            filter.condition = Some(self.expr()?);
        }
        if self.eat_all("ORDER BY")? {
            filter.order = self.list(|parser| {
                let expr = parser.expr()?;
                let is_descending = parser.eat("DESC");
                if !is_descending {
                    parser.eat("ASC");
                }
                Ok((expr, is_descending))
            })?;
        }
        if self.eat("LIMIT") {
            let count = self.number()?;
            filter.limit = Some(count);
            if with_offset && self.eat(",") {
                filter.offset = count;
                filter.limit = Some(self.number()?);
            } else if with_offset && self.eat("OFFSET") {
                filter.offset = self.number()?;
            }
        }
        Ok(filter)
    }

    fn assignments(&mut self) -> Result<Vec<(Bytes, Expr)>, Error> {
        self.list(|parser| {
            let Expr { cell: Cell::Text(name), .. } = parser.column()? else { return parser.fail() };
            parser.expect("=")?;
            Ok((name, parser.value()?))
        })
    }

    /// Parses an expression or `DEFAULT`.
    fn value(&mut self) -> Result<Expr, Error> {
        if self.eat("DEFAULT") { Ok(Expr::leaf(Op::Default, Cell::Null)) } else { self.expr() }
    }

    fn insert(&mut self, replaces: bool) -> Result<Statement, Error> {
        let ignores = !replaces && self.eat("IGNORE");
        self.eat("INTO");
        let table = self.table()?;
        let mut columns = None;
        let mut rows = Vec::new();
        if self.eat("SET") {
            let (names, values) = self.assignments()?.into_iter().unzip();
            columns = Some(names);
            rows.push(values);
        } else {
            if self.eat("(") {
                columns = Some(if self.peek_is(")") { Vec::new() } else { self.list(Parser::name)? });
                self.expect(")")?;
            }
            if !self.eat("VALUE") {
                self.expect("VALUES")?;
            }
            rows = self.list(|parser| {
                parser.expect("(")?;
                let row = if parser.peek_is(")") { Vec::new() } else { parser.list(Parser::value)? };
                parser.expect(")")?;
                Ok(row)
            })?;
        }
        let on_duplicate = if !replaces && self.eat_all("ON DUPLICATE KEY UPDATE")? {
            OnDuplicate::Update(self.assignments()?)
        } else if replaces {
            OnDuplicate::Replace
        } else if ignores {
            OnDuplicate::Ignore
        } else {
            OnDuplicate::Fail
        };
        Ok(Statement::Insert { table, columns, rows, on_duplicate })
    }
}
