import type { FeeLine } from '#contract/fees.ts'
import { type LocalDay, daysBetween } from '#contract/period.ts'
import type { Region } from '#contract/regions.ts'
import { getDayEnd, getDayStart } from '#server/regions/local-hours.ts'
import type { Facts } from '#server/stores/facts.ts'
import { toDateTime, toMilliseconds } from '#server/stores/date-time.ts'
import type { Scope } from '#server/stores/scope.ts'
import { bind, latest, type Sql, sql } from '#server/stores/sql.ts'
import type { InvoicedPeriod } from '../fee-source.ts'
import { feeQueryOptions } from './fact-question.ts'
import type { FeeRevision } from './fee-revision.ts'
import { sumInvoiceFacts } from './invoice-facts.ts'
import { makeFeeLines } from './fee-lines.ts'
import { mergeSums, operatorCondition, readSums, type StoredSum } from './read-sums.ts'

/** The operator, region and policy revisions for which fees of earlier periods are computed. */
export interface EarlierQuestion {
  facts: Facts
  scope: Scope
  region: Region
  revisions: readonly FeeRevision[]
  operator: string
  /** Milliseconds. */
  now: number
}

const bindInt64s = (values: readonly number[]): Sql => sql`${bind('Array(Int64)', values)}`

/**
 * Builds SQL for the facts of the kind that a revision charges, with `begins` and `ends` in ms. Trips and
 * parking events are charged when they begin, so their spans are only that millisecond.
 */
function factSpanSql({ part }: FeeRevision, from: number, until: number): Sql {
  const spanCondition = (time: Sql): Sql =>
    sql`${time} >= ${toDateTime(from)} and ${time} < ${toDateTime(until)}`
  switch (part.kind) {
    case 'trips':
      return sql`
        select region_id, operator, ${toMilliseconds(sql`start_time`)} as begins, begins + 1 as ends
        from ${latest('trips')}
        where ${spanCondition(sql`start_time`)}`
    case 'parking':
      return sql`
        select region_id, operator, ${toMilliseconds(sql`from_time`)} as begins, begins + 1 as ends
        from ${latest('parking_events')}
        where ${spanCondition(sql`from_time`)}`
    default:
      return sql`
        select region_id, operator, ${toMilliseconds(sql`from_time`)} as begins, ${toMilliseconds(sql`to_time`)} as ends
        from ${latest('vehicle_intervals')}
        where from_time < ${toDateTime(until)} and to_time > ${toDateTime(from)}`
  }
}

/** Returns the local days on which the operator has no fact of the kind that a revision charges. */
async function findDaysWithoutFacts(
  { facts, scope, region: { regionId, timezone }, operator }: EarlierQuestion,
  revision: FeeRevision,
  days: readonly LocalDay[],
): Promise<Set<LocalDay>> {
  const from = days.map((day) => getDayStart(day, timezone))
  const until = days.map((day) => getDayEnd(day, timezone))
  const rows = await facts.rows<{ day_number: number }>(
    scope,
    sql`
    with
      fact_spans as (${factSpanSql(revision, Math.min(...from), Math.max(...until))})
    select distinct
      -- the numbers, from 1, of the days that a fact intersects
      arrayJoin(
        arrayFilter(
          day ->
            begins < arrayElement(${bindInt64s(until)}, day) and ends > arrayElement(${bindInt64s(from)}, day),
          arrayEnumerate(${bindInt64s(from)})
        )
      ) as day_number
    from fact_spans
    where region_id = ${bind('String', regionId)}
      and ${operatorCondition(operator)}`,
    feeQueryOptions,
  )
  const daysWithFacts = new Set(rows.map(({ day_number: dayNumber }) => days[dayNumber - 1]))
  return new Set(days.filter((day) => !daysWithFacts.has(day)))
}

/** Finds the sums that an invoice stored for days without facts, because retention removed them. */
async function findRemovedSums(
  question: EarlierQuestion,
  { invoiceId, period }: InvoicedPeriod,
  sums: readonly StoredSum[],
): Promise<StoredSum[]> {
  const { facts, scope, region, revisions, now } = question
  const chargedDays = new Set(sums.map(({ policyId, grain }) => `${policyId} ${grain}`))
  const removedSums: StoredSum[] = []
  for (const revision of revisions) {
    const { policyId, from, until } = revision
    const unchargedDays = daysBetween(period.start_date, period.end_date).filter(
      (day) =>
        !chargedDays.has(`${policyId} ${day}`) &&
        getDayStart(day, region.timezone) < Math.min(until, now) &&
        getDayEnd(day, region.timezone) > from,
    )
    if (!unchargedDays.length) continue
    const stored = await sumInvoiceFacts(
      { facts, scope, regionId: region.regionId, invoiceId },
      { policyId, days: unchargedDays },
    )
    const days = [...new Set(stored.map(({ first }) => first))]
    if (!days.length) continue
    const emptyDays = await findDaysWithoutFacts(question, revision, days)
    removedSums.push(
      ...stored.filter(({ first }) => emptyDays.has(first)).map((sum) => ({ ...sum, grain: sum.first })),
    )
  }
  return removedSums
}

/**
 * Returns the current fees of an operator for invoiced periods. Facts may have a shorter retention than
 * invoices: for a day without any fact of the charged kind, the fees stored with the invoice are used.
 */
export async function listEarlierFeeLines(
  question: EarlierQuestion,
  invoices: readonly InvoicedPeriod[],
): Promise<FeeLine[][]> {
  const { facts, scope, region, revisions, operator, now } = question
  const { regionId, timezone, currencyCode: currency } = region
  const days = invoices.flatMap(({ period }) => [period.start_date, period.end_date]).toSorted()
  const firstDay = days[0]
  const lastDay = days.at(-1)
  if (!firstDay || !lastDay) return []
  const fullPeriod = { start_date: firstDay, end_date: lastDay }
  const { sums } = await readSums({ facts, scope }, { regionId, period: fullPeriod, by: 'day', operator })
  const lines: FeeLine[][] = []
  for (const invoice of invoices) {
    const { period } = invoice
    const periodSums = sums.filter(({ grain }) => grain >= period.start_date && grain <= period.end_date)
    const mergedSums = mergeSums([...periodSums, ...(await findRemovedSums(question, invoice, periodSums))])
    lines.push(makeFeeLines(revisions, mergedSums, { timezone, currency, period, now }))
  }
  return lines
}
