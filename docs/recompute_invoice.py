"""Computes an issued invoice again from its exported zip, with the standard library alone.

    python3 recompute_invoice.py invoice.zip [--timezone America/New_York]

With a time zone, parking that is charged by day and hour is charged again minute by minute; without it, the hours of the facts are taken as
they are. Exits with 1 if anything differs. Shares no code with the server: see billing.md.
"""
import argparse
import csv
import hashlib
import io
import json
import sys
import zipfile
from calendar import monthrange
from collections import defaultdict
from datetime import date, datetime, timedelta, timezone
from fractions import Fraction as F
from zoneinfo import ZoneInfo

NO_DECIMALS = {"BIF", "CLP", "DJF", "GNF", "ISK", "JPY", "KMF", "KRW", "PYG", "RWF", "UGX", "VND", "VUV", "XAF", "XOF", "XPF"}
THREE_DECIMALS = {"BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND"}
DAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]


class Money:
    """Amounts in minor units of a currency."""

    def __init__(self, currency):
        self.digits = 0 if currency in NO_DECIMALS else 3 if currency in THREE_DECIMALS else 2

    def rounded(self, exact):
        """Half up, away from zero below 0."""
        scaled = abs(exact) * 10**self.digits
        whole = int((2 * scaled + 1) // 2)
        return -whole if exact < 0 else whole


def tiered(quantity, price, free, tiers, mode):
    """What of a quantity is charged at which price."""
    charged = max(F(0), quantity - F(str(free)))
    if not tiers:
        return [(F(str(price or 0)), charged)]
    reached = [(F(str(t["from"])), F(str(t["price"]))) for t in tiers if F(str(t["from"])) <= charged]
    if mode == "whole":
        return [(reached[-1][1], charged)] if reached else []
    ends = [start for start, _ in reached[1:]] + [charged]
    return [(p, min(charged, end) - start) for (start, p), end in zip(reached, ends) if min(charged, end) > start]


def bounds(lines, minimum, maximum, money):
    total = sum(lines)
    if minimum is not None and money.rounded(F(str(minimum))) > total:
        return lines + [money.rounded(F(str(minimum))) - total]
    if maximum is not None and money.rounded(F(str(maximum))) < total:
        return lines + [money.rounded(F(str(maximum))) - total]
    return lines


def instant(text):
    return datetime.fromisoformat(text.replace("Z", "+00:00"))


def bands_of(fee):
    """Bands in minutes; one that begins a minute after the one before begins where that ends."""
    found, before = [], 0
    for band in sorted(fee["prices_by_duration"], key=lambda each: each["start_duration"]):
        end = band["end_duration"]
        found.append((F(str(before)), None if end is None else F(str(end)), F(str(band["price"]))))
        before = end
    return found


def schedule_price(prices, local):
    def rows(day):
        keys = [DAYS[day.weekday()]] + (["weekday"] if day.weekday() < 5 else []) + ["all"]
        return next((prices[key] for key in keys if prices.get(key)), [])

    def seconds(clock, default):
        parts = [int(each) for each in clock.split(":")] if clock else default
        return parts[0] * 3600 + parts[1] * 60 + (parts[2] if len(parts) > 2 else 0)

    now = local.hour * 3600 + local.minute * 60 + local.second
    for day in (local.date(), local.date() - timedelta(days=1)):
        for row in rows(day):
            start, end = seconds(row["start_time"], [0, 0]), seconds(row["end_time"], [24, 0])
            is_today = day == local.date()
            if (is_today and now >= start and (end <= start or now < end)) or (not is_today and end <= start and now < end):
                return F(str(row["price"]))
    return None


def parking_shares(fields, start, end, zone):
    """Price, quantity and unit of one parking event by the policy; None: a schedule without a zone."""
    fee = fields["fee_properties"]
    options, kind = fee["options"], fee["parking_fee_type"]
    if kind == "variable_price_parking_duration":
        length, bands = F((end - start) // timedelta(milliseconds=1), 60_000), bands_of(fee)
        if options["duration_mode"] == "marginal":
            return [
                (price, (min(length, high) if high is not None else length) - low, "minutes")
                for low, high, price in bands
                if (min(length, high) if high is not None else length) > low
            ]
        whole = -(-length // 1)
        reached = next((price for _, high, price in bands if high is None or whole <= high), None)
        if options["duration_mode"] == "flat":
            return [] if reached is None else [(reached, F(1), "events")]
        return [(bands[-1][2] if reached is None else reached, length, "minutes")]
    if kind == "variable_price_schedule":
        if zone is None:
            return None
        found, at = [], start
        while at < end:
            following = min(end, (at + timedelta(minutes=1)).replace(second=0, microsecond=0))
            price = schedule_price(fee["prices"], at.astimezone(zone))
            if price is not None:
                found.append((price, F((following - at) // timedelta(milliseconds=1), 60_000), "minutes"))
            at = following
        return found
    return [(F(str(fields["value"])), F(1), "events")]


def policy_lines(fields, facts, money, zone):
    """Amounts of the lines of a policy. Facts of rates and vehicle-days have their price; trips and parking are priced again."""
    fee, kind = fields["fee_properties"], fields["policy_type"]
    options = fee["options"]
    off = F(str(options["discount_percent"])) / 100
    if kind == "trip_fees":
        counts, discounted = defaultdict(int), 0
        for fact in facts:
            if fact["charge"]:
                discounted += 1
            else:
                counts[fact["vehicle_type"]] += 1
        total, free, tiers = sum(counts.values()), options["free_quantity"], options["tiers"]
        groups = [total] if tiers or free > 0 or len(counts) < 2 else list(counts.values())
        priced = [each for count in groups for each in tiered(F(count), fields["value"], free, tiers, options["tier_mode"])]
        exact = [price * quantity for price, quantity in priced]
        if discounted:
            exact.append(-sum(exact) / total * off * discounted)
        lines = [money.rounded(each) for each in exact]
    elif kind == "parking_fees":
        sums, less, cost = defaultdict(F), defaultdict(F), defaultdict(F)
        seen, reductions, by_id = set(), F(0), defaultdict(list)
        for fact in facts:
            by_id[fact["fact_id"]].append(fact)
        is_discounted = {fact["fact_id"] for fact in facts if fact["charge"] and fact["kind"] == "parking_event"}
        for fact in facts:
            if fact["kind"] == "reduction":
                reductions += F(int(fact["numerator"]), int(fact["denominator"]))
                continue
            if fact["charge"] or fact["fact_id"] in seen:
                continue
            shares = parking_shares(fields, instant(fact["start_time"]), instant(fact["end_time"]), zone)
            if shares is None:
                shares = [
                    (F(each["unit_price"]), F(int(each["numerator"]), int(each["denominator"])) * 60, "minutes")
                    for each in by_id[fact["fact_id"]]
                    if not each["charge"]
                ]
            seen.add(fact["fact_id"])
            for price, quantity, unit in shares:
                amount = price * quantity / (60 if unit == "minutes" else 1)
                sums[fact["vehicle_type"], price] += amount
                paid = amount
                if fact["fact_id"] in is_discounted:
                    less[price] += amount * off
                    paid -= amount * off
                cost[fact["date"], fact["vehicle_id"]] += paid
        largest = options["maximum_per_vehicle_day"]
        over = sum((max(F(0), each - F(str(largest))) for each in cost.values()), F(0)) if largest is not None else F(0)
        if over != reductions:
            print(f"  reductions of the facts are {reductions}, computed {over}")
        lines = [money.rounded(each) for each in [*sums.values(), *(-each for each in less.values()), -over]]
    elif kind == "vehicle_fees":
        sums = defaultdict(F)
        for fact in facts:
            sums[fact["unit_price"]] += F(int(fact["numerator"]), int(fact["denominator"]))
        lines = [money.rounded(F(price) * quantity) for price, quantity in sums.items()]
    else:
        sums = defaultdict(F)
        for fact in facts:
            key = fact["charge"], fact["vehicle_type"], fact["unit_price"]
            sums[key] += F(int(fact["numerator"]), int(fact["denominator"]))
        lines = [money.rounded(F(price) * quantity) for (_, _, price), quantity in sums.items()]
        return lines
    return bounds(lines, options["minimum_amount"], options["maximum_amount"], money)


def months(first, last):
    """The months of a period, each with its first and last day within the period."""
    month = first.replace(day=1)
    while month <= last:
        end = month.replace(day=monthrange(month.year, month.month)[1])
        yield month, max(month, first), min(end, last), end
        month = end + timedelta(days=1)


def charge_lines(charges, period, before, money):
    """Amounts of charges beside policies by charge: amounts, devices, revenue; discounts; minimum and maximum of the invoice."""
    found = defaultdict(list)
    first, last = period

    def total():
        return sum(before) + sum(sum(lines) for lines in found.values())

    def span(charge):
        start, end = date.fromisoformat(charge["start_date"]), charge["end_date"]
        return max(start, first), last if end is None else min(date.fromisoformat(end), last)

    def due(charge):
        start = date.fromisoformat(charge["start_date"])
        ends = date.max if charge["end_date"] is None else date.fromisoformat(charge["end_date"])
        years = [start.year] if charge["frequency"] == "once" else range(first.year, last.year + 1)
        for year in years:
            is_short = (start.month, start.day) == (2, 29) and monthrange(year, 2)[1] == 28
            day = date(year, start.month, 28 if is_short else start.day)
            if start <= day <= ends and first <= day <= last:
                yield day

    def reported(charge, month):
        return next((F(each["value"]) for each in charge["quantities"] if each["month"] == month.isoformat()), F(0))

    def devices(charge, month):
        permitted = charge["permitted_quantity"]
        return reported(charge, month) if permitted is None else F(str(permitted))

    def fixed(charge):
        price = F(str(charge["amount"]))
        if charge["frequency"] != "monthly":
            return [money.rounded(price) for _ in due(charge)]
        start, end = span(charge)
        shares = [F((b - a).days + 1, whole.day) for _, a, b, whole in months(start, end)]
        return [money.rounded(price * sum(shares))] if shares else []

    def applies(charge):
        return charge["start_date"] <= first.isoformat() and (charge["end_date"] is None or first.isoformat() <= charge["end_date"])

    for charge in charges:
        key = charge["charge_id"]
        if charge["kind"] == "fixed":
            found[key] += fixed(charge)
        if charge["kind"] == "device":
            price = F(str(charge["amount"]))
            if charge["frequency"] == "monthly":
                for month, a, b, whole in months(*span(charge)):
                    found[key].append(money.rounded(price * devices(charge, month) * F((b - a).days + 1, whole.day)))
            else:
                found[key] += [money.rounded(price * devices(charge, day.replace(day=1))) for day in due(charge)]
        if charge["kind"] == "revenue":
            start, end = span(charge)
            for month, _, b, whole in months(start, end):
                ends = whole if charge["end_date"] is None else min(whole, date.fromisoformat(charge["end_date"]))
                if b == ends:
                    over = max(F(0), reported(charge, month) - F(str(charge["above"] or 0)))
                    found[key].append(money.rounded(over * F(str(charge["percent"])) / 100))
    for charge in charges:
        unit = F(1, 10**money.digits)
        if charge["kind"] == "discount" and total() > 0:
            if charge["percent"] is not None:
                if applies(charge):
                    found[charge["charge_id"]].append(money.rounded(-total() * unit * F(str(charge["percent"])) / 100))
            else:
                found[charge["charge_id"]].append(-min(total(), sum(fixed(charge))))
    for charge in charges:
        if charge["kind"] in ("minimum", "maximum") and applies(charge):
            is_least = charge["kind"] == "minimum"
            now = total()
            after = bounds([now], charge["amount"] if is_least else None, None if is_least else charge["amount"], money)
            found[charge["charge_id"]] += after[1:]
    return found


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("zip")
    parser.add_argument("--timezone")
    asked = parser.parse_args()
    zone = ZoneInfo(asked.timezone) if asked.timezone else None
    with zipfile.ZipFile(asked.zip) as archive:
        read = lambda name: json.loads(archive.read(name)) if name in archive.namelist() else []
        invoice, policies, charges = read("invoice.json"), read("policies.json"), read("charges.json")
        content = archive.read("facts.csv")
    money = Money(invoice["currency"])
    unit = 10**money.digits
    minor = lambda text: int(F(text) * unit)
    is_equal = hashlib.sha256(content).hexdigest() == invoice["facts"]["sha256"]
    print(f"{invoice['number']}: facts.csv {'has' if is_equal else 'does NOT have'} the SHA-256 of the invoice")
    facts = defaultdict(list)
    for fact in csv.DictReader(io.StringIO(content.decode("utf-8"), newline="")):
        facts[fact["policy_uuid"]].append(fact)

    issued, computed = defaultdict(list), defaultdict(list)
    for line in invoice["lines"]:
        if line.get("kind", "fee") == "fee":
            issued[line["policy_uuid"] or line.get("charge_id") or "stays"].append(minor(line["amount"]))
    names = {}
    for policy in policies:
        key, names[policy["policy_uuid"]] = policy["policy_uuid"], policy["fields"]["policy_name"]
        computed[key] = policy_lines(policy["fields"], facts.get(key, []), money, zone)
    stays = defaultdict(int)
    for fact in facts.get("00000000-0000-0000-0000-000000000000", []):
        stays[fact["charge"]] += int(fact["numerator"])
    computed["stays"] = list(stays.values())
    period = date.fromisoformat(invoice["start_date"]), date.fromisoformat(invoice["end_date"])
    before = [amount for lines in computed.values() for amount in lines]
    for charge in charges:
        names[charge["charge_id"]] = charge["name"]
    computed.update(charge_lines(charges, period, before, money))

    for key in sorted({*issued, *computed}, key=lambda each: names.get(each, each)):
        mine, theirs = ([each for each in sorted(of.get(key, [])) if each] for of in (computed, issued))
        is_equal = is_equal and mine == theirs
        print(f"  {'equal ' if mine == theirs else 'DIFFERS'} {names.get(key, key)}: {[float(F(x, unit)) for x in mine]}"
              + ("" if mine == theirs else f", issued {[float(F(x, unit)) for x in theirs]}"))
    net = sum(minor(line["amount"]) for line in invoice["lines"])
    totals = {minor(invoice[name]) for name in ("net", "total") if name in invoice}
    # Prices may include taxes: then lines add up to the total, otherwise to the net amount.
    if net not in totals:
        is_equal = False
        print(f"  lines add up to {net / unit}, the invoice has {sorted(each / unit for each in totals)}")
    print("equal to the cent" if is_equal else "NOT equal")
    return 0 if is_equal else 1


if __name__ == "__main__":
    sys.exit(main())
