// A region during a clock change, with vehicles in random states, and trips.
import { tripColumns } from '#server/fleet/trip-columns.ts'
import { randomUUID } from 'node:crypto'
import { civilClock, startOfDay } from '#contract/civil-clock.ts'
import { toQualityBits } from '#contract/mobility.ts'
import { dayFromNumber, dayNumber, hourMs, localDay, type LocalDay } from '#contract/period.ts'
import { vehicleStateNames } from '#contract/vehicle-states.ts'
import { Derivation } from '#server/derived/derivation.ts'
import { ReportFacts } from '#server/fleet/reports/report-facts-product.ts'
import type { Facts } from '#server/stores/facts.ts'
import { encodeLines, formatTimeField } from '#server/stores/row-text.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State } from '#server/stores/state.ts'
import { createRandom } from '../city/random.ts'
import { storeRegion } from '../store-region.ts'
import { testUuid } from '../uuid.ts'

export const lostAfterHours = 48
export const operating = { from: '06:30', until: '22:00' }
const types = ['scooter_standing', 'bicycle'] as const

export interface Interval {
  operator: string
  device: string
  type: string
  from: number
  to: number
  state: string
  isLow: boolean
}
export interface Trip {
  operator: string
  device: string
  type: string
  start: number
  distance: number
  duration: number
  isOutlier: boolean
}

