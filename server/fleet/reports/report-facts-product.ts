import { startOfDay } from '#contract/civil-clock.ts'
import { dayFromNumber, dayNumber, type LocalDay, localDay } from '#contract/period.ts'
import { LRUCache } from 'lru-cache'
import type { DerivedProduct, DerivedRegion } from '#server/derived/derived-product.ts'
import { dirtyBetween, markDirty, pendingSince, spanVersions } from '#server/derived/dirty-spans.ts'
import { sealedBefore } from '#server/derived/sealed-spans.ts'
import { lostRule } from '#server/regions/lost-vehicles.ts'
import type { Facts } from '#server/stores/facts.ts'
import type { Scope } from '#server/stores/scope.ts'
import { bind, facts, identifier, joinSql, latest, type Sql, sql } from '#server/stores/sql.ts'
import type { State } from '#server/stores/state.ts'
import { createVersionCounter } from '#server/stores/version-counter.ts'
import { hourShift } from '../cubes/cube-clock.ts'
import { settleDaysAgainMs } from '../fact-days.ts'
import { operatingPeriods } from '../fleet-size/operating-periods.ts'
import {
  type ReportDays,
  reportFleetColumns,
  reportFleetRows,
  reportHourColumns,
  reportHourRows,
} from './queries/report-facts.ts'

/** The facts of reports among the derived products. Its spans are local days. */
export const reportDays = 'report_days'

/** Counts up when the stored facts of a day change their meaning. */
const factsVersion = 1

/** Marks local days of which trips, vehicles or parking events changed. */
export const markReportDaysDirty = (
  state: Pick<State, 'as'>,
  scope: Scope,
  regionId: string,
  days: readonly LocalDay[],
  at: Date,
): Promise<void> => markDirty(state, scope, { product: reportDays, regionId }, days, at)

/** A region and the settings that its reports depend on. */
export interface ReportRegion {
  regionId: string
  scope: Scope
  timezone: string
  lostAfterHours: number
  operatingHours: { from: string; until: string }
}

const basisOf = ({ timezone, lostAfterHours, operatingHours: { from, until } }: ReportRegion): string =>
  `${factsVersion} ${timezone} ${lostAfterHours} ${from} ${until}`

/** Some successive local days, up to the present (`now`, ms). */
export function reportDaysOf(
  region: Omit<ReportRegion, 'scope'>,
  days: readonly LocalDay[],
  now: number,
): ReportDays {
  const { regionId, timezone, lostAfterHours, operatingHours } = region
  return {
    regionId,
    timezone,
    lostAfterHours,
    shift: hourShift(timezone),
    days: days.map((day) => {
      const from = startOfDay(day, timezone)
      const until = Math.max(from, Math.min(startOfDay(dayFromNumber(dayNumber(day) + 1), timezone), now))
      const operating = operatingPeriods({
        from,
        until,
        timezone,
        operatingFrom: operatingHours.from,
        operatingUntil: operatingHours.until,
      })
      return { day, from, until, operating }
    }),
  }
}

/** Days in runs of successive ones, at most `max` each. */
export function successiveDays(days: readonly LocalDay[], max: number): LocalDay[][] {
  const runs: LocalDay[][] = []
  for (const day of [...new Set(days)].toSorted()) {
    const run = runs.at(-1)
    const last = run?.at(-1)
    if (run && last && run.length < max && dayNumber(day) === dayNumber(last) + 1) run.push(day)
    else runs.push([day])
  }
  return runs
}

/** Days that are derived by one statement. */
const maxDaysAtOnce = 31
const limits = { limits: { seconds: 600, memory: 4 * 2 ** 30 }, areDistinct: true }

const tables = [
  { table: 'report_hours', columns: reportHourColumns, rowsOf: reportHourRows },
  { table: 'report_fleet_days', columns: reportFleetColumns, rowsOf: reportFleetRows },
] as const

/** Rows of the days that a derivation of this version did not find again, as deleted. */
function withdrawnRows(
  { table, columns }: (typeof tables)[number],
  { regionId, days }: ReportDays,
  version: bigint,
): Sql {
  const stored = sql`from ${latest(table)} where region_id = ${bind('String', regionId)} and day >= ${bind('Date', days[0]?.day)} and day <= ${bind('Date', days.at(-1)?.day)}`
  return sql`
  select ${joinSql(
    columns.map((name) =>
      name === 'is_deleted'
        ? sql`toUInt8(1)`
        : name === 'version'
          ? sql`${bind('UInt64', String(version))}`
          : sql`${identifier(name)}`,
    ),
    ', ',
  )} ${stored} and version < ${bind('UInt64', String(version))}`
}

