//! Settings: every key that is documented works, every value that does not is refused with its key, what
//! was sent, and what would do.

use super::super::KEYS;
use super::{Language, check_refused, read};

#[test]
fn no_kind_is_no_calendar() {
    for settings in ["", "kind = none", "kind = none\nlongitude = 12", "base_year = 5500"] {
        assert_eq!(read(settings), Ok(None), "{settings}");
    }
}

#[test]
fn documented_defaults_are_the_defaults() {
    for (name, default, meaning) in KEYS {
        for kind in ["rimworld", "gregorian"] {
            // A default by kind is written as: kind `value`, kind `value`
            let own = default.split_once(&format!("{kind} `")).and_then(|(_, rest)| rest.split('`').next());
            let Some(value) = own.or(meaning.starts_with(kind).then_some(*default)) else { continue };
            if value.is_empty() {
                continue;
            }
            let explicit = read(&format!("kind = {kind}\n{name} = {value}"));
            assert_eq!(explicit, read(&format!("kind = {kind}")), "{kind} {name}");
        }
    }
}

#[test]
fn languages_have_names() {
    for language in Language::ALL {
        assert_eq!(Language::from_name(language.name()), Ok(language));
    }
    assert_eq!(Language::default(), Language::Zh);
    assert_eq!(Language::from_name("fr").unwrap_err().message(), "there is no language `fr`");
}

#[test]
fn wrong_keys() {
    let cases = [
        ("colour = red", "there is no setting calendar.colour", "kind, format.zh"),
        ("format = [{day}]", "there is no setting calendar.format", "format.zh"),
        ("units.0 = day", "there is no setting calendar.units.0", "units.N.name"),
        ("units.x.name = day", "there is no setting calendar.units.x.name", "units.N.name"),
        ("units.01.name = day", "there is no setting calendar.units.01.name", "units.N.name"),
        ("units.0.name.x = day", "there is no setting calendar.units.0.name.x", "units.N.name"),
        (
            "units.0.names.fr.0 = jour",
            "there is no setting calendar.units.0.names.fr.0",
            "units.N.names.zh.N",
        ),
        (
            "kind = gregorian\nlongitude = 12",
            "calendar.longitude has no place in a gregorian calendar",
            "remove it, or change calendar.kind",
        ),
        (
            "kind = rimworld\ntime_zone = UTC",
            "calendar.time_zone has no place in a rimworld calendar",
            "kind",
        ),
    ];
    for (settings, message, hint) in cases {
        check_refused(settings, message, hint);
    }
}

#[test]
fn wrong_values() {
    let cases = [
        (
            "kind = moon",
            "calendar.kind = `moon`: not one of the choices",
            "none, rimworld, gregorian, custom",
        ),
        ("kind = rimworld\nbase_year = MM", "calendar.base_year = `MM`: not a whole number", "64 bits"),
        (
            "kind = rimworld\nlongitude = 180.1",
            "calendar.longitude = `180.1`: not a longitude",
            "-180 to 180",
        ),
        ("kind = rimworld\nlongitude = NaN", "calendar.longitude = `NaN`: not a longitude", "-180 to 180"),
        (
            "kind = rimworld\nhemisphere = east",
            "calendar.hemisphere = `east`: not one of the choices",
            "north, south",
        ),
        (
            "kind = rimworld\nticks = real",
            "calendar.ticks = `real`: not one of the choices",
            "absolute, game",
        ),
        (
            "kind = rimworld\nstart_tick = 5",
            "calendar.start_tick = `5`: absolute ticks have no other start",
            "calendar.ticks = game",
        ),
        (
            "kind = gregorian\ntime_zone = Mars/Olympus",
            "calendar.time_zone = `Mars/Olympus`: not a known time zone",
            "IANA",
        ),
        (
            "kind = gregorian\ntime_zone = ../etc/passwd",
            "calendar.time_zone = `../etc/passwd`: not a known time zone",
            "IANA",
        ),
        (
            "kind = gregorian\nepoch = 1889-03-01",
            "calendar.epoch is set, but calendar.ticks_per_second is not",
            "both",
        ),
        (
            "kind = gregorian\nticks_per_second = 60",
            "calendar.ticks_per_second is set, but calendar.epoch is not",
            "both",
        ),
    ];
    for (settings, message, hint) in cases {
        check_refused(settings, message, hint);
    }
    for time_zone in ["Etc/Unknown", "", "+08:00"] {
        let message = format!("calendar.time_zone = `{time_zone}`: not a known time zone");
        check_refused(&format!("kind = gregorian\ntime_zone = {time_zone}"), &message, "IANA");
    }
    for epoch in ["yesterday", "1889-13-01", "1889-03-01T06:00[Europe/Paris]"] {
        let settings = format!("kind = gregorian\nticks_per_second = 1\nepoch = {epoch}");
        check_refused(
            &settings,
            &format!("calendar.epoch = `{epoch}`: not a date and time"),
            "1889-03-01T06:00",
        );
    }
    for rate in ["0", "-1", "0.5", "1/0", "1/2/3", "5000000000", "/"] {
        let settings = format!("kind = gregorian\nepoch = 1889-03-01\nticks_per_second = {rate}");
        check_refused(&settings, &format!("calendar.ticks_per_second = `{rate}`: not a rate"), "1/60");
    }
}

