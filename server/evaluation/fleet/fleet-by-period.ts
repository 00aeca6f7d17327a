import type { z } from 'zod'
import { maxPeriods, type getVehiclesByTimePeriod, type TimePeriod } from '#contract/fleet-figures.ts'
import { getWeekday, type LocalDay, addDays, endOfMonth } from '#contract/period.ts'
import { Problem } from '#server/http/problem.ts'
import type { FleetMethod } from '#server/fleet/fleet-size/fleet-question.ts'
import { computeFleetSize } from '#server/fleet/fleet-size/fleet-size.ts'
import type { Facts } from '#server/stores/facts.ts'
import { readQueryTime } from '../query-time.ts'
import { type FleetQueryContext, toFleetSizeQuestion } from './fleet-query-context.ts'

/** A day, week or month, clipped to the days of the question. Both days are included. */
interface Period {
  start: LocalDay
  end: LocalDay
}

/** Returns the last day of the period that contains a day. */
function getEndOfPeriod(day: LocalDay, period: TimePeriod): LocalDay {
  if (period === 'day') return day
  return period === 'week' ? addDays(day, 7 - getWeekday(day)) : endOfMonth(day)
}

/** Splits a range of days into periods. Stops after `maxCount + 1` periods, which are too many. */
export function splitIntoPeriods(
  first: LocalDay,
  last: LocalDay,
  period: TimePeriod,
  maxCount: number,
): Period[] {
  const periods: Period[] = []
  for (let start = first; start <= last && periods.length <= maxCount;) {
    const end = getEndOfPeriod(start, period)
    periods.push({ start, end: end < last ? end : last })
    start = addDays(end, 1)
  }
  return periods
}

type FleetByPeriod = z.output<(typeof getVehiclesByTimePeriod)['response']>

/** Reads the fleet size by day, week or month, in total and by operator; the current one up to now. */
export async function readFleetByPeriod(
  facts: Facts,
  fleet: FleetQueryContext,
  period: TimePeriod,
  method: FleetMethod,
): Promise<FleetByPeriod> {
  const { scope, region, filters, signal } = fleet
  const periods = splitIntoPeriods(filters.start_date, filters.end_date, period, maxPeriods)
  if (periods.length > maxPeriods)
    throw new Problem(
      'validation_error',
      `A response contains at most ${maxPeriods} periods. Choose fewer days, or weeks or months.`,
    )
  const items: FleetByPeriod['items'] = []
  let version = 1
  for (const { start, end } of periods) {
    signal.throwIfAborted()
    const time = readQueryTime({ ...filters, start_date: start, end_date: end }, region.timezone)
    const total = await computeFleetSize(facts, scope, method, toFleetSizeQuestion(fleet, time, []))
    if (!total.sizes.length) continue
    const question = toFleetSizeQuestion(fleet, time, ['operator'])
    const { sizes, methodVersion } = await computeFleetSize(facts, scope, method, question)
    version = methodVersion
    items.push(...total.sizes.map(({ value }) => ({ start, operator: null, vehicles: value })))
    items.push(
      ...sizes
        .map(({ operator = '', value }) => ({ start, operator, vehicles: value }))
        .toSorted((a, b) => a.operator.localeCompare(b.operator)),
    )
  }
  return { items, method: { name: method, version } }
}
