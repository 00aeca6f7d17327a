// Sums of the curb remain after events, sessions and identities of vehicles were removed.
import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { dayFromNumber, dayNumber, hourMs } from '#contract/period.ts'
import type { RetentionCategory } from '#contract/retention.ts'
import type { CurbEvent } from '#server/curb/sessions/curb-event.ts'
import { createCurbHoursProduct } from '#server/curb/sessions/curb-hours-product.ts'
import { CurbSessions } from '#server/curb/sessions/curb-sessions.ts'
import { CurbIndexes } from '#server/curb/store/curb-index.ts'
import { Derivation } from '#server/derived/derivation.ts'
import { sealSpans } from '#server/derived/sealed-spans.ts'
import { systemScope } from '#server/identity/scope.ts'
import { toSeals } from '#server/operations/retention/categories.ts'
import { countRows, removeRows } from '#server/operations/retention/remove-rows.ts'
import { findRemovedBefore } from '#server/regions/fact-limits.ts'
import type { RetentionCutoff } from '#server/regions/old-rows.ts'
import type { Facts } from '#server/stores/facts.ts'
import { createSecretBox } from '#server/stores/secret-box.ts'
import { bind, facts as tableOf, latest, type Sql, sql } from '#server/stores/sql.ts'
import type { State } from '#server/stores/state.ts'
import { createRandom } from '../city/random.ts'
import { useStores } from './use-stores.ts'
import { storeRegion } from '../store-region.ts'
import { sensorEvent } from '../curb/plain-sessions.ts'

const timezone = 'America/New_York'
const begin = Date.UTC(2026, 1, 2, 5)
const dayCount = 70
/** Returns a local day by its position, from 0 for the day of `begin`. */
const getDay = (index: number): string => dayFromNumber(dayNumber('2026-02-02') + index)