/** Derives days and stores their rows: new rows first, then rows that were not found again are withdrawn. */
async function storeDays(store: Facts, scope: Scope, query: ReportDays, version: bigint): Promise<void> {
  for (const each of tables) {
    await store.add(
      scope,
      each.table,
      each.columns,
      sql`select ${bind('String', query.regionId)}, *, toUInt8(0), ${bind('UInt64', String(version))} from (${each.rowsOf(query)})`,
      limits,
    )
    await store.add(scope, each.table, each.columns, withdrawnRows(each, query, version), limits)
  }
}

interface Options {
  state: State
  facts: Facts
  /** Ms since 1970. */
  now: () => number
}

/** Late records of so long are derived together, ms: readers of days that were never derived wait for it. */
const settleMs = 60_000

/** Days that are derived on request. Other outdated days are read as they are. */
const maxDaysOnRead = 5
/** What was derived for a reader is good for so long, ms. */
const readIntervalMs = 60_000

/** Until which moment (ms) the requested days are derived, how many are outdated, and how many were never derived. */
export interface DerivedUntil {
  asOf: number
  /** Answers of the same version are the same. */
  version: string
  pendingDays: number
  missingDays: number
}

/** The facts of reports, by local day and hour. */
export class ReportFacts {
  readonly #options: Options
  readonly #nextVersion: () => bigint
  /** What was derived for readers, by region and days. */
  readonly #reads = new LRUCache<string, { asOf: number; done: Promise<void> }>({ max: 1000 })

  constructor(options: Options) {
    this.#options = options
    this.#nextVersion = createVersionCounter(options.now)
  }

  /**
   * Reads trips, intervals, parking events and events; writes `report_hours` and `report_fleet_days`. A day is derived once it is over,
   * and again when its facts change.
   */
  product(): DerivedProduct {
    const { state, facts: store, now } = this.#options
    return {
      name: reportDays,
      description: 'Facts of reports by day: trips, states and parking to report_hours and report_fleet_days',
      settleMs,
      settleAgainMs: settleDaysAgainMs,
      maxSpans: maxDaysAtOnce,
      derive: async (derived, days) => {
        const region = await reportRegion(state, derived)
        // Today is derived for its readers: it is never over.
        const ended = days.filter((day) => day < localDay(new Date(now()), region.timezone))
        await this.#store(region, ended, now())
      },
      advance: async (derived) => {
        const region = await reportRegion(state, derived)
        const { regionId, scope, timezone } = region
        const at = new Date(now())
        // These days no longer change: they are derived at once.
        const isDue = new Date(at.getTime() - settleDaysAgainMs)
        const today = localDay(at, timezone)
        const marked = await markedUntil(state, region)
        if (marked === today) return false
        const span = await daysWithFacts(store, region)
        const first = marked ?? span?.first ?? today
        const days: LocalDay[] = []
        for (let day = dayNumber(first); day < dayNumber(today) && day <= dayNumber(span?.last ?? ''); day++)
          days.push(dayFromNumber(day))
        await markReportDaysDirty(state, scope, regionId, days, isDue)
        const row = { basis: basisOf(region), ended_day: today }
        await state
          .as(scope)
          .insertInto('report_region')
          .values({ region_id: regionId, ...row })
          .onConflict((conflict) => conflict.column('region_id').doUpdateSet(row))
          .execute()
        return false
      },
    }
  }

  /**
   * Derives the newest days between two, both included, that should have been derived or are not over. `since`: the first day on which
   * answers depend. `region.scope` must hold all operators.
   */
  async refresh(
    region: ReportRegion,
    { since, first, last }: { since: LocalDay; first: LocalDay; last: LocalDay },
  ): Promise<DerivedUntil> {
    const { state, now: clock } = this.#options
    const now = clock()
    const owner = { product: reportDays, regionId: region.regionId }
    const [stale, changes] = await Promise.all([
      underivedDays(state, region, first, last, now),
      // What was marked and not derived yet changes no answer.
      spanVersions(state, region.scope, owner, since, last, 'done'),
    ])
    const days = stale.slice(-maxDaysOnRead)
    const changed = [...changes.values()].reduce((sum, count) => sum + count, 0n)
    const version = `${basisOf(region)} ${changed}`
    if (!days.length) return { asOf: now, version, pendingDays: 0, missingDays: 0 }
    const key = [region.regionId, basisOf(region), ...days].join(' ')
    let read = this.#reads.get(key)
    if (!read || now - read.asOf >= readIntervalMs || now < read.asOf) {
      read = { asOf: now, done: this.#store(region, days, now) }
      this.#reads.set(key, read)
      read.done.catch(() => this.#reads.delete(key))
    }
    await read.done
    const pending = stale.slice(0, -days.length)
    const missingDays = pending.length ? await this.#countMissing(region, pending) : 0
    return {
      asOf: read.asOf,
      version: `${version} ${read.asOf} ${pending.length}`,
      pendingDays: pending.length,
      missingDays,
    }
  }

  /** How many of these days have no rows. */
  async #countMissing({ regionId, scope }: ReportRegion, days: readonly LocalDay[]): Promise<number> {
    const [stored] = await this.#options.facts.rows<{ n: string }>(
      scope,
      sql`select toString(uniqExact(day)) as n from ${facts('report_hours')} where region_id = ${bind('String', regionId)} and day in ${bind('Array(Date)', days)}`,
    )
    return days.length - Number(stored?.n ?? 0)
  }

