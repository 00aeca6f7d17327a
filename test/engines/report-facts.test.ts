// Facts of reports against a plain count: minute by minute and row by row, over a change of the clocks.
import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { startOfDay } from '#contract/civil-clock.ts'
import { bitsOf, outlierFlags } from '#contract/mobility.ts'
import { dayFromNumber, dayNumber, localDay } from '#contract/period.ts'
import { deployedStates, vehicleStateNames } from '#contract/vehicle-states.ts'
import { regionScope, systemScope } from '#server/identity/scope.ts'
import { Derivation } from '#server/derived/derivation.ts'
import {
  createReportFacts,
  markReportDaysDirty,
  underivedDays,
} from '#server/mobility/reports/report-facts-product.ts'
import { unknownValue } from '#server/mobility/reports/queries/report-facts.ts'
import type { Facts } from '#server/stores/facts.ts'
import { encodeLines, timeText } from '#server/stores/row-text.ts'
import { bind, latest, sql } from '#server/stores/sql.ts'
import type { State } from '#server/stores/state.ts'
import { numbersFrom } from '../city/random.ts'
import { useStores } from './use-stores.ts'

const [minute, hour] = [60_000, 3_600_000]
const lostAfterHours = 48
const operating = { from: '06:30', until: '22:00' }
const types = ['scooter_standing', 'bicycle'] as const

interface Interval {
  operator: string
  device: string
  type: string
  from: number
  to: number
  state: string
  isLow: boolean
}
interface Trip {
  operator: string
  device: string
  type: string
  start: number
  distance: number
  duration: number
  isOutlier: boolean
}

const uuid = (n: number): string => `${n.toString(16).padStart(8, '0')}-0000-4000-8000-000000000000`

/** Vehicles that change their state at random over some days, and trips. */
function makeFacts(begin: number, days: number): { intervals: Interval[]; trips: Trip[] } {
  const random = numbersFrom(11)
  const pick = <T>(of: readonly T[]): T => of[Math.floor(random() * of.length)] as T
  const [intervals, trips]: [Interval[], Trip[]] = [[], []]
  for (let vehicle = 0; vehicle < 14; vehicle++) {
    const [operator, type] = [vehicle % 3 ? 'lark' : 'heron', types[vehicle % 2] as string]
    const device = uuid(vehicle + 1)
    for (let at = begin - random() * 60 * hour; at < begin + days * 24 * hour;) {
      const length = random() < 0.05 ? 70 * hour * random() : 5 * hour * random()
      const state = pick([...vehicleStateNames, 'available', 'on_trip', 'non_operational'])
      const [from, to] = [Math.floor(at), Math.floor(at + length)]
      intervals.push({ operator, device, type, from, to, state, isLow: random() < 0.5 })
      if (state === 'on_trip')
        trips.push({
          operator,
          device,
          type,
          start: from,
          distance: random() < 0.1 ? NaN : Math.round(random() * 5e6) / 1000,
          duration: Math.round((to - from) / 1000),
          isOutlier: random() < 0.2,
        })
      at = to
    }
  }
  return { intervals, trips }
}

const propulsionOf = (device: string): string => (device < uuid(8) ? 'electric+human' : '')

