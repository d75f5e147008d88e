//! `LOLWUT`: a picture and the version.
//!
//! Version 5 draws a picture like Georg Nees' plotter in 1968: rows of squares with more disorder from row to row. Our squares are drawn in
//! Braille dots by our own algorithm; servers with different seeds draw different pictures.
use bytes::Bytes;
use resp::Value;

use crate::command::{Command, Flags, Group, Run};
use crate::{Answer, Ctx, Error, rng::Rng, server::REDIS_VERSION};

pub(super) const LOLWUT: Command = Command {
    name: "lolwut",
    summary: "Display some computer art and the Redis version",
    since: "5.0.0",
    arity: -1,
    flags: Flags::FAST_READ,
    syntax: "[VERSION=version:int]",
    run: Run::Call(lolwut),
    ..Command::of(Group::Server)
};
/// `LOLWUT [VERSION n [columns [squares a row [squares a column]]]]`. Without a version, or for a version without a picture, Redis 7.0
/// prints only its own version.
fn lolwut(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    let version = if ctx.argv.len() >= 3 && ctx.is_word(1, "version") { ctx.int(2)? } else { 0 };
    let art = if version == 5 {
        let size = |i: usize, default: i64, max: i64| {
            if ctx.argv.len() > i { ctx.int(i).map(|n| n.clamp(1, max)) } else { Ok(default) }
        };
        let (columns, across, down) = (size(3, 66, 1000)?, size(4, 8, 200)?, size(5, 12, 200)?);
        schotter(&mut Rng::new(ctx.server.config.seed), columns, across, down)
    } else {
        String::new()
    };
    Ok(Value::Verbatim(*b"txt", Bytes::from(format!("{art}Redis ver. {REDIS_VERSION}\n"))).into())
}

/// Rows of squares; each row is rotated and shifted more than the one above.
fn schotter(rng: &mut Rng, columns: i64, across: i64, down: i64) -> String {
    let width = columns.saturating_mul(2);
    let padding = if width > 4 { 2 } else { 0 };
    /// Most dots of a picture; a larger picture has fewer rows.
    const DOTS_MAX: i64 = 1 << 21;
    let side = (width.saturating_sub(padding * 2) / across.max(1)).max(1);
    let down = down.min((DOTS_MAX / width.max(1) / side).max(1));
    let height = side.saturating_mul(down).saturating_add(padding * 2);
    let mut canvas = Canvas::new(width, height);
    for row in 0..down {
        let disorder = row as f64 / down as f64;
        for column in 0..across {
            let mut jitter = || rng.below(2001) as f64 / 1000.0 - 1.0;
            let half = side as f64 / 2.0;
            let x = padding as f64 + column as f64 * side as f64 + half + jitter() * disorder * half * 0.7;
            let y = padding as f64 + row as f64 * side as f64 + half + jitter() * disorder * half * 0.7;
            canvas.square(x, y, half, jitter() * disorder);
        }
    }
    format!("{}\nAfter Georg Nees, Schotter, 1968. ", canvas.text())
}

/// A picture of dots, eight per Braille character.
struct Canvas {
    width: i64,
    height: i64,
    dots: Vec<bool>,
}

impl Canvas {
    fn new(width: i64, height: i64) -> Canvas {
        let cells = usize::try_from(width.saturating_mul(height)).unwrap_or(0);
        Canvas { width, height, dots: vec![false; cells] }
    }

    fn index(&self, x: i64, y: i64) -> Option<usize> {
        let is_inside = (0..self.width).contains(&x) && (0..self.height).contains(&y);
        is_inside.then(|| usize::try_from(y.saturating_mul(self.width).saturating_add(x)).ok()).flatten()
    }

    /// Draws a square around a point, rotated by at most one radian. Sine and cosine are short power series: those of the library may
    /// differ in the last bit between machines, and a session must look the same on all of them.
    fn square(&mut self, x: f64, y: f64, half: f64, angle: f64) {
        let sin = angle - angle * angle * angle / 6.0;
        let cos = 1.0 - angle * angle / 2.0 + angle * angle * angle * angle / 24.0;
        let corner = |u: f64, v: f64| (x + (u * cos - v * sin) * half, y + (u * sin + v * cos) * half);
        let corners = [corner(-0.9, -0.9), corner(0.9, -0.9), corner(0.9, 0.9), corner(-0.9, 0.9)];
        let ends = corners.iter().skip(1).chain(corners.first());
        for (from, to) in corners.iter().zip(ends) {
            self.line(*from, *to);
        }
    }

    fn line(&mut self, (x0, y0): (f64, f64), (x1, y1): (f64, f64)) {
        let steps = ((x1 - x0).abs().max((y1 - y0).abs())).ceil().max(1.0);
        let mut step = 0.0;
        while step <= steps {
            let t = step / steps;
            let (x, y) = ((x0 + (x1 - x0) * t) as i64, (y0 + (y1 - y0) * t) as i64);
            if let Some(dot) = self.index(x, y).and_then(|i| self.dots.get_mut(i)) {
                *dot = true;
            }
            step += 1.0;
        }
    }

    fn text(&self) -> String {
        /// Position of each dot in a Braille character, lowest bit first.
        const DOTS: [(i64, i64); 8] = [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2), (0, 3), (1, 3)];
        let mut text = String::new();
        for top in (0..self.height).step_by(4) {
            for left in (0..self.width).step_by(2) {
                let is_set = |(dx, dy): &(i64, i64)| {
                    let index = self.index(left.saturating_add(*dx), top.saturating_add(*dy));
                    index.and_then(|i| self.dots.get(i)).copied().unwrap_or(false)
                };
                let bits =
                    DOTS.iter().enumerate().filter(|(_, dot)| is_set(dot)).fold(0u32, |bits, (i, _)| bits | 1 << i);
                text.extend(char::from_u32(0x2800 | bits));
            }
            text.push('\n');
        }
        text
    }
}