  async #store(region: ReportRegion, days: readonly LocalDay[], now: number): Promise<void> {
    for (const run of successiveDays(days, maxDaysAtOnce))
      await storeDays(this.#options.facts, region.scope, reportDaysOf(region, run, now), this.#nextVersion())
  }
}

/** A region with the settings that facts of its days depend on. */
export async function reportRegion(
  state: Pick<State, 'as'>,
  { regionId, scope, timezone, lostAfterHours }: DerivedRegion,
): Promise<ReportRegion> {
  const row = await state
    .as(scope)
    .selectFrom('region')
    .select(['operating_from', 'operating_until'])
    .where('region_id', '=', regionId)
    .executeTakeFirstOrThrow()
  return {
    regionId,
    scope,
    timezone,
    lostAfterHours,
    operatingHours: { from: row.operating_from, until: row.operating_until },
  }
}

/** The first and the last local day with a trip or a vehicle that is not lost yet; null without any. */
async function daysWithFacts(
  store: Facts,
  { regionId, scope, timezone, lostAfterHours }: ReportRegion,
): Promise<{ first: LocalDay; last: LocalDay } | null> {
  const region = sql`region_id = ${bind('String', regionId)}`
  const dayOf = (time: Sql): Sql => sql`toDate(toTimeZone(${time}, ${bind('String', timezone)}))`
  const [row] = await store.rows<{ first: LocalDay; last: LocalDay; n: string }>(
    scope,
    sql`
    select toString(min(first_day)) as first, toString(max(last_day)) as last, toString(count()) as n from (
      select min(local_date) as first_day, max(local_date) as last_day from ${latest('trips')} where ${region} having count() > 0
      union all
      select ${dayOf(sql`min(from_time)`)} as first_day, ${dayOf(lostRule(lostAfterHours).lostAt(sql`max(from_time)`))} as last_day from ${latest('vehicle_intervals')} where ${region} having count() > 0
    )`,
    { limits: { seconds: 120 } },
  )
  return row && row.n !== '0' ? row : null
}

/** The first day that is not marked yet; null: no day is, or they were for other settings of the region. */
async function markedUntil(state: Pick<State, 'as'>, region: ReportRegion): Promise<LocalDay | null> {
  const row = await state
    .as(region.scope)
    .selectFrom('report_region')
    .select(['basis', 'ended_day'])
    .where('region_id', '=', region.regionId)
    .executeTakeFirst()
  return row?.basis === basisOf(region) ? row.ended_day : null
}

/** Local days between two, both included, of which the stored facts are missing, should have been derived again, or that are not over. */
export async function underivedDays(
  state: Pick<State, 'as'>,
  region: ReportRegion,
  first: LocalDay,
  last: LocalDay,
  now: number,
): Promise<LocalDay[]> {
  const { regionId, scope, timezone } = region
  const today = localDay(new Date(now), timezone)
  const marked = await markedUntil(state, region)
  const end = marked === null ? first : marked < today ? marked : today
  const days = new Set(
    marked !== null
      ? await dirtyBetween(
          state,
          scope,
          { product: reportDays, regionId, parts: [''] },
          first,
          last,
          pendingSince(settleDaysAgainMs, now),
        )
      : [],
  )
  for (
    let day = Math.max(dayNumber(first), dayNumber(end));
    day <= dayNumber(last < today ? last : today);
    day++
  )
    days.add(dayFromNumber(day))
  const seal = await sealedBefore(state, scope, { product: reportDays, regionId })
  return [...days].filter((day) => seal === null || day >= seal).toSorted()
}
