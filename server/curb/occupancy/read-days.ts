import type { OccupancyKind } from '#contract/curb-occupancy.ts'
import { daysBetween, getWeekday, type LocalDay } from '#contract/period.ts'
import type { Facts } from '#server/stores/facts.ts'
import type { Scope } from '#server/stores/scope.ts'
import { bind, joinSql, latest, type Sql, sql } from '#server/stores/sql.ts'
import type { State } from '#server/stores/state.ts'
import { curbOccupancy } from '../product-names.ts'
import { type DayRatios, type EstimatePlan, noEstimate } from './calibration-plan.ts'

export interface OccupancyStores {
  state: State
  facts: Facts
}

/** A selection of stored days. */
export interface OccupancyDays {
  regionId: string
  kind: OccupancyKind
  from: LocalDay
  /** Inclusive. */
  until: LocalDay
  /** Monday is 1; empty for all. */
  weekdays: readonly number[]
  excludedDays: readonly LocalDay[]
  /** Null for all. */
  zoneIds: readonly string[] | null
  /** The ratios for estimates. */
  plan: EstimatePlan
}

/** Space-seconds by hour of the day. `low` and `high` bound the occupied time of estimates. */
export interface HourSums {
  open: number[]
  known: number[]
  occupied: number[]
  low: number[]
  high: number[]
}

/** Builds SQL for the number of the group of a row's zone. */
const zoneGroupSql = ({ groupByZone }: EstimatePlan): Sql => {
  if (!groupByZone.size) return sql`toUInt32(0)`
  const zones = [...groupByZone.keys()]
  const groups = [...groupByZone.values()]
  return sql`
    transform(
      toString(zone_id),
      ${bind('Array(String)', zones)},
      ${bind('Array(UInt32)', groups)},
      toUInt32(0)
    )`
}

/** Builds SQL for the ratios of a row by hour of the day, `noEstimate` in hours without one. */
const ratioSql = (name: keyof DayRatios, plan: EstimatePlan): Sql => {
  const noRatios = sql`arrayWithConstant(24, toFloat64(${bind('Float64', noEstimate)}))`
  if (!plan.spans.length) return noRatios
  const zoneGroup = zoneGroupSql(plan)
  const cases = plan.spans.map(({ group, from, until, weekdays }) => {
    const ratiosByWeekday = weekdays.map((ratios) => ratios[name])
    return sql`
      ${zoneGroup} = ${bind('UInt32', group)}
        and day >= ${bind('Date', from)}
        and day < ${bind('Date', until)},
      arrayElement(${bind('Array(Array(Float64))', ratiosByWeekday)}, toDayOfWeek(day))`
  })
  return sql`multiIf(${joinSql(cases, ', ')}, ${noRatios})`
}

/** Builds SQL for estimated space-seconds of a row: paid time times the ratio, at most the known time. */
const estimateSql = (name: keyof DayRatios, plan: EstimatePlan): Sql => sql`
  arrayMap(
    (paid, space, k) -> if(k < 0, 0., least(toFloat64(space), paid * k)),
    occupied_s,
    known_s,
    ${ratioSql(name, plan)}
  )`

/** Builds SQL for the columns `known`, `occupied`, `low` and `high` of a row. */
const sumColumns = (kind: OccupancyKind, plan: EstimatePlan): Sql =>
  kind === 'estimated'
    ? sql`
      arrayMap((seconds, k) -> if(k < 0, toUInt32(0), seconds), known_s, ${ratioSql('k', plan)}) as known,
      ${estimateSql('k', plan)} as occupied,
      ${estimateSql('low', plan)} as low,
      ${estimateSql('high', plan)} as high`
    : sql`
      known_s as known,
      occupied_s as occupied,
      [0] as low,
      [0] as high`

/** Returns the kind of the stored rows: estimates are computed from paid ones. */
const getStoredKind = (kind: OccupancyKind): 'measured' | 'paid' =>
  kind === 'measured' ? 'measured' : 'paid'

/** Builds SQL for the rows of selected days with `open`, `known`, `occupied`, `low` and `high` by hour. */
export function occupancyDaysSql(selection: OccupancyDays): Sql {
  const { regionId, kind, from, until, weekdays, excludedDays, zoneIds, plan } = selection
  return sql`
    select
      zone_id,
      day,
      toDayOfWeek(day) as weekday,
      source,
      basis,
      capacity,
      open_s as open,
      ${sumColumns(kind, plan)}
    from ${latest('curb_occupancy_days')}
    where region_id = ${bind('String', regionId)}
      and kind = ${bind('String', getStoredKind(kind))}
      and day >= ${bind('Date', from)}
      and day <= ${bind('Date', until)}
      ${weekdays.length ? sql`and toDayOfWeek(day) in ${bind('Array(UInt8)', weekdays)}` : sql``}
      ${excludedDays.length ? sql`and day not in ${bind('Array(Date)', excludedDays)}` : sql``}
      ${zoneIds ? sql`and zone_id in ${bind('Array(String)', zoneIds)}` : sql``}`
}

