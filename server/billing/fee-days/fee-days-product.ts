import type { Selectable } from 'kysely'
import { addDays, daysBetween, hourMs, type LocalDay, localDay } from '#contract/period.ts'
import { getDayEnd, getDayStart } from '#server/regions/local-hours.ts'
import type { DerivedProduct } from '#server/derived/derived-product.ts'
import { markDirty } from '#server/derived/dirty-spans.ts'
import type { LayerMembership } from '#server/geography/membership/layer-membership.ts'
import { feeDays, settleDaysAgainMs } from '#server/fleet/fact-changes.ts'
import {
  readReportRegion,
  type ReportRegion,
  groupSuccessiveDays,
} from '#server/fleet/reports/report-days.ts'
import { findRegion } from '#server/regions/read-region.ts'
import { createVersionCounter, type Facts } from '#server/stores/facts.ts'
import { bind, deletionColumns, facts as rawTable, latest, sql, versionValue } from '#server/stores/sql.ts'
import type { State } from '#server/stores/state.ts'
import type { StateTables } from '#server/stores/state-tables.ts'
import { countFees } from './count-fees.ts'
import { feeQueryOptions } from './fact-question.ts'
import { type FeeDaySum, type FeeRevision, listFeeRevisions } from './fee-revision.ts'

/** Incremented when a change of the code changes fees. Stored fees of earlier versions are derived again. */
export const feeMethodVersion = 2
/** Interval at which today and days with open parking events are counted again. */
const refreshIntervalMs = hourMs
const settleMs = 60_000
const maxDaysPerRun = 31
/** Number of past days with rates that are counted again when a new day begins. */
const recheckDays = 7

export interface FeeStores {
  state: State
  facts: Facts
  membership: LayerMembership
  nowMs: () => number
}

const columns = [
  'region_id',
  'policy_id',
  'day',
  'operator',
  'vehicle_type',
  'charge',
  'unit',
  'price',
  'denominator',
  'numerator',
  'facts',
  'open',
  'is_deleted',
  'version',
] as const

function encodeRows(
  regionId: string,
  policyId: string,
  sums: readonly FeeDaySum[],
  version: bigint,
): Uint8Array {
  const lines = sums.map((sum) =>
    [
      regionId,
      policyId,
      sum.day,
      sum.operator,
      sum.vehicleType,
      sum.charge,
      sum.unit,
      sum.price,
      sum.denominator,
      sum.numerator,
      sum.facts,
      sum.open,
      0,
      version,
    ].join('\t'),
  )
  return Buffer.from(lines.map((line) => `${line}\n`).join(''))
}

/** Describes what stored fees depend on besides facts. Fees with another basis are outdated. */
export const computeFeeBasis = (
  { from, until }: FeeRevision,
  {
    timezone,
    operatingHours,
    lostAfterHours,
  }: Pick<ReportRegion, 'timezone' | 'operatingHours' | 'lostAfterHours'>,
): string =>
  [feeMethodVersion, from, until, timezone, operatingHours.from, operatingHours.until, lostAfterHours].join(
    ' ',
  )

/**
 * Returns the first day to mark if the basis is unchanged. Rates also depend on dwell times of earlier days,
 * so recent days are counted again each day.
 */
const getFirstDayToRecheck = ({ rates }: FeeRevision, markedDay: LocalDay, today: LocalDay): LocalDay => {
  const firstRecheckedDay = addDays(today, -recheckDays)
  return rates && firstRecheckedDay < markedDay ? firstRecheckedDay : markedDay
}

/** Returns the days of a revision that are not derived with its present basis, or that are counted again. */
function findDaysToMark(
  revision: FeeRevision,
  row: Selectable<StateTables['fee_policy']> | undefined,
  { basis, timezone, now, today }: { basis: string; timezone: string; now: number; today: LocalDay },
): LocalDay[] {
  const hasSameBasis = row?.basis === basis
  const beginDay = localDay(new Date(revision.from), timezone)
  const [, fromText, untilText] = row ? row.basis.split(' ') : []
  // If a revision now begins later or ends earlier, its fees outside the new dates must be removed.
  const previousUntil = untilText && !hasSameBasis ? Number(untilText) : revision.until
  const end = Math.max(revision.until, Number.isFinite(previousUntil) ? previousUntil : Infinity)
  const previousDay = fromText && !hasSameBasis ? localDay(new Date(Number(fromText)), timezone) : beginDay
  const earliestDay = beginDay < previousDay ? beginDay : previousDay
  const firstDay = hasSameBasis ? getFirstDayToRecheck(revision, row.marked_day, today) : earliestDay
  return daysBetween(firstDay, end < now ? localDay(new Date(end), timezone) : today)
}

