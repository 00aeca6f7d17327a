import type { LocalDay } from '#contract/period.ts'
import type { Sql } from '#server/stores/sql.ts'
import { countEvents } from './count-events.ts'
import type { Counting } from './count-ways.ts'
import type { DayFacts, DayKind, DayRecords, DayVehicles, TripChecks } from './day-facts.ts'
import { daysBetween, spanOfDays } from './local-hours.ts'
import { type HourRow, recordsByHour } from './queries/records-by-hour.ts'
import { silentCounts, type SilentRow } from './queries/silent-vehicles.ts'
import { toldTripCounts, type ToldTripRow } from './queries/told-trips.ts'
import type { Span } from './span.ts'

const ask = <Row>({ facts, region }: Counting, question: Sql): Promise<Row[]> =>
  facts.rows<Row>(region.scope, question, { limits: { seconds: 120 } })

const spanOf = ({ region }: Counting, day: LocalDay): Span =>
  spanOfDays(region.regionId, day, day, region.timezone)

/** Records of days by hour, all in one question. */
async function countRecords(
  counting: Counting,
  days: readonly LocalDay[],
): Promise<Map<LocalDay, DayRecords[]>> {
  const { regionId, timezone } = counting.region
  const sorted = days.toSorted()
  const found = new Map(sorted.map((day) => [day, new Map<string, DayRecords>()] as const))
  const [first, last] = [sorted[0], sorted.at(-1)]
  if (first !== undefined && last !== undefined)
    for (const row of await ask<HourRow>(
      counting,
      recordsByHour(spanOfDays(regionId, first, last, timezone), timezone),
    )) {
      const of = found.get(row.day)
      if (!of) continue
      const key = `${row.operator} ${row.feed_id}`
      let each = of.get(key)
      if (!each)
        of.set(
          key,
          (each = { operator: row.operator, feed: row.feed_id, hours: Array.from({ length: 24 }, () => 0) }),
        )
      each.hours[row.hour] = Number(row.count)
    }
  return new Map([...found].map(([day, of]) => [day, [...of.values()]]))
}

async function countTrips(counting: Counting, span: Span): Promise<TripChecks[]> {
  const rows = await ask<ToldTripRow>(counting, toldTripCounts(span))
  return rows.map((row) => ({
    operator: row.operator,
    endsWithoutStart: Number(row.ends_without_start),
    compared: Number(row.compared),
    timeDiffers: Number(row.time_differs),
    placeDiffers: Number(row.place_differs),
    differs: Number(row.differs),
  }))
}

async function countVehicles(counting: Counting, day: LocalDay): Promise<DayVehicles[]> {
  const { regionId, lostAfterHours } = counting.region
  const { until } = spanOf(counting, day)
  const rows = await ask<SilentRow>(
    counting,
    silentCounts(regionId, Math.min(until, counting.at), lostAfterHours),
  )
  return rows.map(({ operator, deployed, silent, lost }) => ({
    operator,
    deployed: Number(deployed),
    silent: Number(silent),
    lost: Number(lost),
  }))
}

const eachDay = async <Body>(
  days: readonly LocalDay[],
  count: (day: LocalDay) => Promise<Body>,
): Promise<Map<LocalDay, Body>> => {
  const found = new Map<LocalDay, Body>()
  for (const day of days) found.set(day, await count(day))
  return found
}

/** Days that one question about records spans. */
const together = 16

/** Counts days of one kind from the facts. */
export const countDays: {
  [Kind in DayKind]: (counting: Counting, days: readonly LocalDay[]) => Promise<Map<LocalDay, DayFacts[Kind]>>
} = {
  async records(counting, days) {
    const found = new Map<LocalDay, DayRecords[]>()
    const wanted = new Set(days)
    const [first, last] = [days.toSorted()[0], days.toSorted().at(-1)]
    const all = first !== undefined && last !== undefined ? daysBetween(first, last) : []
    for (let at = 0; at < all.length; at += together) {
      const asked = all.slice(at, at + together).filter((day) => wanted.has(day))
      for (const [day, records] of await countRecords(counting, asked)) found.set(day, records)
    }
    return found
  },
  events: (counting, days) => eachDay(days, (day) => countEvents(counting, spanOf(counting, day))),
  trips: (counting, days) => eachDay(days, (day) => countTrips(counting, spanOf(counting, day))),
  vehicles: (counting, days) => eachDay(days, (day) => countVehicles(counting, day)),
}
