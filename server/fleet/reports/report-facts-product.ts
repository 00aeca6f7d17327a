import { LRUCache } from 'lru-cache'
import { dayFromNumber, dayNumber, type LocalDay, localDay } from '#contract/period.ts'
import type { DerivedProduct } from '#server/derived/derived-product.ts'
import { listDirtyBetween, getPendingThresholds, readSpanVersions } from '#server/derived/dirty-spans.ts'
import { findSeal } from '#server/derived/sealed-spans.ts'
import { createLostRule } from '#server/regions/lost-vehicles.ts'
import { createVersionCounter, type Facts } from '#server/stores/facts.ts'
import { bind, facts as factTable, latest, type Sql, sql } from '#server/stores/sql.ts'
import type { State } from '#server/stores/state.ts'
import { settleDaysAgainMs } from '../fact-changes.ts'
import {
  describeReportDays,
  getBasis,
  groupSuccessiveDays,
  markReportDaysDirty,
  maxDaysPerStatement,
  readReportRegion,
  reportDays,
  type ReportRegion,
  storeDays,
} from './report-days.ts'

interface ReportFactsOptions {
  state: State
  facts: Facts
  /** Milliseconds since 1970. */
  nowMs: () => number
}

/** Time (ms) in which late records are gathered before a day is derived for the first time. */
const settleMs = 60_000

/** Maximum number of outdated days that are derived on request. Others are read as stored. */
const maxDaysPerRead = 5
/** Days that were derived on request are not derived again for this time, ms. */
const readIntervalMs = 60_000

/** How up to date the facts of the requested days are. */
export interface DerivedUntil {
  /** The time (ms) until which the days are derived. */
  asOf: number
  /** Facts of the same version are the same. */
  version: string
  /** Number of outdated days. */
  pendingDays: number
  /** Number of days that were never derived. */
  missingDays: number
}

/** The facts of reports, by local day and hour. */
export class ReportFacts {
  readonly #options: ReportFactsOptions
  readonly #nextVersion: () => bigint
  /** Derivations on request, by region, settings and days. */
  readonly #reads = new LRUCache<string, { asOf: number; done: Promise<void> }>({ max: 1000 })

  constructor(options: ReportFactsOptions) {
    this.#options = options
    this.#nextVersion = createVersionCounter(options.nowMs)
  }

  /**
   * Returns the derived product. It reads trips, intervals, parking events and events, and writes
   * `report_hours` and `report_fleet_days`. A day is derived after it has ended, and again when its facts
   * change.
   */
  product(): DerivedProduct {
    const { state, facts, nowMs } = this.#options
    return {
      name: reportDays,
      description: 'Facts of reports by day: trips, states and parking to report_hours and report_fleet_days',
      settleMs,
      settleAgainMs: settleDaysAgainMs,
      maxSpans: maxDaysPerStatement,
      derive: async (derivedRegion, days) => {
        const region = await readReportRegion(state, derivedRegion)
        // Today is derived on request only (`refresh`), because it changes all the time.
        const endedDays = days.filter((day) => day < localDay(new Date(nowMs()), region.timezone))
        await this.#store(region, endedDays, nowMs())
      },
      advance: async (derivedRegion) => {
        await markEndedDays(state, facts, await readReportRegion(state, derivedRegion), new Date(nowMs()))
        return false
      },
    }
  }

  /**
   * Derives the newest outdated or unfinished days from `first` to `last` (both included). `since`: the first
   * day on which results depend. `region.scope` must include all operators.
   */
  async refresh(
    region: ReportRegion,
    { since, first, last }: { since: LocalDay; first: LocalDay; last: LocalDay },
  ): Promise<DerivedUntil> {
    const { state, nowMs } = this.#options
    const now = nowMs()
    const owner = { product: reportDays, regionId: region.regionId }
    const [outdatedDays, versions] = await Promise.all([
      listOutdatedDays(state, region, { first, last, now }),
      // Marks that are not derived yet do not change any result, so derived versions are counted.
      readSpanVersions(state, region.scope, owner, { first: since, last, version: 'done' }),
    ])
    const days = outdatedDays.slice(-maxDaysPerRead)
    const versionSum = [...versions.values()].reduce((sum, count) => sum + count, 0n)
    const version = `${getBasis(region)} ${versionSum}`
    if (!days.length) return { asOf: now, version, pendingDays: 0, missingDays: 0 }
    const key = [region.regionId, getBasis(region), ...days].join(' ')
    let read = this.#reads.get(key)
    if (!read || now - read.asOf >= readIntervalMs || now < read.asOf) {
      read = { asOf: now, done: this.#store(region, days, now) }
      this.#reads.set(key, read)
      read.done.catch(() => this.#reads.delete(key))
    }
    await read.done
    const pendingDays = outdatedDays.slice(0, -days.length)
    const missingDays = pendingDays.length ? await this.#countMissing(region, pendingDays) : 0
    return {
      asOf: read.asOf,
      version: `${version} ${read.asOf} ${pendingDays.length}`,
      pendingDays: pendingDays.length,
      missingDays,
    }
  }

  /** Returns the number of days without rows. */
  async #countMissing({ regionId, scope }: ReportRegion, days: readonly LocalDay[]): Promise<number> {
    const [stored] = await this.#options.facts.rows<{ n: string }>(
      scope,
      sql`
        select toString(uniqExact(day)) as n
        from ${factTable('report_hours')}
        where region_id = ${bind('String', regionId)} and day in ${bind('Array(Date)', days)}`,
    )
    return days.length - Number(stored?.n ?? 0)
  }