/** Makes vehicles with random states during some days, and trips. */
function makeFacts(begin: number, days: number): { intervals: Interval[]; trips: Trip[] } {
  const random = createRandom(11)
  const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)] as T
  const [intervals, trips]: [Interval[], Trip[]] = [[], []]
  for (let vehicle = 0; vehicle < 14; vehicle++) {
    const [operator, type] = [vehicle % 3 ? 'lark' : 'heron', types[vehicle % 2] as string]
    const device = testUuid(vehicle + 1)
    for (let at = begin - random() * 60 * hourMs; at < begin + days * 24 * hourMs;) {
      const length = random() < 0.05 ? 70 * hourMs * random() : 5 * hourMs * random()
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

export const getPropulsion = (device: string): string => (device < testUuid(8) ? 'electric+human' : '')

/** Time zones with the first of three days. The clocks change on the second day, unless noted. */
export const clockChanges = [
  ['America/New_York', '2026-03-07'],
  ['America/New_York', '2026-10-31'],
  // Clocks that skip and repeat midnight.
  ['America/Santiago', '2026-09-05'],
  ['America/Havana', '2026-10-31'],
  ['Australia/Adelaide', '2026-04-04'],
  // No change, but hours that begin half an hour off those of UTC.
  ['Asia/Kolkata', '2026-03-07'],
] as const

/** Creates a region with three days of facts. The current time is five hours into the fourth day. */
export async function makeReportCity(
  state: State,
  facts: Facts,
  timezone: string,
  firstDay: LocalDay = '2026-03-07',
) {
  const [regionId, organizationId] = [`r-${randomUUID().slice(0, 8)}`, randomUUID()]
  const first = dayNumber(firstDay)
  const days = [0, 1, 2].map((at) => dayFromNumber(first + at))
  const begin = startOfDay(days[0] as string, timezone)
  const clock = { now: startOfDay(dayFromNumber(first + 3), timezone) + 5 * hourMs }
  const scope = await storeRegion(state, {
    organization_id: organizationId,
    region_id: regionId,
    lat: 37,
    lon: -75,
    timezone,
    lost_after_hours: lostAfterHours,
    operating_from: operating.from,
    operating_until: operating.until,
  })
  const { intervals, trips } = makeFacts(begin, 3)
  const nothing = '00000000-0000-0000-0000-000000000000'
  await facts.insert(scope, 'vehicle_intervals', {
    columns: [
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
    lines: encodeLines(
      intervals,
      ({ operator, device, type, from, to, state: stateName, isLow }) =>
        `${regionId}\t${operator}\t${device}\t${formatTimeField(from)}\t${nothing}\t${formatTimeField(to)}\t${stateName}\t${isLow ? "['battery_low']" : '[]'}\t${type}\t${nothing}\t-75\t37\t5\t50\t0\t1\n`,
    ),
  })
  await facts.insert(scope, 'vehicles', {
    columns: [
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
    lines: encodeLines(
      [...new Map(intervals.map((interval) => [interval.device, interval])).values()],
      ({ operator, device, type }) =>
        `${regionId}\t${operator}\t${device}\tv\t${type}\tmicromobility\t${getPropulsion(device) ? "['human','electric']" : '[]'}\t{}\t1\n`,
    ),
  })
  const parking = intervals.filter(
    ({ state: stateName, from, to }) => stateName === 'available' && to - from < lostAfterHours * hourMs,
  )
  await facts.insert(scope, 'parking_events', {
    columns: [
      'region_id',
      'operator',
      'device_id',
      'from_time',
      'event_id',
      'to_time',
      'ended',
      'vehicle_type',
      'lon',
      'lat',
      'accuracy',
      'is_deleted',
      'version',
    ],
    regionId,
    lines: encodeLines(
      parking,
      ({ operator, device, type, from, to }) =>
        `${regionId}\t${operator}\t${device}\t${formatTimeField(from)}\t${nothing}\t${formatTimeField(to)}\t${to < clock.now ? 1 : 0}\t${type}\t-75\t37\t5\t0\t1\n`,
    ),
  })
  const storeTrips = (rows: readonly Trip[], version: number, isDeleted = false): Promise<void> =>
    facts.insert(scope, 'trips', {
      columns: tripColumns,
      regionId,
      lines: encodeLines(
        rows,
        ({ operator, device, type, start, distance, duration, isOutlier }) =>
          `${regionId}\t${testUuid(Math.floor(start / 1000))}\t${operator}\t${type}\t${device}\t${formatTimeField(start)}\t${formatTimeField(start + duration * 1000)}\t${localDay(new Date(start), timezone)}\t${civilClock(timezone).local(start).hour}\t-75\t37\t-75\t37\t${Number.isNaN(distance) ? 'nan' : distance}\t${duration}\t${isOutlier ? toQualityBits(['over_24_hours']) : 0}\t${nothing}\t0\t0\tboth\t${isDeleted ? 1 : 0}\t${version}\n`,
      ),
    })
  await storeTrips(trips, 1)

  const logged: string[] = []
  const derivation = new Derivation({
    state,
    log: (line, details) => void logged.push(`${line} ${JSON.stringify(details)}`),
    nowMs: () => clock.now,
  })
  const reports = new ReportFacts({ state, facts, nowMs: () => clock.now })
  derivation.add(reports.product())
  return { regionId, scope, days, clock, intervals, trips, parking, storeTrips, derivation, logged, reports }
}

/** The event that begins an interval. */
export interface Event extends Interval {
  eventTypes: string[]
}

/** Stores an event for each interval. Later records replace some intervals, which are not returned. */
export async function storeEvents(
  facts: Facts,
  scope: Scope,
  regionId: string,
  intervals: readonly Interval[],
): Promise<Event[]> {
  const random = createRandom(5)
  const kinds = [
    ['provider_drop_off'],
    ['agency_drop_off', 'system_resume'],
    ['provider_drop_off', 'agency_drop_off'],
    ['rebalance_pick_up'],
    ['maintenance_pick_up'],
    ['trip_end'],
  ]
  const events = intervals.map((interval) => ({
    ...interval,
    eventTypes: kinds[Math.floor(random() * kinds.length)] as string[],
    isSuperseded: random() < 0.1,
  }))
  const nothing = '00000000-0000-0000-0000-000000000000'
  const names = [
    'region_id',
    'operator',
    'device_id',
    'event_time',
    'event_id',
    'state',
    'event_types',
    'lon',
    'lat',
  ]
  await facts.insert(scope, 'vehicle_events', {
    columns: [...names, 'superseded', 'batch_id', 'received_time', 'version'],
    regionId,
    lines: encodeLines(events, ({ operator, device, from, state: stateName, eventTypes, isSuperseded }) =>
      [
        regionId,
        operator,
        device,
        formatTimeField(from),
        randomUUID(),
        stateName,
        `[${eventTypes.map((each) => `'${each}'`).join(',')}]`,
        -75,
        37,
        isSuperseded ? 1 : 0,
        nothing,
        formatTimeField(from),
        1,
      ]
        .join('\t')
        .concat('\n'),
    ),
  })
  return events.filter(({ isSuperseded }) => !isSuperseded)
}
