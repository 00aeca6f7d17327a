import {
  type PaymentResponse,
  type PaymentDimension,
  type PaymentMeasure,
  type PaymentQuestion,
} from '#contract/curb-payments.ts'
import type { LocalDay } from '#contract/period.ts'
import { Problem } from '#server/http/problem.ts'
import type { Facts } from '#server/stores/facts.ts'
import { bind, latest, sql } from '#server/stores/sql.ts'
import type { CurbIndex } from '../../store/curb-index.ts'
import {
  addUpByKeys,
  type GroupQuery,
  buildGroupStatements,
  maxGroups,
  type Period,
  type SumRow,
  type Sums,
} from './group-payments.ts'
import { type PaymentsContext, type PaymentSources, listPendingDays } from './payment-sums.ts'
import { type PaidSpaces, computePaidSpaceHours, readPaidSpaces, type SpaceHours } from './space-hours.ts'

const computeRatio = (numerator: number, denominator: number): number | null =>
  denominator > 0 ? numerator / denominator : null

interface Group {
  sums: Sums | undefined
  /** Revenue of the zones with spaces and paid hours. */
  spaceRevenue: number
  /** Space-hours of the same zones. */
  spaceHours: number
}

const computeNetRevenue = (sums: Sums | undefined): number => (sums?.received ?? 0) + (sums?.refunded ?? 0)

/** Computes each measure from the sums of a group. */
const measureValues: Readonly<Record<PaymentMeasure, (group: Group) => number | null>> = {
  revenue: ({ sums }) => computeNetRevenue(sums),
  received: ({ sums }) => sums?.received ?? 0,
  refunded: ({ sums }) => sums?.refunded ?? 0,
  payments: ({ sums }) => sums?.payments ?? 0,
  sessions: ({ sums }) => sums?.sessions ?? 0,
  purchased_hours: ({ sums }) => (sums?.seconds ?? 0) / 3600,
  revenue_per_session: ({ sums }) => computeRatio(computeNetRevenue(sums), sums?.sessions ?? 0),
  revenue_per_space_hour: (group) => computeRatio(group.spaceRevenue, group.spaceHours),
}

/** Returns the requested measures of payments by the requested dimensions, with a comparison period. */
export async function aggregatePayments(
  sources: PaymentSources,
  context: PaymentsContext & { index: CurbIndex; at: Date },
  question: PaymentQuestion,
): Promise<PaymentResponse> {
  const needsSpaces = question.measures.includes('revenue_per_space_hour')
  const spaces = needsSpaces
    ? await readPaidSpaces(sources.state, context.scope, context.index, context.at)
    : null
  const reader: Reader = { facts: sources.facts, context, question, spaces }
  const { compare_start_date: compareStart, compare_end_date: compareEnd } = question
  const comparisonPeriod: Period | null =
    compareStart && compareEnd ? { start_date: compareStart, end_date: compareEnd } : null
  const [pending, comparisonPending] = await Promise.all([
    listPendingDays(sources, context, question),
    comparisonPeriod ? listPendingDays(sources, context, comparisonPeriod) : [],
  ])
  const [period, comparison, [unlinkedSums], newestPayment] = await Promise.all([
    readPeriod(reader, question, pending),
    comparisonPeriod && readPeriod(reader, comparisonPeriod, comparisonPending),
    question.zones.length ? [] : readSums(reader, { period: question, dimensions: [], zones: [''], pending }),
    readNewestPayment(sources, context),
  ])
  return {
    period,
    comparison,
    basis: question.basis,
    newest_payment: newestPayment,
    unlinked_revenue: computeNetRevenue(unlinkedSums),
    pending_days: pending.length,
  }
}

/** What reading the periods of a question needs. */
interface Reader {
  facts: Facts
  context: PaymentsContext
  question: PaymentQuestion
  /** Null if no measure needs spaces. */
  spaces: PaidSpaces | null
}

async function readSums(
  { facts, context: { scope, regionId, signal }, question }: Reader,
  query: Omit<GroupQuery, 'regionId' | 'question'>,
): Promise<Sums[]> {
  const statements = buildGroupStatements({ regionId, question, ...query })
  const rows = await Promise.all(
    statements.map((statement) => facts.rows<SumRow>(scope, statement, { signal })),
  )
  return addUpByKeys(rows.flat())
}