/** Marks days of revisions that are new or have a new basis. */
async function markRevisions(
  { state, nowMs }: FeeStores,
  region: ReportRegion,
  revisions: readonly FeeRevision[],
): Promise<void> {
  const { regionId, scope, timezone } = region
  const store = state.as(scope)
  const rows = await store.selectFrom('fee_policy').selectAll().where('region_id', '=', regionId).execute()
  const rowsByPolicy = new Map(rows.map((row) => [row.policy_id, row]))
  const today = localDay(new Date(nowMs()), timezone)
  for (const revision of revisions) {
    const { policyId } = revision
    const row = rowsByPolicy.get(policyId)
    const basis = computeFeeBasis(revision, region)
    if (row?.basis === basis && row.marked_day === today) continue
    await markDirty(
      state,
      scope,
      { product: feeDays, regionId },
      {
        spans: findDaysToMark(revision, row, { basis, timezone, now: nowMs(), today }),
        time: new Date(nowMs() - settleDaysAgainMs),
      },
    )
    const values = { basis, marked_day: today }
    await store
      .insertInto('fee_policy')
      .values({ policy_id: policyId, region_id: regionId, ...values })
      .onConflict((conflict) => conflict.column('policy_id').doUpdateSet(values))
      .execute()
  }
}

/** Marks today and days with open parking events to be counted again. */
async function markOpenDays(
  { state, facts }: FeeStores,
  { regionId, scope, timezone }: ReportRegion,
  nowMs: number,
): Promise<void> {
  const rows = await facts.rows<{ day: LocalDay }>(
    scope,
    sql`
      select distinct toString(day) as day
      from ${latest('fee_days')}
      where region_id = ${bind('String', regionId)} and open > 0`,
  )
  const days = [...rows.map(({ day }) => day), localDay(new Date(nowMs), timezone)]
  await markDirty(
    state,
    scope,
    { product: feeDays, regionId },
    { spans: days, time: new Date(nowMs - settleDaysAgainMs) },
  )
}

/** Counts and stores the fees of consecutive days, then withdraws earlier rows of these days. */
async function storeDays(
  { facts, membership, nowMs }: FeeStores,
  { region, revisions, days }: { region: ReportRegion; revisions: readonly FeeRevision[]; days: LocalDay[] },
  version: bigint,
): Promise<void> {
  const { regionId, scope, timezone } = region
  const firstDay = days[0]
  const lastDay = days.at(-1)
  if (!firstDay || !lastDay) return
  const from = getDayStart(firstDay, timezone)
  const until = getDayEnd(lastDay, timezone)
  for (const revision of revisions.filter((candidate) => candidate.from < until && candidate.until > from)) {
    const sums = await countFees({ facts, membership, scope, region, now: nowMs() }, revision, days)
    const rows = encodeRows(regionId, revision.policyId, sums, version)
    if (sums.length)
      await facts.insert(scope, 'fee_days', { columns, regionId, lines: rows, areDistinct: true })
  }
  await facts.add(scope, 'fee_days', {
    columns,
    rows: sql`
      select ${deletionColumns(columns, version)}
      from ${latest('fee_days')}
      where region_id = ${bind('String', regionId)}
        and day between ${bind('Date', firstDay)} and ${bind('Date', lastDay)}
        and version < ${versionValue(version)}`,
    ...feeQueryOptions,
    areDistinct: true,
  })
}

/**
 * Derives `fee_days` from trips, intervals and parking events: what each revision of a fee policy charges on
 * each local day. Late facts change the days on which they begin.
 */
export function createFeeDaysProduct(stores: FeeStores): DerivedProduct {
  const { state, facts, nowMs } = stores
  const nextVersion = createVersionCounter(nowMs)
  /** When today and open days were last marked, by region, ms. */
  const lastRefreshes = new Map<string, number>()
  const findRevisions = async ({ scope, regionId }: ReportRegion): Promise<FeeRevision[]> =>
    listFeeRevisions(state, scope, await findRegion(state, scope, regionId), new Date(nowMs()))

  return {
    name: feeDays,
    description: 'Fees by day: trips, states and parking of fee policies to fee_days',
    settleMs,
    settleAgainMs: settleDaysAgainMs,
    maxSpans: maxDaysPerRun,
    watches: ['policy'],
    async derive(derived, dirtyDays) {
      const region = await readReportRegion(state, derived)
      const revisions = await findRevisions(region)
      if (!revisions.length && !(await hasRows(facts, region))) return
      const today = localDay(new Date(nowMs()), region.timezone)
      const pastDays = dirtyDays.filter((day) => day <= today)
      for (const days of groupSuccessiveDays(pastDays, maxDaysPerRun))
        await storeDays(stores, { region, revisions, days }, nextVersion())
    },
    async advance(derived) {
      const region = await readReportRegion(state, derived)
      const revisions = (await findRevisions(region)).filter(({ from }) => from < nowMs())
      if (!revisions.length) return false
      await markRevisions(stores, region, revisions)
      const now = nowMs()
      const lastRefresh = lastRefreshes.get(region.regionId) ?? 0
      const wasClockSetBack = now < lastRefresh
      if (wasClockSetBack || now - lastRefresh >= refreshIntervalMs) {
        await markOpenDays(stores, region, now)
        lastRefreshes.set(region.regionId, now)
      }
      return false
    },
  }
}

const hasRows = async (facts: Facts, { regionId, scope }: ReportRegion): Promise<boolean> =>
  (
    await facts.rows(
      scope,
      sql`select 1 as n from ${rawTable('fee_days')} where region_id = ${bind('String', regionId)} limit 1`,
    )
  ).length > 0
