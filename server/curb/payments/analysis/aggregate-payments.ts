import {
  type PaymentAnswer,
  type PaymentDimension,
  type PaymentMeasure,
  type PaymentQuestion,
} from '#contract/curb-payments.ts'
import { hoursOfRange, isFullDay, type LocalDay } from '#contract/period.ts'
import { Problem } from '#server/http/problem.ts'
import { bind, joinSql, latest, type Sql, sql } from '#server/stores/sql.ts'
import { fastLatest, splitSources } from './payment-filter.ts'
import { paidSpaceHours, readPaidSpaces, type SpaceHours } from './space-hours.ts'
import type { CurbIndex } from '../../store/curb-index.ts'
import { type PaymentsContext, type PaymentSources, pendingDays } from './list-transactions.ts'

/** Maximum number of groups in a response. */
const maxRows = 50_000

type Period = Pick<PaymentQuestion, 'start_date' | 'end_date'>

const placeDimensions: readonly PaymentDimension[] = ['zone', 'location']
/** Dimensions that sums of whole months can be grouped by. */
const monthDimensions: readonly PaymentDimension[] = ['month', 'zone', 'location', 'payment_type', 'vendor']

function keyExpression(dimension: PaymentDimension, { day, hour }: { day: Sql; hour: Sql }): Sql {
  switch (dimension) {
    case 'day':
      return sql`toString(${day})`
    case 'week':
      return sql`toString(toMonday(${day}))`
    case 'month':
      return sql`toString(toStartOfMonth(${day}))`
    case 'day_of_week':
      return sql`toString(toDayOfWeek(${day}))`
    case 'hour_of_day':
      return sql`toString(${hour})`
    case 'zone':
      return sql`toString(zone_id)`
    case 'location':
      return sql`toString(location_id)`
    case 'payment_type':
      return sql`toString(payment_type)`
    case 'vendor':
      return sql`toString(vendor)`
  }
}

const inList = (column: Sql, values: readonly string[]): Sql[] =>
  values.length ? [sql`${column} in ${bind('Array(String)', values)}`] : []

interface SumTexts {
  keys: string[]
  received: string
  refunded: string
  payment_count: string
  session_count: string
  seconds: string
}
interface Sums {
  keys: string[]
  received: number
  refunded: number
  payments: number
  sessions: number
  seconds: number
}

/**
 * Statements for the sums by the keys of dimensions, from the smallest tables with the necessary columns.
 * `zones` is null for all zones. `pending` are the days with outdated stored sums.
 */
function groupedSums(
  regionId: string,
  question: PaymentQuestion,
  period: Period,
  dimensions: readonly PaymentDimension[],
  zones: readonly string[] | null,
  pending: readonly string[],
): Sql[] {
  const needsPlaces = zones !== null || dimensions.some((each) => placeDimensions.includes(each))
  const needsHours = !isFullDay(question.hour_filters) || dimensions.includes('hour_of_day')
  const isParked = question.basis === 'parked'
  const table = needsPlaces && needsHours ? null : needsPlaces ? 'curb_payment_places' : 'curb_payment_hours'
  const paymentTimes = isParked
    ? { day: sql`parked_day`, hour: sql`parked_hour` }
    : { day: sql`day`, hour: sql`hour` }
  const sumTimes = { day: sql`day`, hour: sql`hour` }
  const classes = [
    sql`region_id = ${bind('String', regionId)}`,
    sql`kind in ('counted', 'refund')`,
    ...inList(sql`vendor`, question.vendors),
    ...inList(sql`payment_type`, question.payment_types),
    ...(zones === null ? [] : [sql`zone_id in ${bind('Array(String)', zones)}`]),
  ]
  const hasWeekdays = question.days.length > 0 && question.days.length < 7
  const conditions = ({ day, hour }: { day: Sql; hour: Sql }): Sql[] => [
    ...classes,
    sql`${day} between ${bind('Date', period.start_date)} and ${bind('Date', period.end_date)}`,
    ...(hasWeekdays ? [sql`toDayOfWeek(${day}) in ${bind('Array(UInt8)', question.days)}`] : []),
    ...(isFullDay(question.hour_filters)
      ? []
      : [sql`${hour} in ${bind('Array(UInt8)', hoursOfRange(question.hour_filters))}`]),
  ]
  // Payments are stored by the day of payment, which is near the day of parking.
  const nearDays = isParked
    ? [sql`day between ${bind('Date', period.start_date)} - 3 and ${bind('Date', period.end_date)} + 3`]
    : []
  const basisCondition = sql`basis = ${bind('String', question.basis)}`
  const canUseMonths =
    table === 'curb_payment_places' &&
    !hasWeekdays &&
    dimensions.every((each) => monthDimensions.includes(each))
  const sources = splitSources(table, period, pending, {
    stored: [...conditions(sumTimes), basisCondition],
    fresh: [...conditions(paymentTimes), ...nearDays],
    day: paymentTimes.day,
    monthly: canUseMonths ? [...classes, basisCondition] : null,
  })
  return sources.map(({ table: from, where, isStoredSums }) => {
    const times =
      from === 'curb_payment_place_months'
        ? { day: sql`month`, hour: sql`toUInt8(0)` }
        : isStoredSums
          ? sumTimes
          : paymentTimes
    const keys = dimensions.length
      ? sql`[${joinSql(
          dimensions.map((dimension) => keyExpression(dimension, times)),
          ', ',
        )}]`
      : sql`emptyArrayString()`
    const count = isStoredSums ? sql`sumIf(payments, kind = 'counted')` : sql`countIf(kind = 'counted')`
    return sql`
  select ${keys} as keys, toString(sumIf(amount, kind = 'counted')) as received, toString(sumIf(amount, kind = 'refund')) as refunded,
    toString(${count}) as payment_count, toString(sum(${isStoredSums ? sql`sessions` : sql`starts_session`})) as session_count,
    toString(sumIf(ifNull(purchased_seconds, 0), kind = 'counted')) as seconds
  from ${latest(from)}
  where ${where}
  group by keys
  limit ${bind('UInt32', maxRows + 1)}
  ${fastLatest}`
  })
}

