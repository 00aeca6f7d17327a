// Compares occupancy by day and hour with a check of each space every second or every ten.
import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { civilClock, startOfDay } from '#contract/civil-clock.ts'
import { dayFromNumber, dayMs, dayNumber, hourMs, localDay, minuteMs } from '#contract/period.ts'
import { readBandOccupancy } from '#server/curb/occupancy/band-occupancy.ts'
import { createOccupancyProduct } from '#server/curb/occupancy/occupancy-product.ts'
import { createCurbHoursProduct } from '#server/curb/sessions/curb-hours-product.ts'
import { curbHours, curbOccupancy } from '#server/curb/product-names.ts'
import { CurbIndexes } from '#server/curb/store/curb-index.ts'
import { Derivation } from '#server/derived/derivation.ts'
import { markDirty } from '#server/derived/dirty-spans.ts'
import { systemScope } from '#server/identity/scope.ts'
import type { Facts } from '#server/stores/facts.ts'
import { formatTimeField } from '#server/stores/row-text.ts'
import { bind, latest, sql } from '#server/stores/sql.ts'
import type { State } from '#server/stores/state.ts'
import { createRandom } from '../city/random.ts'
import {
  type PlainCity,
  type PlainEvent,
  plainOccupancy,
  type PlainSession,
  type PlainZone,
} from '../curb/plain-occupancy.ts'
import { insertRows } from '../insert-rows.ts'
import { storeRegion } from '../store-region.ts'
import { useStores } from './use-stores.ts'

const runs = Number(process.env['OCCUPANCY_RUNS'] ?? 2)
const timezone = 'America/New_York'
const formatTimeOfDay = (minutes: number): string => {
  const padTwo = (number: number): string => String(number).padStart(2, '0')
  return `${padTwo(Math.floor(minutes / 60))}:${padTwo(minutes % 60)}`
}

/** Makes zones, sessions and events between two times. All times are multiples of `grid` (ms) from the first. */
function makeRandomCity(random: () => number, first: number, last: number, grid: number): PlainCity {
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item
  const drawTime = (from = first, until = last): number =>
    from + Math.floor((random() * (until - from)) / grid) * grid
  const zones = ['zone-a', 'zone-b', "zone'c"].map((id, index): PlainZone => ({
    id,
    capacities: [
      { from: first - 30 * dayMs, spaces: 2 + index },
      // Also during the day, and to zero.
      ...(index === 2 ? [] : [{ from: drawTime(), spaces: pick([0, 1, 5]) }]),
    ].toSorted((a, b) => a.from - b.from),
    // Minutes of the day.
    paid: [pick([480, 570]), pick([1080, 1215])],
    noStopping: pick([null, [960, 1050]]),
  }))
  const sessions: PlainSession[] = Array.from({ length: 90 }, () => {
    const from = drawTime(first - 5 * hourMs)
    const zone = pick(zones)
    const isPayment = random() < 0.5
    return {
      zone: zone.id,
      space: random() < 0.6 ? `${zone.id} space ${pick([1, 2, 3])}` : '',
      kind: isPayment ? 'payment' : 'sensor',
      from,
      until: from + (1 + Math.floor(random() * 60)) * 10 * minuteMs + Math.floor(random() * 60) * grid,
    }
  })
  // Days without payments, and a zone whose payments begin later.
  const dayWithoutPayments = localDay(new Date(first + dayMs + 12 * hourMs), timezone)
  const paidSessions = sessions.filter(
    (session) =>
      session.kind === 'sensor' ||
      (localDay(new Date(session.from), timezone) !== dayWithoutPayments &&
        (session.zone !== 'zone-b' || session.from > first + 2 * dayMs)),
  )
  const events: PlainEvent[] = []
  for (const zone of zones)
    for (const space of ['', 1, 2])
      if (random() < 0.8)
        for (let at = first - 20 * hourMs; at < last; at += (1 + Math.floor(random() * 30)) * hourMs)
          events.push({
            device: `device ${zone.id} ${space}`,
            zone: zone.id,
            space: space ? `${zone.id} space ${space}` : '',
            time: at + Math.floor((random() * 50 * minuteMs) / grid) * grid,
            isLost: random() < 0.3,
          })
  return { timezone, zones, sessions: paidSessions, events }
}

