// Compares curb sessions with the reference implementation, for events in any order, batches and versions.
import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { dayMs, minuteMs } from '#contract/period.ts'
import type { CurbEvent } from '#server/curb/sessions/curb-event.ts'
import { CurbSessions } from '#server/curb/sessions/curb-sessions.ts'
import { areSessionsPending } from '#server/curb/sessions/pending-sessions.ts'
import { Derivation } from '#server/derived/derivation.ts'
import { systemScope } from '#server/identity/scope.ts'
import { createSecretBox } from '#server/stores/secret-box.ts'
import type { Facts } from '#server/stores/facts.ts'
import { bind, latest, sql } from '#server/stores/sql.ts'
import type { State } from '#server/stores/state.ts'
import { createRandom } from '../city/random.ts'
import { plainSessions, sensorEvent } from '../curb/plain-sessions.ts'
import { useStores } from './use-stores.ts'
import { storeRegion } from '../store-region.ts'

const runs = Number(process.env['CURB_RUNS'] ?? 2)
const base = Date.UTC(2026, 2, 7, 12)

const plainEvent: CurbEvent = { ...sensorEvent, time: base, publicationTime: base }

/** Makes events with all kinds of problems: lost and repeated ends, equal times, versions with another lane or time. */
function makeRandomEvents(random: () => number): CurbEvent[] {
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item
  const events: CurbEvent[] = []
  for (let index = 0; index < 120; index++) {
    const kind = pick(['space', 'zone', 'vehicle', 'session'])
    // Few different times, so that many are equal. Some sessions last longer than a week.
    const time = base + Math.floor(random() * 40) * minuteMs + (random() < 0.1 ? 8 * dayMs : 0)
    const event: CurbEvent = {
      ...plainEvent,
      eventId: `event-${index}`,
      type: pick(['park_start', 'park_end']),
      time,
      publicationTime: time + Math.floor(random() * 5),
      zoneId: pick(['zone-1', 'zone-2']),
      spaceId: kind === 'space' ? pick(['space-1', "space'2\\"]) : '',
      sessionKey: kind === 'session' ? `session-${Math.floor(random() * 15)}` : '',
      vehicle: kind === 'vehicle' ? pick(['plate A', 'plate B']) : '',
      amount: pick([null, 100, 250]),
      method: random() < 0.05 ? 'test' : '',
    }
    // All events of a session id are within a week.
    if (event.sessionKey) event.time = base + (event.time % (40 * minuteMs))
    events.push(event)
    if (random() < 0.25)
      events.push({
        ...event,
        time: event.time + Math.floor(random() * 4 - 2) * minuteMs,
        zoneId: pick(['zone-1', 'zone-2']),
        amount: 999,
        publicationTime: event.publicationTime + 1000,
      })
    if (random() < 0.1) events.push(event)
  }
  return events
}

const shuffle = <Item>(items: readonly Item[], random: () => number): Item[] =>
  items
    .map((item) => ({ item, sortKey: random() }))
    .toSorted((a, b) => a.sortKey - b.sortKey)
    .map(({ item }) => item)