/** Adds up the sums with the same keys. */
function addUp(rows: readonly SumTexts[]): Sums[] {
  const byKey = new Map<string, Sums>()
  for (const { keys, received, refunded, payment_count, session_count, seconds } of rows) {
    const sums = byKey.get(keys.join('\t')) ?? {
      keys,
      received: 0,
      refunded: 0,
      payments: 0,
      sessions: 0,
      seconds: 0,
    }
    byKey.set(keys.join('\t'), sums)
    sums.received += Number(received)
    sums.refunded += Number(refunded)
    sums.payments += Number(payment_count)
    sums.sessions += Number(session_count)
    sums.seconds += Number(seconds)
  }
  return [...byKey.values()]
}

const ratio = (numerator: number, denominator: number): number | null =>
  denominator > 0 ? numerator / denominator : null

interface Group {
  sums: Sums | undefined
  /** Revenue of the zones with spaces and paid hours. */
  spaceRevenue: number
  /** Space-hours of the same zones. */
  spaceHours: number
}

const netRevenue = (sums: Sums | undefined): number => (sums?.received ?? 0) + (sums?.refunded ?? 0)

const measureValues: Readonly<Record<PaymentMeasure, (group: Group) => number | null>> = {
  revenue: ({ sums }) => netRevenue(sums),
  received: ({ sums }) => sums?.received ?? 0,
  refunded: ({ sums }) => sums?.refunded ?? 0,
  payments: ({ sums }) => sums?.payments ?? 0,
  sessions: ({ sums }) => sums?.sessions ?? 0,
  purchased_hours: ({ sums }) => (sums?.seconds ?? 0) / 3600,
  revenue_per_session: ({ sums }) => ratio(netRevenue(sums), sums?.sessions ?? 0),
  revenue_per_space_hour: (group) => ratio(group.spaceRevenue, group.spaceHours),
}

