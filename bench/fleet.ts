import { randomUUID } from 'node:crypto'
import { eventLineColumns, eventLines } from '#server/fleet/events/event-lines.ts'
import { cityVehicles, fleetDay } from './fleet-days.ts'
import type { Bench } from './open-bench.ts'
import { type Report, timed, timedRuns } from './table.ts'

const dayMs = 86_400_000
const begin = Date.UTC(2024, 0, 1)

/**
 * Events of an L city from records to derived facts, a day at a time, at growing history: backfill of many
 * days, one day alone, one late hour of all vehicles, and the engine's own speed for the same rows.
 */
export async function benchFleet(bench: Bench, millions: readonly number[], report: Report): Promise<void> {
  const { app, scope, organizationId, regionId, city } = bench
  const { fleetIngest: ingest } = app
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
  for (const million of millions) {
    let [ms, added] = [0, 0]
    while (events + added < million * 1e6) {
      const batch = batchOf(day++)
      added += batch.records.events.length
      // The next day is stored while this one is derived, as in a backfill.
      ms += await timed(() => ingest.store(batch))
    }
    ms += await timed(() => ingest.whenDerived())
    events += added
    const history = `${million} million events stored`
    if (added)
      report.add(`events of a backfill to their last fact, ${history}`, 'events/s', [(1000 * added) / ms])
    const oneDay = await timedRuns(3, async () => {
      const batch = batchOf(day++)
      events += batch.records.events.length
      await ingest.store(batch)
      await ingest.whenDerived()
    })
    report.add(
      `one day of ${cityVehicles.toLocaleString('en-US')} vehicles to its last fact, ${history}`,
      'ms',
      oneDay,
    )
    const late = batchOf(day - 1)
    late.records = fleetDay(1, day + 5000, begin + (day - 2) * dayMs, cityVehicles, city)
    late.records.events = late.records.events.filter(
      ({ time }) => Math.floor((time % dayMs) / 3_600_000) === 9,
    )
    report.add(`an hour of all its vehicles that comes a day late, ${history}`, 'ms', [
      await timed(() => ingest.store(late).then(() => ingest.whenDerived())),
    ])
  }
  const records = fleetDay(1, 1, begin, cityVehicles, city).events
  const lines = eventLines(records, { regionId, feedId: 'raw', batchId: randomUUID(), received: Date.now() })
  const inserts = await timedRuns(3, () =>
    app.facts.insert(scope, 'vehicle_events', eventLineColumns, regionId, lines),
  )
  report.add(
    'the same events into the engine, nothing derived',
    'events/s',
    inserts.map((ms) => (1000 * records.length) / ms),
  )
}
