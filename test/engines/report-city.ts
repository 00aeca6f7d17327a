// A region during a clock change, with vehicles in random states, and trips.
import { randomUUID } from 'node:crypto'
import { civilClock, startOfDay } from '#contract/civil-clock.ts'
import { toQualityBits } from '#contract/mobility.ts'
import { dayFromNumber, dayNumber, hourMs, localDay, type LocalDay } from '#contract/period.ts'
import { vehicleStateNames } from '#contract/vehicle-states.ts'
import { Derivation } from '#server/derived/derivation.ts'
import { ReportFacts } from '#server/fleet/reports/report-facts-product.ts'
import type { Facts } from '#server/stores/facts.ts'
import { formatNumberField, formatTimeField } from '#server/stores/row-text.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State } from '#server/stores/state.ts'
import { createRandom } from '../city/random.ts'
import { insertRows } from '../insert-rows.ts'
import { storeRegion } from '../store-region.ts'
import { testUuid } from '../uuid.ts'

export const lostAfterHours = 48
export const operating = { from: '06:30', until: '22:00' }
const types = ['scooter_standing', 'bicycle'] as const
const noId = '00000000-0000-0000-0000-000000000000'

/** The time in which a vehicle was in a state. Times are milliseconds. */
export interface Interval {
  operator: string
  device: string
  type: string
  from: number
  to: number
  state: string
  /** Whether the battery is low. */
  isLow: boolean
}

/** A trip. The distance is in meters (NaN if unknown), the duration in seconds. */
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
  const intervals: Interval[] = []
  const trips: Trip[] = []
  for (let vehicle = 0; vehicle < 14; vehicle++) {
    const operator = vehicle % 3 ? 'lark' : 'heron'
    const type = types[vehicle % 2] as string
    const device = testUuid(vehicle + 1)
    // Some intervals are longer than `lostAfterHours`.
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

/** The first seven vehicles have an electric motor. */
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
  const regionId = `r-${randomUUID().slice(0, 8)}`
  const first = dayNumber(firstDay)
  const days = [0, 1, 2].map((index) => dayFromNumber(first + index))
  const begin = startOfDay(days[0] as string, timezone)
  const clock = { now: startOfDay(dayFromNumber(first + 3), timezone) + 5 * hourMs }
  const scope = await storeRegion(state, {
    organization_id: randomUUID(),
    region_id: regionId,
    lat: 37,
    lon: -75,
    timezone,
    lost_after_hours: lostAfterHours,
    operating_from: operating.from,
    operating_until: operating.until,
  })
  const { intervals, trips } = makeFacts(begin, 3)
  const target = { facts, scope, regionId }
  await insertRows(target, 'vehicle_intervals', intervals, (interval) => ({
    operator: interval.operator,
    device_id: interval.device,
    from_time: formatTimeField(interval.from),
    event_id: noId,
    to_time: formatTimeField(interval.to),
    state: interval.state,
    event_types: interval.isLow ? "['battery_low']" : '[]',
    vehicle_type: interval.type,
    trip_id: noId,
    lon: -75,
    lat: 37,
    accuracy: 5,
    battery: 50,
    is_deleted: 0,
    version: 1,
  }))
  const vehicles = [...new Map(intervals.map((interval) => [interval.device, interval])).values()]
  await insertRows(target, 'vehicles', vehicles, ({ operator, device, type }) => ({
    operator,
    device_id: device,
    vehicle_id: 'v',
    vehicle_type: type,
    mode: 'micromobility',
    propulsion_types: getPropulsion(device) ? "['human','electric']" : '[]',
    attributes: '{}',
    version: 1,
  }))
  const parking = intervals.filter(
    ({ state: stateName, from, to }) => stateName === 'available' && to - from < lostAfterHours * hourMs,
  )
  await insertRows(target, 'parking_events', parking, ({ operator, device, type, from, to }) => ({
    operator,
    device_id: device,
    from_time: formatTimeField(from),
    event_id: noId,
    to_time: formatTimeField(to),
    ended: to < clock.now ? 1 : 0,
    vehicle_type: type,
    lon: -75,
    lat: 37,
    accuracy: 5,
    is_deleted: 0,
    version: 1,
  }))
  const storeTrips = (rows: readonly Trip[], version: number, isDeleted = false): Promise<void> =>
    insertRows(target, 'trips', rows, ({ operator, device, type, start, distance, duration, isOutlier }) => ({
      trip_id: testUuid(Math.floor(start / 1000)),
      operator,
      vehicle_type: type,
      vehicle_id: device,
      start_time: formatTimeField(start),
      end_time: formatTimeField(start + duration * 1000),
      local_date: localDay(new Date(start), timezone),
      local_hour: civilClock(timezone).local(start).hour,
      start_lon: -75,
      start_lat: 37,
      end_lon: -75,
      end_lat: 37,
      distance_m: formatNumberField(distance),
      duration_s: duration,
      quality: isOutlier ? toQualityBits(['over_24_hours']) : 0,
      import_id: noId,
      chunk: 0,
      line: 0,
      source: 'both',
      is_deleted: isDeleted ? 1 : 0,
      version,
    }))
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
  const anyEventTypes = [
    ['provider_drop_off'],
    ['agency_drop_off', 'system_resume'],
    ['provider_drop_off', 'agency_drop_off'],
    ['rebalance_pick_up'],
    ['maintenance_pick_up'],
    ['trip_end'],
  ]
  const events = intervals.map((interval) => ({
    ...interval,
    eventTypes: anyEventTypes[Math.floor(random() * anyEventTypes.length)] as string[],
    isSuperseded: random() < 0.1,
  }))
  await insertRows({ facts, scope, regionId }, 'vehicle_events', events, (event) => ({
    operator: event.operator,
    device_id: event.device,
    event_time: formatTimeField(event.from),
    event_id: randomUUID(),
    state: event.state,
    event_types: `[${event.eventTypes.map((type) => `'${type}'`).join(',')}]`,
    lon: -75,
    lat: 37,
    superseded: event.isSuperseded ? 1 : 0,
    batch_id: noId,
    received_time: formatTimeField(event.from),
    version: 1,
  }))
  return events.filter(({ isSuperseded }) => !isSuperseded)
}
