import type { AppliedCharge } from '#contract/charges.ts'
import type { FeeLine } from '#contract/fees.ts'
import { currencyDigits } from '#contract/money.ts'
import {
  dayFromNumber,
  dayNumber,
  endOfMonth,
  type LocalDay,
  splitByMonth,
  startOfMonth,
} from '#contract/period.ts'
import { boundLines, type ChargeLine, partLines } from '../charge.ts'
import type { ChargedFacts } from '../charged-facts.ts'
import { least, minorText, Rational, sumOf, zero } from '../rational.ts'
import { TariffPart } from '../tariff.ts'

interface Period {
  start_date: LocalDay
  end_date: LocalDay
}
export interface ChargeTerms {
  currency: string
  period: Period
}

const later = (a: LocalDay, b: LocalDay): LocalDay => (a > b ? a : b)
const earlier = (a: LocalDay, b: LocalDay): LocalDay => (a < b ? a : b)
const daysOf = ({ start_date, end_date }: Period): number => dayNumber(end_date) - dayNumber(start_date) + 1

/** The days of a period on which a charge is in effect. */
function inEffect({ start_date: start, end_date: end }: AppliedCharge, period: Period): Period | null {
  const found = {
    start_date: later(start, period.start_date),
    end_date: end === null ? period.end_date : earlier(end, period.end_date),
  }
  return found.start_date <= found.end_date ? found : null
}

/** The day of a year on which a charge is due again; one of 29 February on the 28th. */
function anniversary(start: LocalDay, year: number): LocalDay {
  const isLeap = new Date(Date.UTC(year, 1, 29)).getUTCMonth() === 1
  return start.endsWith('-02-29') && !isLeap ? `${year}-02-28` : `${year}${start.slice(4)}`
}

/** Days of a period on which a charge is due. */
function dueDays(charge: AppliedCharge, period: Period): LocalDay[] {
  const { start_date: start, end_date: end, frequency } = charge
  const isDue = (day: LocalDay): boolean =>
    day >= start && (end === null || day <= end) && day >= period.start_date && day <= period.end_date
  if (frequency === 'once') return [start].filter(isDue)
  const [first, last] = [Number(period.start_date.slice(0, 4)), Number(period.end_date.slice(0, 4))]
  return Array.from({ length: last - first + 1 }, (_, at) => anniversary(start, first + at)).filter(isDue)
}

const noFacts: ChargedFacts = {
  trips: () => new Map(),
  discountedTrips: () => 0,
  vehicles: () => [],
  parking: () => [],
  rates: () => [],
  quantities: {},
}

/** The lines of a charge, by the engine of tariffs. `missing`: a quantity was not reported, or only estimated. */
function linesOfPart(
  charge: AppliedCharge,
  part: object,
  quantities: Record<string, Rational>,
  days: Period,
  isMissing: boolean,
  { currency }: ChargeTerms,
): FeeLine[] {
  const parsed = TariffPart.parse({ name: charge.name, ...part })
  const found = partLines(parsed, { ...noFacts, quantities }, { timezone: 'UTC', currency, period: days })
  return found.map((line) => lineOf(charge, line, days, isMissing, currency))
}

const lineOf = (
  { charge_id, name, tax_code, account_code }: AppliedCharge,
  { description, quantity, unit, unitPrice, amount }: ChargeLine,
  days: Period,
  isMissing: boolean,
  currency: string,
): FeeLine => ({
  policy_uuid: null,
  constant_policy_uuid: null,
  charge_id,
  ...(tax_code === null ? {} : { tax_code }),
  ...(account_code === null ? {} : { account_code }),
  policy_name: name,
  policy_type: null,
  description,
  ...days,
  quantity: quantity.text(),
  unit,
  unit_price: unitPrice?.text() ?? null,
  amount: minorText(amount, currencyDigits(currency)),
  days_without_data: isMissing
    ? Array.from({ length: daysOf(days) }, (_, at) => dayFromNumber(dayNumber(days.start_date) + at))
    : [],
})

/** What was reported of a month; nothing is 0, and must be confirmed. */
function reported({ quantities }: AppliedCharge, month: LocalDay): { value: Rational; isMissing: boolean } {
  const found = quantities.find((each) => each.month === month)
  return { value: Rational.of(found?.value ?? 0), isMissing: found?.is_estimate ?? true }
}

/** A share of a month, exact. */
const shareOf = (days: Period & { month: LocalDay }): Rational =>
  new Rational(
    BigInt(daysOf(days)),
    BigInt(daysOf({ start_date: days.month, end_date: endOfMonth(days.month) })),
  )

function fixedLines(charge: AppliedCharge, terms: ChargeTerms): FeeLine[] {
  const { amount: price } = charge
  if (charge.frequency !== 'monthly')
    return dueDays(charge, terms.period).flatMap((day) =>
      linesOfPart(
        charge,
        { kind: 'fixed', amount: price },
        {},
        { start_date: day, end_date: day },
        false,
        terms,
      ),
    )
  const days = inEffect(charge, terms.period)
  if (!days) return []
  const months = sumOf(splitByMonth(days).map(shareOf))
  return linesOfPart(charge, { kind: 'quantity', quantity: 'months', price }, { months }, days, false, terms)
}

