import { createHash } from 'node:crypto'
import { startOfDay, endOfDay } from '#contract/civil-clock.ts'
import { dayMs, daysBetween, hourMs, type LocalDay, localDay } from '#contract/period.ts'
import type { DerivedProduct, DerivedRegion } from '#server/derived/derived-product.ts'
import { markDirty } from '#server/derived/dirty-spans.ts'
import { hourShift } from '#server/fleet/cubes/cube-clock.ts'
import { groupSuccessiveDays } from '#server/fleet/reports/report-days.ts'
import { createVersionCounter, type Facts } from '#server/stores/facts.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { ScopedTable, Sql } from '#server/stores/sql.ts'
import type { State, Store } from '#server/stores/state.ts'
import { type AwayTime, readAwayTimes } from './away-times.ts'
import { HourFrame, type Times } from '../occupancy/hour-frame.ts'
import { ZoneTerms } from '../occupancy/zone-terms.ts'
import type { CurbIndex, CurbIndexes } from '../store/curb-index.ts'
import { findFirstDifference, hashRulesByMonth } from '../store/rules-by-month.ts'
import { curbHours, curbOccupancy, settleCurbDaysMs } from '../product-names.ts'
import type { HourDays, OpenHours, StayCounts } from './queries/hour-parts.ts'
import {
  firstEventDaySql,
  hourColumns,
  hourRows,
  rollupColumns,
  rollupRows,
  rollups,
  deletionRows,
} from './queries/hours.ts'
import { readStays } from './read-stays.ts'
import { findStayViolations } from './stay-rules.ts'

/** To be increased when the meaning of stored sums changes; all days are then derived again. */
const sumsVersion = 2
/** Number of days that one statement derives. */
const maxDaysAtOnce = 14
const queryOptions = { limits: { seconds: 600, memory: 4 * 2 ** 30 }, areDistinct: true }

interface CurbHoursOptions {
  state: State
  facts: Facts
  indexes: CurbIndexes
  /** Milliseconds since 1970. */
  nowMs: () => number
}

/** Finds the first day with sums that two bases change; all days if one is not JSON (early versions). */
const findFirstChangedDay = (storedBasis: string, basis: string): LocalDay =>
  storedBasis.startsWith('{') ? findFirstDifference(storedBasis, basis) : '1970-01-01'
const getLaterDay = (a: LocalDay, b: LocalDay): LocalDay => (a > b ? a : b)

type Places = Pick<HourDays, 'capacities' | 'spaces'>

/** The rules of a region's curb. */
interface CurbRules {
  index: CurbIndex
  awayTimes: readonly AwayTime[]
}

/** What the sums of a region depend on, besides sessions and events. */
interface Inputs extends CurbRules {
  places: Places
}

/** The inputs of the stored sums as a text, and the last day that had ended then. */
type StoredBasis = { basis: string; ended_day: LocalDay } | undefined

/** Reads the capacities of zones by time, and the zones of marked spaces. */
async function readPlaces(store: Store, regionId: string): Promise<Places> {
  const [capacities, spaces] = await Promise.all([
    store
      .selectFrom('curb_capacity')
      .select(['curb_zone_id', 'start_time', 'capacity'])
      .where('region_id', '=', regionId)
      .orderBy('curb_zone_id')
      .orderBy('start_time')
      .execute(),
    store
      .selectFrom('curb_place')
      .select(['place_id', 'curb_zone_id'])
      .where('region_id', '=', regionId)
      .where('kind', '=', 'space')
      .where('curb_zone_id', 'is not', null)
      .orderBy('place_id')
      // If the zone of a space was edited, the last row refers to the newest zone.
      .orderBy('start_time')
      .execute(),
  ])
  return {
    capacities: capacities.map((row) => ({
      zoneId: row.curb_zone_id,
      from: row.start_time.getTime(),
      capacity: row.capacity,
    })),
    spaces: new Map(spaces.map((row) => [row.place_id, row.curb_zone_id ?? ''])),
  }
}

/** Returns the inputs as a text. Days are derived again when it changes. */
const formatBasis = (
  { index, awayTimes, places: { capacities, spaces } }: Inputs,
  timezone: string,
): string =>
  JSON.stringify({
    version: sumsVersion,
    timezone,
    places: createHash('sha256')
      .update(JSON.stringify([capacities, [...spaces]]))
      .digest('hex'),
    ...(awayTimes.length
      ? { away: awayTimes.map(({ zoneIds, ...rule }) => ({ ...rule, zones: zoneIds && [...zoneIds] })) }
      : {}),
    ...hashRulesByMonth(index, timezone),
  })

