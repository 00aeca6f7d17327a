import type * as contract from '#contract/fees.ts'
import type { EndpointOutput, ParsedRequest } from '#contract/endpoint.ts'
import { Rational, zero } from '../rational.ts'
import { endOfMonth, type LocalDay, localDay, startOfMonth, weekdayOf } from '#contract/period.ts'
import type { Region } from '#contract/regions.ts'
import { fedDays } from '#server/compliance/days/fed-days.ts'
import { dirtyBetween, type DueSince, pendingSince } from '#server/derived/dirty-spans.ts'
import type { LayerMembership } from '#server/geography/membership/layer-membership.ts'
import type { HealthRegion } from '#server/health/health-region.ts'
import type { DayCounts } from '#server/health/day-counts.ts'
import { dayAfter, daysBetween, dayStart } from '#server/health/local-hours.ts'
import { Problem } from '#server/http/problem.ts'
import { canSeeSingleTrips, type Viewer } from '#server/http/viewer.ts'
import { regionScope } from '#server/identity/scope.ts'
import { feeDays, settleDaysAgainMs } from '#server/fleet/fact-days.ts'
import { findRegion } from '#server/regions/read-region.ts'
import type { Facts } from '#server/stores/facts.ts'
import type { Scope } from '#server/stores/scope.ts'
import { bind, latest, sql } from '#server/stores/sql.ts'
import type { State } from '#server/stores/state.ts'
import type { FeeQuestion, FeeSource, InvoicedPeriod, StoredFacts } from '../fee-source.ts'
import { countFees } from './count-fees.ts'
import { earlierFeeLines } from './earlier-fees.ts'
import { type FeeEngine, feeLimits } from './fact-question.ts'
import { basisOf, feeMethodVersion } from './fee-days-product.ts'
import { draftRevision, type FeeRevision, feeRevisions, unchargedRates } from './fee-revision.ts'
import { invoiceFactRows, invoiceSums, readInvoiceFacts, storeInvoiceFacts } from './invoice-facts.ts'
import { listFacts } from './list-fee-facts.ts'
import { mergeSums, ofOperator, readSums, type StoredSum } from './read-sums.ts'
import { feeLines, type FeePeriod, type PeriodSum, sumDays, totalText } from './read-fees.ts'

/** What fees are read with. */
export interface FeeSources {
  state: State
  facts: Facts
  membership: LayerMembership
  health: DayCounts
}

const uniqueOperators = (sums: readonly { operator: string }[]): string[] =>
  [...new Set(sums.map(({ operator }) => operator))].toSorted()

/** The part of a period that is in the month of a day. */
export const monthOf = (month: LocalDay, { start_date: start, end_date: end }: FeePeriod): FeePeriod => ({
  start_date: month > start ? month : start,
  end_date: endOfMonth(month) < end ? endOfMonth(month) : end,
})

/** Revisions under which an operator pays: those of others are no lines of this one. */
const ofPayer = (revisions: readonly FeeRevision[], operator: string): FeeRevision[] =>
  revisions.filter(({ policy }) => !policy.operators.length || policy.operators.includes(operator))

/** Days of a period on which an operator has no record: no event, and no trip, which is all that files bring. */
async function daysWithoutData(
  { facts, health }: Pick<FeeSources, 'facts' | 'health'>,
  region: HealthRegion,
  { operator, period: { start_date: first, end_date: last }, now }: Omit<FeeQuestion, 'regionId'>,
): Promise<Set<LocalDay>> {
  const { scope, regionId } = region
  const fed = await fedDays(health, facts, region, first, last, false, now)
  const days = daysBetween(first, last).filter((day) => !fed.hasAny(operator, day, false))
  if (!days.length) return new Set()
  // Only of these days: it reads every trip of them.
  const ridden = await facts.rows<{ day: LocalDay }>(
    scope,
    sql`select distinct toString(local_date) as day from ${latest('trips')} where region_id = ${bind('String', regionId)} and ${ofOperator(operator)} and local_date in ${bind('Array(Date)', days)}`,
  )
  const found = new Set(ridden.map(({ day }) => day))
  return new Set(days.filter((day) => !found.has(day)))
}

/** Weeks of which the same weekdays say what the rest of a month will be. */
const forecastWeeks = 4

/** Fees of an operator in a month, or in the requested part of it. */
export interface MonthLines {
  /** First day of the month. */
  month: LocalDay
  operator: string
  lines: contract.FeeLine[]
}
/** Fees of an operator this month: so far, and until its end as they are expected. */
export type ForecastLines = Record<'accrued' | 'expected' | 'low' | 'high', contract.FeeLine[]> & {
  operator: string
}

interface FeeContext {
  region: Region
  /** Of all operators of the region. */
  whole: Scope
  revisions: FeeRevision[]
  /** Ms. */
  now: number
}

