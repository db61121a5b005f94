"""Units of measure, each as a multiple of its dimension's base unit."""

from __future__ import annotations

_TABLE = """
time 0.001 ms millisecond milliseconds msec
time 1 s sec secs second seconds
time 60 min mins minute minutes
time 3600 h hr hrs hour hours
time 86400 d day days
time 604800 week weeks wk wks
time 1209600 fortnight fortnights
time 2629800 month months mo mos mth mths
time 31557600 year years yr yrs
time 7889400 quarter quarters
bytes 1 byte bytes
bytes 1000 kb kilobyte kilobytes
bytes 1000000 mb megabyte megabytes meg megs
bytes 1000000000 gb gigabyte gigabytes gig gigs
bytes 1000000000000 tb terabyte terabytes
bytes 1024 kib
bytes 1048576 mib
bytes 1073741824 gib
bytes 1099511627776 tib
bitrate 1000 kbps kbit/s
bitrate 1000000 mbps mbit/s
bitrate 1000000000 gbps gbit/s
length 0.000001 µm um micron microns
length 0.001 mm millimetre millimetres millimeter millimeters
length 0.01 cm centimetre centimetres centimeter centimeters
length 1 m metre metres meter meters
length 1000 km kilometre kilometres kilometer kilometers
length 0.0254 inch inches
length 0.3048 ft foot feet
length 0.9144 yd yard yards
length 1609.344 mile miles mi
mass 0.000000001 mcg µg microgram micrograms
mass 0.000001 mg milligram milligrams
mass 0.001 g gram grams gr
mass 1 kg kilo kilos kilogram kilograms
mass 1000 tonne tonnes
mass 0.45359237 lb lbs pound_mass
mass 0.028349523 oz ounce ounces
volume 0.001 ml millilitre millilitres milliliter milliliters
volume 0.01 cl
volume 0.1 dl
volume 1 l litre litres liter liters ltr
volume 0.568 pint pints
volume 4.546 gallon gallons
volume 0.24 cup cups
volume 0.015 tbsp tablespoon tablespoons
volume 0.005 tsp teaspoon teaspoons
pressure 1 bar
pressure 0.0689476 psi
pressure 0.01 kpa
pressure 0.001 mbar hpa
power 1 w watt watts
power 1000 kw kilowatt kilowatts
energy 1 kwh
energy 0.001 wh
voltage 1 v volt volts
current 1 a amp amps
current 0.001 ma
charge 0.001 mah
frequency 1 hz
frequency 1000 khz
frequency 1000000 mhz
frequency 1000000000 ghz
speed 1 km/h kmh kph
speed 1.609344 mph
area 1 m2 m² sqm
area 10000 ha hectare hectares
area 4046.86 acre acres
volume 1000 m3 m³
loudness 1 db decibel decibels
light 1 lumen lumens lm
pulse 1 bpm
frames 1 fps
rate 1 rps
percent 1 % percent pct
pixels 1 px pixel pixels
points 1 pt
dots 1 dpi
rpm 1 rpm
calories 1 kcal calories cal
"""

UNITS: dict[str, tuple[str, float]] = {
    name: (dimension, float(factor))
    for dimension, factor, *names in (row.split() for row in _TABLE.strip().splitlines())
    for name in names
}
# Units only if attached to a number ("3d"): as separate words they usually mean something else.
GLUED_ONLY = frozenset({"a", "v", "w", "d", "mi", "pt", "cal", "gr", "mo"})
# One letter is a unit in one case only: 5g is a weight and 5G a network, 10A a fuse and 10a a front door.
SMALL_ONLY = frozenset({"g", "s", "h", "d", "m"})
CAPITAL_ONLY = frozenset({"a"})
# Volts and watts with a capital are units wherever they stand.
CAPITAL_FREE = frozenset({"V", "W"})
CALENDAR = frozenset({2629800.0, 7889400.0, 31557600.0})
"""Months, quarters and years: people write "30 days" and mean a month."""
PER_NAMES = {
    1.0: "second", 60.0: "minute", 3600.0: "hour", 86400.0: "day", 604800.0: "week", 2629800.0: "month",
    7889400.0: "quarter", 31557600.0: "year",
}  # fmt: skip
MAGNITUDES = {"thousand": 1e3, "million": 1e6, "mio": 1e6, "billion": 1e9, "bn": 1e9, "m": 1e6}

MONEY = {
    "€": "EUR", "eur": "EUR", "euro": "EUR", "euros": "EUR", "$": "USD", "usd": "USD", "dollar": "USD",
    "dollars": "USD", "£": "GBP", "gbp": "GBP", "quid": "GBP", "chf": "CHF", "francs": "CHF", "sek": "SEK",
    "jpy": "JPY", "inr": "INR",
    "kr": "KR", "nok": "NOK", "dkk": "DKK", "¥": "JPY", "yen": "JPY", "zł": "PLN", "pln": "PLN", "₹": "INR",
}  # fmt: skip

NUMBER_WORDS = {
    "zero": 0, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8,
    "nine": 9, "ten": 10, "eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15,
    "sixteen": 16, "seventeen": 17, "eighteen": 18, "nineteen": 19, "twenty": 20, "thirty": 30, "forty": 40,
    "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90, "hundred": 100, "dozen": 12,
}  # fmt: skip
