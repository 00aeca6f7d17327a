import type { AppliedCharge } from '#contract/charges.ts'
import type { FeeLine } from '#contract/fees.ts'
import { currencyDigits } from '#contract/money.ts'
import {
  dayNumber,
  daysBetween,
  endOfMonth,
  type LocalDay,
  splitByMonth,
  startOfMonth,
} from '#contract/period.ts'
import { createBoundLines, type ChargeLine, makePartLines } from '../charge.ts'
import type { ChargedFacts } from '../charged-facts.ts'
import { min, formatMinor, Rational, sumRationals, zero } from '../rational.ts'
import { TariffPart } from '../tariff.ts'

interface Period {
  start_date: LocalDay
  end_date: LocalDay
}
export interface ChargeTerms {
  currency: string
  period: Period
}

const getLaterDay = (a: LocalDay, b: LocalDay): LocalDay => (a > b ? a : b)
const getEarlierDay = (a: LocalDay, b: LocalDay): LocalDay => (a < b ? a : b)
const countDays = ({ start_date, end_date }: Period): number =>
  dayNumber(end_date) - dayNumber(start_date) + 1

/** Returns the part of a period in which a charge is in effect; null if there is none. */
function intersectWithPeriod(
  { start_date: start, end_date: end }: AppliedCharge,
  period: Period,
): Period | null {
  const days = {
    start_date: getLaterDay(start, period.start_date),
    end_date: end === null ? period.end_date : getEarlierDay(end, period.end_date),
  }
  return days.start_date <= days.end_date ? days : null
}

/** Whether a percentage or bound applies to an invoice: it does if it is in effect on the first day. */
const isInEffectOnFirstDay = (
  { start_date: start, end_date: end }: AppliedCharge,
  { start_date: day }: Period,
): boolean => start <= day && (end === null || day <= end)

/** Returns the anniversary of a start date in a year. February 29 becomes February 28 if necessary. */
function getAnniversary(start: LocalDay, year: number): LocalDay {
  const isLeap = new Date(Date.UTC(year, 1, 29)).getUTCMonth() === 1
  return start.endsWith('-02-29') && !isLeap ? `${year}-02-28` : `${year}${start.slice(4)}`
}

/** Returns the days of a period on which a one-time or yearly charge is due. */
function listDueDays(charge: AppliedCharge, period: Period): LocalDay[] {
  const { start_date: start, end_date: end, frequency } = charge
  const isDue = (day: LocalDay): boolean =>
    day >= start && (end === null || day <= end) && day >= period.start_date && day <= period.end_date
  if (frequency === 'once') return [start].filter(isDue)
  const firstYear = Number(period.start_date.slice(0, 4))
  const lastYear = Number(period.end_date.slice(0, 4))
  const years = Array.from({ length: lastYear - firstYear + 1 }, (_, index) => firstYear + index)
  return years.map((year) => getAnniversary(start, year)).filter(isDue)
}

/** Facts for the tariff engine: charges depend on quantities only, not on trips or vehicles. */
const noFacts: ChargedFacts = {
  trips: () => new Map(),
  discountedTrips: () => 0,
  vehicles: () => [],
  parking: () => [],
  rates: () => [],
  quantities: {},
}

/** What the tariff engine charges: a part of a tariff with its quantities. */
interface ChargedPart {
  /** A `TariffPart` without its name. */
  part: object
  quantities?: Record<string, Rational>
  days: Period
  /** Whether the quantity was not reported, or only estimated. */
  isMissing?: boolean
}

/** Computes the lines of a charge with the tariff engine. */
function computeLines(
  charge: AppliedCharge,
  { part, quantities = {}, days, isMissing = false }: ChargedPart,
  { currency }: ChargeTerms,
): FeeLine[] {
  const parsed = TariffPart.parse({ name: charge.name, ...part })
  const lines = makePartLines(parsed, { ...noFacts, quantities }, { timezone: 'UTC', currency, period: days })
  return lines.map((line) => toFeeLine(charge, line, { days, isMissing, currency }))
}

const toFeeLine = (
  { charge_id, name, tax_code, account_code }: AppliedCharge,
  { description, quantity, unit, unitPrice, amount }: ChargeLine,
  { days, isMissing, currency }: { days: Period; isMissing: boolean; currency: string },
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
  amount: formatMinor(amount, currencyDigits(currency)),
  days_without_data: isMissing ? daysBetween(days.start_date, days.end_date) : [],
})

/** Finds the quantity reported for a month. A missing one counts as 0, and its line must be confirmed. */
function findReportedQuantity(
  { quantities }: AppliedCharge,
  month: LocalDay,
): { value: Rational; isMissing: boolean } {
  const reported = quantities.find((quantity) => quantity.month === month)
  return { value: Rational.of(reported?.value ?? 0), isMissing: reported?.is_estimate ?? true }
}

/** Returns the exact fraction of a month that the days cover. */
const computeFractionOfMonth = (days: Period & { month: LocalDay }): Rational =>
  new Rational(
    BigInt(countDays(days)),
    BigInt(countDays({ start_date: days.month, end_date: endOfMonth(days.month) })),
  )

function makeFixedLines(charge: AppliedCharge, terms: ChargeTerms): FeeLine[] {
  const { amount: price } = charge
  if (charge.frequency !== 'monthly')
    return listDueDays(charge, terms.period).flatMap((day) => {
      const days = { start_date: day, end_date: day }
      return computeLines(charge, { part: { kind: 'fixed', amount: price }, days }, terms)
    })
  const days = intersectWithPeriod(charge, terms.period)
  if (!days) return []
  const months = sumRationals(splitByMonth(days).map(computeFractionOfMonth))
  const part = { kind: 'quantity', quantity: 'months', price }
  return computeLines(charge, { part, quantities: { months }, days }, terms)
}

