import { currencyDigits } from '#contract/money.ts'
import { type LocalDay, localDay, daysBetween } from '#contract/period.ts'
import { getDayEnd, getDayStart } from '#server/regions/local-hours.ts'
import type { FeeLine } from '#contract/fees.ts'
import { vehicleTypeTexts } from '#contract/mobility.ts'
import { type ChargeLine, makePartLines } from '../charge.ts'
import { chargeParking, type Share } from '../charge-parking.ts'
import type { Charge, ChargedFacts, ParkingPart } from '../charged-facts.ts'
import { findLineRates } from '../line-rates.ts'
import type { TariffPart } from '../tariff.ts'
import { formatMinor, Rational, sumRationals, zero } from '../rational.ts'
import {
  discountCharge,
  type FeeDaySum,
  type FeeRevision,
  excessCharge,
  type FeeSum,
} from './fee-revision.ts'

/** A sum of a revision's fees at one price within a period. */
export interface PeriodSum extends FeeSum {
  policyId: string
  /** First and last day with such fees. */
  first: LocalDay
  last: LocalDay
}

const getQuantity = ({ numerator, denominator }: FeeSum): Rational => new Rational(numerator, denominator)

const formatVehicleType = (type: string): string =>
  (vehicleTypeTexts as Readonly<Record<string, string>>)[type] ?? type

const toShares = (sums: readonly FeeSum[]) =>
  sums.map(({ vehicleType, unit, price, numerator }) => {
    const share: Share = { amount: Number(numerator), unit, price: Rational.of(price) }
    return { vehicleType: formatVehicleType(vehicleType), share }
  })

/** Presents stored sums of a part as the facts that the tariff engine charges. */
export function toChargedFacts(part: TariffPart, sums: readonly FeeSum[]): ChargedFacts {
  const { name } = part
  const filterSums = (kind: FeeSum['charge']): FeeSum[] =>
    sums.filter(({ charge, numerator }) => charge === kind && numerator !== 0n)
  const priced = filterSums('')
  const discounted = filterSums(discountCharge)
  return {
    trips: () => {
      const counts = new Map<string, number>()
      for (const { vehicleType, numerator } of priced) {
        const text = formatVehicleType(vehicleType)
        counts.set(text, (counts.get(text) ?? 0) + Number(numerator))
      }
      return counts
    },
    discountedTrips: () => Number(discounted.reduce((sum, { numerator }) => sum + numerator, 0n)),
    vehicles: () =>
      priced.map((sum): Charge => {
        const quantity = getQuantity(sum)
        const unitPrice = Rational.of(sum.price)
        return { description: name, quantity, unit: sum.unit, unitPrice, exact: quantity.times(unitPrice) }
      }),
    parking: () =>
      chargeParking(
        part as ParkingPart,
        toShares(priced),
        toShares(discounted),
        sumRationals(filterSums(excessCharge).map(getQuantity)),
      ),
    rates: () =>
      sums
        .filter(({ numerator }) => numerator !== 0n)
        .map((sum) => ({
          key: sum.charge,
          vehicleType: formatVehicleType(sum.vehicleType),
          quantity: getQuantity(sum),
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

interface FeeLineTerms extends Terms {
  /** Revisions are charged up to this moment, ms since 1970. */
  now: number
  /** Whether the payer has any record on a day; by default on all days. */
  hasData?: (day: LocalDay) => boolean
}

/** Whether a line has a quantity or amount. Other lines are omitted. */
export const hasQuantityOrAmount = ({ quantity, amount }: Pick<ChargeLine, 'quantity' | 'amount'>): boolean =>
  amount !== 0n || quantity.compare(zero) !== 0

/** Returns the lines of the sums of one payer under one revision. */
function makeRevisionLines(revision: FeeRevision, sums: readonly FeeSum[], terms: Terms): ChargeLine[] {
  return makePartLines(revision.part, toChargedFacts(revision.part, sums), terms).filter(hasQuantityOrAmount)
}

/** Finds the rates of a parking fee line. Lines that change a total, which have no unit, have no rates. */
function findParkingRates(
  part: TariffPart,
  unit: string,
  unitPrice: Rational | null,
): Pick<FeeLine, 'rates'> {
  const rates = part.kind === 'parking' && unit && unitPrice ? findLineRates(part, unitPrice) : []
  return rates.length ? { rates } : {}
}

/** Returns first and last day of a period on which a revision is in effect, up to now; null if none. */
function findDaysInEffect(
  { from, until }: FeeRevision,
  { timezone, period, now }: FeeLineTerms,
): FeePeriod | null {
  const begin = Math.max(from, getDayStart(period.start_date, timezone))
  const end = Math.min(until, getDayEnd(period.end_date, timezone), now)
  if (end <= begin) return null
  return { start_date: localDay(new Date(begin), timezone), end_date: localDay(new Date(end - 1), timezone) }
}

/** Compares sums, so that the order of lines does not depend on the order of rows in the database. */
const compareSums = (a: FeeSum, b: FeeSum): number =>
  a.vehicleType.localeCompare(b.vehicleType) ||
  a.charge.localeCompare(b.charge) ||
  Number(a.price) - Number(b.price) ||
  a.unit.localeCompare(b.unit) ||
  Number(a.denominator - b.denominator)

/** Returns the lines of one payer under the revisions in effect. */
export function makeFeeLines(
  revisions: readonly FeeRevision[],
  sums: readonly PeriodSum[],
  terms: FeeLineTerms,
): FeeLine[] {
  const digits = currencyDigits(terms.currency)
  const { hasData = () => true } = terms
  return revisions.flatMap((revision) => {
    const days = findDaysInEffect(revision, terms)
    if (!days) return []
    const revisionSums = sums.filter(({ policyId }) => policyId === revision.policyId).toSorted(compareSums)
    const withoutData = daysBetween(days.start_date, days.end_date).filter((day) => !hasData(day))
    return makeRevisionLines(revision, revisionSums, terms).map(
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
        ...findParkingRates(revision.part, unit, unitPrice),
        amount: formatMinor(amount, digits),
        days_without_data: withoutData,
      }),
    )
  })
}

/** Converts a decimal string to minor units, rounded halves away from zero. */
export const roundToMinor = (text: string, digits: number): bigint => Rational.of(text).rounded(digits)

/** Returns the total of lines as a decimal string. */
export function formatTotal(lines: readonly Pick<FeeLine, 'amount'>[], currency: string): string {
  const digits = currencyDigits(currency)
  return formatMinor(
    lines.reduce((sum, { amount }) => sum + roundToMinor(amount, digits), 0n),
    digits,
  )
}

/** Adds daily sums up to sums of the period. */
export function sumDays(policyId: string, days: readonly FeeDaySum[]): PeriodSum[] {
  const sums = new Map<string, PeriodSum>()
  for (const { day, ...sum } of days) {
    const key = [sum.operator, sum.vehicleType, sum.charge, sum.unit, sum.price, sum.denominator].join('\t')
    const existing = sums.get(key)
    if (!existing) sums.set(key, { ...sum, policyId, first: day, last: day })
    else {
      existing.numerator += sum.numerator
      existing.facts += sum.facts
      existing.open += sum.open
      if (day < existing.first) existing.first = day
      if (day > existing.last) existing.last = day
    }
  }
  return [...sums.values()]
}