async function readPeriod(
  reader: Reader,
  period: Period,
  pending: readonly string[],
): Promise<PaymentResponse['period']> {
  const { dimensions, measures } = reader.question
  const [rows, totals] = await Promise.all([
    dimensions.length ? readGroups(reader, { period, dimensions, pending }) : [],
    readGroups(reader, { period, dimensions: [], pending }),
  ])
  const emptyGroup: Group = { sums: undefined, spaceRevenue: 0, spaceHours: 0 }
  return {
    start_date: period.start_date,
    end_date: period.end_date,
    rows,
    totals: totals[0]?.values ?? measures.map((measure) => measureValues[measure](emptyGroup)),
  }
}

const toKey = (keys: readonly string[]): string => keys.join('\t')

/** Reads the values of the measures by the keys of some dimensions, sorted by key. */
async function readGroups(
  reader: Reader,
  {
    period,
    dimensions,
    pending,
  }: { period: Period; dimensions: readonly PaymentDimension[]; pending: readonly string[] },
): Promise<PaymentResponse['period']['rows']> {
  const { question, spaces } = reader
  // Locations within a zone have no spaces of their own.
  const spaceHours: SpaceHours =
    spaces && !dimensions.includes('location')
      ? computePaidSpaceHours(spaces, { ...question, ...period }, dimensions)
      : { hours: new Map(), zones: [] }
  const zones = question.zones.length ? question.zones : null
  const [rows, rowsWithSpaces] = await Promise.all([
    readSums(reader, { period, dimensions, zones, pending }),
    spaceHours.zones.length ? readSums(reader, { period, dimensions, zones: spaceHours.zones, pending }) : [],
  ])
  if (rows.length > maxGroups)
    throw new Problem(
      'bad_request',
      `A response contains at most ${maxGroups} groups. Choose fewer dimensions.`,
    )
  const spaceRevenues = new Map(rowsWithSpaces.map((row) => [toKey(row.keys), computeNetRevenue(row)]))
  return rows
    .toSorted((a, b) => toKey(a.keys).localeCompare(toKey(b.keys), 'en', { numeric: true }))
    .map((sums) => {
      const spaceKeys = sums.keys.filter(
        (_, index) => dimensions[index] !== 'vendor' && dimensions[index] !== 'payment_type',
      )
      const group: Group = {
        sums,
        spaceRevenue: spaceRevenues.get(toKey(sums.keys)) ?? 0,
        spaceHours: spaceHours.hours.get(toKey(spaceKeys)) ?? 0,
      }
      return { keys: sums.keys, values: question.measures.map((measure) => measureValues[measure](group)) }
    })
}

/** Lists the vendors and payment types that occur in a region. */
export async function listVendors({ facts }: PaymentSources, { scope, regionId, signal }: PaymentsContext) {
  const [row] = await facts.rows<{ vendors: string[]; types: string[] }>(
    scope,
    sql`
    select
      arraySort(groupUniqArray(toString(vendor))) as vendors,
      arraySort(groupUniqArray(toString(payment_type))) as types
    from ${latest('curb_payment_hours')}
    where region_id = ${bind('String', regionId)} and basis = 'paid'`,
    { signal },
  )
  return { vendors: row?.vendors ?? [], payment_types: row?.types ?? [] }
}

/** Returns the first and last local day with payments. */
export async function readPaymentRange(
  { facts }: PaymentSources,
  { scope, regionId, signal }: PaymentsContext,
) {
  const [row] = await facts.rows<{ first: LocalDay; last: LocalDay }>(
    scope,
    sql`
    select
      toString(min(day)) as first,
      toString(max(day)) as last
    from ${latest('curb_payment_hours')}
    where region_id = ${bind('String', regionId)} and basis = 'paid'
    having count() > 0`,
    { signal },
  )
  return { start_date: row?.first ?? null, end_date: row?.last ?? null }
}

/** Reads the time of the newest payment. The days of stored sums limit the search to one day. */
async function readNewestPayment(sources: PaymentSources, context: PaymentsContext): Promise<string | null> {
  const { end_date: last } = await readPaymentRange(sources, context)
  if (last === null) return null
  const [row] = await sources.facts.rows<{ at: number }>(
    context.scope,
    sql`
    select toUnixTimestamp(max(paid_time)) as at
    from ${latest('curb_payments')}
    where region_id = ${bind('String', context.regionId)} and day >= ${bind('Date', last)}`,
    { signal: context.signal },
  )
  return row && row.at > 0 ? new Date(row.at * 1000).toISOString() : null
}
