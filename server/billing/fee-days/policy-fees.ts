import type * as contract from '#contract/fees.ts'
import type { EndpointOutput, ParsedRequest } from '#contract/endpoint.ts'
import { endOfMonth, type LocalDay, localDay, startOfMonth } from '#contract/period.ts'
import type { Region } from '#contract/regions.ts'
import { readFeedCoverage } from '#server/compliance/days/feed-coverage.ts'
import { listDirtyBetween, type DueThresholds, pendingThresholds } from '#server/derived/dirty-spans.ts'
import type { LayerMembership } from '#server/geography/membership/layer-membership.ts'
import type { HealthRegion } from '#server/health/health-region.ts'
import type { DayCounts } from '#server/health/day-counts.ts'
import { dayAfter, daysBetween, dayStart } from '#server/health/local-hours.ts'
import { Problem } from '#server/http/problem.ts'
import { canSeeSingleTrips, type Viewer } from '#server/http/viewer.ts'
import { regionScope } from '#server/identity/scope.ts'
import { feeDays, settleDaysAgainMs } from '#server/fleet/fact-changes.ts'
import { findRegion } from '#server/regions/read-region.ts'
import type { Facts } from '#server/stores/facts.ts'
import type { Scope } from '#server/stores/scope.ts'
import { bind, latest, sql } from '#server/stores/sql.ts'
import type { State } from '#server/stores/state.ts'
import type { FeeQuestion, FeeSource, InvoicedPeriod, StoredFacts } from '../fee-source.ts'
import { countFees } from './count-fees.ts'
import { earlierFeeLines } from './earlier-fees.ts'
import { type FeeEngine, feeLimits } from './fact-question.ts'
import { forecastSums, forecastWeeks } from './forecast-sums.ts'
import { feeBasis, feeMethodVersion } from './fee-days-product.ts'
import { draftRevision, type FeeRevision, feeRevisions, unchargedRates } from './fee-revision.ts'
import { invoiceFactRows, invoiceSums, readInvoiceFacts, storeInvoiceFacts } from './invoice-facts.ts'
import { listRevisionFacts } from './list-fee-facts.ts'
import { mergeSums, whereOperator, readSums } from './read-sums.ts'
import { feeLines, type FeePeriod, type PeriodSum, sumDays, totalText } from './fee-lines.ts'

/** Dependencies of policy fees. */
export interface FeeSources {
  state: State
  facts: Facts
  membership: LayerMembership
  health: DayCounts
}

const uniqueOperators = (sums: readonly { operator: string }[]): string[] =>
  [...new Set(sums.map(({ operator }) => operator))].toSorted()

/** The part of a period within a month. `month`: its first day. */
export const clipToMonth = (month: LocalDay, { start_date: start, end_date: end }: FeePeriod): FeePeriod => ({
  start_date: month > start ? month : start,
  end_date: endOfMonth(month) < end ? endOfMonth(month) : end,
})

/** The revisions under which an operator pays. Others add no lines. */
const revisionsOfPayer = (revisions: readonly FeeRevision[], operator: string): FeeRevision[] =>
  revisions.filter(({ policy }) => !policy.operators.length || policy.operators.includes(operator))

/** Days of a period on which an operator has neither events nor trips. Trip files contain no events. */
async function daysWithoutData(
  { facts, health }: Pick<FeeSources, 'facts' | 'health'>,
  region: HealthRegion,
  { operator, period: { start_date: first, end_date: last }, now }: Omit<FeeQuestion, 'regionId'>,
): Promise<Set<LocalDay>> {
  const { scope, regionId } = region
  const daysWithRecords = await readFeedCoverage({ health, facts }, region, {
    first,
    last,
    withTrips: false,
    now,
  })
  const days = daysBetween(first, last).filter((day) => !daysWithRecords.hasAny(operator, day, false))
  if (!days.length) return new Set()
  // Limited to days without events, because this query reads every trip of its days.
  const tripDays = await facts.rows<{ day: LocalDay }>(
    scope,
    sql`
      select distinct toString(local_date) as day
      from ${latest('trips')}
      where region_id = ${bind('String', regionId)}
        and ${whereOperator(operator)} and local_date in ${bind('Array(Date)', days)}`,
  )
  const daysWithTrips = new Set(tripDays.map(({ day }) => day))
  return new Set(days.filter((day) => !daysWithTrips.has(day)))
}

/** Fees of an operator in a month, or in the requested part of the month. */
export interface MonthLines {
  /** First day of the month. */
  month: LocalDay
  operator: string
  lines: contract.FeeLine[]
}
/** Fees of an operator this month: accrued so far, and expected until its end. */
export type ForecastLines = Record<'accrued' | 'expected' | 'low' | 'high', contract.FeeLine[]> & {
  operator: string
}

