import { mostPeriods, type getVehiclesByTimePeriod, type TimePeriod } from '#contract/fleet-figures.ts'
import type { z } from 'zod'
import { Problem } from '#server/http/problem.ts'
import type { FleetMethod } from '#server/mobility/fleet-size/fleet-question.ts'
import { fleetSize } from '#server/mobility/fleet-size/fleet-size.ts'
import type { Facts } from '#server/stores/facts.ts'
import { askedTime } from '../asked-time.ts'
import { factConditions } from '../queries/fact-conditions.ts'
import type { FleetAsked } from './fleet-asked.ts'
import { dayNumber, dayOfNumber, type LocalDay, startOfMonth, weekdayOf } from '#contract/period.ts'

/** A day, week or month, cut to the asked days: both ends included. */
interface Period {
  start: LocalDay
  end: LocalDay
}

const lastOf = (day: LocalDay, period: TimePeriod): LocalDay =>
  period === 'day'
    ? day
    : period === 'week'
      ? dayOfNumber(dayNumber(day) + 7 - weekdayOf(day))
      : dayOfNumber(dayNumber(startOfMonth(day, -1)) - 1)

/** The pieces of the days from first to last; where there are more than `most`, one more than that. */
export function periodsOf(first: LocalDay, last: LocalDay, period: TimePeriod, most: number): Period[] {
  const found: Period[] = []
  for (let start = first; start <= last && found.length <= most;) {
    const end = lastOf(start, period)
    found.push({ start, end: end < last ? end : last })
    start = dayOfNumber(dayNumber(end) + 1)
  }
  return found
}

type Answer = z.output<(typeof getVehiclesByTimePeriod)['answer']>

/** Size of the fleet by day, week or month: by operator, and of all together. Of a piece that is not over, what is over of it. */
export async function fleetByPeriod(
  facts: Facts,
  { scope, region, asked, filters, now, signal }: FleetAsked,
  period: 'day' | 'week' | 'month',
  method: FleetMethod,
): Promise<Answer> {
  const periods = periodsOf(asked.start_date, asked.end_date, period, mostPeriods)
  if (periods.length > mostPeriods)
    throw new Problem(
      'validation_error',
      `One answer holds ${mostPeriods} periods. Ask for fewer days, or for weeks or months.`,
    )
  const items: Answer['items'] = []
  let version = 1
  for (const { start, end } of periods) {
    signal.throwIfAborted()
    const { from, until } = askedTime({ ...asked, start_date: start, end_date: end }, region.timezone)
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