describe.each(['America/New_York', 'Asia/Kolkata'])('facts of reports in %s', (timezone) => {
  let facts: Facts
  let state: State
  useStores((...opened) => void ([facts, state] = opened))

  it('are the plain count of each day, again after a change, and are withdrawn with their trips', async () => {
    const [regionId, organizationId] = [`r-${randomUUID().slice(0, 8)}`, randomUUID()]
    const scope = regionScope(organizationId, regionId)
    const first = dayNumber('2026-03-07')
    const days = [0, 1, 2].map((at) => dayFromNumber(first + at))
    const begin = startOfDay(days[0] as string, timezone)
    const clock = { now: startOfDay(dayFromNumber(first + 3), timezone) + 5 * hour }
    const store = state.as(systemScope)
    await store
      .insertInto('organization')
      .values({ organization_id: organizationId, name: 'City', type: 'city' })
      .execute()
    await store
      .insertInto('region')
      .values({
        region_id: regionId,
        organization_id: organizationId,
        text: 'City',
        lat: 37,
        lon: -75,
        timezone,
        map_zoom: 11,
        currency_code: 'USD',
        is_metric: true,
        logo_filename: null,
        allowed_maps: null,
        lost_after_hours: lostAfterHours,
        operating_from: operating.from,
        operating_until: operating.until,
      })
      .execute()
    const { intervals, trips } = makeFacts(begin, 3)
    const nothing = '00000000-0000-0000-0000-000000000000'
    await facts.insert(
      scope,
      'vehicle_intervals',
      [
        'region_id',
        'operator',
        'device_id',
        'from_time',
        'event_id',
        'to_time',
        'state',
        'event_types',
        'vehicle_type',
        'trip_id',
        'lon',
        'lat',
        'accuracy',
        'battery',
        'is_deleted',
        'version',
      ],
      regionId,
      encodeLines(
        intervals,
        ({ operator, device, type, from, to, state: of, isLow }) =>
          `${regionId}\t${operator}\t${device}\t${timeText(from)}\t${nothing}\t${timeText(to)}\t${of}\t${isLow ? "['battery_low']" : '[]'}\t${type}\t${nothing}\t-75\t37\t5\t50\t0\t1\n`,
      ),
    )
    await facts.insert(
      scope,
      'vehicles',
      [
        'region_id',
        'operator',
        'device_id',
        'vehicle_id',
        'vehicle_type',
        'mode',
        'propulsion_types',
        'attributes',
        'version',
      ],
      regionId,
      encodeLines(
        [...new Map(intervals.map((each) => [each.device, each])).values()],
        ({ operator, device, type }) =>
          `${regionId}\t${operator}\t${device}\tv\t${type}\tmicromobility\t${propulsionOf(device) ? "['human','electric']" : '[]'}\t{}\t1\n`,
      ),
    )
    const storeTrips = (rows: readonly Trip[], version: number, isDeleted = false): Promise<void> =>
      facts.insert(
        scope,
        'trips',
        [
          'region_id',
          'trip_id',
          'operator',
          'vehicle_type',
          'vehicle_id',
          'start_time',
          'end_time',
          'local_date',
          'local_hour',
          'start_lon',
          'start_lat',
          'end_lon',
          'end_lat',
          'distance_m',
          'duration_s',
          'quality',
          'import_id',
          'chunk',
          'line',
          'source',
          'is_deleted',
          'version',
        ],
        regionId,
        encodeLines(
          rows,
          ({ operator, device, type, start, distance, duration, isOutlier }) =>
            `${regionId}\t${uuid(Math.floor(start / 1000))}\t${operator}\t${type}\t${device}\t${timeText(start)}\t${timeText(start + duration * 1000)}\t${localDay(new Date(start), timezone)}\t0\t-75\t37\t-75\t37\t${Number.isNaN(distance) ? 'nan' : distance}\t${duration}\t${isOutlier ? bitsOf(['over_24_hours']) : 0}\t${nothing}\t0\t0\tboth\t${isDeleted ? 1 : 0}\t${version}\n`,
        ),
      )
    await storeTrips(trips, 1)

    const logged: string[] = []
    const derivation = new Derivation({
      state,
      log: (line, details) => void logged.push(`${line} ${JSON.stringify(details)}`),
      now: () => clock.now,
    })
    derivation.add(createReportFacts({ state, facts, now: () => clock.now }))
    await derivation.idle()
    expect(logged).toEqual([])
    expect(await stored(facts, days)).toEqual(plain(intervals, trips))

    const region = { regionId, scope, timezone, lostAfterHours, operatingHours: operating }
    const today = dayFromNumber(first + 3)
    expect(await underivedDays(state, region, days[0] as string, today, clock.now)).toEqual([today])
    // Trips of the last day are taken back.
    const gone = trips.filter(({ start }) => localDay(new Date(start), timezone) === days[2])
    expect(gone.length).toBeGreaterThan(0)
    await storeTrips(gone, 2, true)
    await markReportDaysDirty(state, scope, regionId, [days[2] as string], new Date(clock.now))
    expect(await underivedDays(state, region, days[0] as string, today, clock.now)).toEqual([days[2], today])
    await derivation.idle()
    expect(await stored(facts, days)).toEqual(
      plain(
        intervals,
        trips.filter((trip) => !gone.includes(trip)),
      ),
    )

    function plain(ridden: readonly Interval[], made: readonly Trip[]) {
      const hours = new Map<string, Record<string, unknown>>()
      const fleets = new Map<string, Record<string, unknown>>()
      const keyOf = (each: { operator: string; type: string; device: string }): string =>
        `${each.operator} ${each.type} ${propulsionOf(each.device)}`
      for (const day of days) {
        const [from, until] = [
          startOfDay(day, timezone),
          startOfDay(dayFromNumber(dayNumber(day) + 1), timezone),
        ]
        const [opens, shuts] = [from + 6.5 * hour, from + 22 * hour].map(
          // The clocks change at two in the morning: afterwards every hour of the clock is an hour off.
          (ms) => ms + (until - from === 24 * hour ? 0 : 24 * hour - (until - from)) * -1,
        ) as [number, number]
        const fleet = (key: string): Record<string, unknown> => {
          let found = fleets.get(`${day} ${key}`)
          if (!found)
            fleets.set(
              `${day} ${key}`,
              (found = {
                minutes: new Map<number, number>(),
                deployed: new Set(),
                active: new Set(),
                daytime: 0,
              }),
            )
          return found
        }
        const hourRow = (ms: number, key: string): Record<string, number & number[]> => {
          const start = Math.floor((ms - from) / hour) * hour + from
          const name = `${day} ${key} ${start}`
          let found = hours.get(name)
          if (!found)
            hours.set(name, (found = { trips: 0, excluded: 0, distances: [], durations: [], low: 0 }))
          return found as Record<string, number & number[]>
        }
        for (const trip of made) {
          if (trip.start < from || trip.start >= until) continue
          const row = hourRow(trip.start, keyOf(trip)) as unknown as {
            trips: number
            excluded: number
            distances: number[]
            durations: number[]
          }
          row.trips++
          if (trip.isOutlier) row.excluded++
          const of = (value: number): number =>
            trip.isOutlier || Number.isNaN(value) ? unknownValue : Math.floor(value * 1000 + 0.5)
          row.distances.push(of(trip.distance))
          row.durations.push(of(trip.duration))
          ;(fleet(keyOf(trip))['active'] as Set<string>).add(trip.device)
        }
        for (const each of ridden) {
          if (!(deployedStates as readonly string[]).includes(each.state)) continue
          const [begins, ends] = [
            Math.max(each.from, from),
            Math.min(each.to, each.from + lostAfterHours * hour, until),
          ]
          if (ends <= begins) continue
          const of = fleet(keyOf(each))
          ;(of['deployed'] as Set<string>).add(each.device)
          of['daytime'] =
            (of['daytime'] as number) + Math.max(0, Math.min(ends, shuts) - Math.max(begins, opens))
          const minutes = of['minutes'] as Map<number, number>
          for (let at = from; at < until; at += minute)
            if (begins <= at && at < ends) minutes.set(at, (minutes.get(at) ?? 0) + 1)
          for (let at = begins; at < ends;) {
            const end = Math.min(ends, from + (Math.floor((at - from) / hour) + 1) * hour)
            const row = hourRow(at, keyOf(each)) as unknown as Record<string, number>
            row[each.state] = (row[each.state] ?? 0) + end - at
            if (each.state === 'non_operational' && each.isLow) row['low'] = (row['low'] ?? 0) + end - at
            at = end
          }
        }
      }
      return {
        hours: [...hours]
          .map(([key, { distances, durations, ...row }]) => [
            key,
            {
              ...row,
              distances: (distances as number[]).toSorted(),
              durations: (durations as number[]).toSorted(),
            },
          ])
          .toSorted(byKey),
        fleets: [...fleets]
          .map(([key, { minutes, deployed, active, daytime }]) => [
            key,
            {
              deployed: (deployed as Set<string>).size,
              active: (active as Set<string>).size,
              daytime,
              vehicle_minutes: [...(minutes as Map<number, number>).values()].reduce((sum, n) => sum + n, 0),
              max: Math.max(0, ...(minutes as Map<number, number>).values()),
            },
          ])
          .toSorted(byKey),
      }
    }
  }, 240_000)
})

