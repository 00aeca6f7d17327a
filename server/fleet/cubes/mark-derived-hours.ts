import { civilClock } from '#contract/civil-clock.ts'
import { dayFromNumber, hourMs, type LocalDay } from '#contract/period.ts'
import { toDateTime } from '#server/stores/date-time.ts'
import type { Facts } from '#server/stores/facts.ts'
import type { Scope } from '#server/stores/scope.ts'
import { type Sql, bind, facts as factTable, sql } from '#server/stores/sql.ts'
import type { State } from '#server/stores/state.ts'
import { floorToHour, hourShift } from './cube-clock.ts'
import { countFactHours, markFeeDaysDirty, settleDaysAgainMs } from '../fact-changes.ts'
import { markReportDaysDirty } from '../reports/report-days.ts'
import { markHoursDirty } from './dirty-hours.ts'
import { type DirtyRuns, dirtySinceSql, historySinceSql } from './queries/dirty-vehicle-hours.ts'
import { findDirtyVehicleHours } from './find-dirty-vehicle-hours.ts'
import {
  dirtyTripsSql,
  type FleetDerivation,
  localDaysCondition,
  type TripSpan,
} from '../events/fleet-derivation.ts'

/** Builds SQL for the numbers of the hours in which dirty trips start, or did in withdrawn versions. */
const dirtyTripHoursSql = ({ regionId, runIds, shift }: DirtyRuns, tripSpan: TripSpan): Sql => sql`
  select distinct toUInt32(
      intDiv(toUnixTimestamp64Milli(start_time) + ${bind('Int64', shift)}, ${bind('Int64', hourMs)})
    ) as hour_number
  from ${factTable('trips')}
  where
    ${localDaysCondition({ regionId, ...tripSpan })}
    and (operator, trip_id) in (${dirtyTripsSql(regionId, runIds)})`

/** Builds SQL for the numbers of the hours in which trips of an import start. */
const importedTripHoursSql = (importId: string, shift: number): Sql => sql`
  select distinct toUInt32(
      intDiv(toUnixTimestamp64Milli(start_time) + ${bind('Int64', shift)}, ${bind('Int64', hourMs)})
    ) as hour_number
  from ${factTable('trips')}
  where import_id = ${bind('UUID', importId)}`

/** Builds SQL for local days with changed starts of parking events. `since`: the first start, ms. */
const parkingDaysSql = (
  { regionId, version }: Pick<FleetDerivation, 'regionId' | 'version'>,
  since: number,
  timezone: string,
): Sql => sql`
  select distinct toString(toDate(toTimeZone(from_time, ${bind('String', timezone)}))) as day
  from ${factTable('parking_events')}
  where
    region_id = ${bind('String', regionId)}
    and from_time >= ${toDateTime(since)}
    and version = ${bind('UInt64', String(version))}`

/** A region with the time zone of its days. */
interface LocalRegion {
  regionId: string
  timezone: string
}

interface MarkingContext {
  state: State
  facts: Facts
  /** Milliseconds since 1970. */
  nowMs: () => number
}

const queryOptions = { limits: { seconds: 600, memory: 8 * 2 ** 30 } }

async function queryHourNumbers(facts: Facts, scope: Scope, query: Sql): Promise<number[]> {
  const rows = await facts.rows<{ hour_number: number | string }>(scope, query, queryOptions)
  return rows.map((row) => Number(row.hour_number))
}

/** Lists the starts (ms) of hours, by their numbers since 1970; only hours that end by `until`. */
const listEndedHours = (hourNumbers: readonly number[], shift: number, until: number): number[] =>
  [...new Set(hourNumbers)].map((number) => number * hourMs - shift).filter((hour) => hour < until)

