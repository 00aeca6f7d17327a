import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { dayMs, dayNumber } from '#contract/period.ts'
import { regionScope, systemScope } from '#server/identity/scope.ts'
import { createEventId } from '#server/feeds/mds/earlier/read-status.ts'
import { activeMarksSql } from '#server/fleet/events/dirty-marks.ts'
import { isLegalTransition } from '#server/fleet/events/state-machine.ts'
import { getEventTurn } from '#server/fleet/events/event-turn.ts'
import { createRegion } from '#server/regions/save-region.ts'
import type { Scope } from '#server/stores/scope.ts'
import { bind, facts, latest, sql } from '#server/stores/sql.ts'
import type { EventType, VehicleState } from '#contract/vehicle-states.ts'
import { historicTypes } from '../../demo/history/history-events.ts'
import { makeHistory, removeHistory, getSeamMs } from '../../demo/history/make-history.ts'
import type { LiveEvent } from '../../demo/live/live-event.ts'
import { FleetSimulation } from '../../demo/live/fleet-simulation.ts'
import { makeSmallCity } from '../../demo/small-city.ts'
import { makeTripChunk, startTripChunks, storeDemoTrips } from '../../demo/store-demo-trips.ts'
import { makeDemoId, makeTripId } from '../../demo/trips/demo-trip.ts'
import { openTestApp, type TestApp } from '../app.ts'

const city = makeSmallCity()
const [seed, regionId] = [5, 'smallville']
// The clocks change on 8 March.
const [from, until] = ['2026-02-22', '2026-03-12']
const seam = getSeamMs(city.timezone, dayNumber(until))
/** From here on, the history of every vehicle is stored. */
const settled = Date.parse('2026-03-04T05:00:00Z')
const simulation = new FleetSimulation(city, seed)

let app: TestApp
let scope: Scope
beforeAll(async () => {
  app = await openTestApp()
  const organizationId = randomUUID()
  await app.state
    .as(systemScope)
    .insertInto('organization')
    .values({ organization_id: organizationId, name: 'Smallville', type: 'city' })
    .execute()
  await createRegion(app.state, organizationId, {
    regionId,
    text: 'Smallville',
    lat: city.lat,
    lon: city.lon,
    mapZoom: 13,
    timezone: city.timezone,
    currencyCode: 'USD',
    isMetric: false,
  })
  scope = regionScope(organizationId, regionId)
  const chunks = startTripChunks({ regionId, seed, from, until }, async (task) => makeTripChunk(city, task))
  await storeDemoTrips(app, scope, chunks, { at: new Date(seam) })
  await makeDemoHistory()
})
afterAll(() => app.close())

const makeDemoHistory = () =>
  makeHistory(
    app.facts,
    scope,
    { regionId, city, seed, until: dayNumber(until), lostAfterHours: 48, firstRunMs: seam },
    () => undefined,
  )

interface Row {
  device: string
  time: number
  id: string
  state: VehicleState
  type: EventType
  trips: string[]
  lon: number
  lat: number
  battery: number | null
  turn: number
}

const readHistory = async (operator: string): Promise<Row[]> => {
  const rows = await app.facts.rows<Omit<Row, 'time'> & { time: string }>(
    scope,
    sql`
    select toString(device_id) as device, toString(toUnixTimestamp64Milli(event_time)) as time, toString(event_id) as id, state, event_types[1] as type, arrayMap(trip -> toString(trip), trip_ids) as trips, lon, lat, battery, turn
    from ${facts('vehicle_events')} where operator = ${bind('String', operator)} order by event_time, device_id`,
  )
  return rows.map((row) => ({ ...row, time: Number(row.time) }))
}
const makeRow = ({ vehicle, kind, number, time, state, types, trip, lon, lat, battery }: LiveEvent): Row => ({
  device: vehicle.id,
  time,
  id:
    vehicle.operator.slug === 'ternbikes'
      ? createEventId('ternbikes', vehicle.id, time, types)
      : makeDemoId(kind, number),
  state,
  type: types[0]!,
  trips: trip === null ? [] : [makeTripId(trip)],
  lon,
  lat,
  battery: Number.isNaN(battery) ? null : battery,
  turn: getEventTurn(types),
})
const sortRows = (rows: readonly Row[]): Row[] =>
  rows.toSorted((a, b) => a.time - b.time || (a.id < b.id ? -1 : 1))
