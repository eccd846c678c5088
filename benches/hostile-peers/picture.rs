//! The table as a picture: a row for each family, a column for each validator, a tile for each attack.

use super::table::{Outcome, Row, Table};

const LEFT: usize = 232;
const COLUMN: usize = 186;
const ROW: usize = 17;
const TOP: usize = 118;
const TILE: usize = 5;

fn color(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Right => "#2a9d76",
        Outcome::Refused => "#b9c3cf",
        Outcome::Wrong => "#d1242f",
        Outcome::TimeOut => "#f0a030",
        Outcome::Crash => "#5b2a86",
    }
}

/// Draws the table as SVG.
pub(crate) fn draw(table: &Table) -> String {
    let families = table.families();
    let width = LEFT + COLUMN * table.validators.len() + 8;
    let height = TOP + ROW * families.len() + 16;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" \
         font-family=\"system-ui, sans-serif\" font-size=\"11\" fill=\"#1f2328\">\n\
         <rect width=\"{width}\" height=\"{height}\" rx=\"6\" fill=\"#ffffff\"/>\n"
    );
    svg += &text(12, 24, 15, "600", &format!("{} hostile schemas, by family", table.rows.len()));
    svg += &legend(12, 46);
    for (at, validator) in table.validators.iter().enumerate() {
        let x = LEFT + COLUMN * at;
        svg += &text(x, 76, 13, "600", validator);
        let right = Table::count(&table.rows, at, Outcome::Right);
        let wrong = Table::count(&table.rows, at, Outcome::Wrong);
        svg += &text(x, 91, 11, "400", &format!("{right} right, {wrong} wrong"));
        svg += &share(x, 97, at, table);
    }
    for (at, rows) in families.iter().enumerate() {
        let y = TOP + ROW * at;
        if at % 2 == 0 {
            svg += &format!(
                "<rect x=\"6\" y=\"{y}\" width=\"{}\" height=\"{ROW}\" fill=\"#f6f8fa\"/>\n",
                width - 12
            );
        }
        svg += &text(12, y + 12, 11, "400", &rows[0].family);
        for validator in 0..table.validators.len() {
            svg += &tiles(LEFT + COLUMN * validator, y + 3, validator, rows);
        }
    }
    svg + "</svg>\n"
}

fn legend(x: usize, y: usize) -> String {
    let mut svg = String::new();
    let mut x = x;
    for outcome in Outcome::ALL {
        let label = match outcome {
            Outcome::Right => "right verdict",
            Outcome::Refused => "refused or undecided",
            Outcome::Wrong => "wrong verdict",
            Outcome::TimeOut => "no end in 10 s",
            Outcome::Crash => "crash, or more than 4 GiB",
        };
        svg += &format!(
            "<rect x=\"{x}\" y=\"{}\" width=\"10\" height=\"10\" fill=\"{}\"/>\n",
            y - 9,
            color(outcome)
        );
        svg += &text(x + 15, y, 11, "400", label);
        x += 32 + 6 * label.len();
    }
    svg
}

/// Draws one bar for all attacks on a validator.
fn share(x: usize, y: usize, validator: usize, table: &Table) -> String {
    let whole = (COLUMN - 16) as f64;
    let mut svg = String::new();
    let mut start = x as f64;
    for outcome in Outcome::ALL {
        let share = Table::count(&table.rows, validator, outcome) as f64 / table.rows.len().max(1) as f64;
        let width = whole * share;
        if width > 0.0 {
            let fill = color(outcome);
            svg += &format!(
                "<rect x=\"{start:.1}\" y=\"{y}\" width=\"{width:.1}\" height=\"10\" fill=\"{fill}\"/>\n"
            );
        }
        start += width;
    }
    svg
}

/// Draws a tile for each attack of a family, the best outcomes first.
fn tiles(x: usize, y: usize, validator: usize, rows: &[Row]) -> String {
    let mut svg = String::new();
    let mut x = x;
    for outcome in Outcome::ALL {
        let count = Table::count(rows, validator, outcome);
        if count > 0 {
            // A line of dashes, as wide as the tiles are high.
            let (end, middle, stroke) = (x + count * TILE - 1, y + 5, color(outcome));
            svg += &format!("<path d=\"M{x} {middle}.5H{end}\" stroke=\"{stroke}\" stroke-width=\"11\" ");
            svg += &format!(
                "stroke-dasharray=\"{} 1\"><title>{count} {}</title></path>\n",
                TILE - 1,
                outcome.name()
            );
        }
        x += count * TILE;
    }
    svg
}

fn text(x: usize, y: usize, size: usize, weight: &str, text: &str) -> String {
    let text = text.replace('&', "&amp;").replace('<', "&lt;");
    format!("<text x=\"{x}\" y=\"{y}\" font-size=\"{size}\" font-weight=\"{weight}\">{text}</text>\n")
}
