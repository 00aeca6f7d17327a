// Compares repeated events of pushes with a plain list, with one query for pushes of several regions.
import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { dayMs } from '#contract/period.ts'
import { computeEventRank } from '#server/fleet/events/event-lines.ts'
import { EventSearches } from '#server/fleet/events/event-searches.ts'
import { noRecords, type VehicleEvent } from '#server/fleet/events/feed-records.ts'
import { storeRecords } from '#server/fleet/events/store-records.ts'
import { regionScope } from '#server/identity/scope.ts'
import type { Facts } from '#server/stores/facts.ts'
import { useFacts } from './use-stores.ts'

let facts: Facts
// oxlint-disable-next-line rules-of-hooks
useFacts((opened) => void (facts = opened))

const organizationId = randomUUID()
const noon = Date.UTC(2026, 5, 10, 12)
const makeId = (index: number): string => `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`

/** Few ids, so that regions, vehicles and operators share them. Versions have different times and contents. */
const anyEvent = fc
  .record({
    operator: fc.constantFrom('heron', 'lark'),
    device: fc.nat(2),
    eventNumber: fc.nat(5),
    minute: fc.nat(1),
    week: fc.constantFrom(0, 0, 0, 1),
  })
  .map(({ operator, device, eventNumber, minute, week }): VehicleEvent => ({
    operator,
    deviceId: makeId(device),
    eventId: makeId(100 + eventNumber),
    time: noon + minute * 60_000 + week * 7 * dayMs,
    state: 'available',
    types: ['trip_end'],
    tripIds: [],
    lon: 1,
    lat: 2,
    accuracy: Number.NaN,
    battery: minute,
    published: 0,
  }))
/** Simultaneous pushes, at most one per region. */
const anyRound = fc.uniqueArray(
  fc.record({ region: fc.nat(3), events: fc.array(anyEvent, { minLength: 1, maxLength: 4 }) }),
  { selector: ({ region }) => region, minLength: 1, maxLength: 4 },
)

/**
 * Counts the events of a push that were stored before with the same content only. Duplicates in a push count
 * once. Adds the events to `stored`, which contains the ranks of all versions by event of a region.
 */
function plainRepeated(stored: Map<string, string[]>, events: readonly VehicleEvent[]): number {
  const getKey = ({ operator, deviceId, eventId }: VehicleEvent): string =>
    `${operator} ${deviceId} ${eventId}`
  const distinct = [
    ...new Map(events.map((event) => [`${getKey(event)} ${computeEventRank(event)}`, event])).values(),
  ]
  for (const event of distinct)
    stored.set(getKey(event), [...(stored.get(getKey(event)) ?? []), String(computeEventRank(event))])
  return [...new Set(events.map(getKey))].filter((key) => {
    const versions = stored.get(key) ?? []
    return versions.length > 1 && new Set(versions).size === 1
  }).length
}

test('fleet events count as repeated if they were stored before with the same content', async () => {
  // A merge would combine the rows of a repeated event, which would then not count.
  await facts.define('system stop merges vehicle_events')
  await fc.assert(
    fc.asyncProperty(fc.array(anyRound, { minLength: 1, maxLength: 4 }), async (rounds) => {
      const searches = new EventSearches(facts)
      const run = randomUUID()
      const stored = new Map<number, Map<string, string[]>>()
      for (const pushes of rounds) {
        const repeatedCounts = await Promise.all(
          pushes.map(async ({ region, events }) => {
            const regionId = `${run} ${region}`
            const batch = { organizationId, regionId, operator: 'heron', feedId: run, stream: 'events' }
            const { repeated } = await storeRecords(
              facts,
              regionScope(organizationId, regionId),
              { ...batch, windowStart: noon, received: noon, records: { ...noRecords(), events } },
              { newVehicles: { vehicles: [], retyped: [] }, searches },
            )
            return repeated
          }),
        )
        const expected = pushes.map(({ region, events }) => {
          const storedInRegion = stored.get(region) ?? new Map<string, string[]>()
          stored.set(region, storedInRegion)
          return plainRepeated(storedInRegion, events)
        })
        expect(repeatedCounts).toEqual(expected)
      }
    }),
    { numRuns: Number(process.env['REPEATED_RUNS'] ?? 15), endOnFailure: true },
  )
})

test('an event of another vehicle with the id of a pushed one does not count as repeated', async () => {
  const searches = new EventSearches(facts)
  const batch = {
    organizationId,
    regionId: randomUUID(),
    operator: 'heron',
    feedId: 'feed',
    stream: 'events',
    windowStart: noon,
    received: noon,
  }
  const makeEvent = (device: number, eventNumber: number, minute = 0): VehicleEvent => ({
    operator: 'heron',
    deviceId: makeId(device),
    eventId: makeId(100 + eventNumber),
    time: noon + minute * 60_000,
    state: 'available',
    types: ['trip_end'],
    tripIds: [],
    lon: 1,
    lat: 2,
    accuracy: Number.NaN,
    battery: minute,
    published: 0,
  })
  const countRepeated = async (events: VehicleEvent[]): Promise<number> => {
    const { repeated } = await storeRecords(
      facts,
      regionScope(organizationId, batch.regionId),
      { ...batch, records: { ...noRecords(), events } },
      { newVehicles: { vehicles: [], retyped: [] }, searches },
    )
    return repeated
  }
  await facts.define('system stop merges vehicle_events')
  expect(await countRepeated([makeEvent(1, 1)])).toBe(0)
  expect(await countRepeated([makeEvent(1, 1)])).toBe(1)
  // Two versions of an event of vehicle 1, and event 1 of vehicle 2.
  expect(await countRepeated([makeEvent(1, 2), makeEvent(1, 2, 1), makeEvent(2, 1)])).toBe(0)
})
