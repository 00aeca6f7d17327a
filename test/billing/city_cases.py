"""Writes city-cases.json: tariffs as cities write them, charged by fractions and the clock of Python's zoneinfo.

Run: python3 test/billing/city_cases.py > test/billing/city-cases.json
Nothing here is shared with the engine. Facts begin and end at full minutes.
"""
import calendar
import json
from datetime import date, datetime, timedelta, timezone
from fractions import Fraction as F
from zoneinfo import ZoneInfo

DIGITS = {"JPY": 0, "USD": 2, "EUR": 2, "AUD": 2, "KWD": 3, "CLP": 0}
DAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]


def rounded(value, currency):
    """Half up, away from zero below 0."""
    scaled = abs(value) * 10 ** DIGITS[currency]
    whole = int((2 * scaled + 1) // 2)
    return -whole if value < 0 else whole


def text(minor, currency):
    digits = DIGITS[currency]
    sign, minor = ("-" if minor < 0 else ""), abs(minor)
    whole = str(minor).rjust(digits + 1, "0")
    return sign + (f"{whole[:-digits]}.{whole[-digits:]}" if digits else whole)


def instant(value):
    return datetime.fromisoformat(value).astimezone(timezone.utc)


def minutes(event):
    at, end = instant(event["from"]), instant(event["to"])
    while at < end:
        yield at
        at += timedelta(minutes=1)


def minute_of(clock, default):
    return default if clock is None else int(clock[:2]) * 60 + int(clock[3:5])


def schedule_price(prices, local):
    """The price per hour at a local minute; a row that ends before it starts runs into the next day."""

    def rows(day):
        name = DAYS[day.weekday()]
        keys = [name] + (["weekday"] if day.weekday() < 5 else []) + ["all"]
        return next((prices[key] for key in keys if prices.get(key)), [])

    now = local.hour * 60 + local.minute
    for row in rows(local.date()):
        start, end = minute_of(row["start_time"], 0), minute_of(row["end_time"], 1440)
        if now >= start and (end <= start or now < end):
            return F(row["price"])
    for row in rows(local.date() - timedelta(days=1)):
        start, end = minute_of(row["start_time"], 0), minute_of(row["end_time"], 1440)
        if end <= start and now < end:
            return F(row["price"])
    return F(0)


def by_schedule(event, prices, zone):
    found = {}
    for at in minutes(event):
        price = schedule_price(prices, at.astimezone(zone))
        found[price] = found.get(price, 0) + F(1, 60)
    return found


def by_bands(event, bands, mode):
    length = F((instant(event["to"]) - instant(event["from"])).total_seconds()) / 60
    if mode == "marginal":
        found = {}
        for start, end, price in bands:
            within = (length if end is None else min(length, end)) - start
            if within > 0:
                found[F(price)] = found.get(F(price), 0) + within / 60
        return found
    price = next(F(p) for _, end, p in bands if end is None or length <= end)
    return {price: F(1) if mode == "flat" else length / 60}


def days(first, last):
    at, end = date.fromisoformat(first), date.fromisoformat(last)
    while at <= end:
        yield at
        at += timedelta(days=1)


def bounds(day, zone):
    start = datetime(day.year, day.month, day.day, tzinfo=zone).astimezone(timezone.utc)
    following = day + timedelta(days=1)
    return start, datetime(following.year, following.month, following.day, tzinfo=zone).astimezone(timezone.utc)


def average(day, intervals, zone):
    start, end = bounds(day, zone)
    seconds = sum(
        max(0, (min(instant(i["to"]), end) - max(instant(i["from"]), start)).total_seconds()) for i in intervals
    )
    return F(int(seconds), int((end - start).total_seconds()))


def maximum(day, intervals, zone):
    start, end = bounds(day, zone)
    found, at = 0, start
    while at < end:
        found = max(found, sum(instant(i["from"]) <= at < instant(i["to"]) for i in intervals))
        at += timedelta(minutes=1)
    return F(found)


cases = []


def case(name, zone, currency, period, tariff, facts, lines):
    """`lines`: exact amounts, each rounded once."""
    minor = [rounded(F(line), currency) for line in lines]
    cases.append(
        {
            "case": {
                "id": name,
                "timezone": zone,
                "currency": currency,
                "period": {"start_date": period[0], "end_date": period[1]},
                "tariff": tariff,
                "facts": facts,
            },
            "amounts": sorted(text(each, currency) for each in minor if each),
            "total": text(sum(minor), currency),
        }
    )


def events_of(*spans, **others):
    return [{"from": a, "to": b, **others} for a, b in spans]


def sums_of(shares):
    total = {}
    for share in shares:
        for price, quantity in share.items():
            total[price] = total.get(price, 0) + quantity
    return [price * quantity for price, quantity in total.items()]


# 1 A currency without decimals: a fee per trip and a share of revenue, rounded once per line.
case(
    "per trip and revenue in yen", "Asia/Tokyo", "JPY", ("2026-04-01", "2026-04-30"),
    {"parts": [
        {"kind": "trips", "name": "Trips", "price": "3.3"},
        {"kind": "revenue", "name": "Revenue", "quantity": "fares", "percent": "3.5", "above": "100000"},
    ]},
    {"trip_count": 45_677, "quantities": {"fares": "1234567"}},
    [45_677 * F("3.3"), (F(1234567) - 100000) * F("3.5") / 100],
)

# 2 A currency with three decimals: permit, devices by tiers at the price of the tier reached, and a free allowance.
case(
    "permit and devices in dinars", "Asia/Kuwait", "KWD", ("2026-01-01", "2026-03-31"),
    {"parts": [
        {"kind": "fixed", "name": "Permit", "amount": "1250.125"},
        {"kind": "quantity", "name": "Devices", "quantity": "devices", "free": "50", "tier_mode": "whole",
         "tiers": [{"from": "0", "price": "2.75"}, {"from": "500", "price": "2.1255"}]},
    ]},
    {"quantities": {"devices": "613"}},
    [F("1250.125"), (613 - 50) * F("2.1255")],
)

# 3 A schedule on the day on which clocks go back: the hour from 1 to 2 is charged each time.
zone = ZoneInfo("America/New_York")
prices = {"all": [{"start_time": None, "end_time": "02:00", "price": "0.60"},
                  {"start_time": "02:00", "end_time": "22:00", "price": "1.25"}],
          "sunday": [{"start_time": None, "end_time": "01:30", "price": "0.90"},
                     {"start_time": "01:30", "end_time": None, "price": "0.35"}]}
parked = events_of(("2026-10-31T21:15:00-04:00", "2026-11-01T03:40:00-05:00"),
                   ("2026-11-01T00:59:00-04:00", "2026-11-01T01:31:00-05:00"))
case(
    "schedule over the end of daylight saving", "America/New_York", "USD", ("2026-10-31", "2026-11-01"),
    {"parts": [{"kind": "parking", "name": "Curb", "structure": {"by": "schedule", "prices": prices}}]},
    {"parking_events": parked},
    sums_of(by_schedule(event, prices, zone) for event in parked),
)

# 4 The day on which clocks go forward by half an hour, with rows overnight.
zone = ZoneInfo("Australia/Lord_Howe")
prices = {"all": [{"start_time": "22:00", "end_time": "06:00", "price": "0.40"},
                  {"start_time": "06:00", "end_time": "22:00", "price": "1.10"}]}
parked = events_of(("2026-10-03T20:00:00+10:30", "2026-10-04T07:20:00+11:00"))
case(
    "overnight rows over a change by half an hour", "Australia/Lord_Howe", "AUD", ("2026-10-01", "2026-10-04"),
    {"parts": [{"kind": "parking", "name": "Curb", "structure": {"by": "schedule", "prices": prices}}]},
    {"parking_events": parked},
    sums_of(by_schedule(event, prices, zone) for event in parked),
)

# 5 A price per device and year in February of a leap year; the fleet changes on the leap day.
counts = {f"2028-02-{day:02}": F(500 if day < 29 else 512) for day in range(1, 30)}
case(
    "yearly price in a leap year", "America/Los_Angeles", "USD", ("2028-02-01", "2028-02-29"),
    {"parts": [{"kind": "vehicles", "name": "Devices", "price": "130", "per": "year"}]},
    {"vehicle_days": [{"date": day, "vehicles": str(fleet)} for day, fleet in counts.items()]},
    [sum(fleet / 366 for fleet in counts.values()) * 130],
)

# 6 The mean of a month of an operator that leaves within the 17th, and a day of 23 hours.
zone = ZoneInfo("America/Chicago")
stays = [{"vehicle_id": str(n), "vehicle_type": "scooter_standing", "from": "2026-02-27T06:00:00-06:00",
          "to": f"2026-03-17T{8 + n:02}:20:00-05:00"} for n in range(7)]
case(
    "month mean of an operator that leaves", "America/Chicago", "USD", ("2026-03-01", "2026-03-31"),
    {"parts": [{"kind": "vehicles", "name": "Scooters", "price": "16", "per": "month", "method": "avg"}]},
    {"vehicle_intervals": stays},
    [sum(average(day, stays, zone) for day in days("2026-03-01", "2026-03-31")) / 31 * 16],
)

# 7 Vehicles over a cap, each day, by the largest number; bicycles are exempt; at most an amount for the month.
zone = ZoneInfo("Europe/Madrid")
stays = [{"vehicle_id": str(n), "vehicle_type": "bicycle" if n % 3 == 0 else "scooter_standing",
          "from": f"2026-05-{1 + n:02}T07:30:00+02:00", "to": f"2026-05-{9 + n:02}T21:10:00+02:00"} for n in range(12)]
counted = [s for s in stays if s["vehicle_type"] != "bicycle"]
over = sum(max(F(0), maximum(day, counted, zone) - 4) for day in days("2026-05-01", "2026-05-31")) * F("0.25")
case(
    "vehicles over a cap", "Europe/Madrid", "EUR", ("2026-05-01", "2026-05-31"),
    {"parts": [{"kind": "vehicles", "name": "Over the cap", "price": "0.25", "free": "4", "method": "max",
                "exempt_vehicle_types": ["bicycle"], "maximum": "2.5"}]},
    {"vehicle_intervals": stays},
    [over, min(F(0), F("2.5") - F(rounded(over, "EUR"), 100))],
)

# 8 Bands: the price of the band reached, and all of the time at the price of the band reached.
bands = [(0, 15, "0"), (15, 30, "1.50"), (30, 60, "3.00"), (60, None, "7.25")]
lengths = [7, 15, 16, 30, 31, 60, 61, 200]
parked = [{"from": f"2026-06-{n + 1:02}T10:00:00-04:00",
           "to": (instant(f"2026-06-{n + 1:02}T10:00:00-04:00") + timedelta(minutes=m)).isoformat()}
          for n, m in enumerate(lengths)]
written = [{"start": a, "end": b, "price": p} for a, b, p in bands]
for mode in ("flat", "retroactive", "marginal"):
    case(
        f"bands, {mode}", "America/New_York", "USD", ("2026-06-01", "2026-06-30"),
        {"parts": [{"kind": "parking", "name": "Loading", "structure": {"by": "duration", "mode": mode, "bands": written}}]},
        {"parking_events": parked},
        sums_of(by_bands(event, bands, mode) for event in parked),
    )

# 9 A discount in equity areas and a maximum per vehicle and day, which applies to what is left after the discount.
spans = [("a", "2026-07-01T08:00:00-07:00", "2026-07-01T13:10:00-07:00", ["equity"]),
         ("a", "2026-07-01T15:00:00-07:00", "2026-07-01T18:45:00-07:00", []),
         ("b", "2026-07-01T00:10:00-07:00", "2026-07-01T11:00:00-07:00", ["equity"]),
         ("b", "2026-07-02T00:10:00-07:00", "2026-07-02T01:00:00-07:00", ["other"])]
full, off, paid = F(0), F(0), {}
for vehicle, begin, end, areas in spans:
    cost = F(int((instant(end) - instant(begin)).total_seconds()), 3600) * F("0.75")
    less = cost * F(3, 10) if "equity" in areas else F(0)
    full, off = full + cost, off + less
    key = vehicle + begin[:10]
    paid[key] = paid.get(key, 0) + cost - less
case(
    "equity discount with a maximum per vehicle and day", "America/Los_Angeles", "USD", ("2026-07-01", "2026-07-31"),
    {"parts": [{"kind": "parking", "name": "Parking", "maximum_per_vehicle_day": "4",
                "discount": {"percent": "30", "areas": ["equity"]},
                "structure": {"by": "duration", "bands": [{"start": 0, "end": None, "price": "0.75"}]}}]},
    {"parking_events": [{"vehicle_id": v, "from": a, "to": b, "areas": of} for v, a, b, of in spans]},
    [full, -off, -sum(max(F(0), each - 4) for each in paid.values())],
)

# 10 Trips by tiers with the first ones free, a new price in mid-month, and a minimum of the invoice.
case(
    "tiers, free trips, a new price in mid-month and a minimum", "America/Santiago", "CLP", ("2026-09-01", "2026-09-30"),
    {"name": "Operator", "minimum": "9000", "parts": [
        {"kind": "trips", "name": "Until the 10th", "price": "12.5", "end_date": "2026-09-10"},
        {"kind": "trips", "name": "From the 11th", "free": "3", "start_date": "2026-09-11",
         "tiers": [{"from": "0", "price": "17.25"}, {"from": "4", "price": "9.5"}]},
    ]},
    {"trips": [{"start_time": f"2026-09-{day:02}T23:59:00-{'03' if day >= 6 else '04'}:00", "vehicle_type": kind}
               for day in range(1, 31) for kind in ("bicycle", "scooter_standing")]},
    (lambda lines: lines + [9000 - sum(rounded(each, "CLP") for each in lines)])(
        # Two types have lines of their own where trips have one price; tiers and free trips count all together.
        [10 * F("12.5"), 10 * F("12.5"), 4 * F("17.25"), (40 - 3 - 4) * F("9.5")]
    ),
)

# 11 A permit fee by the month of the year is prorated by whole days where the program ends in February of a leap year.
case(
    "two prices per month in one invoice", "Europe/Berlin", "EUR", ("2028-02-15", "2028-03-10"),
    {"parts": [{"kind": "vehicles", "name": "Spaces", "price": "8.40", "per": "month"}]},
    {"vehicle_days": [{"date": day.isoformat(), "vehicles": "37"} for day in days("2028-02-15", "2028-03-10")]},
    [(F(15 * 37, calendar.monthrange(2028, 2)[1]) + F(10 * 37, 31)) * F("8.40")],
)

print(json.dumps(cases, indent=2))
