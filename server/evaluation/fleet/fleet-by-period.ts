import { maxPeriods, type getVehiclesByTimePeriod, type TimePeriod } from '#contract/fleet-figures.ts'
import type { z } from 'zod'
import { Problem } from '#server/http/problem.ts'
import type { FleetMethod } from '#server/mobility/fleet-size/fleet-question.ts'
import { fleetSize } from '#server/mobility/fleet-size/fleet-size.ts'
import type { Facts } from '#server/stores/facts.ts'
import { readQueryTime } from '../query-time.ts'
import { factConditions } from '../queries/fact-conditions.ts'
import type { FleetQueryContext } from './fleet-query-context.ts'
import { dayNumber, dayFromNumber, type LocalDay, startOfMonth, weekdayOf } from '#contract/period.ts'

/** A day, week or month, cut to the asked days: both ends included. */
interface Period {
  start: LocalDay
  end: LocalDay
}

const endOfPeriod = (day: LocalDay, period: TimePeriod): LocalDay =>
  period === 'day'
    ? day
    : period === 'week'
      ? dayFromNumber(dayNumber(day) + 7 - weekdayOf(day))
      : dayFromNumber(dayNumber(startOfMonth(day, -1)) - 1)

/** The pieces of the days from first to last; where there are more than `most`, one more than that. */
export function splitIntoPeriods(
  first: LocalDay,
  last: LocalDay,
  period: TimePeriod,
  maxCount: number,
): Period[] {
  const found: Period[] = []
  for (let start = first; start <= last && found.length <= maxCount;) {
    const end = endOfPeriod(start, period)
    found.push({ start, end: end < last ? end : last })
    start = dayFromNumber(dayNumber(end) + 1)
  }
  return found
}

type Answer = z.output<(typeof getVehiclesByTimePeriod)['answer']>

/** Size of the fleet by day, week or month: by operator, and of all together. Of a piece that is not over, what is over of it. */
export async function fleetByPeriod(
  facts: Facts,
  { scope, region, asked, filters, now, signal }: FleetQueryContext,
  period: 'day' | 'week' | 'month',
  method: FleetMethod,
): Promise<Answer> {
  const periods = splitIntoPeriods(asked.start_date, asked.end_date, period, maxPeriods)
  if (periods.length > maxPeriods)
    throw new Problem(
      'validation_error',
      `One answer holds ${maxPeriods} periods. Ask for fewer days, or for weeks or months.`,
    )
  const items: Answer['items'] = []
  let version = 1
  for (const { start, end } of periods) {
    signal.throwIfAborted()
    const { from, until } = readQueryTime({ ...asked, start_date: start, end_date: end }, region.timezone)
    const question = {
      regionId: region.regionId,
      from,
      until: Math.min(until, now),
      timezone: region.timezone,
      operatingFrom: region.operatingHours.from,
      operatingUntil: region.operatingHours.until,
      lostAfterHours: region.lostAfterHours,
      where: factConditions(filters),
    }
    const whole = await fleetSize(facts, scope, method, { ...question, by: [] })
    if (!whole.sizes.length) continue
    const { sizes, methodVersion } = await fleetSize(facts, scope, method, { ...question, by: ['operator'] })
    version = methodVersion
    items.push(...whole.sizes.map(({ value }) => ({ start, operator: null, vehicles: value })))
    items.push(
      ...sizes
        .map(({ operator = '', value }) => ({ start, operator, vehicles: value }))
        .toSorted((a, b) => a.operator.localeCompare(b.operator)),
    )
  }
  return { items, method: { name: method, version } }
}