/** Lists the numbers of the hours in which facts of dirty vehicles may have changed. */
async function listDirtyVehicleHours(facts: Facts, scope: Scope, runs: DirtyRuns): Promise<number[]> {
  const [changes] = await facts.rows<{ since: string; changed_vehicles: string; entirely_dirty: string }>(
    scope,
    dirtySinceSql(runs),
  )
  const hourNumbers =
    changes && changes.changed_vehicles !== '0'
      ? await findDirtyVehicleHours(facts, scope, runs, changes.since)
      : []
  if (!changes || changes.entirely_dirty === '0') return hourNumbers
  // Some vehicles are dirty from their first event: all hours since then.
  const [history] = await facts.rows<{ since: string; events: string }>(
    scope,
    historySinceSql(runs),
    queryOptions,
  )
  if (!history || history.events === '0') return hourNumbers
  const first = Math.max(0, Math.floor((Number(history.since) + runs.shift) / hourMs))
  const last = Math.floor((runs.until + runs.shift) / hourMs)
  return [...hourNumbers, ...Array.from({ length: Math.max(0, last - first) }, (_, offset) => first + offset)]
}

/**
 * Marks the hours and days in which a derivation may have changed facts as dirty. Must be called after its
 * facts are stored and before the marks of its runs are withdrawn, so that an interrupted derivation marks
 * them when it runs again. `tripSpan` and `since` are results of `deriveTrips` and `deriveFleet`. The current
 * hour has no sums yet: only its day is counted as changed, for compliance.
 */
export async function markDerivedHoursDirty(
  { state, facts, nowMs }: MarkingContext,
  scope: Scope,
  { regionId, runIds, version, lostAfterHours }: FleetDerivation,
  { timezone, tripSpan, since }: { timezone: string; tripSpan: TripSpan | null; since: number },
): Promise<void> {
  const shift = hourShift(timezone)
  const until = floorToHour(nowMs(), shift)
  const dirtyRuns: DirtyRuns = { regionId, runIds, lostAfterHours, shift, until }
  const [vehicleHourNumbers, parkingDays, tripHourNumbers] = await Promise.all([
    listDirtyVehicleHours(facts, scope, dirtyRuns),
    Number.isFinite(since)
      ? facts.rows<{ day: LocalDay }>(
          scope,
          parkingDaysSql({ regionId, version }, since, timezone),
          queryOptions,
        )
      : [],
    tripSpan ? queryHourNumbers(facts, scope, dirtyTripHoursSql(dirtyRuns, tripSpan)) : [],
  ])
  const hours = listEndedHours([...vehicleHourNumbers, ...tripHourNumbers], shift, until)
  // The time window of a policy may have ended within the current hour.
  await countFactHours(state, scope, regionId, [...hours, until, nowMs()])
  const at = new Date(nowMs())
  await markFeeDaysDirty(state, scope, { regionId, days: parkingDays.map(({ day }) => day), at })
  await markEndedHoursDirty(state, scope, { regionId, timezone }, { hours, at })
}

/** Marks hours that have ended for the sums by shape, and their local days for reports and fees. */
async function markEndedHoursDirty(
  state: State,
  scope: Scope,
  { regionId, timezone }: LocalRegion,
  { hours, at }: { hours: readonly number[]; at: Date },
): Promise<void> {
  const clock = civilClock(timezone)
  const days = new Set(hours.map((hour) => clock.local(hour).day))
  const localDays = [...days].map(dayFromNumber)
  await markReportDaysDirty(state, scope, { regionId, days: localDays, at })
  await markFeeDaysDirty(state, scope, { regionId, days: localDays, at })
  await markHoursDirty(state, scope, { regionId, hours, at })
}

/**
 * Collects the hours in which an import's trips start. Returns a function that marks them as dirty. For a new
 * import, call both after the trips are stored; for a removal, collect before it and mark after it.
 */
export async function collectImportedHours(
  { state, facts, nowMs }: MarkingContext,
  scope: Scope,
  region: LocalRegion,
  importId: string,
): Promise<() => Promise<void>> {
  const shift = hourShift(region.timezone)
  const hours = listEndedHours(
    await queryHourNumbers(facts, scope, importedTripHoursSql(importId, shift)),
    shift,
    floorToHour(nowMs(), shift),
  )
  return async () => {
    await countFactHours(state, scope, region.regionId, hours)
    // Marked as settled, because users wait for the result of an import.
    await markEndedHoursDirty(state, scope, region, { hours, at: new Date(nowMs() - settleDaysAgainMs) })
  }
}