const byKey = (a: unknown[], b: unknown[]): number => (String(a[0]) < String(b[0]) ? -1 : 1)
const numeric = (row: Record<string, unknown>): Record<string, number> =>
  Object.fromEntries(Object.entries(row).map(([key, value]) => [key, Number(value)]))

/** What is stored, in the form of the plain count. */
async function stored(facts: Facts, days: readonly string[]) {
  const hours = await facts.rows<Record<string, never>>(
    systemScope,
    sql`select concat(toString(day), ' ', operator, ' ', vehicle_type, ' ', propulsion, ' ', toString(toUnixTimestamp(hour) * 1000)) as key, trip_count as trips, excluded, arraySort(x -> toString(x), distances) as distances, arraySort(x -> toString(x), durations) as durations, low_battery_ms as low, available_ms as available, reserved_ms as reserved, on_trip_ms as on_trip, stopped_ms as stopped, non_operational_ms as non_operational, non_contactable_ms as non_contactable from ${latest('report_hours')} where day in ${bind('Array(Date)', days)}`,
  )
  const fleets = await facts.rows<Record<string, never>>(
    systemScope,
    sql`select concat(toString(day), ' ', operator, ' ', vehicle_type, ' ', propulsion) as key, deployed, active, daytime_ms as daytime, arraySum(minutes) as vehicle_minutes, arrayMax(minutes) as max from ${latest('report_fleet_days')} where day in ${bind('Array(Date)', days)}`,
  )
  return {
    hours: hours
      .map(({ key, distances, durations, trips, excluded, low, ...states }) => [
        key,
        {
          ...numeric({ trips, excluded, low }),
          ...Object.fromEntries(Object.entries(numeric(states)).filter(([, ms]) => ms > 0)),
          distances: (distances as unknown as (number | string)[]).map(Number),
          durations: (durations as unknown as (number | string)[]).map(Number),
        },
      ])
      .toSorted(byKey),
    fleets: fleets.map(({ key, ...row }) => [key, numeric(row)]).toSorted(byKey),
  }
}
