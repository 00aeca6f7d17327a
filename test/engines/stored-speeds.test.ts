// Compares stored speeds of trips by day with those computed from telemetry, also after late telemetry.
import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { dayMs, minuteMs } from '#contract/period.ts'
import { type SpeedSources, speedRows } from '#server/compliance/days/queries/speed-rows.ts'
import { createRideSpeeds } from '#server/compliance/days/speeds/ride-speeds-product.ts'
import { findSpeedDays } from '#server/compliance/days/speeds/known-speeds.ts'
import { regionScope } from '#server/identity/scope.ts'
import { Derivation } from '#server/derived/derivation.ts'
import { markRideDays } from '#server/fleet/ride-days.ts'
import { telemetryColumns, formatTelemetryLines } from '#server/fleet/events/record-lines.ts'
import type { TelemetryPoint } from '#server/fleet/events/feed-records.ts'
import { createRegion } from '#server/regions/save-region.ts'
import type { Facts } from '#server/stores/facts.ts'
import type { Scope } from '#server/stores/scope.ts'
import { bind, facts as tableOf, sql } from '#server/stores/sql.ts'
import type { State } from '#server/stores/state.ts'
import { makeId } from '../compliance/random-days.ts'
import { useStores } from './use-stores.ts'
import { storeOrganization } from '../store-region.ts'
import { runOptions } from './run-options.ts'

const begin = Date.UTC(2026, 4, 4)
const now = begin + 4.5 * dayMs

const anyPoint = fc.record({
  operator: fc.constantFrom('one', 'two'),
  device: fc.integer({ min: 1, max: 3 }),
  ride: fc.integer({ min: 0, max: 2 }),
  // Close to midnight, where the points that determine a speed are on different days.
  at: fc
    .tuple(fc.integer({ min: 0, max: 4 }), fc.integer({ min: -12, max: 12 }))
    .map(([midnight, minutes]) => begin + midnight * dayMs + minutes * minuteMs),
  /** Thousandths of a degree. */
  east: fc.integer({ min: 0, max: 60 }),
  speed: fc.oneof(
    fc.constant(NaN),
    fc.constantFrom(0, 2.5, 6.944444444, 7, 300),
    fc.float({ min: 0, max: 12, noNaN: true }),
  ),
})
interface Span {
  from: number
  until: number
}
type RandomPoint = typeof anyPoint extends fc.Arbitrary<infer Value> ? Value : never

const makePoint = (
  { operator, device, ride, at, east, speed }: Omit<RandomPoint, 'operator'> & { operator: string },
  id: number,
): TelemetryPoint => ({
  operator,
  deviceId: makeId(1, device),
  telemetryId: makeId(8, id),
  time: at,
  tripIds: ride ? [makeId(3, device * 10 + ride)] : [],
  lon: 10 + east / 1000,
  lat: 50,
  speed,
  heading: NaN,
  accuracy: 5,
  battery: NaN,
})

