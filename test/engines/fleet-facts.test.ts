// Compares facts derived from vehicle events with the reference implementation. Events arrive in any order, repeated,
// in several versions, and split into batches.
import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { hourMs } from '#contract/period.ts'
import { eventTypes, vehicleStateNames } from '#contract/vehicle-states.ts'
import { regionScope } from '#server/identity/scope.ts'
import { deriveFleet } from '#server/fleet/events/derive-fleet.ts'
import { noRecords, type VehicleEvent } from '#server/fleet/events/feed-records.ts'
import { storeRecords } from '#server/fleet/events/store-records.ts'
import type { Facts } from '#server/stores/facts.ts'
import { bind, latest, sql } from '#server/stores/sql.ts'
import { type PlainRow, plainIntervals, plainParking } from '../city/plain-fleet.ts'
import { useFacts } from './use-stores.ts'
import { testUuid } from '../uuid.ts'
import { runOptions } from './run-options.ts'

const begin = Date.UTC(2026, 2, 8)
const lostAfterHours = 48

const anyEvent: fc.Arbitrary<VehicleEvent> = fc.record({
  operator: fc.constantFrom('one', 'two'),
  deviceId: fc.integer({ min: 1, max: 3 }).map(testUuid),
  eventId: fc.integer({ min: 1, max: 60 }).map((n) => testUuid(n * 7919)),
  // Quarter hours within 13 days: events with one id are versions of each other if they are at most 14 days apart.
  // Some times coincide, and some gaps exceed `lostAfterHours`.
  time: fc
    .oneof(fc.integer({ min: 0, max: 40 }), fc.integer({ min: 0, max: 4 * 24 * 13 }))
    .map((quarterHours) => begin + quarterHours * (hourMs / 4)),
  state: fc.oneof(
    fc.constantFrom(...vehicleStateNames),
    fc.constantFrom('available', 'on_trip', 'non_contactable', 'non_operational' as const),
  ),
  types: fc.array(fc.constantFrom(...eventTypes), { minLength: 1, maxLength: 2 }),
  tripIds: fc.constant([]),
  lon: fc.oneof(fc.constantFrom(-75, -75.0005, -75.01), fc.constant(NaN)),
  lat: fc.constantFrom(37, 37.0004),
  accuracy: fc.constant(NaN),
  battery: fc.constantFrom(NaN, 20, 80),
  published: fc.constantFrom(0, 0, begin, begin + 1),
})

/** Batches of events in any order, with some events repeated. */
const anyBatches = fc
  .record({
    events: fc.array(anyEvent, { minLength: 1, maxLength: 60 }),
    order: fc.infiniteStream(fc.nat()),
    copies: fc.integer({ min: 0, max: 10 }),
    cuts: fc.integer({ min: 1, max: 4 }),
  })
  .map(({ events, order, copies, cuts }) => {
    const nextNumber = (): number => order.next().value ?? 0
    const repeated = Array.from(
      { length: copies },
      () => events[nextNumber() % events.length] as VehicleEvent,
    )
    const shuffled = [...events, ...repeated]
      .map((event) => ({ event, sortKey: nextNumber() }))
      .toSorted((a, b) => a.sortKey - b.sortKey)
      .map(({ event }) => event)
    const size = Math.ceil(shuffled.length / cuts)
    return {
      events,
      batches: Array.from({ length: cuts }, (_, k) => shuffled.slice(k * size, (k + 1) * size)).filter(
        (batch) => batch.length,
      ),
    }
  })

const toSortedLines = (rows: PlainRow[]): string[] =>
  rows
    .map((row) =>
      JSON.stringify([row.device, row.from, row.to, row.event, row.state ?? null, row.ended ?? null]),
    )
    .toSorted()

describe('fleet facts', () => {
  let facts: Facts
  let version = 0n
  useFacts((opened) => void (facts = opened))

  const storeAndDerive = async (batches: readonly (readonly VehicleEvent[])[]) => {
    const regionId = `r-${randomUUID().slice(0, 8)}`
    const scope = regionScope(randomUUID(), regionId)
    let underivedRuns: string[] = []
    for (const [index, events] of batches.entries()) {
      const batch = {
        organizationId: '',
        regionId,
        operator: 'one',
        feedId: 'feed',
        stream: 'events',
        windowStart: begin,
        received: begin,
        records: { ...noRecords(), events: [...events] },
      }
      const { runId } = await storeRecords(facts, scope, batch, {
        newVehicles: { vehicles: [], retyped: [] },
      })
      if (runId) underivedRuns.push(runId)
      // Derives after every second batch and after the last, so that some runs contain several batches.
      if (index % 2 === 0 && index < batches.length - 1) continue
      await deriveFleet(facts, scope, { regionId, runIds: underivedRuns, version: ++version, lostAfterHours })
      underivedRuns = []
    }
    const regionSql = bind('String', regionId)
    const columns = sql`
      toString(device_id) as device,
      toInt64(toUnixTimestamp64Milli(from_time)) as from,
      toInt64(toUnixTimestamp64Milli(to_time)) as to,
      toString(event_id) as event`
    const intervals = await facts.rows<Record<string, string>>(
      scope,
      sql`select ${columns}, state from ${latest('vehicle_intervals')} where region_id = ${regionSql}`,
    )
    const parking = await facts.rows<Record<string, string>>(
      scope,
      sql`select ${columns}, ended from ${latest('parking_events')} where region_id = ${regionSql}`,
    )
    const toPlainRow = (row: Record<string, string>): PlainRow => ({
      device: row['device'] ?? '',
      from: Number(row['from']),
      to: Number(row['to']),
      event: row['event'] ?? '',
    })
    return {
      intervals: toSortedLines(
        intervals.map((row) => ({ ...toPlainRow(row), state: row['state'] as never })),
      ),
      parking: toSortedLines(
        parking.map((row) => ({ ...toPlainRow(row), ended: Number(row['ended']) === 1 })),
      ),
    }
  }

  it('equal the plain reference for events in any order, repeated, in several versions and batches', async () => {
    await fc.assert(
      fc.asyncProperty(anyBatches, async ({ events, batches }) => {
        const derivedFacts = await storeAndDerive(batches)
        expect(derivedFacts.intervals).toEqual(toSortedLines(plainIntervals(events)))
        expect(derivedFacts.parking).toEqual(toSortedLines(plainParking(events, lostAfterHours)))
      }),
      runOptions('FLEET', { runs: 4, seed: 4870 }),
    )
  })
})
