import { randomUUID } from 'node:crypto'
import { eventLineColumns, eventLines } from '#server/mobility/fleet/event-lines.ts'
import { bind, facts, latest, sql } from '#server/stores/sql.ts'
import { cityVehicles, fleetDay } from './fleet-days.ts'
import { median, timed } from './median.ts'
import type { Bench } from './open-bench.ts'

const dayMs = 86_400_000
const begin = Date.UTC(2024, 0, 1)
const megabytes = (bytes: number): number => Math.round(bytes / 2 ** 20)

/**
 * Events in bulk from their words to derived facts, a day of an L city at a time (as a back-fill comes): events per second from the first
 * hand-over to the last fact, at growing history; the share of the engine's own speed for the same rows; one late hour of all vehicles.
 */
export async function benchFleet(bench: Bench, millions: readonly number[], say: (line: string) => void) {
  const { app, scope, organizationId, regionId, city } = bench
  const { fleetIngest } = app
  const batchOf = (day: number) => ({
    organizationId,
    regionId,
    operator: 'op0',
    feedId: 'bench',
    stream: 'events',
    pullWindow: begin + day * dayMs,
    received: Date.now(),
    records: fleetDay(4870, day, begin + day * dayMs, cityVehicles, city),
  })
  let [day, events] = [0, 0]
  const figures = []
  for (const million of [...millions].sort((a, b) => a - b)) {
    let [spent, made] = [0, 0]
    while (events + made < million * 1e6) {
      const batch = batchOf(day++)
      made += batch.records.events.length
      // The next day is stored while this one is derived, as it is when a feed is filled back.
      spent += await timed(() => fleetIngest.take(batch).then(() => undefined))
    }
    spent += await timed(() => fleetIngest.whenDerived())
    events += made
    const dayAlone: number[] = []
    for (let again = 0; again < 3; again++) {
      const batch = batchOf(day++)
      events += batch.records.events.length
      dayAlone.push(await timed(() => fleetIngest.take(batch).then(() => fleetIngest.whenDerived())))
    }
    const late = {
      ...batchOf(day - 1),
      records: { ...fleetDay(1, day + 5000, begin + (day - 2) * dayMs, cityVehicles, city) },
    }
    late.records.events = late.records.events.filter(
      ({ time }) => Math.floor((time % dayMs) / 3_600_000) === 9,
    )
    const lateHour = await timed(() => fleetIngest.take(late).then(() => fleetIngest.whenDerived()))
    const [stored] = await app.facts.rows<{ events: string; trips: string }>(
      scope,
      sql`select (select count() from ${facts('vehicle_events')}) as events, (select count() from ${latest('trips')} where region_id = ${bind('String', regionId)}) as trips`,
      { limits: { seconds: 120 } },
    )
    figures.push({
      events: Number(stored?.events),
      trips: Number(stored?.trips),
      bulk_events_per_second: Math.round((made / spent) * 1000),
      day_ms: median(dayAlone),
      late_hour: { events: late.records.events.length, ms: lateHour },
      rss_mb: megabytes(process.memoryUsage().rss),
    })
    say(`fleet: ${JSON.stringify(figures.at(-1))}`)
  }
  return { figures, raw_insert: await rawInsert(bench) }
}

/** The engine's own speed: the same rows, made before, into the same table. */
async function rawInsert({ app, scope, regionId, city }: Bench) {
  const { events } = fleetDay(1, 1, begin, cityVehicles, city)
  const lines = eventLines(events, { regionId, feedId: 'raw', batchId: randomUUID(), received: Date.now() })
  const ms: number[] = []
  for (let again = 0; again < 3; again++)
    ms.push(await timed(() => app.facts.insert(scope, 'vehicle_events', eventLineColumns, regionId, lines)))
  return { rows_per_second: Math.round((events.length / median(ms)) * 1000) }
}
