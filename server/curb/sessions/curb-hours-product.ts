import { createHash } from 'node:crypto'
import { startOfDay } from '#contract/civil-clock.ts'
import { dayFromNumber, dayNumber, type LocalDay, localDay } from '#contract/period.ts'
import type { DerivedProduct, DerivedRegion } from '#server/derived/derived-product.ts'
import { markDirty } from '#server/derived/dirty-spans.ts'
import { hourShift } from '#server/fleet/cubes/cube-clock.ts'
import { groupSuccessiveDays } from '#server/fleet/reports/report-facts-product.ts'
import { createVersionCounter, type Facts } from '#server/stores/facts.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State, Store } from '#server/stores/state.ts'
import { type AwayTime, readAwayTimes } from './away-times.ts'
import { HourFrame, type Times } from '../occupancy/hour-frame.ts'
import { ZoneTerms } from '../occupancy/zone-terms.ts'
import type { CurbIndex, CurbIndexes } from '../store/curb-index.ts'
import { firstDifference, rulesByMonth } from '../store/rules-by-month.ts'
import { curbHours, curbOccupancy, settleCurbDaysMs } from '../product-names.ts'
import {
  eventSpan,
  hourColumns,
  type HourDays,
  hourRows,
  type OpenHours,
  rollupColumns,
  rollupRows,
  rollups,
  type StayCounts,
  withdrawnRows,
} from './queries-hours.ts'
import { readStays } from './read-stays.ts'
import { findStayViolations } from './stay-rules.ts'

/** To be increased when the meaning of stored sums changes; all days are then derived again. */
const sumsVersion = 2
/** Number of days that one statement derives. */
const maxDaysAtOnce = 14
const limits = { limits: { seconds: 600, memory: 4 * 2 ** 30 }, areDistinct: true }

interface Options {
  state: State
  facts: Facts
  indexes: CurbIndexes
  /** Ms since 1970. */
  now: () => number
}

/**
 * The first day with sums that depend on a difference between two bases. Bases of early versions are no JSON:
 * all days differ.
 */
const firstChangedDay = (before: string, basis: string): LocalDay =>
  before.startsWith('{') ? firstDifference(before, basis) : '1970-01-01'
const laterDay = (a: LocalDay, b: LocalDay): LocalDay => (a > b ? a : b)

/** Capacities and spaces of a region, on which its sums depend besides events. */
async function readPlaces(store: Store, regionId: string): Promise<Pick<HourDays, 'capacities' | 'spaces'>> {
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

/** All inputs of the sums other than events, as a text. Days are derived again when it changes. */
const basisText = (
  { index, awayTimes }: CurbRules,
  timezone: string,
  { capacities, spaces }: Pick<HourDays, 'capacities' | 'spaces'>,
): string =>
  JSON.stringify({
    version: sumsVersion,
    timezone,
    places: createHash('sha256')
      .update(JSON.stringify([capacities, [...spaces]]))
      .digest('hex'),
    ...(awayTimes.length
      ? { away: awayTimes.map(({ zoneIds, ...each }) => ({ ...each, zones: zoneIds && [...zoneIds] })) }
      : {}),
    ...rulesByMonth(index, timezone),
  })

/** When the zones with spaces are open on these days. Zones with the same times share a number. */
function openHours(
  index: CurbIndex,
  days: readonly LocalDay[],
  { timezone, now, capacities }: Pick<HourDays, 'timezone' | 'now' | 'capacities'>,
): OpenHours {
  const terms = new ZoneTerms(index, new HourFrame(days, timezone, now), new Map())
  const zonesWithSpaces = new Set(capacities.map(({ zoneId }) => zoneId))
  const numbers = new Map<Times, number>()
  const numberByZone = new Map<string, number>()
  for (const zone of index.zones) {
    if (!zonesWithSpaces.has(zone.id)) continue
    const times = terms.getOpenTimes(zone)
    const number = numbers.get(times) ?? numbers.size + 1
    numbers.set(times, number)
    numberByZone.set(zone.id, number)
  }
  return {
    numberByZone,
    times: [...numbers].flatMap(([times, number]) =>
      times.flatMap((from, i) => (i % 2 ? [] : [{ number, from, until: times[i + 1]! }])),
    ),
  }
}

/**
 * Stays this long before a day are read too, because a return on that day may be too early after one of them.
 */
const lookBackMs = 2 * 86_400_000
const maxStays = 2_000_000

/** The rules of a region's curb. */
interface CurbRules {
  index: CurbIndex
  awayTimes: readonly AwayTime[]
}

/** Violations of stays that begin on these days, counted by hour, place and class. */
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
  const requested = { regionId, from: from - lookBackMs, until, now, limit: maxStays, spaces }
  const counts = new Map<string, StayCounts>()
  for (const { kind, session } of findStayViolations(
    index,
    await readStays(facts, scope, requested),
    awayTimes,
  )) {
    if (session.start < from) continue
    const hour = Math.floor((session.start + shift) / 3_600_000)
    const { zoneId, vehicleType, purpose, source } = session
    const key = [hour, zoneId, source, vehicleType, purpose].join('\n')
    const known = counts.get(key) ?? {
      hour,
      zoneId,
      source,
      vehicleType,
      purpose,
      overstays: 0,
      earlyReturns: 0,
    }
    counts.set(key, known)
    if (kind === 'max_stay') known.overstays += 1
    else known.earlyReturns += 1
  }
  return [...counts.values()]
}

