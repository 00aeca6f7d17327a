// Compares the facts of reports with a plain count by minute, during clock changes.
import { describe, expect, it } from 'vitest'
import { civilClock, startOfDay, endOfDay } from '#contract/civil-clock.ts'
import { dayNumber, hourMs, localDay, minuteMs } from '#contract/period.ts'
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

  it('facts of reports equal the plain count of each day, also after a change, and are withdrawn with their trips', async () => {
    const { regionId, scope, days, clock, intervals, trips, storeTrips, derivation, logged } =
      await makeReportCity(state, facts, timezone, firstDay)
    await derivation.idle()
    expect(logged).toEqual([])
    expect(await readStored(facts, days)).toEqual(countPlainly(intervals, trips))

    const region = { regionId, scope, timezone, lostAfterHours, operatingHours: operating }
    const today = localDay(new Date(clock.now), timezone)
    expect(
      await listOutdatedDays(state, region, { first: days[0] as string, last: today, now: clock.now }),
    ).toEqual([today])
    // The trips of the last day are withdrawn.
    const withdrawn = trips.filter(({ start }) => localDay(new Date(start), timezone) === days[2])
    expect(withdrawn.length).toBeGreaterThan(0)
    await storeTrips(withdrawn, 2, true)
    await markReportDaysDirty(state, scope, { regionId, days: [days[2] as string], at: new Date(clock.now) })
    // Until the changes have settled, the earlier facts of the day are read.
    const listUnderived = (at: number) =>
      listOutdatedDays(state, region, { first: days[0] as string, last: today, now: at })
    expect(await listUnderived(clock.now)).toEqual([today])
    expect(await listUnderived(clock.now + settleDaysAgainMs)).toEqual([days[2], today])
    await derivation.idle()
    expect(await readStored(facts, days)).toEqual(
      countPlainly(
        intervals,
        trips.filter((trip) => !withdrawn.includes(trip)),
      ),
    )

    function countPlainly(ridden: readonly Interval[], made: readonly Trip[]) {
      const hours = new Map<string, Record<string, unknown>>()
      const fleets = new Map<string, Record<string, unknown>>()
      const getKey = (interval: { operator: string; type: string; device: string }): string =>
        `${interval.operator} ${interval.type} ${getPropulsion(interval.device)}`
      for (const day of days) {
        const [from, until] = [startOfDay(day, timezone), endOfDay(day, timezone)]
        const [opens, shuts] = [6.5, 22].map(
          (hours) => civilClock(timezone).instant(dayNumber(day), hours * 3600).ms,
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
          const start = Math.floor((ms - from) / hourMs) * hourMs + from
          const name = `${day} ${key} ${start}`
          let found = hours.get(name)
          if (!found)
            hours.set(name, (found = { trips: 0, excluded: 0, distances: [], durations: [], low: 0 }))
          return found as Record<string, number & number[]>
        }
        for (const trip of made) {
          if (trip.start < from || trip.start >= until) continue
          const row = hourRow(trip.start, getKey(trip)) as unknown as {
            trips: number
            excluded: number
            distances: number[]
            durations: number[]
          }
          row.trips++
          if (trip.isOutlier) row.excluded++
          const toThousandths = (value: number): number =>
            trip.isOutlier || Number.isNaN(value) ? unknownValue : Math.floor(value * 1000 + 0.5)
          row.distances.push(toThousandths(trip.distance))
          row.durations.push(toThousandths(trip.duration))
          ;(fleet(getKey(trip))['active'] as Set<string>).add(trip.device)
        }
        for (const interval of ridden) {
          if (!(deployedStates as readonly string[]).includes(interval.state)) continue
          const [begins, ends] = [
            Math.max(interval.from, from),
            Math.min(interval.to, interval.from + lostAfterHours * hourMs, until),
          ]
          if (ends <= begins) continue
          const fleetRow = fleet(getKey(interval))
          ;(fleetRow['deployed'] as Set<string>).add(interval.device)
          fleetRow['daytime'] =
            (fleetRow['daytime'] as number) + Math.max(0, Math.min(ends, shuts) - Math.max(begins, opens))
          const minutes = fleetRow['minutes'] as Map<number, number>
          for (let at = from; at < until; at += minuteMs)
            if (begins <= at && at < ends) minutes.set(at, (minutes.get(at) ?? 0) + 1)
          for (let at = begins; at < ends;) {
            const end = Math.min(ends, from + (Math.floor((at - from) / hourMs) + 1) * hourMs)
            const row = hourRow(at, getKey(interval)) as unknown as Record<string, number>
            row[interval.state] = (row[interval.state] ?? 0) + end - at
            if (interval.state === 'non_operational' && interval.isLow)
              row['low'] = (row['low'] ?? 0) + end - at
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
const toNumbers = (row: Record<string, unknown>): Record<string, number> =>
  Object.fromEntries(Object.entries(row).map(([key, value]) => [key, Number(value)]))

/** Reads the stored facts, in the form of the plain count. */
async function readStored(facts: Facts, days: readonly string[]) {
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
          ...toNumbers({ trips, excluded, low }),
          ...Object.fromEntries(Object.entries(toNumbers(states)).filter(([, ms]) => ms > 0)),
          distances: (distances as unknown as (number | string)[]).map(Number),
          durations: (durations as unknown as (number | string)[]).map(Number),
        },
      ])
      .toSorted(byKey),
    fleets: fleets.map(({ key, ...row }) => [key, toNumbers(row)]).toSorted(byKey),
  }
}
