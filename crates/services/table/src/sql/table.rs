//! Parses `CREATE TABLE`, `DROP TABLE` and `TRUNCATE`.
use super::ast::{NewColumn, Statement, plain_kind};
use super::parse::{Error, Parser};
use super::tokens::Kind as TokenKind;
use crate::answer::Failure;
use crate::error::{join, lossy};
use crate::schema::{Column, Default, Kind};
use bytes::Bytes;

/// Indexes so far: name, unique, columns. The primary key is called `PRIMARY`.
type Indexes = Vec<(Bytes, bool, Vec<Bytes>)>;

impl Parser<'_> {
    pub(super) fn definition(&mut self) -> Result<Statement, Error> {
        if self.eat_all("CREATE TABLE")? {
            return self.create();
        }
        if self.eat_all("DROP TABLE")? {
            let if_exists = self.eat_all("IF EXISTS")?;
            let tables = self.list(Parser::table)?;
            return Ok(Statement::Drop { tables, if_exists });
        }
        if self.eat("TRUNCATE") {
            self.eat("TABLE");
            return self.table().map(Statement::Truncate);
        }
        self.fail()
    }

    fn create(&mut self) -> Result<Statement, Error> {
        let if_not_exists = self.eat_all("IF NOT EXISTS")?;
        let table = self.table()?;
        let mut columns = Vec::new();
        let mut indexes = Indexes::new();
        self.expect("(")?;
        self.list(|parser| parser.table_item(&mut columns, &mut indexes))?;
        self.expect(")")?;
        while self.table_option()? {
            self.eat(",");
        }
        Ok(Statement::Create { table, if_not_exists, columns, indexes })
    }

    /// Table options such as `ENGINE=InnoDB`, which are ignored.
    fn table_option(&mut self) -> Result<bool, Error> {
        self.eat("DEFAULT");
        let is_option = self.eat_all("CHARACTER SET")?
            || ["ENGINE", "CHARSET", "COLLATE", "AUTO_INCREMENT", "COMMENT", "ROW_FORMAT"]
                .iter()
                .any(|word| self.eat(word));
        if is_option {
            self.eat("=");
            if !matches!(self.token.kind, TokenKind::Word | TokenKind::Text | TokenKind::Number) {
                return self.fail();
            }
            self.advance();
        }
        Ok(is_option)
    }

    fn table_item(&mut self, columns: &mut Vec<NewColumn>, indexes: &mut Indexes) -> Result<(), Error> {
        if self.eat_all("PRIMARY KEY")? {
            indexes.push((Bytes::from_static(b"PRIMARY"), true, self.names()?));
            return Ok(());
        }
        let is_unique = self.eat("UNIQUE");
        if self.eat("KEY") || self.eat("INDEX") || is_unique {
            let name = if self.peek_is("(") { Bytes::new() } else { self.name()? };
            indexes.push((name, is_unique, self.names()?));
            return Ok(());
        }
        let name = self.name()?;
        let kind = self.kind()?;
        let mut column = Column { name, kind, is_nullable: true, default: Default::None, is_auto_increment: false };
        let mut default = None;
        loop {
            if self.eat_all("NOT NULL")? {
                column.is_nullable = false;
            } else if self.eat("AUTO_INCREMENT") {
                column.is_auto_increment = true;
            } else if self.eat("DEFAULT") {
                default = Some(self.expr()?);
            } else if self.eat("PRIMARY") || self.peek_is("KEY") {
                self.expect("KEY")?;
                indexes.push((Bytes::from_static(b"PRIMARY"), true, vec![column.name.clone()]));
            } else if self.eat("UNIQUE") {
                self.eat("KEY");
                indexes.push((Bytes::new(), true, vec![column.name.clone()]));
            } else if self.eat("COMMENT") || self.eat("COLLATE") {
                self.advance();
            } else if !self.eat("NULL") {
                break;
            }
        }
        columns.push(NewColumn { column, default });
        Ok(())
    }

    fn kind(&mut self) -> Result<Kind, Error> {
        if self.token.kind != TokenKind::Word {
            return self.fail();
        }
        let word = self.text_of(self.token).to_ascii_uppercase();
        let Some(mut kind) = plain_kind(&word) else {
            if self.is_reserved(self.token) {
                return self.fail();
            }
            let message = join(&["Unknown data type: '", &lossy(self.text_of(self.token)), "'"]);
            return Err(Error::Failed(Failure::new(4161, b"HY000", message)));
        };
        self.advance();
        if self.eat("(") {
            let length = u32::try_from(self.number()?).unwrap_or(u32::MAX);
            self.expect(")")?;
            match &mut kind {
                Kind::Integer { width, .. } => *width = length,
                Kind::Char(n) | Kind::Varchar(n) => *n = length,
                Kind::DateTime(digits) => *digits = length.min(6) as u8,
                Kind::Text => {}
            }
        } else if kind == Kind::Varchar(0) {
            return self.fail();
        }
        if let Kind::Integer { size, unsigned, width } = &mut kind
            && self.eat("UNSIGNED")
        {
            *unsigned = true;
            // Unsigned types have no sign, so their default width is one less.
            *width -= u32::from(matches!((*size, *width), (1, 4) | (2, 6) | (4, 11)));
        }
        Ok(kind)
    }
}