function deviceLines(charge: AppliedCharge, terms: ChargeTerms): FeeLine[] {
  const { amount: price, permitted_quantity: permitted } = charge
  const numberIn = (month: LocalDay) =>
    permitted === null ? reported(charge, month) : { value: Rational.of(permitted), isMissing: false }
  if (charge.frequency !== 'monthly')
    return dueDays(charge, terms.period).flatMap((day) => {
      const { value: devices, isMissing } = numberIn(startOfMonth(day))
      const days = { start_date: day, end_date: day }
      return linesOfPart(
        charge,
        { kind: 'quantity', quantity: 'devices', price },
        { devices },
        days,
        isMissing,
        terms,
      )
    })
  const days = inEffect(charge, terms.period)
  if (!days) return []
  const unit = 'device-months'
  return splitByMonth(days).flatMap((each) => {
    const { value, isMissing } = numberIn(each.month)
    const quantities = { [unit]: value.times(shareOf(each)) }
    const { month: _, ...span } = each
    return linesOfPart(
      charge,
      { kind: 'quantity', quantity: unit, price },
      quantities,
      span,
      isMissing,
      terms,
    )
  })
}

/** A month is charged whole, on the invoice that has the last day of it on which the charge is in effect. */
function revenueLines(charge: AppliedCharge, terms: ChargeTerms): FeeLine[] {
  const { percent, above, end_date: end } = charge
  const days = inEffect(charge, terms.period)
  if (!days) return []
  return splitByMonth(days).flatMap(({ month, start_date, end_date }) => {
    const last = end === null ? endOfMonth(month) : earlier(end, endOfMonth(month))
    if (end_date !== last) return []
    const { value, isMissing } = reported(charge, month)
    const part = { kind: 'revenue', quantity: 'reported', percent, above }
    return linesOfPart(charge, part, { reported: value }, { start_date, end_date }, isMissing, terms)
  })
}

const totalOf = (lines: readonly FeeLine[]): Rational => sumOf(lines.map(({ amount }) => Rational.of(amount)))

/** A discount reduces the fees of the period, at most to 0. */
function discountLines(charge: AppliedCharge, before: readonly FeeLine[], terms: ChargeTerms): FeeLine[] {
  const { currency, period } = terms
  const fees = totalOf(before)
  if (fees.compare(zero) <= 0) return []
  const subtract = (unit: string, quantity: Rational, price: Rational, days: Period): FeeLine[] =>
    linesOfPart(
      charge,
      { kind: 'quantity', quantity: unit, price: price.text(), is_discount: true },
      { [unit]: quantity },
      days,
      false,
      terms,
    )
  if (charge.percent !== null)
    return appliesTo(charge, period)
      ? subtract(currency, fees, Rational.of(charge.percent).over(Rational.of(100)), period)
      : []
  const amount = least(fees, totalOf(fixedLines(charge, terms)))
  if (amount.compare(zero) <= 0) return []
  return subtract('discounts', Rational.of(1), amount, period)
}

/** Shares of an invoice and its bounds apply to invoices on the first day of which they are in effect. */
const appliesTo = (
  { start_date: start, end_date: end }: AppliedCharge,
  { start_date: day }: Period,
): boolean => start <= day && (end === null || day <= end)

function invoiceBounds(charge: AppliedCharge, before: readonly FeeLine[], terms: ChargeTerms): FeeLine[] {
  const { currency, period } = terms
  if (!appliesTo(charge, period)) return []
  const digits = currencyDigits(currency)
  const limit = Rational.of(charge.amount ?? 0)
  const isMinimum = charge.kind === 'minimum'
  const bounds = { minimum: isMinimum ? limit : null, maximum: isMinimum ? null : limit }
  return boundLines(charge.name, totalOf(before).rounded(digits), bounds, digits).map((line) =>
    lineOf(charge, line, period, false, currency),
  )
}

/**
 * The lines of charges beside policies, each rounded once: amounts, devices and revenue, then discounts of all fees, then the minimum and
 * the maximum of the invoice. Nothing else than the fees of policies, the charges and the period decides them.
 */
export function chargeLines(
  fees: readonly FeeLine[],
  charges: readonly AppliedCharge[],
  terms: ChargeTerms,
): FeeLine[] {
  const chargesOf = (...kinds: AppliedCharge['kind'][]) => charges.filter(({ kind }) => kinds.includes(kind))
  const lines: FeeLine[] = []
  for (const charge of chargesOf('fixed')) lines.push(...fixedLines(charge, terms))
  for (const charge of chargesOf('device')) lines.push(...deviceLines(charge, terms))
  for (const charge of chargesOf('revenue')) lines.push(...revenueLines(charge, terms))
  for (const charge of chargesOf('discount')) lines.push(...discountLines(charge, [...fees, ...lines], terms))
  for (const charge of chargesOf('minimum', 'maximum'))
    lines.push(...invoiceBounds(charge, [...fees, ...lines], terms))
  return lines
}
