import type * as contract from '#contract/fees.ts'
import type { Endpoint, EndpointOutput } from '#contract/endpoint.ts'
import {
  endOfMonth,
  type LocalDay,
  localDay,
  startOfMonth,
  startOfNextMonth,
  addDays,
  daysBetween,
} from '#contract/period.ts'
import { readFeedCoverage } from '#server/compliance/days/feed-coverage.ts'
import type { HealthRegion } from '#server/health/health-region.ts'
import { getDayEnd, getDayStart } from '#server/regions/local-hours.ts'
import { Problem } from '#server/http/problem.ts'
import type { Call } from '#server/http/route.ts'
import { canSeeSingleTrips, type Viewer } from '#server/http/viewer.ts'
import { findRegion } from '#server/regions/read-region.ts'
import type { Scope } from '#server/stores/scope.ts'
import { bind, latest, sql } from '#server/stores/sql.ts'
import type { FeeQuestion, FeeSource, InvoicedPeriod, InvoiceKey, StoredFacts } from '../fee-source.ts'
import { countFees } from './count-fees.ts'
import { listEarlierFeeLines } from './earlier-fees.ts'
import { type FeeEngine, feeQueryOptions } from './fact-question.ts'
import { forecastSums, forecastWeeks } from './forecast-sums.ts'
import { feeMethodVersion } from './fee-days-product.ts'
import {
  areRevisionsMarked,
  countPendingDays,
  type FeeSources,
  listDirtyDays,
  readFeeContext,
  filterRevisionsOfPayer,
} from './fee-context.ts'
import { makeDraftRevision, listUnchargedRates } from './fee-revision.ts'
import { invoiceFactsSql, sumInvoiceFacts, readInvoiceFacts } from './invoice-facts.ts'
import { listRevisionFacts } from './list-fee-facts.ts'
import { mergeSums, readSums, operatorCondition } from './read-sums.ts'
import { storeInvoiceFacts } from './store-invoice-facts.ts'
import { makeFeeLines, type FeePeriod, type PeriodSum, sumDays, formatTotal } from './fee-lines.ts'

/** A question about fees, and who asks it. */
export type FeeCall<E extends Endpoint> = Pick<Call<E>, 'params' | 'query' | 'at'> & {
  viewer: Pick<Viewer, 'scope'>
}

const listUniqueOperators = (sums: readonly { operator: string }[]): string[] =>
  [...new Set(sums.map(({ operator }) => operator))].toSorted()

/** Returns the part of a period within a month, which is named by its first day. */
export const clipToMonth = (month: LocalDay, { start_date: start, end_date: end }: FeePeriod): FeePeriod => ({
  start_date: month > start ? month : start,
  end_date: endOfMonth(month) < end ? endOfMonth(month) : end,
})

