// The demo stores the history of the curb like the ingest: the same events result in the same sessions.
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { eventColumns } from '#server/curb/sessions/event-rows.ts'
import { CurbSessions } from '#server/curb/sessions/curb-sessions.ts'
import { sessionColumns } from '#server/curb/sessions/session-rows.ts'
import { Derivation } from '#server/derived/derivation.ts'
import { systemScope } from '#server/identity/scope.ts'
import { createSecretBox } from '#server/stores/secret-box.ts'
import type { Facts } from '#server/stores/facts.ts'
import { bind, latest, sql } from '#server/stores/sql.ts'
import type { State } from '#server/stores/state.ts'
import { makeCurbRows } from '../../demo/curb/curb-rows.ts'
import { CurbTraffic } from '../../demo/curb/curb-traffic.ts'
import { listPlates } from '../../demo/curb/deliveries.ts'
import { smallCurb } from '../../demo/curb/small-curb.ts'
import { useStores } from './use-stores.ts'
import { storeRegion } from '../store-region.ts'

const timezone = 'America/New_York'
const places = smallCurb()
const seed = 5
const traffic = new CurbTraffic(places, { seed, timezone })
/** Days of the traffic, half-open. */
const until = traffic.getDay(Date.parse('2026-06-10T16:00:00Z'))
const from = until - 4

let facts: Facts
let state: State
// oxlint-disable-next-line rules-of-hooks
useStores((...opened) => void ([facts, state] = opened))

/** Stores a region and returns the ID of its organization. */
async function openRegion(regionId: string): Promise<string> {
  const organizationId = randomUUID()
  const place = { lat: 37, lon: -75, timezone }
  await storeRegion(state, { organization_id: organizationId, region_id: regionId, ...place })
  return organizationId
}

/** Returns the sessions that begin within the days, without vehicle IDs, because their hashes differ by region. */
async function readSessions(regionId: string): Promise<string[]> {
  const toTimeSql = (day: number) => sql`fromUnixTimestamp64Milli(${bind('Int64', traffic.getDayStart(day))})`
  const rows = await facts.rows<Record<string, unknown>>(
    systemScope,
    sql`
      select
        toString(from_time) as begin,
        session_id,
        toString(start_time) as start,
        toString(end_time) as end,
        zone_id,
        space_id,
        source_kind,
        vehicle_type,
        toString(length(vehicle)) as vehicle_length,
        arraySort(problems) as sorted_problems
      from ${latest('curb_sessions')}
      where region_id = ${bind('String', regionId)}
        and from_time >= ${toTimeSql(from)} and from_time < ${toTimeSql(until)}`,
  )
  return rows.map((row) => JSON.stringify(row)).toSorted()
}

test('the demo stores the sessions that the ingest derives from the same events', async () => {
  const end = traffic.getDayStart(until)
  let clock = end
  const now = (): number => clock++
  const secretBox = createSecretBox('a'.repeat(64))
  const sessions = new CurbSessions({ state, facts, secretBox, nowMs: now })
  const logged: unknown[] = []
  const derivation = new Derivation({ state, log: (...line) => void logged.push(line), nowMs: now })
  derivation.add(sessions.product())

  const organizationId = await openRegion('ingested')
  const events = traffic.events(traffic.getDayStart(from - 4), end).map(({ event }) => event)
  for (let index = 0; index < events.length; index += 1500)
    await sessions.storeBatch({
      organizationId,
      regionId: 'ingested',
      feedId: 'feed',
      received: end,
      events: events.slice(index, index + 1500),
    })
  await derivation.idle()
  expect(logged).toEqual([])

  await openRegion('made')
  const vehicles = listPlates(places).map((plate) => `plate ${plate} PM`)
  const rows = makeCurbRows({
    regionId: 'made',
    timezone,
    seed,
    places,
    from,
    until,
    endMs: end,
    version: BigInt(end) * 1000n,
    hashByVehicle: new Map(vehicles.map((vehicle) => [vehicle, sessions.hashVehicle('made', vehicle)])),
    feedByKind: new Map(),
  })
  await facts.insert(systemScope, 'curb_events', {
    columns: eventColumns,
    regionId: 'made',
    lines: rows.events,
  })
  await facts.insert(systemScope, 'curb_sessions', {
    columns: sessionColumns,
    regionId: 'made',
    lines: rows.sessions,
  })
  const madeSessions = await readSessions('made')
  expect(madeSessions.length).toBe(rows.count)
  expect(madeSessions.length).toBeGreaterThan(1000)
  expect(madeSessions).toEqual(await readSessions('ingested'))
})