/** Minutes of the day, half-open. */
const bands = [
  { key: 'morning', from: 450, until: 645 },
  { key: 'evening', from: 1020, until: 1260 },
]
const dayTypes = [
  { key: 'weekday', weekdays: [1, 2, 3, 4, 5] },
  { key: 'weekend', weekdays: [6, 7] },
]

/** Sums hours (open, known and occupied seconds) by zone, band and day type, one by one. */
function sumBandsPlainly(hours: ReadonlyMap<string, [number, number, number]>, kind: 'measured' | 'paid') {
  const sums = new Map<string, { open: number; known: number; occupied: number; days: Set<string> }>()
  for (const [key, [open, known, occupied]] of hours) {
    const [kindOfKey, date = '', zone = '', clockHour] = key.split(' ')
    const weekday = new Date(date).getUTCDay() || 7
    for (const band of bands)
      for (const type of dayTypes) {
        const begin = Number(clockHour) * 60
        const share = (Math.min(band.until, begin + 60) - Math.max(band.from, begin)) / 60
        if (kindOfKey !== kind || share <= 0 || !type.weekdays.includes(weekday)) continue
        const name = `${zone} ${band.key} ${type.key}`
        const sum = sums.get(name) ?? { open: 0, known: 0, occupied: 0, days: new Set() }
        sum.open += open * share
        sum.known += known * share
        sum.occupied += occupied * share
        if (known > 0) sum.days.add(date)
        sums.set(name, sum)
      }
  }
  const round = (value: number): number => Math.round(value * 1e9) / 1e9
  return [...sums]
    .map(([name, { open, known, occupied, days }]) => [
      name,
      known > 0 ? round(occupied / known) : null,
      round(known / open),
      days.size,
    ])
    .toSorted()
}