/** Fees of policies: what was charged, by stored sums, and what a draft would charge. */
export class PolicyFees implements FeeSource {
  readonly #sources: FeeSources

  constructor(sources: FeeSources) {
    this.#sources = sources
  }

  async #context(viewer: Scope, regionId: string, at: Date): Promise<FeeContext> {
    const { state } = this.#sources
    const region = await findRegion(state, viewer, regionId)
    const whole = regionScope(region.organizationId, regionId)
    const revisions = await feeRevisions(state, whole, region, at)
    return { region, whole, revisions, now: at.getTime() }
  }

  #dirtyDays(
    { region, whole }: FeeContext,
    { start_date, end_date }: FeePeriod,
    due: DueSince | null = null,
  ): Promise<LocalDay[]> {
    const owner = { product: feeDays, regionId: region.regionId, parts: [''] }
    return dirtyBetween(this.#sources.state, whole, owner, start_date, end_date, due)
  }

  /** Days without amounts, or with amounts that are being computed again. */
  async #pending(context: FeeContext, period: FeePeriod): Promise<number> {
    const due = pendingSince(settleDaysAgainMs, context.now)
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

  /** The lines of fees by month and operator as they accrued. */
  async summary(
    viewer: Scope,
    { params, query }: ParsedRequest<typeof contract.getFeeSummary>,
    at: Date,
  ): Promise<Omit<EndpointOutput<typeof contract.getFeeSummary>, 'months'> & { months: MonthLines[] }> {
    const context = await this.#context(viewer, params.region_id, at)
    const { region, revisions, now } = context
    const pending = await this.#pending(context, query)
    const { sums, asOf } = await readSums(this.#sources.facts, viewer, region.regionId, query, 'month')
    const months: MonthLines[] = []
    for (const month of [...new Set(sums.map(({ grain }) => grain))].toSorted())
      for (const operator of uniqueOperators(sums)) {
        const own = sums.filter((sum) => sum.grain === month && sum.operator === operator)
        if (!own.length) continue
        const terms = {
          timezone: region.timezone,
          currency: region.currencyCode,
          period: monthOf(month, query),
        }
        months.push({ month, operator, lines: feeLines(revisions, own, terms, now, () => true) })
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

  /** Whether the days of all revisions under which an operator pays in a span were marked, for what they depend on now. */
  async #areMarked(
    { region, whole, revisions, now }: FeeContext,
    operator: string,
    { from, until }: { from: number; until: number },
  ): Promise<boolean> {
    const rows = await this.#sources.state
      .as(whole)
      .selectFrom('fee_policy')
      .select(['policy_id', 'basis'])
      .where('region_id', '=', region.regionId)
      .execute()
    const marked = new Map(rows.map(({ policy_id: id, basis }) => [id, basis]))
    return ofPayer(revisions, operator)
      .filter((each) => each.from < Math.min(until, now) && each.until > from)
      .every((each) => marked.get(each.policyId) === basisOf(each, region))
  }

  /**
   * Whether the fees of an operator in a period are computed. FactFilter before they are read, and the marks before the dirty days: in any other
   * order days that are marked or derived meanwhile would look computed while their fees are missing.
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

  /** The lines of an operator in a period. */
  async fees(scope: Scope, { regionId, operator, period, now }: FeeQuestion): Promise<contract.Fees> {
    const { facts, health } = this.#sources
    const context = await this.#context(scope, regionId, new Date(now))
    const { region, whole, revisions } = context
    const { timezone, lostAfterHours, organizationId, currencyCode: currency } = region
    if (scope.operators && !scope.operators.includes(operator))
      throw new Problem('not_found', `There is no operator '${operator}'.`)
    const span = {
      from: dayStart(period.start_date, timezone),
      until: dayStart(dayAfter(period.end_date), timezone),
    }
    const isPrepared = await this.#isPrepared(context, operator, span, period)
    const [{ sums, asOf }, withoutData, uncharged] = await Promise.all([
      readSums(facts, scope, regionId, period, 'period', ofOperator(operator)),
      daysWithoutData(
        { facts, health },
        { regionId, organizationId, timezone, lostAfterHours, scope: whole },
        { operator, period, now },
      ),
      unchargedRates(this.#sources.state, whole, region, span, new Date(now)),
    ])
    const lines = feeLines(
      ofPayer(revisions, operator),
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
      { facts: this.#sources.facts, scope, region, revisions: ofPayer(revisions, operator), operator, now },
      invoices,
    )
    return invoices.map(({ period }, at) => ({
      currency: region.currencyCode,
      lines: lines[at] ?? [],
      total: totalText(lines[at] ?? [], region.currencyCode),
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
    return storeInvoiceFacts({ engine, invoiceId, period }, ofPayer(revisions, operator))
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
      ofPayer(revisions, operator),
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
    const pending = await this.#pending(context, period)
    const { sums, asOf } = await readSums(this.#sources.facts, viewer, region.regionId, read, 'day')
    const operators = uniqueOperators(sums).map((operator): ForecastLines => {
      const own = sums.filter((sum) => sum.operator === operator)
      const lines = (some: readonly PeriodSum[], until = Infinity): contract.FeeLine[] =>
        feeLines(revisions, some, { timezone, currency, period }, until, () => true)
      const done = mergeSums(own.filter(({ grain }) => grain >= month))
      const ended = own.filter(({ grain }) => grain >= month && grain < today)
      const rest = forecastSums(revisions, own, { today, last: period.end_date, timezone })
      return {
        operator,
        accrued: lines(done, now),
        expected: lines(mergeSums([...ended, ...rest.mean])),
        low: lines(mergeSums([...ended, ...rest.low])),
        high: lines(mergeSums([...ended, ...rest.high])),
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
    const begin = performance.now()
    const { state } = this.#sources
    const region = await findRegion(state, viewer, params.region_id)
    const revision = await draftRevision(state, viewer, region, body.policy)
    if (!revision)
      throw new Problem('validation_error', 'policy: It is not a fee policy, or its prices are not complete.')
    const engine = this.#engine(viewer, region, at.getTime(), signal, body.operators)
    const months = []
    for (let month = startOfMonth(body.start_date); month <= body.end_date; month = startOfMonth(month, -1)) {
      const period = monthOf(month, body)
      const sums = sumDays(
        revision.policyId,
        await countFees(engine, revision, daysBetween(period.start_date, period.end_date)),
      )
      const terms = { timezone: region.timezone, currency: region.currencyCode, period }
      for (const operator of uniqueOperators(sums)) {
        const own = sums.filter((sum) => sum.operator === operator)
        const lines = feeLines([revision], own, terms, at.getTime(), () => true)
        months.push({ ...period, operator, lines, total: totalText(lines, region.currencyCode) })
      }
    }
    return { currency: region.currencyCode, months, took_ms: Math.round(performance.now() - begin) }
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
    return { ...(await listFacts(engine, revision, query, query)), page: query.page, size: query.size }
  }
}

/**
 * What the remaining days of a month, today included, are expected to add, price by price: the mean, the lowest and the highest of the same
 * weekdays of the past four weeks. Only whole days on which a revision was in effect count; where it has no such weekday yet, all of them do.
 * Today adds at least what has accrued already.
 */
function forecastSums(
  revisions: readonly FeeRevision[],
  sums: readonly StoredSum[],
  { today, last, timezone }: { today: LocalDay; last: LocalDay; timezone: string },
): Record<'mean' | 'low' | 'high', StoredSum[]> {
  const found: Record<'mean' | 'low' | 'high', StoredSum[]> = { mean: [], low: [], high: [] }
  for (const { policyId, from, until } of revisions) {
    const startOf = (day: LocalDay): number => dayStart(day, timezone)
    const samples = daysBetween(dayAfter(today, -7 * forecastWeeks), dayAfter(today, -1)).filter(
      (day) => startOf(day) >= from && startOf(dayAfter(day)) <= until,
    )
    const remaining = daysBetween(today, last).filter((day) => startOf(day) < until)
    const series = new Map<string, StoredSum[]>()
    for (const sum of sums) {
      if (sum.policyId !== policyId) continue
      const key = [sum.vehicleType, sum.charge, sum.unit, sum.price, sum.denominator].join('\t')
      series.set(key, [...(series.get(key) ?? []), sum])
    }
    for (const rows of series.values()) {
      const [sample] = rows
      if (!sample) continue
      const byDay = new Map(rows.map((row) => [row.grain, row.numerator]))
      let [mean, low, high] = [zero, 0n, 0n]
      for (const day of remaining) {
        const same = samples.filter((each) => weekdayOf(each) === weekdayOf(day))
        const accrued = day === today ? (byDay.get(today) ?? 0n) : 0n
        const values = (same.length ? same : samples)
          .map((each) => byDay.get(each) ?? 0n)
          .map((value) => (value > accrued ? value : accrued))
          .toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0))
        if (!values.length) values.push(accrued)
        const total = values.reduce((sum, value) => sum + value, 0n)
        mean = mean.plus(new Rational(total, BigInt(values.length)))
        low += values[0] ?? 0n
        high += values.at(-1) ?? 0n
      }
      const expected = { mean: mean.rounded(0), low, high }
      for (const kind of ['mean', 'low', 'high'] as const)
        found[kind].push({ ...sample, grain: today, numerator: expected[kind] })
    }
  }
  return found
}