#[test]
fn wrong_formats() {
    let too_long = format!("[{{day}}{}]", "天".repeat(100));
    let shown_part: String = too_long.chars().take(64).collect();
    let cases = [
        ("[{dya}]", "there is no field {dya}", "{year} {season} {quadrum} {day} {day_of_year} {hour}"),
        ("[{}]", "there is no field {}", "{day}"),
        ("[{day]", "a { is never closed", "{{"),
        ("[day}]", "a } was never opened", "}}"),
        ("[{{day}}]", "it says nothing about the time", "{day}"),
        ("[]", "it says nothing about the time", "{day}"),
        ("{day}", "a stamp stands in brackets", "[] ()"),
        ("[{day})", "a stamp stands in brackets", "[] ()"),
        ("[{day:2}]", "{day:2} has no width that can be used", "{day:02}"),
        ("[{day:010}]", "{day:010} has no width that can be used", "{day:02}"),
        ("[{season:02}]", "{season} is a word and has no width", "{season}"),
    ];
    for (format, problem, hint) in cases {
        let settings = format!("kind = rimworld\nformat.en = {format}");
        check_refused(&settings, &format!("calendar.format.en = `{format}`: {problem}"), hint);
    }
    check_refused(
        &format!("kind = rimworld\nformat.zh = {too_long}"),
        &format!("calendar.format.zh = `{shown_part}…`: too long"),
        "256",
    );
    let two_lines = [("kind", "rimworld"), ("format.zh", "[{day}\n]")];
    let error = super::Calendar::from_pairs(two_lines.into_iter()).unwrap_err();
    assert_eq!(
        error.message(),
        "calendar.format.zh = `[{day}\u{FFFD}]`: it has a line break or another control character"
    );
}

#[test]
fn wrong_units() {
    const HOURS: &str = "kind = custom\nformat.zh = [{hour}]\nunits.0.name = hour";
    const DAYS: &str = "units.0.size = 10\nunits.1.name = day\nunits.1.size = 2";
    let cases = [
        ("kind = custom".to_owned(), "a custom calendar needs units", "calendar.units.0.name"),
        (
            "kind = custom\nunits.0.name = hour\nunits.0.size = 1".to_owned(),
            "calendar.format.zh and calendar.format.en are missing",
            "one of them",
        ),
        (HOURS.to_owned(), "calendar.units.0.size is missing", "ticks"),
        (
            format!("{HOURS}\nunits.0.size = 0"),
            "calendar.units.0.size = `0`: a unit cannot be empty",
            "above 0",
        ),
        (
            format!("{HOURS}\nunits.0.size = -4"),
            "calendar.units.0.size = `-4`: a unit cannot be empty",
            "above 0",
        ),
        (
            format!("{HOURS}\nunits.0.size = {0}\nunits.1.name = day\nunits.1.size = 2", i64::MAX),
            "calendar.units.1.size = `2`: the unit is longer than all ticks together",
            "smaller",
        ),
        (
            format!("{HOURS}\n{DAYS}\nunits.2.name = day\nunits.2.size = 2"),
            "calendar.units.2.name = `day`: two units have this name",
            "of its own",
        ),
        (
            format!("{HOURS}\n{DAYS}\nunits.2.name = a b"),
            "calendar.units.2.name = `a b`: not a name for a unit",
            "such as hour",
        ),
        (
            format!("{HOURS}\n{DAYS}\nunits.3.name = year\nunits.3.size = 2"),
            "calendar.units.3.name has no place in a custom calendar",
            "without a gap",
        ),
        (
            format!("{HOURS}\n{DAYS}\nunits.0.names.zh.0 = 子"),
            "calendar.units.0.names.zh has 1 names for 2 units of hour",
            "a name for each hour",
        ),
        (
            format!(
                "{HOURS}\n{DAYS}\nunits.0.names.zh.0 = 子\nunits.0.names.zh.1 = 丑\nunits.0.names.zh.3 = 卯"
            ),
            "calendar.units.0.names.zh.3 has no place in a custom calendar",
            "without a gap",
        ),
        (
            format!("{HOURS}\n{DAYS}\nunits.0.names.zh.0 = 子\nunits.0.names.zh.1 = 丑\nunits.0.first = 1"),
            "calendar.units.0.first = `1`: the unit has names, not numbers",
            "remove",
        ),
        (
            format!("{HOURS}\n{DAYS}\nunits.1.names.en.0 = Monday"),
            "calendar.units.1.names.en names the largest unit, of which there is no end",
            "or none at all",
        ),
        (
            format!("{HOURS}\n{DAYS}\nunits.0.names.zh.0 =  子"),
            "calendar.units.0.names.zh.0 = ` 子`: not a name",
            "no blanks",
        ),
        (
            "kind = custom\nunits.0.name = hour\nunits.0.size = 1\nformat.en = [{day}]".to_owned(),
            "calendar.format.en = `[{day}]`: there is no field {day}",
            "{hour}",
        ),
    ];
    for (settings, message, hint) in cases {
        check_refused(&settings, message, hint);
    }
}

#[test]
fn too_many_units_or_names() {
    let units: String =
        (0..17).map(|unit| format!("units.{unit}.name = u{unit}\nunits.{unit}.size = 2\n")).collect();
    check_refused(
        &format!("kind = custom\nformat.zh = [{{u0}}]\n{units}"),
        "calendar.units.16.name = `u16`: one unit too many",
        "at most 16",
    );
    let names: String = (0..401).map(|name| format!("units.0.names.zh.{name} = 第{name}\n")).collect();
    check_refused(
        &format!("kind = custom\nformat.zh = [{{day}}]\nunits.0.name = day\nunits.0.size = 1\n{names}"),
        "calendar.units.0.names.zh.400 = `第400`: one name too many",
        "at most 400",
    );
}