/** The requested measures of payments by the requested dimensions, with a comparison period. */
export async function aggregatePayments(
  sources: PaymentSources,
  context: PaymentsContext & { index: CurbIndex; at: Date },
  question: PaymentQuestion,
): Promise<PaymentAnswer> {
  const { state, facts } = sources
  const { scope, regionId, index, signal } = context
  const zones = question.zones.length ? question.zones : null
  const needsSpaces = question.measures.includes('revenue_per_space_hour')
  const spaces = needsSpaces ? await readPaidSpaces(state, scope, index, context.at) : null
  const { compare_start_date: compareStart, compare_end_date: compareEnd } = question
  const comparisonPeriod: Period | null =
    compareStart && compareEnd ? { start_date: compareStart, end_date: compareEnd } : null
  const [pending, comparisonPending] = await Promise.all([
    pendingDays(sources, context, question),
    comparisonPeriod ? pendingDays(sources, context, comparisonPeriod) : [],
  ])
  const read = async (
    period: Period,
    dimensions: readonly PaymentDimension[],
    zoneFilter: readonly string[] | null,
  ): Promise<Sums[]> => {
    const pendingOfPeriod = period === comparisonPeriod ? comparisonPending : pending
    const queries = groupedSums(regionId, question, period, dimensions, zoneFilter, pendingOfPeriod)
    return addUp(
      (await Promise.all(queries.map((query) => facts.rows<SumTexts>(scope, query, { signal })))).flat(),
    )
  }

  const readGroups = async (period: Period, dimensions: readonly PaymentDimension[]) => {
    // Locations within a zone have no spaces of their own.
    const space: SpaceHours =
      spaces && !dimensions.includes('location')
        ? paidSpaceHours(spaces, { ...question, ...period }, dimensions)
        : { hours: new Map(), zones: [] }
    const [rows, spacedRows] = await Promise.all([
      read(period, dimensions, zones),
      space.zones.length ? read(period, dimensions, space.zones) : [],
    ])
    if (rows.length > maxRows)
      throw new Problem(
        'bad_request',
        `A response contains at most ${maxRows} groups. Choose fewer dimensions.`,
      )
    const revenues = new Map(spacedRows.map((row) => [row.keys.join('\t'), netRevenue(row)]))
    return rows
      .toSorted((a, b) => a.keys.join('\t').localeCompare(b.keys.join('\t'), 'en', { numeric: true }))
      .map((sums) => {
        const spaceKey = sums.keys
          .filter((_, index) => dimensions[index] !== 'vendor' && dimensions[index] !== 'payment_type')
          .join('\t')
        const group: Group = {
          sums,
          spaceRevenue: revenues.get(sums.keys.join('\t')) ?? 0,
          spaceHours: space.hours.get(spaceKey) ?? 0,
        }
        return { keys: sums.keys, values: question.measures.map((measure) => measureValues[measure](group)) }
      })
  }
  const readPeriod = async (period: Period): Promise<PaymentAnswer['period']> => {
    const [rows, totals] = await Promise.all([
      question.dimensions.length ? readGroups(period, question.dimensions) : [],
      readGroups(period, []),
    ])
    const empty: Group = { sums: undefined, spaceRevenue: 0, spaceHours: 0 }
    return {
      start_date: period.start_date,
      end_date: period.end_date,
      rows,
      totals: totals[0]?.values ?? question.measures.map((measure) => measureValues[measure](empty)),
    }
  }
  const [period, comparison, [unlinked], newest] = await Promise.all([
    readPeriod(question),
    comparisonPeriod && readPeriod(comparisonPeriod),
    zones === null ? read(question, [], ['']) : [],
    newestPayment(sources, context),
  ])
  return {
    period,
    comparison,
    basis: question.basis,
    newest_payment: newest,
    unlinked_revenue: netRevenue(unlinked),
    pending_days: pending.length,
  }
}

/** The vendors and payment types that occur in a region. */
export async function listVendors({ facts }: PaymentSources, { scope, regionId, signal }: PaymentsContext) {
  const [row] = await facts.rows<{ vendors: string[]; types: string[] }>(
    scope,
    sql`select arraySort(groupUniqArray(toString(vendor))) as vendors, arraySort(groupUniqArray(toString(payment_type))) as types
      from ${latest('curb_payment_hours')} where region_id = ${bind('String', regionId)} and basis = 'paid'`,
    { signal },
  )
  return { vendors: row?.vendors ?? [], payment_types: row?.types ?? [] }
}

/** The first and last local day with payments. */
export async function paymentRange({ facts }: PaymentSources, { scope, regionId, signal }: PaymentsContext) {
  const [row] = await facts.rows<{ first: LocalDay; last: LocalDay }>(
    scope,
    sql`select toString(min(day)) as first, toString(max(day)) as last from ${latest('curb_payment_hours')}
      where region_id = ${bind('String', regionId)} and basis = 'paid' having count() > 0`,
    { signal },
  )
  return { start_date: row?.first ?? null, end_date: row?.last ?? null }
}

/** The time of the newest payment. The days of the stored sums limit the search to a day of payments. */
async function newestPayment(sources: PaymentSources, context: PaymentsContext): Promise<string | null> {
  const { end_date: last } = await paymentRange(sources, context)
  if (last === null) return null
  const [row] = await sources.facts.rows<{ at: number }>(
    context.scope,
    sql`select toUnixTimestamp(max(paid_time)) as at from ${latest('curb_payments')}
      where region_id = ${bind('String', context.regionId)} and day >= ${bind('Date', last)}`,
    { signal: context.signal },
  )
  return row && row.at > 0 ? new Date(row.at * 1000).toISOString() : null
}