/**
 * Sums of sessions by local hour and zone. Reads `curb_sessions`, `curb_events`, regulations and capacities;
 * writes `curb_hours`, `curb_day_hours` and `curb_zone_days`. When a capacity changes, all days are derived
 * again. When a regulation changes, the days from the month of the change on are derived again.
 */
export function curbHoursProduct({ state, facts, indexes, now }: Options): DerivedProduct {
  const nextVersion = createVersionCounter(now)
  /** When the current day of a region was last marked, ms. */
  const todayMarked = new Map<string, number>()

  async function readRules(scope: Scope, regionId: string): Promise<CurbRules> {
    const index = await indexes.get(scope, regionId)
    return { index, awayTimes: await readAwayTimes(state.as(scope), index) }
  }

  async function storeDays(
    { regionId, scope, timezone }: DerivedRegion,
    days: readonly LocalDay[],
    rules: CurbRules,
    basis: Pick<HourDays, 'capacities' | 'spaces'>,
  ): Promise<void> {
    const [first, last] = [days[0], days.at(-1)] as [LocalDay, LocalDay]
    const [at, version] = [now(), nextVersion()]
    const from = startOfDay(first, timezone)
    const requested: HourDays = {
      regionId,
      timezone,
      shift: hourShift(timezone),
      first,
      last,
      from,
      until: Math.max(from, Math.min(startOfDay(dayFromNumber(dayNumber(last) + 1), timezone), at)),
      now: at,
      ...basis,
      open: openHours(rules.index, days, { timezone, now: at, ...basis }),
    }
    requested.violations = await countViolations(facts, scope, rules, requested)
    await facts.add(scope, 'curb_hours', {
      columns: hourColumns,
      rows: hourRows(requested, version),
      ...limits,
    })
    await facts.add(scope, 'curb_hours', {
      columns: hourColumns,
      rows: withdrawnRows('curb_hours', hourColumns, requested, version),
      ...limits,
    })
    for (const rollup of rollups) {
      const columns = rollupColumns(rollup)
      await facts.add(scope, rollup.table, {
        columns,
        rows: rollupRows(rollup, requested, version),
        ...limits,
      })
      await facts.add(scope, rollup.table, {
        columns,
        rows: withdrawnRows(rollup.table, columns, requested, version),
        ...limits,
      })
    }
  }

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
      const basis = await readPlaces(state.as(region.scope), region.regionId)
      const rules = await readRules(region.scope, region.regionId)
      const today = localDay(new Date(now()), region.timezone)
      const begun = days.filter((day) => day <= today)
      for (const run of groupSuccessiveDays(begun, maxDaysAtOnce)) await storeDays(region, run, rules, basis)
      const owner = { product: curbOccupancy, regionId: region.regionId }
      await markDirty(state, region.scope, owner, begun, new Date(now()))
    },
    async advance({ regionId, scope, timezone }) {
      const at = new Date(now())
      const dueTime = new Date(at.getTime() - settleCurbDaysMs)
      const today = localDay(at, timezone)
      const [span] = await facts.rows<{ first: LocalDay; last: LocalDay }>(
        scope,
        eventSpan(regionId, timezone),
      )
      if (!span) return false
      const rules = await readRules(scope, regionId)
      const basis = basisText(rules, timezone, await readPlaces(state.as(scope), regionId))
      const known = await state
        .as(scope)
        .selectFrom('curb_session_region')
        .select(['basis', 'ended_day'])
        .where('region_id', '=', regionId)
        .executeTakeFirst()
      const owner = { product: curbHours, regionId }
      if (known?.basis !== basis || known.ended_day !== today) {
        const hasNewBasis = known !== undefined && known.basis !== basis
        const first = hasNewBasis
          ? laterDay(span.first, firstChangedDay(known.basis, basis))
          : (known?.ended_day ?? today)
        const days: LocalDay[] = []
        for (let day = dayNumber(first); day <= dayNumber(today); day++) days.push(dayFromNumber(day))
        await markDirty(state, scope, owner, days, dueTime)
        const row = { basis, ended_day: today }
        await state
          .as(scope)
          .insertInto('curb_session_region')
          .values({ region_id: regionId, ...row })
          .onConflict((conflict) => conflict.column('region_id').doUpdateSet(row))
          .execute()
        todayMarked.set(regionId, at.getTime())
      } else if (at.getTime() - (todayMarked.get(regionId) ?? 0) >= settleCurbDaysMs) {
        // The current day is derived again even without new events, because open sessions continue.
        todayMarked.set(regionId, at.getTime())
        await markDirty(state, scope, owner, [today], dueTime)
      }
      return false
    },
  }
}