/** Finds when the zones with spaces are open on these days. Zones with the same times share a number. */
function findOpenHours(
  index: CurbIndex,
  days: readonly LocalDay[],
  { timezone, now, capacities }: Pick<HourDays, 'timezone' | 'now' | 'capacities'>,
): OpenHours {
  const terms = new ZoneTerms(index, new HourFrame(days, timezone, now), new Map())
  const zonesWithSpaces = new Set(capacities.map(({ zoneId }) => zoneId))
  const numberByTimes = new Map<Times, number>()
  const numberByZone = new Map<string, number>()
  for (const zone of index.zones) {
    if (!zonesWithSpaces.has(zone.id)) continue
    const times = terms.getOpenTimes(zone)
    const number = numberByTimes.get(times) ?? numberByTimes.size + 1
    numberByTimes.set(times, number)
    numberByZone.set(zone.id, number)
  }
  return {
    numberByZone,
    // Even indices of `times` are starts, odd ones are ends.
    times: [...numberByTimes].flatMap(([times, number]) =>
      times.flatMap((from, i) => (i % 2 ? [] : [{ number, from, until: times[i + 1]! }])),
    ),
  }
}

/** Stays this long before a day are read too, because a return on that day may follow one of them too early. */
const lookBackMs = 2 * dayMs
const maxStays = 2_000_000

/** Counts violations of stays that begin on these days, by hour, place, source and class. */
async function countViolations(
  facts: Facts,
  scope: Scope,
  { index, awayTimes }: CurbRules,
  { regionId, from, until, now, spaces, shift }: HourDays,
): Promise<StayCounts[]> {
  const hasLimits = [...index.policies.values()].some(({ rules }) =>
    rules.some(
      ({ max_stay: maxStay, no_return: noReturn }) => maxStay !== undefined || noReturn !== undefined,
    ),
  )
  if (!hasLimits && !awayTimes.length) return []
  const request = { regionId, from: from - lookBackMs, until, now, limit: maxStays, spaces }
  const stays = await readStays(facts, scope, request)
  const counts = new Map<string, StayCounts>()
  for (const { kind, session } of findStayViolations(index, stays, awayTimes)) {
    if (session.start < from) continue
    const hour = Math.floor((session.start + shift) / hourMs)
    const { zoneId, vehicleType, purpose, source } = session
    const key = [hour, zoneId, source, vehicleType, purpose].join('\n')
    const count = counts.get(key) ?? {
      hour,
      zoneId,
      source,
      vehicleType,
      purpose,
      overstays: 0,
      earlyReturns: 0,
    }
    counts.set(key, count)
    if (kind === 'max_stay') count.overstays += 1
    else count.earlyReturns += 1
  }
  return [...counts.values()]
}

/** Derives the sums of successive days. */
async function storeDays(
  facts: Facts,
  { regionId, scope, timezone }: DerivedRegion,
  { places, index, awayTimes }: Inputs,
  { days, at, version }: { days: readonly LocalDay[]; at: number; version: bigint },
): Promise<void> {
  const firstDay = days[0]!
  const lastDay = days.at(-1)!
  const from = startOfDay(firstDay, timezone)
  const hourDays: HourDays = {
    regionId,
    timezone,
    shift: hourShift(timezone),
    first: firstDay,
    last: lastDay,
    from,
    until: Math.max(from, Math.min(endOfDay(lastDay, timezone), at)),
    now: at,
    ...places,
    open: findOpenHours(index, days, { timezone, now: at, ...places }),
  }
  hourDays.violations = await countViolations(facts, scope, { index, awayTimes }, hourDays)
  const add = (table: ScopedTable, columns: readonly string[], rows: Sql): Promise<void> =>
    facts.add(scope, table, { columns, rows, ...queryOptions })
  await add('curb_hours', hourColumns, hourRows(hourDays, version))
  await add('curb_hours', hourColumns, deletionRows('curb_hours', hourColumns, hourDays, version))
  for (const rollup of rollups) {
    const columns = rollupColumns(rollup)
    await add(rollup.table, columns, rollupRows(rollup, hourDays, version))
    await add(rollup.table, columns, deletionRows(rollup.table, columns, hourDays, version))
  }
}

