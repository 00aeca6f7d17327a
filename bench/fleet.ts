import { randomUUID } from 'node:crypto'
import { dayMs, hourMs } from '#contract/period.ts'
import { eventLineColumns, formatEventLines } from '#server/fleet/events/event-lines.ts'
import { cityVehicles, makeFleetDay } from './fleet-days.ts'
import type { Bench } from './open-bench.ts'
import { type Report, measureMs, measureRuns } from './table.ts'

const beginMs = Date.UTC(2024, 0, 1)

/**
 * Measures the ingest of an L city's events, from records to derived facts, with a growing history: a backfill
 * of many days, one day, one late hour of all vehicles, and the insert of the same rows without derivation.
 */
export async function benchFleet(bench: Bench, millions: readonly number[], report: Report): Promise<void> {
  const { app, scope, organizationId, regionId, city } = bench
  const { fleetIngest: ingest } = app
  const makeBatch = (day: number) => ({
    organizationId,
    regionId,
    operator: 'op0',
    feedId: 'bench',
    stream: 'events',
    windowStart: beginMs + day * dayMs,
    received: Date.now(),
    records: makeFleetDay(4870, { day, startMs: beginMs + day * dayMs }, city),
  })
  let nextDay = 0
  let eventCount = 0
  for (const historyMillions of millions) {
    let backfillMs = 0
    let addedCount = 0
    while (eventCount + addedCount < historyMillions * 1e6) {
      const batch = makeBatch(nextDay++)
      addedCount += batch.records.events.length
      // As in a backfill, the next day is stored while this one is derived.
      backfillMs += await measureMs(() => ingest.store(batch))
    }
    backfillMs += await measureMs(() => ingest.whenDerived())
    eventCount += addedCount
    const history = `${historyMillions} million events stored`
    const perSecond = (1000 * addedCount) / backfillMs
    if (addedCount) report.add(`events of a backfill to their last fact, ${history}`, 'events/s', [perSecond])
    const oneDay = await measureRuns(3, async () => {
      const batch = makeBatch(nextDay++)
      eventCount += batch.records.events.length
      await ingest.store(batch)
      await ingest.whenDerived()
    })
    report.add(
      `one day of ${cityVehicles.toLocaleString('en-US')} vehicles to its last fact, ${history}`,
      'ms',
      oneDay,
    )
    const lateBatch = makeBatch(nextDay - 1)
    const lateMs = beginMs + (nextDay - 2) * dayMs
    lateBatch.records = makeFleetDay(1, { day: nextDay + 5000, startMs: lateMs }, city)
    lateBatch.records.events = lateBatch.records.events.filter(
      ({ time }) => Math.floor((time % dayMs) / hourMs) === 9,
    )
    report.add(`an hour of all its vehicles, received a day late, ${history}`, 'ms', [
      await measureMs(() => ingest.store(lateBatch).then(() => ingest.whenDerived())),
    ])
  }
  const records = makeFleetDay(1, { day: 1, startMs: beginMs }, city).events
  const batch = { regionId, feedId: 'raw', batchId: randomUUID(), received: Date.now() }
  const lines = formatEventLines(records, batch)
  const inserts = await measureRuns(3, () =>
    app.facts.insert(scope, 'vehicle_events', { columns: eventLineColumns, regionId, lines }),
  )
  report.add(
    'the same events into the engine, nothing derived',
    'events/s',
    inserts.map((ms) => (1000 * records.length) / ms),
  )
}