/** SQL for the sums of a group of rows by hour, as `HourSumsRow`. */
export const hourSumColumns = sql`
  arrayMap(seconds -> toFloat64(seconds), sumForEach(open)) as open_sums,
  arrayMap(seconds -> toFloat64(seconds), sumForEach(known)) as known_sums,
  arrayMap(seconds -> toFloat64(seconds), sumForEach(occupied)) as occupied_sums,
  arrayMap(seconds -> toFloat64(seconds), sumForEach(low)) as low_sums,
  arrayMap(seconds -> toFloat64(seconds), sumForEach(high)) as high_sums`

export interface HourSumsRow {
  open_sums: number[]
  known_sums: number[]
  occupied_sums: number[]
  low_sums: number[]
  high_sums: number[]
}
export const toHourSums = (row: HourSumsRow): HourSums => ({
  open: row.open_sums,
  known: row.known_sums,
  occupied: row.occupied_sums,
  low: row.low_sums,
  high: row.high_sums,
})

/** Sums values of hours, each multiplied by the weight of its hour. */
export const weigh = (values: readonly number[], weights: readonly number[]): number =>
  weights.reduce((sum, weight, hour) => sum + weight * (values[hour] ?? 0), 0)

/** Returns the share (0 to 1) of each hour of the day that is between two minutes of the day. */
export const getHourWeights = (from: number, until: number): number[] =>
  Array.from(
    { length: 24 },
    (_, hour) => Math.max(0, Math.min(until, hour * 60 + 60) - Math.max(from, hour * 60)) / 60,
  )

/** Numbers of days in a selection by weekday: requested, with stored occupancy of the kind, and derived. */
export interface DayCounts {
  requested: ReadonlyMap<number, number>
  stored: ReadonlyMap<number, number>
  derived: ReadonlyMap<number, number>
}

/** Counts the days of a selection. */
export async function countDays(
  { state, facts }: { state: Pick<State, 'as'>; facts: Facts },
  scope: Scope,
  query: OccupancyDays,
  signal?: AbortSignal,
): Promise<DayCounts> {
  const { regionId, kind, from, until, excludedDays } = query
  const excluded = new Set(excludedDays)
  const countByWeekday = (days: readonly LocalDay[]): Map<number, number> => {
    const counts = new Map<number, number>()
    for (const day of days)
      if (!excluded.has(day)) counts.set(getWeekday(day), (counts.get(getWeekday(day)) ?? 0) + 1)
    return counts
  }
  const [rows, spans] = await Promise.all([
    facts.rows<{ name: LocalDay }>(
      scope,
      sql`
      select distinct toString(day) as name
      from ${latest('curb_occupancy_days')}
      where region_id = ${bind('String', regionId)}
        and kind = ${bind('String', getStoredKind(kind))}
        and day >= ${bind('Date', from)}
        and day <= ${bind('Date', until)}`,
      signal ? { signal } : {},
    ),
    state
      .as(scope)
      .selectFrom('derived_span')
      .select('span')
      .where('product', '=', curbOccupancy)
      .where('region_id', '=', regionId)
      .where('span', '>=', from)
      .where('span', '<=', until)
      .where('done', '>', '0')
      .execute(),
  ])
  return {
    requested: countByWeekday(daysBetween(from, until)),
    stored: countByWeekday(rows.map(({ name }) => name)),
    derived: countByWeekday(spans.map(({ span }) => span)),
  }
}

/**
 * Returns the factor, at least 1, that scales open time on days with data to all requested days: days without
 * data are assumed to be as open as the others. Weekdays that were derived but have no data are closed, such
 * as Sundays without required payment, and are left out.
 */
export function getPeriodFactor(
  { requested, stored, derived }: DayCounts,
  weekdays: readonly number[],
): number {
  const openWeekdays = weekdays.filter((weekday) => (stored.get(weekday) ?? 0) > 0 || !derived.get(weekday))
  const addDays = (counts: ReadonlyMap<number, number>): number =>
    openWeekdays.reduce((sum, weekday) => sum + (counts.get(weekday) ?? 0), 0)
  return addDays(stored) > 0 ? Math.max(1, addDays(requested) / addDays(stored)) : 1
}

/** Returns `getPeriodFactor` for one of several weekdays, with its share of those without any data. */
export function getWeekdayPeriodFactor(
  days: DayCounts,
  weekday: number,
  weekdays: readonly number[],
): number {
  const countStored = (other: number): number => days.stored.get(other) ?? 0
  const weekdaysWithData = weekdays.filter((other) => countStored(other) > 0)
  const ownFactor = getPeriodFactor(days, [weekday])
  const storedDays = weekdaysWithData.reduce((sum, other) => sum + countStored(other), 0)
  const scaledDays = weekdaysWithData.reduce(
    (sum, other) => sum + countStored(other) * getPeriodFactor(days, [other]),
    0,
  )
  return scaledDays > 0
    ? ownFactor * Math.max(1, (getPeriodFactor(days, weekdays) * storedDays) / scaledDays)
    : ownFactor
}
