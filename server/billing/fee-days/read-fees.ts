import { currencyDigits } from '#contract/money.ts'
import { type LocalDay, localDay } from '#contract/period.ts'
import { dayAfter, daysBetween, dayStart } from '#server/health/local-hours.ts'
import type { FeeLine } from '#contract/fees.ts'
import { vehicleTypeTexts } from '#contract/mobility.ts'
import { type ChargeLine, partLines } from '../charge.ts'
import { parkingCharges, type Share } from '../charge-parking.ts'
import type { Charge, ChargedFacts, ParkingPart } from '../charged-facts.ts'
import type { TariffPart } from '../tariff.ts'
import { minorText, Rational, sumOf, zero } from '../rational.ts'
import {
  discountCharge,
  type FeeDaySum,
  type FeeRevision,
  excessCharge,
  type FeeSum,
} from './fee-revision.ts'

/** Sums of a revision, payer and period. */
export interface PeriodSum extends FeeSum {
  policyId: string
  first: LocalDay
  last: LocalDay
}

const quantityOf = ({ numerator, denominator }: FeeSum): Rational => new Rational(numerator, denominator)

/** A vehicle type as lines name it. */
const typeText = (type: string): string =>
  (vehicleTypeTexts as Readonly<Record<string, string>>)[type] ?? type

const sharesOf = (sums: readonly FeeSum[]) =>
  sums.map(({ vehicleType, unit, price, numerator }) => {
    const share: Share = { amount: Number(numerator), unit, price: Rational.of(price) }
    return { vehicleType: typeText(vehicleType), share }
  })

/** The facts of a part, as they were summed. */
export function factsOf(part: TariffPart, sums: readonly FeeSum[]): ChargedFacts {
  const { name } = part
  const feesOf = (kind: string): FeeSum[] =>
    sums.filter(({ charge, numerator }) => charge === kind && numerator !== 0n)
  const [priced, discounted] = [feesOf(''), feesOf(discountCharge)]
  return {
    trips: () => {
      const counts = new Map<string, number>()
      for (const { vehicleType, numerator } of priced) {
        const text = typeText(vehicleType)
        counts.set(text, (counts.get(text) ?? 0) + Number(numerator))
      }
      return counts
    },
    discountedTrips: () => Number(discounted.reduce((sum, { numerator }) => sum + numerator, 0n)),
    vehicles: () =>
      priced.map((sum): Charge => {
        const [quantity, unitPrice] = [quantityOf(sum), Rational.of(sum.price)]
        return { description: name, quantity, unit: sum.unit, unitPrice, exact: quantity.times(unitPrice) }
      }),
    parking: () =>
      parkingCharges(
        part as ParkingPart,
        sharesOf(priced),
        sharesOf(discounted),
        sumOf(feesOf(excessCharge).map(quantityOf)),
      ),
    rates: () =>
      sums
        .filter(({ numerator }) => numerator !== 0n)
        .map((sum) => ({
          key: sum.charge,
          vehicleType: typeText(sum.vehicleType),
          quantity: quantityOf(sum),
        })),
    quantities: {},
  }
}

export interface FeePeriod {
  start_date: LocalDay
  end_date: LocalDay
}

export interface Terms {
  timezone: string
  currency: string
  period: FeePeriod
}

/** Lines without a quantity and an amount are left out. */
export const isCharged = ({ quantity, amount }: Pick<ChargeLine, 'quantity' | 'amount'>): boolean =>
  amount !== 0n || quantity.compare(zero) !== 0

/** The lines of the sums of one payer under one revision. */
function revisionLines(revision: FeeRevision, sums: readonly FeeSum[], terms: Terms): ChargeLine[] {
  return partLines(revision.part, factsOf(revision.part, sums), terms).filter(isCharged)
}

/** First and last local day of a period on which a revision is in effect, up to now. */
function daysInEffect(
  { from, until }: FeeRevision,
  { timezone, period }: Terms,
  now: number,
): FeePeriod | null {
  const begin = Math.max(from, dayStart(period.start_date, timezone))
  const end = Math.min(until, dayStart(dayAfter(period.end_date), timezone), now)
  if (end <= begin) return null
  return {
    start_date: localDay(new Date(begin), timezone),
    end_date: localDay(new Date(end - 1), timezone),
  }
}

/** Lines have one order, whatever order their sums are read in: by vehicle type, then by price. */
const inOrder = (a: FeeSum, b: FeeSum): number =>
  a.vehicleType.localeCompare(b.vehicleType) ||
  a.charge.localeCompare(b.charge) ||
  Number(a.price) - Number(b.price) ||
  a.unit.localeCompare(b.unit) ||
  Number(a.denominator - b.denominator)

/** The lines of one payer under the revisions that were in effect. `hasData`: whether the payer has any record on a day. */
export function feeLines(
  revisions: readonly FeeRevision[],
  sums: readonly PeriodSum[],
  terms: Terms,
  now: number,
  hasData: (day: LocalDay) => boolean,
): FeeLine[] {
  const digits = currencyDigits(terms.currency)
  return revisions.flatMap((revision) => {
    const days = daysInEffect(revision, terms, now)
    if (!days) return []
    const own = sums.filter(({ policyId }) => policyId === revision.policyId).toSorted(inOrder)
    const withoutData = daysBetween(days.start_date, days.end_date).filter((day) => !hasData(day))
    return revisionLines(revision, own, terms).map(
      ({ description, quantity, unit, unitPrice, amount }): FeeLine => ({
        policy_uuid: revision.constantPolicyId === null ? null : revision.policyId,
        constant_policy_uuid: revision.constantPolicyId,
        policy_name: revision.policy.policy_name,
        policy_type: revision.policy.policy_type,
        description,
        ...days,
        quantity: quantity.text(),
        unit,
        unit_price: unitPrice?.text() ?? null,
        amount: minorText(amount, digits),
        days_without_data: withoutData,
      }),
    )
  })
}

/** Integer minor units of a decimal text. */
export const minorOf = (text: string, digits: number): bigint => Rational.of(text).rounded(digits)

/** The sum of lines, as text. */
export function totalText(lines: readonly Pick<FeeLine, 'amount'>[], currency: string): string {
  const digits = currencyDigits(currency)
  return minorText(
    lines.reduce((sum, { amount }) => sum + minorOf(amount, digits), 0n),
    digits,
  )
}

/** Sums of days as sums of their period, by payer. */
export function sumDays(policyId: string, days: readonly FeeDaySum[]): PeriodSum[] {
  const sums = new Map<string, PeriodSum>()
  for (const { day, ...sum } of days) {
    const key = [sum.operator, sum.vehicleType, sum.charge, sum.unit, sum.price, sum.denominator].join('\t')
    const before = sums.get(key)
    if (!before) sums.set(key, { ...sum, policyId, first: day, last: day })
    else {
      before.numerator += sum.numerator
      before.facts += sum.facts
      before.open += sum.open
      if (day < before.first) before.first = day
      if (day > before.last) before.last = day
    }
  }
  return [...sums.values()]
}
