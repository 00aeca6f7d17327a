import { civilClock } from '#contract/civil-clock.ts'
import { dayFromNumber, type LocalDay } from '#contract/period.ts'
import { instant } from '#server/stores/instant.ts'
import type { Facts } from '#server/stores/facts.ts'
import type { Scope } from '#server/stores/scope.ts'
import { type Sql, bind, facts, sql } from '#server/stores/sql.ts'
import type { State } from '#server/stores/state.ts'
import { hourMs, floorToHour, hourShift } from './cube-clock.ts'
import { countFactHours, markFeeDaysDirty, settleDaysAgainMs } from '../fact-days.ts'
import { markReportDaysDirty } from '../reports/report-facts-product.ts'
import { markHoursDirty } from './dirty-hours.ts'
import { type DirtyRuns, dirtySince, historySince } from './queries/dirty-vehicle-hours.ts'
import { findDirtyVehicleHours } from './find-dirty-vehicle-hours.ts'
import { dirtyTrips, type FleetDerivation, onLocalDays, type TripSpan } from '../events/fleet-derivation.ts'

/** Numbers of the hours in which dirty trips start, or did so before: rows that were withdrawn are read too. */
const dirtyTripHours = ({ regionId, runIds, shift }: DirtyRuns, reach: TripSpan): Sql => sql`
  select distinct toUInt32(intDiv(toUnixTimestamp64Milli(start_time) + ${bind('Int64', shift)}, ${bind('Int64', hourMs)})) as hour_number
  from ${facts('trips')}
  where ${onLocalDays({ regionId, ...reach })} and (operator, trip_id) in (${dirtyTrips(regionId, runIds)})`

/** Numbers of the hours in which trips of an import start. */
const importedTripHours = (importId: string, shift: number): Sql => sql`
  select distinct toUInt32(intDiv(toUnixTimestamp64Milli(start_time) + ${bind('Int64', shift)}, ${bind('Int64', hourMs)})) as hour_number
  from ${facts('trips')}
  where import_id = ${bind('UUID', importId)}`

/** Local days with the start of a parking event that a derivation wrote or withdrew. `since`: the first of them, ms. */
const parkingDays = (
  { regionId, version }: Pick<FleetDerivation, 'regionId' | 'version'>,
  since: number,
  timezone: string,
): Sql => sql`
  select distinct toString(toDate(toTimeZone(from_time, ${bind('String', timezone)}))) as day from ${facts('parking_events')}
  where region_id = ${bind('String', regionId)} and from_time >= ${instant(since)} and version = ${bind('UInt64', String(version))}`

interface MarkingContext {
  state: State
  facts: Facts
  /** Ms since 1970. */
  now: () => number
}

const limits = { limits: { seconds: 600, memory: 8 * 2 ** 30 } }

async function queryHourNumbers(store: Facts, scope: Scope, question: Sql): Promise<number[]> {
  return (await store.rows<{ hour_number: number | string }>(scope, question, limits)).map(
    ({ hour_number: number }) => Number(number),
  )
}

/** Numbers of hours since 1970 as their begins, ms; only those that are over. */
const endedHours = (numbers: readonly number[], shift: number, until: number): number[] =>
  [...new Set(numbers)].map((number) => number * hourMs - shift).filter((hour) => hour < until)

async function dirtyVehicleHours(store: Facts, scope: Scope, runs: DirtyRuns): Promise<number[]> {
  const [changes] = await store.rows<{ since: string; parts: string; whole: string }>(scope, dirtySince(runs))
  const numbers =
    changes && changes.parts !== '0' ? await findDirtyVehicleHours(store, scope, runs, changes.since) : []
  if (!changes || changes.whole === '0') return numbers
  const [past] = await store.rows<{ since: string; events: string }>(scope, historySince(runs), limits)
  if (!past || past.events === '0') return numbers
  const first = Math.max(0, Math.floor((Number(past.since) + runs.shift) / hourMs))
  const last = Math.floor((runs.until + runs.shift) / hourMs)
  return [...numbers, ...Array.from({ length: Math.max(0, last - first) }, (_, at) => first + at)]
}

/**
 * Writes down the hours of which the cubes a derivation may have changed. To be called once its facts are stored and before its runs' lists are
 * emptied: a derivation that was cut off is done again, and notes them then. `reach`, `since`: as deriveTrips and deriveFleet answered. The running hour is
 * no cube's yet: of it only the day is noted, for what is kept of compliance.
 */
export async function markDerivedHoursDirty(
  { state, facts, now }: MarkingContext,
  scope: Scope,
  { regionId, runIds, version, lostAfterHours }: FleetDerivation,
  timezone: string,
  reach: TripSpan | null,
  since: number,
): Promise<void> {
  const shift = hourShift(timezone)
  const until = floorToHour(now(), shift)
  const dirtyRuns: DirtyRuns = { regionId, runIds, lostAfterHours, shift, until }
  const [vehicles, parking, trips] = await Promise.all([
    dirtyVehicleHours(facts, scope, dirtyRuns),
    Number.isFinite(since)
      ? facts.rows<{ day: LocalDay }>(scope, parkingDays({ regionId, version }, since, timezone), limits)
      : [],
    reach ? queryHourNumbers(facts, scope, dirtyTripHours(dirtyRuns, reach)) : [],
  ])
  const hours = endedHours([...vehicles, ...trips], shift, until)
  // A window of a policy may have ended within the running hour.
  await countFactHours(state, scope, regionId, [...hours, until, now()])
  const at = new Date(now())
  await markFeeDaysDirty(
    state,
    scope,
    regionId,
    parking.map(({ day }) => day),
    at,
  )
  await markEndedHoursDirty(state, scope, regionId, timezone, hours, at)
}

/** Marks hours that are over for the sums of shapes, and their local days for reports. */
async function markEndedHoursDirty(
  state: State,
  scope: Scope,
  regionId: string,
  timezone: string,
  hours: readonly number[],
  at: Date,
): Promise<void> {
  const clock = civilClock(timezone)
  const days = new Set(hours.map((hour) => clock.local(hour).day))
  const localDays = [...days].map(dayFromNumber)
  await markReportDaysDirty(state, scope, regionId, localDays, at)
  await markFeeDaysDirty(state, scope, regionId, localDays, at)
  await markHoursDirty(state, scope, regionId, hours, at)
}

/** Collects the hours of an import's trips; the returned function marks them: after they are stored, or, if collected before a removal, after it. */
export async function collectImportedHours(
  { state, facts, now }: MarkingContext,
  scope: Scope,
  regionId: string,
  timezone: string,
  importId: string,
): Promise<() => Promise<void>> {
  const shift = hourShift(timezone)
  const hours = endedHours(
    await queryHourNumbers(facts, scope, importedTripHours(importId, shift)),
    shift,
    floorToHour(now(), shift),
  )
  return async () => {
    await countFactHours(state, scope, regionId, hours)
    // Somebody waits for what was imported.
    await markEndedHoursDirty(state, scope, regionId, timezone, hours, new Date(now() - settleDaysAgainMs))
  }
}