/**
 * Creates the product of sums of sessions by local hour and zone. It reads `curb_sessions`, `curb_events`, regulations
 * and capacities; it writes `curb_hours`, `curb_day_hours` and `curb_zone_days`. When a capacity changes, all days
 * are derived again. When a regulation changes, the days from the month of the change on are derived again.
 */
export function createCurbHoursProduct({ state, facts, indexes, nowMs }: CurbHoursOptions): DerivedProduct {
  const nextVersion = createVersionCounter(nowMs)
  /** When the current day of each region was last marked, ms. */
  const todayMarkedMs = new Map<string, number>()

  async function readInputs({ scope, regionId }: DerivedRegion): Promise<Inputs> {
    const store = state.as(scope)
    const places = await readPlaces(store, regionId)
    const index = await indexes.get(scope, regionId)
    return { places, index, awayTimes: await readAwayTimes(store, index) }
  }

  /** Marks all days from the first one with other inputs or without a complete day on. */
  async function markChangedDays(
    region: DerivedRegion,
    { firstDay, stored, basis, at }: { firstDay: LocalDay; stored: StoredBasis; basis: string; at: Date },
  ): Promise<void> {
    const { regionId, scope, timezone } = region
    const today = localDay(at, timezone)
    const hasNewBasis = stored !== undefined && stored.basis !== basis
    const first = hasNewBasis
      ? getLaterDay(firstDay, findFirstChangedDay(stored.basis, basis))
      : (stored?.ended_day ?? today)
    await markDue(region, daysBetween(first, today), at)
    const row = { basis, ended_day: today }
    await state
      .as(scope)
      .insertInto('curb_session_region')
      .values({ region_id: regionId, ...row })
      .onConflict((conflict) => conflict.column('region_id').doUpdateSet(row))
      .execute()
  }

  /** Marks days so that they are derived without waiting for further changes. */
  const markDue = ({ regionId, scope }: DerivedRegion, days: readonly LocalDay[], at: Date): Promise<void> =>
    markDirty(
      state,
      scope,
      { product: curbHours, regionId },
      { spans: days, time: new Date(at.getTime() - settleCurbDaysMs) },
    )

  return {
    name: curbHours,
    description:
      'Sums of curb sessions by hour: sessions and events to curb_hours, curb_day_hours and curb_zone_days',
    settleMs: 5000,
    settleAgainMs: settleCurbDaysMs,
    maxSpans: maxDaysAtOnce,
    pauseFactor: 3,
    watches: ['curb_capacity', 'curb_place', 'curb_settings', 'curb_zone_policy', 'policy'],
    async derive(region, days) {
      const inputs = await readInputs(region)
      const today = localDay(new Date(nowMs()), region.timezone)
      const startedDays = days.filter((day) => day <= today)
      for (const successiveDays of groupSuccessiveDays(startedDays, maxDaysAtOnce))
        await storeDays(facts, region, inputs, { days: successiveDays, at: nowMs(), version: nextVersion() })
      const owner = { product: curbOccupancy, regionId: region.regionId }
      await markDirty(state, region.scope, owner, { spans: startedDays, time: new Date(nowMs()) })
    },
    async advance(region) {
      const { regionId, scope, timezone } = region
      const at = new Date(nowMs())
      const [first] = await facts.rows<{ day: LocalDay }>(scope, firstEventDaySql(regionId, timezone))
      if (!first) return false
      const basis = formatBasis(await readInputs(region), timezone)
      const stored: StoredBasis = await state
        .as(scope)
        .selectFrom('curb_session_region')
        .select(['basis', 'ended_day'])
        .where('region_id', '=', regionId)
        .executeTakeFirst()
      const today = localDay(at, timezone)
      if (stored?.basis !== basis || stored.ended_day !== today) {
        await markChangedDays(region, { firstDay: first.day, stored, basis, at })
        todayMarkedMs.set(regionId, at.getTime())
      } else if (at.getTime() - (todayMarkedMs.get(regionId) ?? 0) >= settleCurbDaysMs) {
        // The current day is derived again even without new events, because open sessions continue.
        todayMarkedMs.set(regionId, at.getTime())
        await markDue(region, [today], at)
      }
      return false
    },
  }
}