describe('speeds of rides', () => {
  let facts: Facts
  let state: State
  useStores((...opened) => void ([facts, state] = opened))
  const createDerivation = (): Derivation => {
    const derivation = new Derivation({
      state,
      nowMs: () => now,
      log: (line, details) => expect([line, details]).toEqual([]),
    })
    derivation.add(createRideSpeeds({ state, facts, nowMs: () => now }))
    return derivation
  }

  async function open() {
    const [organizationId, regionId] = [randomUUID(), `r-${randomUUID().slice(0, 8)}`]
    await storeOrganization(state, organizationId)
    await createRegion(state, organizationId, {
      regionId,
      text: 'City',
      lat: 50,
      lon: 10,
      timezone: 'Europe/Berlin',
    })
    const scope = regionScope(organizationId, regionId)
    let received = now
    const storePoints = async (points: readonly TelemetryPoint[]): Promise<void> => {
      if (points.length)
        await facts.insert(scope, 'telemetry', {
          columns: telemetryColumns,
          regionId,
          lines: formatTelemetryLines(points, {
            regionId,
            feedId: randomUUID(),
            batchId: randomUUID(),
            received: received++,
          }),
        })
      await markRideDays(state, scope, { regionId, points, now })
    }
    const makeQuestionAt = (at: number) => ({
      regionId,
      policy: { vehicle_types: [], propulsion_types: [] },
      operators: [],
      lostAfterHours: 48,
      now: at,
    })
    const readSpeeds = async (
      viewer: Scope,
      { span, over: limit, at }: { span: Span; over: number | null; at: number },
      sources: SpeedSources,
    ): Promise<string[]> => {
      const rows = await facts.rows<Record<string, string>>(
        viewer,
        sql`
          select
            operator,
            toString(fact_id) as fact_id,
            toString(trip_id) as trip_id,
            toString(begins) as begins,
            toString(lon) as lon,
            toString(accuracy) as accuracy,
            toString(speed) as speed
          from (${speedRows(makeQuestionAt(at), span, sources, limit)})`,
      )
      return rows.map((row) => JSON.stringify(row)).toSorted()
    }
    const findSources = (viewer: Scope, span: Span): Promise<SpeedSources> =>
      findSpeedDays(facts, viewer, { regionId, span })
    return { regionId, scope, storePoints, readSpeeds, findSources }
  }

  it('are the same stored as computed, for any telemetry and query, also after more telemetry', async () => {
    let storedDays = 0
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyPoint, { minLength: 5, maxLength: 60 }),
        fc.array(anyPoint, { maxLength: 6 }),
        fc.array(fc.nat(59), { maxLength: 3 }),
        fc.array(
          fc.record({
            firstMinute: fc.integer({ min: -1440, max: 5760 }),
            minutes: fc.integer({ min: 1, max: 5760 }),
            over: fc.constantFrom(null, 0, 2.5, 6.944444444, 25 / 3.6, 280),
            isLimitedToOperator: fc.boolean(),
            at: fc.constantFrom(now, now, begin + 2 * dayMs + minuteMs),
          }),
          { minLength: 3, maxLength: 6 },
        ),
        async (points, latePoints, repeatedIndexes, questions) => {
          const city = await open()
          const compareSpeeds = async (): Promise<void> => {
            for (const { firstMinute, minutes, over, isLimitedToOperator, at } of questions) {
              const from = begin + firstMinute * minuteMs
              const span = { from, until: from + minutes * minuteMs }
              const viewer = isLimitedToOperator ? { ...city.scope, operators: ['two'] } : city.scope
              const sources = await city.findSources(viewer, span)
              storedDays += sources.stored.length
              const allDue = { stored: [], due: [...sources.stored, ...sources.due] }
              expect(await city.readSpeeds(viewer, { span, over, at }, sources)).toEqual(
                await city.readSpeeds(viewer, { span, over, at }, allDue),
              )
            }
          }
          await city.storePoints(points.map(makePoint))
          await compareSpeeds()
          await createDerivation().idle()
          await compareSpeeds()
          // Late points, and some points again with another place and speed.
          await city.storePoints([
            ...latePoints.map((point, index) => makePoint(point, 100 + index)),
            ...repeatedIndexes
              .filter((index) => index < points.length)
              .map((index) => makePoint({ ...(points[index] as RandomPoint), east: 61, speed: NaN }, index)),
          ])
          await compareSpeeds()
          await createDerivation().idle()
          await compareSpeeds()
        },
      ),
      runOptions('COMPLIANCE', { runs: 2, seed: 777 }),
    )
    expect(storedDays).toBeGreaterThan(30)
  }, 1_200_000)

  it('stores speeds once a day has ended, by operator, and again only after new telemetry; removes previous builds', async () => {
    const city = await open()
    const makePointAt = (operator: string, at: number, id: number): TelemetryPoint =>
      makePoint({ operator, device: 1, ride: 1, at, east: id, speed: 5 }, id)
    const allDays = { from: begin, until: begin + 5 * dayMs }
    const listDays = async (): Promise<string[]> => {
      const { stored, due } = await city.findSources(city.scope, allDays)
      return [
        ...stored.map((row) => `${row.operator} ${row.day} stored`),
        ...due.map((row) => `${row.operator} ${row.day} due`),
      ].toSorted()
    }
    const countBuilds = async (): Promise<Record<string, number>> => {
      const rows = await facts.rows<{ name: string; n: string }>(
        city.scope,
        sql`
          select concat(operator, ' ', toString(day)) as name, count() as n
          from ${tableOf('ride_speeds')}
          where region_id = ${bind('String', city.regionId)}
          group by name`,
      )
      return Object.fromEntries(rows.map(({ name, n }) => [name, Number(n)]))
    }
    await city.storePoints([
      makePointAt('one', begin + 12 * 60 * minuteMs, 1),
      makePointAt('two', begin + dayMs - minuteMs, 2),
      makePointAt('one', now - 30 * minuteMs, 3),
    ])
    expect(await listDays()).toEqual([
      'one 2026-05-04 due',
      'one 2026-05-05 due',
      'one 2026-05-08 due',
      'two 2026-05-04 due',
      'two 2026-05-05 due',
    ])
    const derivation = createDerivation()
    await derivation.idle()
    // May 5 has only telemetry for the speed of the first points of May 6; May 8 has not ended.
    expect(await listDays()).toEqual([
      'one 2026-05-04 stored',
      'one 2026-05-05 stored',
      'one 2026-05-08 due',
      'two 2026-05-04 stored',
      'two 2026-05-05 stored',
    ])
    expect(await countBuilds()).toEqual({ 'one 2026-05-04': 1, 'two 2026-05-04': 1 })

    await city.storePoints([makePointAt('two', begin + dayMs - 2 * minuteMs, 4)])
    expect(await listDays()).toEqual([
      'one 2026-05-04 stored',
      'one 2026-05-05 stored',
      'one 2026-05-08 due',
      'two 2026-05-04 due',
      'two 2026-05-05 due',
    ])
    await derivation.idle()
    // The former rows remain until the next run, for queries that have already started.
    expect(await countBuilds()).toEqual({ 'one 2026-05-04': 1, 'two 2026-05-04': 3 })
    await derivation.idle()
    expect(await countBuilds()).toEqual({ 'one 2026-05-04': 1, 'two 2026-05-04': 2 })
    const sources = await city.findSources(city.scope, allDays)
    const question = { span: allDays, over: null, at: now }
    expect(await city.readSpeeds(city.scope, question, sources)).toHaveLength(4)
    // Nothing of another region is visible.
    const otherCity = await open()
    expect(await otherCity.findSources(otherCity.scope, allDays)).toEqual({ stored: [], due: [] })
  })
})
