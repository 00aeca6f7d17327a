// Compares the facts of reports with a plain count by minute, during clock changes.
import { describe, expect, it } from 'vitest'
import { civilClock, startOfDay, endOfDay } from '#contract/civil-clock.ts'
import { dayNumber, hourMs, localDay, type LocalDay, minuteMs } from '#contract/period.ts'
import { deployedStates } from '#contract/vehicle-states.ts'
import { systemScope } from '#server/identity/scope.ts'
import { settleDaysAgainMs } from '#server/fleet/fact-changes.ts'
import { markReportDaysDirty } from '#server/fleet/reports/report-days.ts'
import { listOutdatedDays } from '#server/fleet/reports/report-facts-product.ts'
import { unknownValue } from '#server/fleet/reports/queries/report-facts.ts'
import type { Facts } from '#server/stores/facts.ts'
import { bind, latest, sql } from '#server/stores/sql.ts'
import type { State } from '#server/stores/state.ts'
import {
  clockChanges,
  type Interval,
  lostAfterHours,
  makeReportCity,
  operating,
  getPropulsion,
  type Trip,
} from './report-city.ts'
import { useStores } from './use-stores.ts'

describe.each(clockChanges)('facts of reports in %s from %s', (timezone, firstDay) => {
  let facts: Facts
  let state: State
  useStores((...opened) => void ([facts, state] = opened))

  it('equal the plain count of each day, also after a change, and are withdrawn with their trips', async () => {
    const { regionId, scope, days, clock, intervals, trips, storeTrips, derivation, logged } =
      await makeReportCity(state, facts, timezone, firstDay)
    await derivation.idle()
    expect(logged).toEqual([])
    expect(await readStored(facts, days)).toEqual(plainReportFacts({ days, timezone, intervals, trips }))

    const region = { regionId, scope, timezone, lostAfterHours, operatingHours: operating }
    const today = localDay(new Date(clock.now), timezone)
    const listOutdated = (now: number) =>
      listOutdatedDays(state, region, { first: days[0] as string, last: today, now })
    expect(await listOutdated(clock.now)).toEqual([today])
    // The trips of the last day are withdrawn.
    const withdrawn = trips.filter(({ start }) => localDay(new Date(start), timezone) === days[2])
    expect(withdrawn.length).toBeGreaterThan(0)
    await storeTrips(withdrawn, 2, true)
    await markReportDaysDirty(state, scope, { regionId, days: [days[2] as string], at: new Date(clock.now) })
    // Until the changes have settled, the earlier facts of the day are read.
    expect(await listOutdated(clock.now)).toEqual([today])
    expect(await listOutdated(clock.now + settleDaysAgainMs)).toEqual([days[2], today])
    await derivation.idle()
    const remainingTrips = trips.filter((trip) => !withdrawn.includes(trip))
    expect(await readStored(facts, days)).toEqual(
      plainReportFacts({ days, timezone, intervals, trips: remainingTrips }),
    )
  }, 240_000)
})

/** Figures of a day's hour for one operator, vehicle type and propulsion. */
interface HourCounts {
  trips: number
  excluded: number
  /** In thousandths of a meter and of a second, or `unknownValue`. */
  distances: number[]
  durations: number[]
  stateMs: Record<string, number>
  lowBatteryMs: number
}

/** Figures of a day for one operator, vehicle type and propulsion. */
interface FleetDayCounts {
  deployed: Set<string>
  active: Set<string>
  daytimeMs: number
  /** Deployed vehicles by minute. */
  vehicles: Map<number, number>
}

const byKey = (a: unknown[], b: unknown[]): number => (String(a[0]) < String(b[0]) ? -1 : 1)