interface FeeContext {
  region: Region
  /** Includes all operators of the region. */
  fullScope: Scope
  revisions: FeeRevision[]
  /** Ms since 1970. */
  now: number
}

/** Fees of policies: accrued fees from stored sums, forecasts, and trials of drafts. */
export class PolicyFees implements FeeSource {
  readonly #sources: FeeSources

  constructor(sources: FeeSources) {
    this.#sources = sources
  }

  async #context(viewer: Scope, regionId: string, at: Date): Promise<FeeContext> {
    const { state } = this.#sources
    const region = await findRegion(state, viewer, regionId)
    const fullScope = regionScope(region.organizationId, regionId)
    const revisions = await feeRevisions(state, fullScope, region, at)
    return { region, fullScope, revisions, now: at.getTime() }
  }

  #dirtyDays(
    { region, fullScope }: FeeContext,
    { start_date, end_date }: FeePeriod,
    due: DueThresholds | null = null,
  ): Promise<LocalDay[]> {
    const owner = { product: feeDays, regionId: region.regionId, parts: [''] }
    return listDirtyBetween(this.#sources.state, fullScope, owner, { first: start_date, last: end_date, due })
  }

  /** Number of days with amounts that are not computed yet, or are being recomputed. */
  async #countPendingDays(context: FeeContext, period: FeePeriod): Promise<number> {
    const due = pendingThresholds(settleDaysAgainMs, context.now)
    return (await this.#dirtyDays(context, period, due)).length
  }

  #engine(
    scope: Scope,
    region: Region,
    now: number,
    signal?: AbortSignal,
    operators?: readonly string[],
  ): FeeEngine {
    const { facts, membership } = this.#sources
    return {
      facts,
      membership,
      scope,
      region,
      now,
      ...(operators ? { operators } : {}),
      ...(signal ? { signal } : {}),
    }
  }

  /** Lines of accrued fees by month and operator. */
  async summary(
    viewer: Scope,
    { params, query }: ParsedRequest<typeof contract.getFeeSummary>,
    at: Date,
  ): Promise<Omit<EndpointOutput<typeof contract.getFeeSummary>, 'months'> & { months: MonthLines[] }> {
    const context = await this.#context(viewer, params.region_id, at)
    const { region, revisions, now } = context
    const pending = await this.#countPendingDays(context, query)
    const { sums, asOf } = await readSums(this.#sources.facts, viewer, region.regionId, query, 'month')
    const months: MonthLines[] = []
    for (const month of [...new Set(sums.map(({ grain }) => grain))].toSorted())
      for (const operator of uniqueOperators(sums)) {
        const operatorSums = sums.filter((sum) => sum.grain === month && sum.operator === operator)
        if (!operatorSums.length) continue
        const terms = {
          timezone: region.timezone,
          currency: region.currencyCode,
          period: clipToMonth(month, query),
        }
        months.push({ month, operator, lines: feeLines(revisions, operatorSums, terms, now, () => true) })
      }
    const thisMonth = startOfMonth(localDay(at, region.timezone))
    return {
      months,
      currency: region.currencyCode,
      as_of: asOf,
      pending_days: pending,
      unfinished_month:
        query.start_date <= endOfMonth(thisMonth) && query.end_date >= thisMonth ? thisMonth : null,
    }
  }

  /**
   * Whether all revisions under which an operator pays in a span were marked for derivation with their
   * present basis.
   */
  async #areMarked(
    { region, fullScope, revisions, now }: FeeContext,
    operator: string,
    { from, until }: { from: number; until: number },
  ): Promise<boolean> {
    const rows = await this.#sources.state
      .as(fullScope)
      .selectFrom('fee_policy')
      .select(['policy_id', 'basis'])
      .where('region_id', '=', region.regionId)
      .execute()
    const marked = new Map(rows.map(({ policy_id: id, basis }) => [id, basis]))
    return revisionsOfPayer(revisions, operator)
      .filter((each) => each.from < Math.min(until, now) && each.until > from)
      .every((each) => marked.get(each.policyId) === feeBasis(each, region))
  }

  /**
   * Whether the fees of an operator in a period are computed. Call it before reading the fees. Marks are read
   * before dirty days: in another order, days marked or derived in between would seem computed although their
   * fees are missing.
   */
  async #isPrepared(
    context: FeeContext,
    operator: string,
    span: { from: number; until: number },
    period: FeePeriod,
  ): Promise<boolean> {
    return (
      (await this.#areMarked(context, operator, span)) && !(await this.#dirtyDays(context, period)).length
    )
  }

  /** The fees of an operator in a period. */
  async fees(scope: Scope, { regionId, operator, period, now }: FeeQuestion): Promise<contract.Fees> {
    const { facts, health } = this.#sources
    const context = await this.#context(scope, regionId, new Date(now))
    const { region, fullScope, revisions } = context
    const { timezone, lostAfterHours, organizationId, currencyCode: currency } = region
    if (scope.operators && !scope.operators.includes(operator))
      throw new Problem('not_found', `There is no operator '${operator}'.`)
    const span = {
      from: dayStart(period.start_date, timezone),
      until: dayStart(dayAfter(period.end_date), timezone),
    }
    const isPrepared = await this.#isPrepared(context, operator, span, period)
    const [{ sums, asOf }, withoutData, uncharged] = await Promise.all([
      readSums(facts, scope, regionId, period, 'period', whereOperator(operator)),
      daysWithoutData(
        { facts, health },
        { regionId, organizationId, timezone, lostAfterHours, scope: fullScope },
        { operator, period, now },
      ),
      unchargedRates(this.#sources.state, fullScope, region, span, new Date(now)),
    ])
    const lines = feeLines(
      revisionsOfPayer(revisions, operator),
      sums,
      { timezone, currency, period },
      now,
      (day) => !withoutData.has(day),
    )
    return {
      operator,
      ...period,
      currency,
      lines,
      total: totalText(lines, currency),
      method_version: feeMethodVersion,
      as_of: isPrepared ? (asOf ?? new Date(now).toISOString()) : null,
      ...(uncharged.length ? { not_charged: uncharged } : {}),
    }
  }

  async earlierFees(
    scope: Scope,
    { regionId, operator, now }: Omit<FeeQuestion, 'period'>,
    invoices: readonly InvoicedPeriod[],
  ): ReturnType<FeeSource['earlierFees']> {
    if (scope.operators && !scope.operators.includes(operator))
      throw new Problem('not_found', `There is no operator '${operator}'.`)
    const context = await this.#context(scope, regionId, new Date(now))
    const { region, revisions } = context
    const days = invoices.flatMap(({ period }) => [period.start_date, period.end_date]).toSorted()
    const [first, last] = [days[0], days.at(-1)]
    const areMarked =
      !first ||
      !last ||
      (await this.#areMarked(context, operator, {
        from: dayStart(first, region.timezone),
        until: dayStart(dayAfter(last), region.timezone),
      }))
    const dirty = first && last ? await this.#dirtyDays(context, { start_date: first, end_date: last }) : []
    const lines = await earlierFeeLines(
      {
        facts: this.#sources.facts,
        scope,
        region,
        revisions: revisionsOfPayer(revisions, operator),
        operator,
        now,
      },
      invoices,
    )
    return invoices.map(({ period }, index) => ({
      currency: region.currencyCode,
      lines: lines[index] ?? [],
      total: totalText(lines[index] ?? [], region.currencyCode),
      as_of:
        !areMarked || dirty.some((day) => day >= period.start_date && day <= period.end_date)
          ? null
          : new Date(now).toISOString(),
    }))
  }

  async storeFacts(
    scope: Scope,
    invoiceId: string,
    { regionId, operator, period, now }: FeeQuestion,
    signal?: AbortSignal,
  ): Promise<StoredFacts> {
    const { region, revisions } = await this.#context(scope, regionId, new Date(now))
    const engine = this.#engine(scope, region, now, signal, [operator])
    return storeInvoiceFacts({ engine, invoiceId, period }, revisionsOfPayer(revisions, operator))
  }

  async readFacts(scope: Scope, invoiceId: string, regionId: string): Promise<NodeJS.ReadableStream> {
    return readInvoiceFacts(this.#sources.facts, scope, regionId, invoiceId)
  }

  async writeFacts(
    scope: Scope,
    invoiceId: string,
    regionId: string,
    path: string,
    signal?: AbortSignal,
  ): Promise<number> {
    return this.#sources.facts.write(
      scope,
      invoiceFactRows(regionId, invoiceId),
      { path, format: 'parquet' },
      { ...feeLimits, ...(signal ? { signal } : {}) },
    )
  }

  async recompute(
    scope: Scope,
    invoiceId: string,
    { regionId, operator, period, now, currency: issued }: FeeQuestion,
  ): Promise<contract.Fees> {
    const { region, revisions } = await this.#context(scope, regionId, new Date(now))
    const { timezone, currencyCode } = region
    const currency = issued ?? currencyCode
    const sums = await invoiceSums(this.#sources.facts, scope, regionId, invoiceId)
    const lines = feeLines(
      revisionsOfPayer(revisions, operator),
      sums,
      { timezone, currency, period },
      now,
      () => true,
    )
    const total = totalText(lines, currency)
    return {
      operator,
      ...period,
      currency,
      lines,
      total,
      method_version: feeMethodVersion,
      as_of: new Date(now).toISOString(),
    }
  }

  async forecast(
    viewer: Scope,
    { params, query }: ParsedRequest<typeof contract.forecastFees>,
    at: Date,
  ): Promise<
    Omit<EndpointOutput<typeof contract.forecastFees>, 'operators'> & { operators: ForecastLines[] }
  > {
    const context = await this.#context(viewer, params.region_id, at)
    const { region, now } = context
    const { currencyCode: currency, timezone } = region
    const today = localDay(at, timezone)
    const month = startOfMonth(today)
    const period = { start_date: month, end_date: endOfMonth(month) }
    const { constant_policy_uuid: policyId } = query
    const revisions = context.revisions.filter(({ constantPolicyId: id }) => !policyId || id === policyId)
    const sampleStart = dayAfter(today, -7 * forecastWeeks)
    const read = { start_date: sampleStart < month ? sampleStart : month, end_date: today }
    const pending = await this.#countPendingDays(context, period)
    const { sums, asOf } = await readSums(this.#sources.facts, viewer, region.regionId, read, 'day')
    const operators = uniqueOperators(sums).map((operator): ForecastLines => {
      const operatorSums = sums.filter((sum) => sum.operator === operator)
      const lines = (periodSums: readonly PeriodSum[], until = Infinity): contract.FeeLine[] =>
        feeLines(revisions, periodSums, { timezone, currency, period }, until, () => true)
      const done = mergeSums(operatorSums.filter(({ grain }) => grain >= month))
      const ended = operatorSums.filter(({ grain }) => grain >= month && grain < today)
      const remaining = forecastSums(revisions, operatorSums, { today, last: period.end_date, timezone })
      return {
        operator,
        accrued: lines(done, now),
        expected: lines(mergeSums([...ended, ...remaining.mean])),
        low: lines(mergeSums([...ended, ...remaining.low])),
        high: lines(mergeSums([...ended, ...remaining.high])),
      }
    })
    return { month, today, operators, currency, as_of: asOf, pending_days: pending }
  }

  async tryOut(
    viewer: Scope,
    { params, body }: ParsedRequest<typeof contract.tryFees>,
    at: Date,
    signal?: AbortSignal,
  ): Promise<EndpointOutput<typeof contract.tryFees>> {
    const startedMs = performance.now()
    const { state } = this.#sources
    const region = await findRegion(state, viewer, params.region_id)
    const revision = await draftRevision(state, viewer, region, body.policy)
    if (!revision)
      throw new Problem('validation_error', 'policy: It is not a fee policy, or its prices are not complete.')
    const engine = this.#engine(viewer, region, at.getTime(), signal, body.operators)
    const months = []
    for (let month = startOfMonth(body.start_date); month <= body.end_date; month = startOfMonth(month, -1)) {
      const period = clipToMonth(month, body)
      const sums = sumDays(
        revision.policyId,
        await countFees(engine, revision, daysBetween(period.start_date, period.end_date)),
      )
      const terms = { timezone: region.timezone, currency: region.currencyCode, period }
      for (const operator of uniqueOperators(sums)) {
        const operatorSums = sums.filter((sum) => sum.operator === operator)
        const lines = feeLines([revision], operatorSums, terms, at.getTime(), () => true)
        months.push({ ...period, operator, lines, total: totalText(lines, region.currencyCode) })
      }
    }
    return { currency: region.currencyCode, months, took_ms: Math.round(performance.now() - startedMs) }
  }

  async facts(
    viewer: Viewer,
    { params, query }: ParsedRequest<typeof contract.listFeeFacts>,
    at: Date,
    signal?: AbortSignal,
  ): Promise<EndpointOutput<typeof contract.listFeeFacts>> {
    const { region, revisions, now } = await this.#context(viewer.scope, params.region_id, at)
    if (!canSeeSingleTrips(viewer))
      throw new Problem(
        'forbidden',
        'Single trips and parking events are visible to users who may edit policies.',
      )
    const revision = revisions.find(({ policyId }) => policyId === query.policy_uuid)
    if (!revision)
      throw new Problem('not_found', 'policy_uuid: No fee policy of this region has this revision.')
    const engine = this.#engine(viewer.scope, region, now, signal, [query.operator])
    return {
      ...(await listRevisionFacts(engine, revision, query, query)),
      page: query.page,
      size: query.size,
    }
  }
}