describe('retention of the curb', () => {
  let facts: Facts
  let state: State
  useStores((...opened) => void ([facts, state] = opened))

  it('removes old rows of the curb while their sums remain, also when all days are derived again', async () => {
    const [organizationId, regionId] = [randomUUID(), `curb-${randomUUID().slice(0, 8)}`]
    const scope = await storeRegion(state, {
      organization_id: organizationId,
      region_id: regionId,
      lat: 41,
      lon: -72,
      timezone,
    })
    const store = state.as(systemScope)
    let clock = begin + dayCount * 24 * hourMs
    const now = (): number => clock++
    const logged: unknown[] = []
    const derivation = new Derivation({ state, log: (...line) => void logged.push(line), nowMs: now })
    const sessions = new CurbSessions({
      state,
      facts,
      secretBox: createSecretBox('a'.repeat(64)),
      nowMs: now,
    })
    derivation.add(sessions.product())
    derivation.add(createCurbHoursProduct({ state, facts, indexes: new CurbIndexes(state), nowMs: now }))
    const random = createRandom(23)
    let eventCount = 0
    const makeEvent = (type: 'park_start' | 'park_end', time: number, vehicle: string): CurbEvent => ({
      ...sensorEvent,
      eventId: `event-${eventCount++}`,
      type,
      time,
      publicationTime: time,
      zoneId: `zone-${vehicle.length % 3}`,
      vehicle,
    })
    const events: CurbEvent[] = []
    for (let day = 0; day < dayCount - 1; day++)
      for (const vehicle of ['plate A', 'plate BB', 'plate CCC']) {
        const start = begin + day * 24 * hourMs + Math.floor(random() * 10 * hourMs)
        events.push(makeEvent('park_start', start, vehicle))
        // Some ends are lost, and some sessions last past midnight.
        if (random() < 0.9)
          events.push(makeEvent('park_end', start + Math.floor((0.2 + random() * 18) * hourMs), vehicle))
      }
    const storeEvents = (list: readonly CurbEvent[]) =>
      sessions.storeBatch({ organizationId, regionId, feedId: 'feed', received: clock, events: list })
    await storeEvents(events)
    await derivation.idle()
    const regionCondition = sql`region_id = ${bind('String', regionId)}`
    const readSums = async (beforeDay: string) => {
      const rows = await facts.rows<Record<string, unknown>>(
        scope,
        sql`
          select * except (version)
          from ${latest('curb_hours')}
          where ${regionCondition} and day < ${bind('Date', beforeDay)}`,
      )
      return rows.map((row) => JSON.stringify(row)).toSorted()
    }
    const allSums = await readSums('2027-01-01')
    expect(allSums.length).toBeGreaterThan(dayCount)

    const limits: [RetentionCategory, string][] = [
      ['sessions', getDay(20)],
      ['plates', getDay(30)],
    ]
    for (const [category, before_day] of limits)
      await store
        .insertInto('retention_limit')
        .values({ region_id: regionId, category, before_day, sealed_time: new Date(clock) })
        .execute()
    await sealSpans(
      state,
      scope,
      regionId,
      toSeals(await findRemovedBefore(state, scope, regionId), timezone),
    )
    for (const [category, beforeDay] of limits) {
      const cutoff: RetentionCutoff = { regionId, timezone, lostAfterHours: 48, beforeDay, importIds: [] }
      const oldCounts = await countRows({ facts }, scope, category, cutoff)
      expect(oldCounts.every(({ rows }) => rows > 0)).toBe(true)
      await removeRows({ state, facts }, scope, category, cutoff)
      expect((await countRows({ facts }, scope, category, cutoff)).every(({ rows }) => rows === 0)).toBe(true)
    }
    const toLocalDay = (time: Sql) => sql`toDate(toTimeZone(${time}, ${bind('String', timezone)}))`
    const [sessionDays] = await facts.rows<{ first_day: string }>(
      scope,
      sql`
        select toString(min(${toLocalDay(sql`from_time`)})) as first_day
        from ${tableOf('curb_sessions')}
        where ${regionCondition}`,
    )
    expect(sessionDays?.first_day).toBe(getDay(20))
    const hashes = ['plate A', 'plate BB', 'plate CCC'].map((plate) => sessions.hashVehicle(regionId, plate))
    for (const table of ['curb_sessions', 'curb_events'] as const) {
      const time = table === 'curb_events' ? sql`event_time` : sql`from_time`
      const rows = await facts.rows<{ day: string; vehicle: string; lane: string }>(
        scope,
        sql`
          select toString(${toLocalDay(time)}) as day, vehicle, lane
          from ${latest(table)}
          where ${regionCondition}`,
      )
      const rowsWithHash = rows.filter(({ vehicle, lane }) =>
        hashes.some((hash) => `${vehicle} ${lane}`.includes(hash)),
      )
      expect(rowsWithHash.map(({ day }) => day).toSorted()[0]).toBe(getDay(30))
      // Vehicles are still distinguished: three of earlier days and three of today.
      expect(new Set(rows.map(({ vehicle }) => vehicle)).size).toBe(6)
    }
    expect(
      await store
        .selectFrom('retention_limit')
        .select('salt')
        .where('region_id', '=', regionId)
        .where('salt', 'is not', null)
        .execute(),
    ).toEqual([])

    // A late event of a removed day is not stored. A new capacity marks all days as dirty.
    expect(await storeEvents([makeEvent('park_end', begin + 25 * 24 * hourMs, 'plate A')])).toEqual({
      accepted: 0,
      repeated: 0,
    })
    await storeEvents([makeEvent('park_start', begin + 68 * 24 * hourMs + hourMs, 'plate DDDD')])
    await store
      .insertInto('curb_capacity')
      .values({
        region_id: regionId,
        curb_zone_id: 'zone-1',
        start_time: new Date(begin + 200 * 24 * hourMs),
        capacity: 9,
        basis: 'marked',
      })
      .execute()
    await derivation.idle()
    expect(logged).toEqual([])
    expect(await readSums(getDay(68))).toEqual(
      allSums.filter((row) => (JSON.parse(row) as { day: string }).day < getDay(68)),
    )
  })
})