/** Counts the facts of reports minute by minute, in the form of `readStored`. */
function plainReportFacts(options: {
  days: readonly LocalDay[]
  timezone: string
  intervals: readonly Interval[]
  trips: readonly Trip[]
}) {
  const { days, timezone, intervals, trips } = options
  const hours = new Map<string, HourCounts>()
  const fleetDays = new Map<string, FleetDayCounts>()
  for (const day of days) {
    const [dayStart, dayEnd] = [startOfDay(day, timezone), endOfDay(day, timezone)]
    const toInstant = (hour: number) => civilClock(timezone).instant(dayNumber(day), hour * 3600).ms
    const [opensAt, closesAt] = [toInstant(6.5), toInstant(22)]
    const toKey = ({ operator, type, device }: Interval | Trip): string =>
      `${day} ${operator} ${type} ${getPropulsion(device)}`
    const toHourStart = (ms: number) => dayStart + Math.floor((ms - dayStart) / hourMs) * hourMs
    const getHour = (fact: Interval | Trip, ms: number): HourCounts =>
      getOrCreate(hours, `${toKey(fact)} ${toHourStart(ms)}`, () => ({
        trips: 0,
        excluded: 0,
        distances: [],
        durations: [],
        stateMs: {},
        lowBatteryMs: 0,
      }))
    const getFleetDay = (fact: Interval | Trip): FleetDayCounts =>
      getOrCreate(fleetDays, toKey(fact), () => ({
        deployed: new Set(),
        active: new Set(),
        daytimeMs: 0,
        vehicles: new Map(),
      }))

    for (const trip of trips) {
      if (trip.start < dayStart || trip.start >= dayEnd) continue
      const hour = getHour(trip, trip.start)
      hour.trips++
      if (trip.isOutlier) hour.excluded++
      const toThousandths = (value: number): number =>
        trip.isOutlier || Number.isNaN(value) ? unknownValue : Math.floor(value * 1000 + 0.5)
      hour.distances.push(toThousandths(trip.distance))
      hour.durations.push(toThousandths(trip.duration))
      getFleetDay(trip).active.add(trip.device)
    }
    for (const interval of intervals) {
      if (!(deployedStates as readonly string[]).includes(interval.state)) continue
      const begins = Math.max(interval.from, dayStart)
      const ends = Math.min(interval.to, interval.from + lostAfterHours * hourMs, dayEnd)
      if (ends <= begins) continue
      const fleetDay = getFleetDay(interval)
      fleetDay.deployed.add(interval.device)
      fleetDay.daytimeMs += Math.max(0, Math.min(ends, closesAt) - Math.max(begins, opensAt))
      for (let minute = dayStart; minute < dayEnd; minute += minuteMs)
        if (begins <= minute && minute < ends)
          fleetDay.vehicles.set(minute, (fleetDay.vehicles.get(minute) ?? 0) + 1)
      for (let sliceStart = begins; sliceStart < ends;) {
        const sliceEnd = Math.min(ends, toHourStart(sliceStart) + hourMs)
        const sliceMs = sliceEnd - sliceStart
        const hour = getHour(interval, sliceStart)
        hour.stateMs[interval.state] = (hour.stateMs[interval.state] ?? 0) + sliceMs
        if (interval.state === 'non_operational' && interval.isLow) hour.lowBatteryMs += sliceMs
        sliceStart = sliceEnd
      }
    }
  }
  return {
    hours: [...hours]
      .map(([key, { distances, durations, ...counts }]) => [
        key,
        { ...counts, distances: distances.toSorted(), durations: durations.toSorted() },
      ])
      .toSorted(byKey),
    fleetDays: [...fleetDays]
      .map(([key, { deployed, active, daytimeMs, vehicles }]) => [
        key,
        {
          deployed: deployed.size,
          active: active.size,
          daytimeMs,
          vehicleMinutes: [...vehicles.values()].reduce((sum, count) => sum + count, 0),
          maxVehicles: Math.max(0, ...vehicles.values()),
        },
      ])
      .toSorted(byKey),
  }
}

function getOrCreate<T>(map: Map<string, T>, key: string, create: () => T): T {
  const value = map.get(key) ?? create()
  map.set(key, value)
  return value
}

const toNumbers = (row: Record<string, unknown>): Record<string, number> =>
  Object.fromEntries(Object.entries(row).map(([key, value]) => [key, Number(value)]))

/** Reads the stored facts, in the form of the plain count. */
async function readStored(facts: Facts, days: readonly string[]) {
  const hours = await facts.rows<Record<string, string> & { distances: unknown[]; durations: unknown[] }>(
    systemScope,
    sql`
      select
        concat(toString(day), ' ', operator, ' ', vehicle_type, ' ', propulsion) as fleet_day,
        toUnixTimestamp(hour) * 1000 as hour_start,
        trip_count as trips,
        excluded,
        arraySort(x -> toString(x), distances) as distances,
        arraySort(x -> toString(x), durations) as durations,
        low_battery_ms as lowBatteryMs,
        available_ms as available,
        reserved_ms as reserved,
        on_trip_ms as on_trip,
        stopped_ms as stopped,
        non_operational_ms as non_operational,
        non_contactable_ms as non_contactable
      from ${latest('report_hours')}
      where day in ${bind('Array(Date)', days)}`,
  )
  const fleetDays = await facts.rows<Record<string, string>>(
    systemScope,
    sql`
      select
        concat(toString(day), ' ', operator, ' ', vehicle_type, ' ', propulsion) as key,
        deployed,
        active,
        daytime_ms as daytimeMs,
        arraySum(minutes) as vehicleMinutes,
        arrayMax(minutes) as maxVehicles
      from ${latest('report_fleet_days')}
      where day in ${bind('Array(Date)', days)}`,
  )
  return {
    hours: hours
      .map(({ fleet_day, hour_start, trips, excluded, lowBatteryMs, distances, durations, ...states }) => [
        `${fleet_day} ${hour_start}`,
        {
          ...toNumbers({ trips, excluded, lowBatteryMs }),
          stateMs: Object.fromEntries(Object.entries(toNumbers(states)).filter(([, ms]) => ms > 0)),
          distances: distances.map(Number),
          durations: durations.map(Number),
        },
      ])
      .toSorted(byKey),
    fleetDays: fleetDays.map(({ key, ...counts }) => [key, toNumbers(counts)]).toSorted(byKey),
  }
}