function makeDeviceLines(charge: AppliedCharge, terms: ChargeTerms): FeeLine[] {
  const { amount: price, permitted_quantity: permitted } = charge
  const findDeviceCount = (month: LocalDay) =>
    permitted === null
      ? findReportedQuantity(charge, month)
      : { value: Rational.of(permitted), isMissing: false }
  if (charge.frequency !== 'monthly')
    return listDueDays(charge, terms.period).flatMap((day) => {
      const { value: devices, isMissing } = findDeviceCount(startOfMonth(day))
      const days = { start_date: day, end_date: day }
      const part = { kind: 'quantity', quantity: 'devices', price }
      return computeLines(charge, { part, quantities: { devices }, days, isMissing }, terms)
    })
  const days = intersectWithPeriod(charge, terms.period)
  if (!days) return []
  const unit = 'device-months'
  return splitByMonth(days).flatMap(({ month, ...daysOfMonth }) => {
    const { value, isMissing } = findDeviceCount(month)
    const quantities = { [unit]: value.times(computeFractionOfMonth({ month, ...daysOfMonth })) }
    const part = { kind: 'quantity', quantity: unit, price }
    return computeLines(charge, { part, quantities, days: daysOfMonth, isMissing }, terms)
  })
}

/** Charges the revenue of a month once, on the invoice with the charge's last day in that month. */
function makeRevenueLines(charge: AppliedCharge, terms: ChargeTerms): FeeLine[] {
  const { percent, above, end_date: end } = charge
  const daysCharged = intersectWithPeriod(charge, terms.period)
  if (!daysCharged) return []
  return splitByMonth(daysCharged).flatMap(({ month, start_date, end_date }) => {
    const lastChargedDay = end === null ? endOfMonth(month) : getEarlierDay(end, endOfMonth(month))
    // Otherwise a later invoice includes that day and charges the month.
    if (end_date !== lastChargedDay) return []
    const { value, isMissing } = findReportedQuantity(charge, month)
    const part = { kind: 'revenue', quantity: 'reported', percent, above }
    const days = { start_date, end_date }
    return computeLines(charge, { part, quantities: { reported: value }, days, isMissing }, terms)
  })
}

const sumAmounts = (lines: readonly FeeLine[]): Rational =>
  sumRationals(lines.map(({ amount }) => Rational.of(amount)))

/** Returns the lines of a discount, which reduces the fees of the period to 0 at most. */
function makeDiscountLines(
  charge: AppliedCharge,
  previousLines: readonly FeeLine[],
  terms: ChargeTerms,
): FeeLine[] {
  const { currency, period } = terms
  const fees = sumAmounts(previousLines)
  if (fees.compare(zero) <= 0) return []
  const subtract = (unit: string, quantity: Rational, price: Rational): FeeLine[] => {
    const part = { kind: 'quantity', quantity: unit, price: price.text(), is_discount: true }
    return computeLines(charge, { part, quantities: { [unit]: quantity }, days: period }, terms)
  }
  // The line of a percentage: quantity: the fees, unit: the currency, price: percent / 100.
  if (charge.percent !== null)
    return isInEffectOnFirstDay(charge, period)
      ? subtract(currency, fees, Rational.of(charge.percent).over(Rational.of(100)))
      : []
  const amount = min(fees, sumAmounts(makeFixedLines(charge, terms)))
  if (amount.compare(zero) <= 0) return []
  return subtract('discounts', Rational.of(1), amount)
}

/** Returns the line that raises or lowers an invoice to its minimum or maximum, if there is a difference. */
function makeBoundLines(
  charge: AppliedCharge,
  previousLines: readonly FeeLine[],
  terms: ChargeTerms,
): FeeLine[] {
  const { currency, period } = terms
  if (!isInEffectOnFirstDay(charge, period)) return []
  const digits = currencyDigits(currency)
  const limit = Rational.of(charge.amount ?? 0)
  const isMinimum = charge.kind === 'minimum'
  const bounds = { minimum: isMinimum ? limit : null, maximum: isMinimum ? null : limit }
  return createBoundLines(charge.name, sumAmounts(previousLines).rounded(digits), bounds, digits).map(
    (line) => toFeeLine(charge, line, { days: period, isMissing: false, currency }),
  )
}

/**
 * Makes the lines of charges that are not part of a policy, each rounded once: amounts, devices and revenue,
 * then discounts on all of these and the policy fees, then the minimum and maximum of the invoice. Each
 * discount or bound applies to all lines before it.
 */
export function makeChargeLines(
  fees: readonly FeeLine[],
  charges: readonly AppliedCharge[],
  terms: ChargeTerms,
): FeeLine[] {
  const filterCharges = (...kinds: AppliedCharge['kind'][]) =>
    charges.filter(({ kind }) => kinds.includes(kind))
  const lines: FeeLine[] = []
  for (const charge of filterCharges('fixed')) lines.push(...makeFixedLines(charge, terms))
  for (const charge of filterCharges('device')) lines.push(...makeDeviceLines(charge, terms))
  for (const charge of filterCharges('revenue')) lines.push(...makeRevenueLines(charge, terms))
  for (const charge of filterCharges('discount'))
    lines.push(...makeDiscountLines(charge, [...fees, ...lines], terms))
  for (const charge of filterCharges('minimum', 'maximum'))
    lines.push(...makeBoundLines(charge, [...fees, ...lines], terms))
  return lines
}