const countRows = async (
  table:
    | 'vehicle_events'
    | 'vehicle_intervals'
    | 'parking_events'
    | 'vehicles'
    | 'trip_events'
    | 'trip_reports',
): Promise<number> =>
  Number((await app.facts.rows<{ n: string }>(scope, sql`select count() as n from ${latest(table)}`))[0]?.n)

describe('the history of the demo', () => {
  it.each(['zephyr', 'ternbikes'])(
    'the history of the demo of %s equals its feed, to the millisecond and with the same IDs',
    async (operator) => {
      const stored = (await readHistory(operator)).filter(
        ({ time, type }) => time >= settled && historicTypes.includes(type),
      )
      const expected = simulation
        .events(operator, settled, seam)
        .filter(({ types }) => historicTypes.includes(types[0]!))
      expect(stored.length).toBeGreaterThan(5000)
      expect(new Set(stored.map(({ type }) => type))).toEqual(new Set(historicTypes))
      expect(sortRows(stored)).toEqual(sortRows(expected.map(makeRow)))
    },
  )

  it('continues in the feeds without a gap: every transition across the seam is legal, and nothing is repeated', async () => {
    for (const operator of ['zephyr', 'ternbikes']) {
      const history = await readHistory(operator)
      const live = simulation.events(operator, seam, seam + dayMs).map(makeRow)
      const known = new Set(history.map(({ id }) => id))
      expect(live.filter(({ id }) => known.has(id))).toEqual([])
      const states = new Map<string, VehicleState>()
      const wrong = sortRows([...history, ...live]).filter(({ device, type, state }) => {
        const before = states.get(device)
        states.set(device, state)
        return before !== undefined && !isLegalTransition('micromobility', before, type, state)
      })
      expect(wrong).toEqual([])
      // The state of a vehicle in a feed is older than that moment.
      const last = simulation.statuses(operator, seam - 1).map(({ event }) => makeRow(event))
      expect(last.filter(({ id, time }) => time >= settled && !known.has(id))).toEqual([])
    }
  })

  it('has no events before an operator launches, of operators without MDS, or after the seam', async () => {
    const [found] = await app.facts.rows<{ operators: string[]; last: string }>(
      scope,
      sql`select groupUniqArray(operator) as operators, toString(toUnixTimestamp64Milli(max(event_time))) as last from ${facts('vehicle_events')}`,
    )
    expect(found?.operators.toSorted()).toEqual(['ternbikes', 'zephyr'])
    expect(Number(found?.last)).toBeLessThan(seam)
  })

  it('registers vehicles, and has a report of each completed trip with its events', async () => {
    expect(await countRows('vehicles')).toBe(2700)
    const [trips] = await app.facts.rows<{ n: string; over: string }>(
      scope,
      sql`select count() as n, countIf(end_time < fromUnixTimestamp64Milli(${bind('Int64', seam)}, 'UTC')) as over from ${latest('trips')} where operator != 'sandpiper'`,
    )
    expect(await countRows('trip_reports')).toBe(Number(trips?.over))
    expect(await countRows('trip_events')).toBe(Number(trips?.n) + Number(trips?.over))
  })

  it('becomes intervals and parking events of the right types', async () => {
    expect(await countRows('vehicle_intervals')).toBe(await countRows('vehicle_events'))
    const types = await app.facts.rows<{ operator: string; type: string }>(
      scope,
      sql`select distinct operator, vehicle_type as type from ${latest('parking_events')} order by operator, type`,
    )
    expect(types.map(({ operator, type }) => `${operator} ${type}`)).toEqual([
      'ternbikes bicycle',
      'ternbikes pedal_bicycle',
      'zephyr scooter_seated',
      'zephyr scooter_standing',
    ])
    const [left] = await app.facts.rows<{ n: string }>(
      scope,
      sql`select count() as n from (${activeMarksSql})`,
    )
    expect(left).toEqual({ n: '0' })
  })

  it('is the same if repeated after an interrupted start', async () => {
    const tables = [
      'vehicle_events',
      'vehicle_intervals',
      'parking_events',
      'vehicles',
      'trip_events',
      'trip_reports',
    ] as const
    const before = await Promise.all(tables.map(countRows))
    await removeHistory(app.facts, scope, regionId)
    expect(await Promise.all(tables.map(countRows))).toEqual(tables.map(() => 0))
    await makeDemoHistory()
    expect(await Promise.all(tables.map(countRows))).toEqual(before)
  })
})
