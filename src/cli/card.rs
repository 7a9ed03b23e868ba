//! `gauntlet card DIR`: one race as a picture to share. `page/card.rs` draws it as SVG; with the feature `png` it is rendered here,
//! with the font that is bundled, so that it is the same picture everywhere.

use super::site::gather::{self, Read};
use super::site::seasons;
use super::{Failure, out};
use crate::page::card;
use crate::store::{race_folders, write_bytes};
use crate::text::shown;
use clap::Args as ClapArgs;
use std::path::PathBuf;
use std::process::ExitCode;

/// Arguments of `gauntlet card`.
#[derive(Debug, ClapArgs)]
#[command(after_help = "The card is 1200 by 630. Without --out the SVG goes to stdout.\n\n\
    Examples:\n  gauntlet card races/21-my-rig-attempt1 --out card.svg\n  \
    gauntlet card races/21-my-rig-attempt1 --among races --out card.svg\n  \
    gauntlet card races/21-my-rig-attempt1 --png --out card.png\n\n\
    Exit codes: 0 done, 1 the files of the race disagree, 2 usage or a bad file")]
pub(crate) struct Args {
    /// The race's folder.
    #[arg(value_name = "DIR")]
    race: PathBuf,
    /// Race folders, or folders of races, among which it is ranked; without them the card shows no rank.
    #[arg(long, value_name = "DIR", num_args = 1..)]
    among: Vec<PathBuf>,
    /// The file to write; one that is there is replaced.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// A PNG instead of an SVG; needs --out.
    #[arg(long, requires = "out")]
    png: bool,
}

pub(super) fn run(args: &Args) -> Result<ExitCode, Failure> {
    if args.png && cfg!(not(feature = "png")) {
        return Err(Failure::Usage {
            what: String::from("this gauntlet was built without PNG"),
            hint: String::from("build it with `--features png`, or leave --png out for an SVG"),
        });
    }
    let own = read(args)?;
    let id = own.race.result.race.clone();
    let mut races = vec![own];
    for dir in &args.among {
        for folder in race_folders(dir)? {
            // A race that cannot be believed has no say; `rank` and `site` name it.
            races.extend(gather::read(&folder, false, false).ok().map(|read| *read));
        }
    }
    let mut refused = Vec::new();
    let races = gather::unique(races, &mut refused);
    let Some(own) = races.iter().find(|it| it.race.result.race == id) else {
        return Err(Failure::Check {
            what: format!("there are different races with the id {}", shown(&id, 100)),
            hint: String::from("name folders in which each race stands once"),
        });
    };
    let fields = seasons::fields(seasons::given(&[], true)?, &races, &refused);
    let field = fields.iter().map(|it| &it.field);
    let field = field.into_iter().find(|it| it.season.name == own.race.season.name);
    let standing =
        field.filter(|_| !args.among.is_empty()).and_then(|it| it.standing(&own.race.track));
    let draw = |track| card::svg(track, &own.race.season, standing);
    match &args.out {
        None => out::result(&draw(&own.race.track)),
        Some(path) if args.png => {
            let mut track = own.race.track.clone();
            if !track.title.chars().all(card::has_glyph) {
                track.title.clone_from(&track.lane);
            }
            write_bytes(path, &png(&draw(&track))?)?;
        }
        Some(path) => write_bytes(path, draw(&own.race.track).as_bytes())?,
    }
    if let Some(path) = &args.out {
        out::result(&format!("{}\n", shown(&path.display().to_string(), 400)));
    }
    Ok(ExitCode::SUCCESS)
}

/// The race of the card, believed as `rank` believes it.
fn read(args: &Args) -> Result<Read, Failure> {
    if race_folders(&args.race)? != [args.race.clone()] {
        return Err(Failure::Usage {
            what: format!("{} is no race folder", shown(&args.race.display().to_string(), 400)),
            hint: String::from(
                "name the folder of one race, for instance races/21-pacer-club-attempt1",
            ),
        });
    }
    gather::read(&args.race, false, false).map(|read| *read).map_err(|refused| Failure::Check {
        what: format!("{}: {}", shown(&refused.apart.race, 100), shown(&refused.apart.reason, 300)),
        hint: String::from("`gauntlet verify DIR` names every difference"),
    })
}

/// Renders an SVG of ours.
#[cfg(feature = "png")]
fn png(svg: &str) -> Result<Vec<u8>, Failure> {
    use resvg::{tiny_skia, usvg};
    let failed = |what: String| Failure::Check {
        what: format!("the card cannot be rendered: {what}"),
        hint: String::from("leave --png out for an SVG"),
    };
    let mut options = usvg::Options { font_family: String::from("Inter"), ..Default::default() };
    for font in card::FONTS {
        options.fontdb_mut().load_font_data(font.to_vec());
    }
    let tree = usvg::Tree::from_str(svg, &options).map_err(|error| failed(error.to_string()))?;
    let mut pixels = tiny_skia::Pixmap::new(card::WIDTH_PX, card::HEIGHT_PX)
        .ok_or_else(|| failed(String::from("no memory for its pixels")))?;
    resvg::render(&tree, tiny_skia::Transform::identity(), &mut pixels.as_mut());
    pixels.encode_png().map_err(|error| failed(error.to_string()))
}

/// Nothing is rendered without the feature; `run` has said so.
#[cfg(not(feature = "png"))]
fn png(_: &str) -> Result<Vec<u8>, Failure> {
    Ok(Vec::new())
}