  async #store(region: ReportRegion, days: readonly LocalDay[], now: number): Promise<void> {
    for (const run of groupSuccessiveDays(days, maxDaysPerStatement))
      await storeDays(
        this.#options.facts,
        region.scope,
        describeReportDays(region, run, now),
        this.#nextVersion(),
      )
  }
}

/** Marks the days that have ended since the last call as dirty; all days if settings of the region changed. */
async function markEndedDays(state: State, facts: Facts, region: ReportRegion, at: Date): Promise<void> {
  const { regionId, scope, timezone } = region
  // These days have ended, so they are marked as settled and derived immediately.
  const settledSince = new Date(at.getTime() - settleDaysAgainMs)
  const today = localDay(at, timezone)
  const firstUnmarked = await findFirstUnmarkedDay(state, region)
  if (firstUnmarked === today) return
  const span = await findDaysWithFacts(facts, region)
  const first = firstUnmarked ?? span?.first ?? today
  const days: LocalDay[] = []
  for (let day = dayNumber(first); day < dayNumber(today) && day <= dayNumber(span?.last ?? ''); day++)
    days.push(dayFromNumber(day))
  await markReportDaysDirty(state, scope, { regionId, days, at: settledSince })
  const row = { basis: getBasis(region), ended_day: today }
  await state
    .as(scope)
    .insertInto('report_region')
    .values({ region_id: regionId, ...row })
    .onConflict((conflict) => conflict.column('region_id').doUpdateSet(row))
    .execute()
}

/** Finds the first and last local day with a trip or a vehicle that is not lost; null if there is none. */
async function findDaysWithFacts(
  facts: Facts,
  { regionId, scope, timezone, lostAfterHours }: ReportRegion,
): Promise<{ first: LocalDay; last: LocalDay } | null> {
  const region = sql`region_id = ${bind('String', regionId)}`
  const localDate = (time: Sql): Sql => sql`toDate(toTimeZone(${time}, ${bind('String', timezone)}))`
  const [row] = await facts.rows<{ first: LocalDay; last: LocalDay; n: string }>(
    scope,
    sql`
      select
        toString(min(first_day)) as first,
        toString(max(last_day)) as last,
        toString(count()) as n
      from (
        select min(local_date) as first_day, max(local_date) as last_day
        from ${latest('trips')}
        where ${region}
        having count() > 0
        union all
        select
          ${localDate(sql`min(from_time)`)} as first_day,
          ${localDate(createLostRule(lostAfterHours).lostAt(sql`max(from_time)`))} as last_day
        from ${latest('vehicle_intervals')}
        where ${region}
        having count() > 0
      )`,
    { limits: { seconds: 120 } },
  )
  return row && row.n !== '0' ? row : null
}

/**
 * Finds the first day that was not marked after it ended; null if none was, or if settings of the region have
 * changed since.
 */
async function findFirstUnmarkedDay(
  state: Pick<State, 'as'>,
  region: ReportRegion,
): Promise<LocalDay | null> {
  const row = await state
    .as(region.scope)
    .selectFrom('report_region')
    .select(['basis', 'ended_day'])
    .where('region_id', '=', region.regionId)
    .executeTakeFirst()
  return row?.basis === getBasis(region) ? row.ended_day : null
}

/** Lists the local days from `first` to `last` (included) that are missing, outdated or not ended. */
export async function listOutdatedDays(
  state: Pick<State, 'as'>,
  region: ReportRegion,
  { first, last, now }: { first: LocalDay; last: LocalDay; now: number },
): Promise<LocalDay[]> {
  const { regionId, scope, timezone } = region
  const today = localDay(new Date(now), timezone)
  const unmarkedDay = await findFirstUnmarkedDay(state, region)
  const outdatedDays = new Set<LocalDay>()
  let firstUnderived = first
  if (unmarkedDay !== null) {
    firstUnderived = unmarkedDay < today ? unmarkedDay : today
    const owner = { product: reportDays, regionId, parts: [''] }
    const due = getPendingThresholds(settleDaysAgainMs, now)
    for (const day of await listDirtyBetween(state, scope, owner, { first, last, due })) outdatedDays.add(day)
  }
  const lastDay = dayNumber(last < today ? last : today)
  for (let day = Math.max(dayNumber(first), dayNumber(firstUnderived)); day <= lastDay; day++)
    outdatedDays.add(dayFromNumber(day))
  const seal = await findSeal(state, scope, { product: reportDays, regionId })
  return [...outdatedDays].filter((day) => seal === null || day >= seal).toSorted()
}