describe('curb sessions', () => {
  let facts: Facts
  let state: State
  useStores((...opened) => void ([facts, state] = opened))

  async function openRegion() {
    const [organizationId, regionId] = [randomUUID(), `curb-${randomUUID().slice(0, 8)}`]
    await storeRegion(state, {
      organization_id: organizationId,
      region_id: regionId,
      lat: 41,
      lon: -72,
      timezone: 'America/New_York',
    })
    const logged: unknown[] = []
    let clock = base + 10 * dayMs
    const now = (): number => clock++
    const derivation = new Derivation({ state, log: (...line) => void logged.push(line), nowMs: now })
    const secretBox = createSecretBox('a'.repeat(64))
    const sessions = new CurbSessions({ state, facts, secretBox, nowMs: now })
    derivation.add(sessions.product())
    const storeEvents = (events: readonly CurbEvent[]) =>
      sessions.storeBatch({ organizationId, regionId, feedId: 'feed', received: clock, events })
    const readSessions = async () => {
      const rows = await facts.rows<Record<string, unknown>>(
        systemScope,
        sql`
          select
            toString(toUnixTimestamp64Milli(start_time)) as start,
            toString(toUnixTimestamp64Milli(end_time)) as end,
            toString(amount) as paid,
            arraySort(problems) as sorted_problems
          from ${latest('curb_sessions')}
          where region_id = ${bind('String', regionId)}`,
      )
      return rows.map((row) =>
        JSON.stringify([row['start'], row['end'], row['paid'], row['sorted_problems']]),
      )
    }
    return { storeEvents, readSessions, derivation, logged, sessions, regionId }
  }
  const toNullableText = (value: number | null): string | null => (value === null ? null : String(value))
  const listPlainSessions = (events: readonly CurbEvent[]): string[] =>
    plainSessions(events)
      .map(({ start, end, amount, problems }) =>
        JSON.stringify([toNullableText(start), toNullableText(end), toNullableText(amount), problems]),
      )
      .toSorted()

  it.each(Array.from({ length: runs }, (_, run) => run))(
    'equal a plain replay of events in any order and batches (%i)',
    async (run) => {
      const random = createRandom(Number(process.env['CURB_SEED'] ?? 7) * 1000 + run)
      const events = shuffle(makeRandomEvents(random), random)
      const region = await openRegion()
      for (let index = 0; index < events.length;) {
        const count = 1 + Math.floor(random() * 60)
        await region.storeEvents(events.slice(index, index + count))
        index += count
        if (random() < 0.5) await region.derivation.idle()
      }
      await region.derivation.idle()
      expect(region.logged).toEqual([])
      expect((await region.readSessions()).toSorted()).toEqual(listPlainSessions(events))
      // Storing the same events again changes nothing.
      const earlierSessions = await region.readSessions()
      expect(await region.storeEvents(events.slice(0, 50))).toMatchObject({ accepted: 0 })
      await region.derivation.idle()
      expect((await region.readSessions()).toSorted()).toEqual(earlierSessions.toSorted())
    },
  )

  it('are in the zone of their space if their events have no zone', async () => {
    const { storeEvents, derivation, regionId } = await openRegion()
    const store = state.as(systemScope)
    const start = new Date('2020-01-01T00:00:00Z')
    const inventory = randomUUID()
    await store
      .insertInto('curb_inventory')
      .values({ inventory_id: inventory, region_id: regionId, name: 'A', kind: 'cds', created_time: start })
      .execute()
    await store
      .insertInto('curb_place')
      .values({
        region_id: regionId,
        kind: 'space',
        place_id: 'space-7',
        curb_zone_id: 'zone-7',
        inventory_id: inventory,
        geometry: JSON.stringify({ type: 'Point', coordinates: [-72, 41] }),
        record: '{}',
        start_time: start,
        published_time: start,
        updated_time: start,
      })
      .execute()
    const space = { ...plainEvent, zoneId: '', spaceId: 'space-7' }
    await storeEvents([
      { ...space, eventId: 'in' },
      { ...space, eventId: 'out', type: 'park_end', time: base + minuteMs },
      { ...space, eventId: 'elsewhere', spaceId: 'space-8' },
    ])
    await derivation.idle()
    const rows = await facts.rows(
      systemScope,
      sql`
        select zone_id, space_id
        from ${latest('curb_sessions')}
        where region_id = ${bind('String', regionId)}
        order by space_id`,
    )
    expect(rows).toEqual([
      { zone_id: 'zone-7', space_id: 'space-7' },
      { zone_id: '', space_id: 'space-8' },
    ])
  })

  it('are pending in the span of their events until these are derived', async () => {
    const { storeEvents, derivation, regionId } = await openRegion()
    const isPending = (from: number): Promise<boolean> =>
      areSessionsPending(state, { scope: systemScope, regionId }, { from, until: from + 60 * minuteMs })
    await storeEvents([{ ...plainEvent, eventId: 'only' }])
    expect([await isPending(base - 30 * minuteMs), await isPending(base + minuteMs)]).toEqual([true, false])
    await derivation.idle()
    expect(await isPending(base - 30 * minuteMs)).toBe(false)
  })

  it('identify a vehicle by a hash with the key of the region', async () => {
    const { sessions } = await openRegion()
    const hash = sessions.hashVehicle('a', 'plate ABC 123')
    expect(hash).toMatch(/^[\w-]{22}$/)
    expect(sessions.hashVehicle('a', 'plate ABC 123')).toBe(hash)
    expect(sessions.hashVehicle('b', 'plate ABC 123')).not.toBe(hash)
  })
})