/** Finds days on which an operator has neither events nor trips; trips from files have no events. */
async function findDaysWithoutData(
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
        and ${operatorCondition(operator)} and local_date in ${bind('Array(Date)', days)}`,
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

/** Fees of an operator this month: `accrued` so far; expected until its end, with lower and higher bound. */
export type ForecastLines = Record<'accrued' | 'expected' | 'low' | 'high', contract.FeeLine[]> & {
  operator: string
}

/** Fees of policies: accrued fees from stored sums, forecasts, and trials of drafts. */
export class PolicyFees implements FeeSource {
  readonly #sources: FeeSources

  constructor(sources: FeeSources) {
    this.#sources = sources
  }

  #createEngine({
    operators,
    signal,
    ...terms
  }: Pick<FeeEngine, 'scope' | 'region' | 'now'> & {
    operators: readonly string[] | undefined
    signal: AbortSignal | undefined
  }): FeeEngine {
    const { facts, membership } = this.#sources
    return { facts, membership, ...terms, ...(operators ? { operators } : {}), ...(signal ? { signal } : {}) }
  }

  /** Returns the lines of accrued fees by month and operator. */
  async summarize({
    viewer: { scope },
    params,
    query,
    at,
  }: FeeCall<typeof contract.getFeeSummary>): Promise<
    Omit<EndpointOutput<typeof contract.getFeeSummary>, 'months'> & { months: MonthLines[] }
  > {
    const context = await readFeeContext(this.#sources.state, scope, params.region_id, at)
    const { region, revisions, now } = context
    const pendingDays = await countPendingDays(this.#sources.state, context, query)
    const { sums, asOf } = await readSums(
      { facts: this.#sources.facts, scope },
      { regionId: region.regionId, period: query, by: 'month' },
    )
    const months: MonthLines[] = []
    for (const month of [...new Set(sums.map(({ grain }) => grain))].toSorted())
      for (const operator of listUniqueOperators(sums)) {
        const operatorSums = sums.filter((sum) => sum.grain === month && sum.operator === operator)
        if (!operatorSums.length) continue
        const terms = {
          timezone: region.timezone,
          currency: region.currencyCode,
          period: clipToMonth(month, query),
          now,
        }
        months.push({ month, operator, lines: makeFeeLines(revisions, operatorSums, terms) })
      }
    const thisMonth = startOfMonth(localDay(at, region.timezone))
    return {
      months,
      currency: region.currencyCode,
      as_of: asOf,
      pending_days: pendingDays,
      unfinished_month:
        query.start_date <= endOfMonth(thisMonth) && query.end_date >= thisMonth ? thisMonth : null,
    }
  }

  async computeFees(scope: Scope, { regionId, operator, period, now }: FeeQuestion): Promise<contract.Fees> {
    const { state, facts, health } = this.#sources
    const context = await readFeeContext(state, scope, regionId, new Date(now))
    const { region, fullScope, revisions } = context
    const { timezone, lostAfterHours, organizationId, currencyCode: currency } = region
    if (scope.operators && !scope.operators.includes(operator))
      throw new Problem('not_found', `There is no operator '${operator}'.`)
    const span = {
      from: getDayStart(period.start_date, timezone),
      until: getDayEnd(period.end_date, timezone),
    }
    // Marks are read before dirty days, and both before the fees: in another order, days marked or derived in
    // between would seem computed although their fees are missing.
    const isMarked = await areRevisionsMarked(state, context, operator, span)
    const areAllDaysDerived = isMarked && !(await listDirtyDays(state, context, period)).length
    const [{ sums, asOf }, withoutData, unchargedRates] = await Promise.all([
      readSums({ facts, scope }, { regionId, period, by: 'period', operator }),
      findDaysWithoutData(
        { facts, health },
        { regionId, organizationId, timezone, lostAfterHours, scope: fullScope },
        { operator, period, now },
      ),
      listUnchargedRates(state, fullScope, region, { ...span, at: new Date(now) }),
    ])
    const lines = makeFeeLines(filterRevisionsOfPayer(revisions, operator), sums, {
      timezone,
      currency,
      period,
      now,
      hasData: (day) => !withoutData.has(day),
    })
    return {
      operator,
      ...period,
      currency,
      lines,
      total: formatTotal(lines, currency),
      method_version: feeMethodVersion,
      as_of: areAllDaysDerived ? (asOf ?? new Date(now).toISOString()) : null,
      ...(unchargedRates.length ? { not_charged: unchargedRates } : {}),
    }
  }

  async computeEarlierFees(
    scope: Scope,
    { regionId, operator, now }: Omit<FeeQuestion, 'period'>,
    invoices: readonly InvoicedPeriod[],
  ): ReturnType<FeeSource['computeEarlierFees']> {
    if (scope.operators && !scope.operators.includes(operator))
      throw new Problem('not_found', `There is no operator '${operator}'.`)
    const context = await readFeeContext(this.#sources.state, scope, regionId, new Date(now))
    const { region, revisions } = context
    const days = invoices.flatMap(({ period }) => [period.start_date, period.end_date]).toSorted()
    const firstDay = days[0]
    const lastDay = days.at(-1)
    const isMarked =
      !firstDay ||
      !lastDay ||
      (await areRevisionsMarked(this.#sources.state, context, operator, {
        from: getDayStart(firstDay, region.timezone),
        until: getDayEnd(lastDay, region.timezone),
      }))
    const dirtyDays =
      firstDay && lastDay
        ? await listDirtyDays(this.#sources.state, context, { start_date: firstDay, end_date: lastDay })
        : []
    const lines = await listEarlierFeeLines(
      {
        facts: this.#sources.facts,
        scope,
        region,
        revisions: filterRevisionsOfPayer(revisions, operator),
        operator,
        now,
      },
      invoices,
    )
    return invoices.map(({ period }, index) => ({
      currency: region.currencyCode,
      lines: lines[index] ?? [],
      total: formatTotal(lines[index] ?? [], region.currencyCode),
      as_of:
        !isMarked || dirtyDays.some((day) => day >= period.start_date && day <= period.end_date)
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
    const { region, revisions } = await readFeeContext(this.#sources.state, scope, regionId, new Date(now))
    const engine = this.#createEngine({ scope, region, now, operators: [operator], signal })
    return storeInvoiceFacts({ engine, invoiceId, period }, filterRevisionsOfPayer(revisions, operator))
  }

  async readFacts(scope: Scope, invoice: InvoiceKey): Promise<NodeJS.ReadableStream> {
    return readInvoiceFacts({ facts: this.#sources.facts, scope, ...invoice })
  }

  async writeFacts(scope: Scope, invoice: InvoiceKey, path: string, signal?: AbortSignal): Promise<number> {
    return this.#sources.facts.write(
      scope,
      invoiceFactsSql(invoice),
      { path, format: 'parquet' },
      { ...feeQueryOptions, ...(signal ? { signal } : {}) },
    )
  }

  async recompute(
    scope: Scope,
    invoiceId: string,
    { regionId, operator, period, now, currency: invoiceCurrency }: FeeQuestion,
  ): Promise<contract.Fees> {
    const { region, revisions } = await readFeeContext(this.#sources.state, scope, regionId, new Date(now))
    const { timezone, currencyCode } = region
    const currency = invoiceCurrency ?? currencyCode
    const sums = await sumInvoiceFacts({ facts: this.#sources.facts, scope, regionId, invoiceId })
    const terms = { timezone, currency, period, now }
    const lines = makeFeeLines(filterRevisionsOfPayer(revisions, operator), sums, terms)
    const total = formatTotal(lines, currency)
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

  /** Forecasts the fees of the current month by operator. */
  async forecast({
    viewer: { scope },
    params,
    query,
    at,
  }: FeeCall<typeof contract.forecastFees>): Promise<
    Omit<EndpointOutput<typeof contract.forecastFees>, 'operators'> & { operators: ForecastLines[] }
  > {
    const context = await readFeeContext(this.#sources.state, scope, params.region_id, at)
    const { region, now } = context
    const { currencyCode: currency, timezone } = region
    const today = localDay(at, timezone)
    const month = startOfMonth(today)
    const period = { start_date: month, end_date: endOfMonth(month) }
    const { constant_policy_uuid: policyId } = query
    const revisions = context.revisions.filter(({ constantPolicyId: id }) => !policyId || id === policyId)
    const sampleStart = addDays(today, -7 * forecastWeeks)
    const periodToRead = { start_date: sampleStart < month ? sampleStart : month, end_date: today }
    const pendingDays = await countPendingDays(this.#sources.state, context, period)
    const { sums, asOf } = await readSums(
      { facts: this.#sources.facts, scope },
      { regionId: region.regionId, period: periodToRead, by: 'day' },
    )
    const operators = listUniqueOperators(sums).map((operator): ForecastLines => {
      const operatorSums = sums.filter((sum) => sum.operator === operator)
      const toLines = (periodSums: readonly PeriodSum[], until = Infinity): contract.FeeLine[] =>
        makeFeeLines(revisions, periodSums, { timezone, currency, period, now: until })
      const sumsOfMonth = mergeSums(operatorSums.filter(({ grain }) => grain >= month))
      // The forecast of today includes what has accrued today.
      const sumsOfPastDays = operatorSums.filter(({ grain }) => grain >= month && grain < today)
      const remaining = forecastSums(revisions, operatorSums, { today, last: period.end_date, timezone })
      return {
        operator,
        accrued: toLines(sumsOfMonth, now),
        expected: toLines(mergeSums([...sumsOfPastDays, ...remaining.mean])),
        low: toLines(mergeSums([...sumsOfPastDays, ...remaining.low])),
        high: toLines(mergeSums([...sumsOfPastDays, ...remaining.high])),
      }
    })
    return { month, today, operators, currency, as_of: asOf, pending_days: pendingDays }
  }

  /** Computes the fees that an unsaved policy would have charged, by month and operator. */
  async tryOut({
    viewer: { scope },
    params,
    body,
    at,
    signal,
  }: Call<typeof contract.tryFees>): Promise<EndpointOutput<typeof contract.tryFees>> {
    const startedMs = performance.now()
    const { state } = this.#sources
    const region = await findRegion(state, scope, params.region_id)
    const revision = await makeDraftRevision(state, scope, region, body.policy)
    if (!revision)
      throw new Problem('validation_error', 'policy: It is not a fee policy, or its prices are not complete.')
    const now = at.getTime()
    const engine = this.#createEngine({ scope, region, now, operators: body.operators, signal })
    const months = []
    for (let month = startOfMonth(body.start_date); month <= body.end_date; month = startOfNextMonth(month)) {
      const period = clipToMonth(month, body)
      const sums = sumDays(
        revision.policyId,
        await countFees(engine, revision, daysBetween(period.start_date, period.end_date)),
      )
      const terms = { timezone: region.timezone, currency: region.currencyCode, period, now }
      for (const operator of listUniqueOperators(sums)) {
        const operatorSums = sums.filter((sum) => sum.operator === operator)
        const lines = makeFeeLines([revision], operatorSums, terms)
        months.push({ ...period, operator, lines, total: formatTotal(lines, region.currencyCode) })
      }
    }
    return { currency: region.currencyCode, months, took_ms: Math.round(performance.now() - startedMs) }
  }

  /** Lists a page of the facts that a revision charges. */
  async listFacts({
    viewer,
    params,
    query,
    at,
    signal,
  }: Call<typeof contract.listFeeFacts>): Promise<EndpointOutput<typeof contract.listFeeFacts>> {
    const { scope } = viewer
    const { region, revisions, now } = await readFeeContext(this.#sources.state, scope, params.region_id, at)
    if (!canSeeSingleTrips(viewer))
      throw new Problem(
        'forbidden',
        'Single trips and parking events are visible to users who may edit policies.',
      )
    const revision = revisions.find(({ policyId }) => policyId === query.policy_uuid)
    if (!revision)
      throw new Problem('not_found', 'policy_uuid: No fee policy of this region has this revision.')
    const engine = this.#createEngine({ scope, region, now, operators: [query.operator], signal })
    return {
      ...(await listRevisionFacts(engine, revision, query, query)),
      page: query.page,
      size: query.size,
    }
  }
}
