import { groupBy } from '#contract/group-by.ts'
import { type LocalDay, getWeekday, addDays, daysBetween } from '#contract/period.ts'
import { getDayStart } from '#server/regions/local-hours.ts'
import { Rational, zero } from '../rational.ts'
import type { FeeRevision } from './fee-revision.ts'
import type { StoredSum } from './read-sums.ts'

/** Number of past weeks from which the rest of a month is forecast, weekday by weekday. */
export const forecastWeeks = 4

type Forecast<Value> = Record<'mean' | 'low' | 'high', Value>

interface ForecastDays {
  today: LocalDay
  /** Past days of which the fees are known. */
  samples: readonly LocalDay[]
  /** Days to forecast, from today. */
  remaining: readonly LocalDay[]
}

/** Forecasts the quantity of the remaining days from the quantities of past days and of today. */
function forecastQuantity(
  quantityByDay: ReadonlyMap<LocalDay, bigint>,
  { today, samples, remaining }: ForecastDays,
): Forecast<bigint> {
  let mean = zero
  let low = 0n
  let high = 0n
  for (const day of remaining) {
    const sameWeekday = samples.filter((sample) => getWeekday(sample) === getWeekday(day))
    // The day cannot have less than what has accrued on it already.
    const accrued = day === today ? (quantityByDay.get(today) ?? 0n) : 0n
    const values = (sameWeekday.length ? sameWeekday : samples)
      .map((sample) => quantityByDay.get(sample) ?? 0n)
      .map((value) => (value > accrued ? value : accrued))
      .toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0))
    if (!values.length) values.push(accrued)
    const total = values.reduce((sum, value) => sum + value, 0n)
    mean = mean.plus(new Rational(total, BigInt(values.length)))
    low += values[0] ?? 0n
    high += values.at(-1) ?? 0n
  }
  return { mean: mean.rounded(0), low, high }
}

/** Groups sums that differ only by day. */
function groupByPrice(sums: readonly StoredSum[]): StoredSum[][] {
  const series = groupBy(sums, (sum) =>
    [sum.vehicleType, sum.charge, sum.unit, sum.price, sum.denominator].join('\t'),
  )
  return [...series.values()]
}

/**
 * Forecasts the fees of the remaining days of a month, including today, price by price: the mean, minimum and
 * maximum of the same weekdays in the past four weeks. Only full days on which the revision was in effect are
 * samples; if none is the same weekday, all samples are used. The forecast of today is at least what has
 * accrued already.
 */
export function forecastSums(
  revisions: readonly FeeRevision[],
  sums: readonly StoredSum[],
  { today, last, timezone }: { today: LocalDay; last: LocalDay; timezone: string },
): Forecast<StoredSum[]> {
  const forecasts: Forecast<StoredSum[]> = { mean: [], low: [], high: [] }
  const toStartMs = (day: LocalDay): number => getDayStart(day, timezone)
  for (const { policyId, from, until } of revisions) {
    const samples = daysBetween(addDays(today, -7 * forecastWeeks), addDays(today, -1)).filter(
      (day) => toStartMs(day) >= from && toStartMs(addDays(day, 1)) <= until,
    )
    const remaining = daysBetween(today, last).filter((day) => toStartMs(day) < until)
    for (const daySums of groupByPrice(sums.filter((sum) => sum.policyId === policyId))) {
      const [firstSum] = daySums
      if (!firstSum) continue
      const quantityByDay = new Map(daySums.map(({ grain, numerator }) => [grain, numerator]))
      const expected = forecastQuantity(quantityByDay, { today, samples, remaining })
      for (const kind of ['mean', 'low', 'high'] as const)
        forecasts[kind].push({ ...firstSum, grain: today, numerator: expected[kind] })
    }
  }
  return forecasts
}