describe('occupancy by hour', () => {
  let facts: Facts
  let state: State
  useStores((...opened) => void ([facts, state] = opened))

  async function openRegion(city: PlainCity, now: number) {
    const [organizationId, regionId] = [randomUUID(), `curb-${randomUUID().slice(0, 8)}`]
    const store = state.as(systemScope)
    const place = { lat: 41, lon: -72, timezone }
    await storeRegion(state, { organization_id: organizationId, region_id: regionId, ...place })
    const inventory = randomUUID()
    const start = new Date('2020-01-01T00:00:00Z')
    const times = { start_time: start, published_time: start, updated_time: start }
    await store
      .insertInto('curb_inventory')
      .values({
        inventory_id: inventory,
        region_id: regionId,
        name: 'Made',
        kind: 'drawn',
        created_time: start,
      })
      .execute()
    for (const zone of city.zones) {
      await store
        .insertInto('curb_zone')
        .values({
          region_id: regionId,
          curb_zone_id: zone.id,
          source_id: zone.id,
          shape_uuid: randomUUID(),
          inventory_id: inventory,
          street_name: 'Main St',
          geometry: JSON.stringify({
            type: 'LineString',
            coordinates: [
              [-72, 41],
              [-72.001, 41],
            ],
          }),
          west: -72.001,
          south: 41,
          east: -72,
          north: 41,
          length_cm: 6000,
          record: '{}',
          ...times,
        })
        .execute()
      for (const { from, spaces } of zone.capacities)
        await store
          .insertInto('curb_capacity')
          .values({
            region_id: regionId,
            curb_zone_id: zone.id,
            start_time: new Date(from),
            capacity: spaces,
            basis: 'marked',
          })
          .execute()
      const makePolicy = (id: string, priority: number, rules: object[], spans: object[]) => ({
        region_id: regionId,
        curb_policy_id: `${zone.id} ${id}`,
        signature: id,
        status: 'published',
        name: id,
        policy: JSON.stringify({
          curb_policy_id: `${zone.id} ${id}`,
          published_date: 0,
          priority,
          rules,
          time_spans: spans,
        }),
        created_by: 'test',
        created_time: start,
        modified_time: start,
      })
      const policies = [
        makePolicy(
          'paid',
          2,
          [{ activity: 'parking', rate: [{ rate: 200, rate_unit: 'hour' }] }],
          [
            {
              days_of_week: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat'],
              time_of_day_start: formatTimeOfDay(zone.paid[0]),
              time_of_day_end: formatTimeOfDay(zone.paid[1]),
            },
          ],
        ),
        ...(zone.noStopping
          ? [
              makePolicy(
                'closed',
                1,
                [{ activity: 'no stopping' }],
                [
                  {
                    time_of_day_start: formatTimeOfDay(zone.noStopping[0]),
                    time_of_day_end: formatTimeOfDay(zone.noStopping[1]),
                  },
                ],
              ),
            ]
          : []),
      ]
      await store.insertInto('curb_policy').values(policies).execute()
      await store
        .insertInto('curb_zone_policy')
        .values(
          policies.map(({ curb_policy_id }) => ({
            region_id: regionId,
            curb_zone_id: zone.id,
            curb_policy_id,
            start_time: start,
          })),
        )
        .execute()
    }
    const logged: unknown[] = []
    const derivation = new Derivation({ state, log: (...line) => void logged.push(line), nowMs: () => now })
    const options = { state, facts, indexes: new CurbIndexes(state), nowMs: () => now }
    derivation.add(createCurbHoursProduct(options))
    derivation.add(createOccupancyProduct(options))
    let insertedRows = 0
    const insert = async ({ sessions, events }: Pick<PlainCity, 'sessions' | 'events'>) => {
      const target = { facts, scope: systemScope, regionId }
      await insertRows(target, 'curb_sessions', sessions, ({ zone, space, kind, from, until }) => {
        const id = `session ${insertedRows++}`
        return {
          lane: id,
          from_time: formatTimeField(from),
          session_id: id,
          type: 'parking',
          start_time: formatTimeField(from),
          end_time: formatTimeField(until),
          closed_time: formatTimeField(until),
          zone_id: zone,
          space_id: space,
          source_kind: kind,
          version: 1,
        }
      })
      await insertRows(target, 'curb_events', events, ({ device, zone, space, time, isLost }) => ({
        lane: `source:${device}`,
        event_time: formatTimeField(time),
        event_id: `event ${insertedRows++}`,
        event_type: isLost ? 'comms_lost' : 'scheduled_report',
        zone_id: zone,
        space_id: space,
        source_kind: 'sensor',
        device_id: device,
        version: 1,
      }))
    }
    const derive = async (days: readonly string[]) => {
      for (const product of [curbHours, curbOccupancy])
        await markDirty(
          state,
          systemScope,
          { product, regionId },
          { spans: days, time: new Date(now - hourMs) },
        )
      await derivation.idle()
    }
    const regionCondition = sql`region_id = ${bind('String', regionId)}`
    const readHours = async () => {
      const rows = await facts.rows<{ key: string; open: number; known: number; occupied: number }>(
        systemScope,
        sql`
        select
          concat(kind, ' ', toString(day), ' ', zone_id, ' ', toString(number - 1)) as key,
          open_s[number] as open,
          known_s[number] as known,
          occupied_s[number] as occupied
        from (
          select *, arrayJoin(range(1, 25)) as number
          from ${latest('curb_occupancy_days')}
          where ${regionCondition}
        )
        where open > 0`,
      )
      return new Map(rows.map(({ key, open, known, occupied }) => [key, [open, known, occupied]]))
    }
    const readBands = (kind: 'measured' | 'paid', days: readonly string[]) =>
      readBandOccupancy({ state, facts }, systemScope, {
        regionId,
        zoneIds: null,
        bands,
        dayTypes,
        from: days[0]!,
        until: days.at(-1)!,
        excludedDays: [],
        kind,
      })
    /** Returns the open space time of session sums in seconds, for hours that the clock shows once. */
    const readOpenHours = () =>
      facts.rows<{ zone: string; day: string; clock_hour: number; seconds: number; at: number }>(
        systemScope,
        sql`
        select
          toString(zone_id) as zone,
          toString(day) as day,
          hour_of_day as clock_hour,
          toFloat64(sum(space_ms)) / 1000 as seconds,
          toUnixTimestamp(min(hour)) as at
        from (
          select zone_id, day, hour_of_day, space_ms, hour
          from ${latest('curb_hours')}
          where ${regionCondition} and source_kind = 'sensor'
        )
        group by zone, day, hour_of_day
        having seconds > 0 and uniqExact(hour) = 1`,
      )
    return { insert, derive, readHours, logged, readBands, readOpenHours }
  }

  const springAndFall = ['2026-03-07', '2026-10-31'] as const
  const cases = [
    ...Array.from({ length: runs }, (_, run) => ({ run, dayCount: 4, grid: 10_000 })),
    { run: runs, dayCount: 1, grid: 1000 },
  ]
  it.each(cases)(
    'equals a check every $grid ms, also after late data ($run)',
    async ({ run, dayCount, grid }) => {
      const random = createRandom(Number(process.env['OCCUPANCY_SEED'] ?? 11) * 1000 + run)
      const firstDay = dayNumber(springAndFall[run % 2]!)
      const days = Array.from({ length: dayCount }, (_, index) => dayFromNumber(firstDay + index))
      const first = startOfDay(days[0]!, timezone)
      const last = startOfDay(dayFromNumber(firstDay + dayCount), timezone)
      expect((last - first) / hourMs - 24 * dayCount).toBe(dayCount === 1 ? 0 : run % 2 ? 1 : -1)
      const city = makeRandomCity(random, first, last, grid)
      // The current time is in the last day, whose rest is not open yet.
      const now = last - 5 * hourMs
      const region = await openRegion(city, now)
      const lateSessions = city.sessions.splice(0, 8)
      await region.insert(city)
      await region.derive(days)
      expect(region.logged).toEqual([])
      const sortEntries = (map: ReadonlyMap<string, unknown>) =>
        [...map].toSorted(([a], [b]) => (a < b ? -1 : 1))
      const expected = plainOccupancy(city, first, now, grid)
      expect(sortEntries(await region.readHours())).toEqual(sortEntries(expected))
      // Sums of sessions have the same open time, except in hours in which the number of spaces changes.
      const openHours = (await region.readOpenHours()).filter(
        ({ zone, at }) =>
          !city.zones
            .find(({ id }) => id === zone)
            ?.capacities.some(({ from }) => from > at * 1000 && from < at * 1000 + hourMs),
      )
      expect(openHours.length).toBeGreaterThan(0)
      expect(openHours.map(({ seconds }) => seconds)).toEqual(
        openHours.map(
          ({ zone, day, clock_hour: clockHour }) => expected.get(`measured ${day} ${zone} ${clockHour}`)?.[0],
        ),
      )

      const getDay = (ms: number): number => civilClock(timezone).local(ms).day
      const changedDays = new Set<string>()
      for (const { from, until } of lateSessions)
        for (let number = getDay(from); number <= getDay(until - 1); number++)
          changedDays.add(dayFromNumber(number))
      await region.insert({ sessions: lateSessions, events: [] })
      await region.derive(days.filter((day) => changedDays.has(day)))
      const cityWithLateSessions = { ...city, sessions: [...city.sessions, ...lateSessions] }
      const expectedSums = plainOccupancy(cityWithLateSessions, first, now, grid)
      expect(sortEntries(await region.readHours())).toEqual(sortEntries(expectedSums))

      const round = (value: number): number => Math.round(value * 1e9) / 1e9
      for (const kind of ['measured', 'paid'] as const) {
        const rows = await region.readBands(kind, days)
        expect(
          rows
            .map(({ zone_id, band, day_type, occupancy, coverage, days: known }) => [
              `${zone_id} ${band} ${day_type}`,
              occupancy === null ? null : round(occupancy),
              round(coverage),
              known,
            ])
            .toSorted(),
        ).toEqual(sumBandsPlainly(expectedSums, kind))
      }
    },
  )
})
