import type { FeeLine } from '#contract/fees.ts'
import type { LocalDay } from '#contract/period.ts'
import type { Region } from '#contract/regions.ts'
import { dayAfter, daysBetween, dayStart } from '#server/health/local-hours.ts'
import type { Facts } from '#server/stores/facts.ts'
import { instant, msOf } from '#server/stores/instant.ts'
import type { Scope } from '#server/stores/scope.ts'
import { bind, latest, type Sql, sql } from '#server/stores/sql.ts'
import type { InvoicedPeriod } from '../fee-source.ts'
import { feeLimits } from './fact-question.ts'
import type { FeeRevision } from './fee-revision.ts'
import { invoiceSums } from './invoice-facts.ts'
import { feeLines } from './read-fees.ts'
import { mergeSums, ofOperator, readSums, type StoredSum } from './read-sums.ts'

/** Of one operator. `revisions`: those under which it pays. */
export interface EarlierQuestion {
  facts: Facts
  scope: Scope
  region: Region
  revisions: readonly FeeRevision[]
  operator: string
  /** Ms. */
  now: number
}

const int64s = (values: readonly number[]): Sql => sql`${bind('Array(Int64)', values)}`

/** Facts of the kind that a revision charges, with `begins` and `ends`, ms. */
function factSpans({ part }: FeeRevision, from: number, until: number): Sql {
  const within = (time: Sql): Sql => sql`${time} >= ${instant(from)} and ${time} < ${instant(until)}`
  switch (part.kind) {
    case 'trips':
      return sql`select region_id, operator, ${msOf(sql`start_time`)} as begins, begins + 1 as ends from ${latest('trips')} where ${within(sql`start_time`)}`
    case 'parking':
      return sql`select region_id, operator, ${msOf(sql`from_time`)} as begins, begins + 1 as ends from ${latest('parking_events')} where ${within(sql`from_time`)}`
    default:
      return sql`select region_id, operator, ${msOf(sql`from_time`)} as begins, ${msOf(sql`to_time`)} as ends from ${latest('vehicle_intervals')} where from_time < ${instant(until)} and to_time > ${instant(from)}`
  }
}

/** Those of some local days on which the operator has no fact of the kind that a revision charges. */
async function daysWithoutFacts(
  { facts, scope, region: { regionId, timezone }, operator }: EarlierQuestion,
  revision: FeeRevision,
  days: readonly LocalDay[],
): Promise<Set<LocalDay>> {
  const from = days.map((day) => dayStart(day, timezone))
  const until = days.map((day) => dayStart(dayAfter(day), timezone))
  const found = await facts.rows<{ at: number }>(
    scope,
    sql`
    select distinct arrayJoin(arrayFilter(at -> begins < arrayElement(${int64s(until)}, at) and ends > arrayElement(${int64s(from)}, at), arrayEnumerate(${int64s(from)}))) as at
    from (${factSpans(revision, Math.min(...from), Math.max(...until))}) where region_id = ${bind('String', regionId)} and ${ofOperator(operator)}`,
    feeLimits,
  )
  const left = new Set(found.map(({ at }) => days[at - 1]))
  return new Set(days.filter((day) => !left.has(day)))
}

/** Sums that were stored with an invoice, of days that have no fees by now because their facts are gone. */
async function goneSums(
  question: EarlierQuestion,
  { invoiceId, period }: InvoicedPeriod,
  sums: readonly StoredSum[],
): Promise<StoredSum[]> {
  const { facts, scope, region, revisions, now } = question
  const charged = new Set(sums.map(({ policyId, grain }) => `${policyId} ${grain}`))
  const gone: StoredSum[] = []
  for (const revision of revisions) {
    const { policyId, from, until } = revision
    const empty = daysBetween(period.start_date, period.end_date).filter(
      (day) =>
        !charged.has(`${policyId} ${day}`) &&
        dayStart(day, region.timezone) < Math.min(until, now) &&
        dayStart(dayAfter(day), region.timezone) > from,
    )
    if (!empty.length) continue
    const stored = await invoiceSums(facts, scope, region.regionId, invoiceId, { policyId, days: empty })
    const days = [...new Set(stored.map(({ first }) => first))]
    if (!days.length) continue
    const without = await daysWithoutFacts(question, revision, days)
    gone.push(
      ...stored.filter(({ first }) => without.has(first)).map((sum) => ({ ...sum, grain: sum.first })),
    )
  }
  return gone
}

/**
 * The fees of invoiced periods of an operator as they are now. Facts may have been deleted since, because they need not be retained as
 * long as invoices are: a day without any fact of the kind that is charged has the fees that were stored with its invoice.
 */
export async function earlierFeeLines(
  question: EarlierQuestion,
  invoices: readonly InvoicedPeriod[],
): Promise<FeeLine[][]> {
  const { facts, scope, region, revisions, operator, now } = question
  const { regionId, timezone, currencyCode: currency } = region
  const days = invoices.flatMap(({ period }) => [period.start_date, period.end_date]).toSorted()
  const [first, last] = [days[0], days.at(-1)]
  if (!first || !last) return []
  const all = { start_date: first, end_date: last }
  const { sums } = await readSums(facts, scope, regionId, all, 'day', ofOperator(operator))
  const lines: FeeLine[][] = []
  for (const invoice of invoices) {
    const { period } = invoice
    const own = sums.filter(({ grain }) => grain >= period.start_date && grain <= period.end_date)
    const known = mergeSums([...own, ...(await goneSums(question, invoice, own))])
    lines.push(feeLines(revisions, known, { timezone, currency, period }, now, () => true))
  }
  return lines
}
