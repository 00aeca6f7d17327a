import type { Facts } from '#server/stores/facts.ts'
import type { Scope } from '#server/stores/scope.ts'
import { type Sql, bind, facts, sql } from '#server/stores/sql.ts'
import type { State } from '#server/stores/state.ts'
import type { Derivation } from '../fleet/derivation.ts'
import type { TripSpan } from '../fleet/derive-trips.ts'
import { hourMs, hourOf, hourShift } from './cube-clock.ts'
import { noteFactDays } from '../note-fact-days.ts'
import { noteHours } from './dirty-hours.ts'
import { type Touching, touchedSince, wholePastSince } from './queries/touched-vehicle-hours.ts'
import { touchedHours } from './touched-hours.ts'
import { onDaysOf, touchedTrips } from '../fleet/queries/trips.ts'

/** Numbers of the hours in which touched trips start or end, or did so before: rows that were taken back still tell. */
const touchedTripHours = ({ regionId, runIds, shift }: Touching, reach: TripSpan): Sql => sql`
  select distinct toUInt32(intDiv(moment + ${bind('Int64', shift)}, ${bind('Int64', hourMs)})) as hour_number
  from (
    select toUnixTimestamp64Milli(start_time) as moment from ${facts('trips')}
    where ${onDaysOf({ regionId, ...reach })} and (operator, trip_id) in (${touchedTrips(regionId, runIds)})
    union all
    select toUnixTimestamp64Milli(end_time) as moment from ${facts('trip_ends')}
    where region_id = ${bind('String', regionId)} and (is_odd = 1 or end_time >= fromUnixTimestamp64Milli(${bind('Int64', reach.from)})) and (operator, trip_id) in (${touchedTrips(regionId, runIds)})
  )
  where moment >= 0`

/** Numbers of the hours in which trips of an import start or end. */
const importedTripHours = (importId: string, shift: number): Sql => sql`
  select distinct toUInt32(intDiv(arrayJoin([toUnixTimestamp64Milli(start_time), ifNull(toUnixTimestamp64Milli(end_time), toUnixTimestamp64Milli(start_time))]) + ${bind('Int64', shift)}, ${bind('Int64', hourMs)})) as hour_number
  from ${facts('trips')}
  where import_id = ${bind('UUID', importId)}`

interface Noting {
  state: State
  facts: Facts
  /** Ms since 1970. */
  now: () => number
}

const limits = { limits: { seconds: 600, memory: 8 * 2 ** 30 } }

async function numbersOf(store: Facts, scope: Scope, question: Sql): Promise<number[]> {
  return (await store.rows<{ hour_number: number | string }>(scope, question, limits)).map(
    ({ hour_number: number }) => Number(number),
  )
}

/** Numbers of hours since 1970 as their begins, ms; only those that are over. */
const overHours = (numbers: readonly number[], shift: number, until: number): number[] =>
  [...new Set(numbers)].map((number) => number * hourMs - shift).filter((hour) => hour < until)

async function vehicleHours(store: Facts, scope: Scope, touching: Touching): Promise<number[]> {
  const [touched] = await store.rows<{ since: string; parts: string; whole: string }>(
    scope,
    touchedSince(touching),
  )
  const numbers =
    touched && touched.parts !== '0' ? await touchedHours(store, scope, touching, touched.since) : []
  if (!touched || touched.whole === '0') return numbers
  const [past] = await store.rows<{ since: string; events: string }>(scope, wholePastSince(touching), limits)
  if (!past || past.events === '0') return numbers
  const first = Math.max(0, Math.floor((Number(past.since) + touching.shift) / hourMs))
  const last = Math.floor((touching.until + touching.shift) / hourMs)
  return [...numbers, ...Array.from({ length: Math.max(0, last - first) }, (_, at) => first + at)]
}

/**
 * Writes down the hours whose cubes a derivation may have changed. To be called once its facts are stored and before its runs' lists are
 * emptied: a derivation that was cut off is done again, and notes them then. `reach`: as deriveTrips answered. The running hour is
 * no cube's yet: of it only the day is noted, for what is kept of compliance.
 */
export async function noteDerivedHours(
  { state, facts, now }: Noting,
  scope: Scope,
  { regionId, runIds, version, lostAfterHours }: Derivation,
  timezone: string,
  reach: TripSpan | null,
): Promise<void> {
  const shift = hourShift(timezone)
  const until = hourOf(now(), shift)
  const touching: Touching = { regionId, runIds, lostAfterHours, shift, until }
  const [vehicles, trips] = await Promise.all([
    vehicleHours(facts, scope, touching),
    reach ? numbersOf(facts, scope, touchedTripHours(touching, reach)) : [],
  ])
  const hours = overHours([...vehicles, ...trips], shift, until)
  // A window of a policy may have ended within the running hour.
  await noteFactDays(state, scope, regionId, [...hours, until, now()])
  await noteHours(state, scope, regionId, hours, version)
}

/** The hours of an import's trips, looked up now; what is answered writes them down: once they are stored, or, looked up before, once they are removed. */
export async function importedHours(
  { state, facts, now }: Noting,
  scope: Scope,
  regionId: string,
  timezone: string,
  importId: string,
): Promise<() => Promise<void>> {
  const shift = hourShift(timezone)
  const hours = overHours(
    await numbersOf(facts, scope, importedTripHours(importId, shift)),
    shift,
    hourOf(now(), shift),
  )
  return async () => {
    await noteFactDays(state, scope, regionId, hours)
    await noteHours(state, scope, regionId, hours, BigInt(now()) * 1000n)
  }
}
