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
import { type AskingPayments, type PaymentSources, pendingDays } from './list-transactions.ts'

/** Groups of one answer at most. */
const maxRows = 50_000

type Period = Pick<PaymentQuestion, 'start_date' | 'end_date'>

const placeDimensions: readonly PaymentDimension[] = ['zone', 'location']
/** What sums of whole months know. */
const monthDimensions: readonly PaymentDimension[] = ['month', 'zone', 'location', 'payment_type', 'vendor']

function keyOf(dimension: PaymentDimension, { day, hour }: { day: Sql; hour: Sql }): Sql {
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

const listed = (column: Sql, values: readonly string[]): Sql[] =>
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

/** Statements for the sums by the keys of dimensions, from the smallest table that knows them. `zones`: null is all of them. */
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
  const ofPayments = isParked
    ? { day: sql`parked_day`, hour: sql`parked_hour` }
    : { day: sql`day`, hour: sql`hour` }
  const stored = { day: sql`day`, hour: sql`hour` }
  const classes = [
    sql`region_id = ${bind('String', regionId)}`,
    sql`kind in ('counted', 'refund')`,
    ...listed(sql`vendor`, question.vendors),
    ...listed(sql`payment_type`, question.payment_types),
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
  const reach = isParked
    ? [sql`day between ${bind('Date', period.start_date)} - 3 and ${bind('Date', period.end_date)} + 3`]
    : []
  const ofBasis = sql`basis = ${bind('String', question.basis)}`
  const canUseMonths =
    table === 'curb_payment_places' &&
    !hasWeekdays &&
    dimensions.every((each) => monthDimensions.includes(each))
  const sources = splitSources(table, period, pending, {
    stored: [...conditions(stored), ofBasis],
    fresh: [...conditions(ofPayments), ...reach],
    day: ofPayments.day,
    monthly: canUseMonths ? [...classes, ofBasis] : null,
  })
  return sources.map(({ table: from, where, isStoredSums }) => {
    const times =
      from === 'curb_payment_place_months'
        ? { day: sql`month`, hour: sql`toUInt8(0)` }
        : isStoredSums
          ? stored
          : ofPayments
    const keys = dimensions.length
      ? sql`[${joinSql(
          dimensions.map((dimension) => keyOf(dimension, times)),
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

/** Sums of the same keys added up. */
function merged(rows: readonly SumTexts[]): Sums[] {
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

const ratio = (above: number, below: number): number | null => (below > 0 ? above / below : null)

interface Group {
  sums: Sums | undefined
  /** Revenue of zones with a capacity and paid hours, and their space-hours. */
  spaceRevenue: number
  spaceHours: number
}

const revenueOf = (sums: Sums | undefined): number => (sums?.received ?? 0) + (sums?.refunded ?? 0)

const valueOf: Readonly<Record<PaymentMeasure, (group: Group) => number | null>> = {
  revenue: ({ sums }) => revenueOf(sums),
  received: ({ sums }) => sums?.received ?? 0,
  refunded: ({ sums }) => sums?.refunded ?? 0,
  payments: ({ sums }) => sums?.payments ?? 0,
  sessions: ({ sums }) => sums?.sessions ?? 0,
  purchased_hours: ({ sums }) => (sums?.seconds ?? 0) / 3600,
  revenue_per_session: ({ sums }) => ratio(revenueOf(sums), sums?.sessions ?? 0),
  revenue_per_space_hour: (group) => ratio(group.spaceRevenue, group.spaceHours),
}

/** Answers a question about payments. */
export async function aggregatePayments(
  sources: PaymentSources,
  asking: AskingPayments & { index: CurbIndex; at: Date },
  question: PaymentQuestion,
): Promise<PaymentAnswer> {
  const { state, facts } = sources
  const { scope, regionId, index, signal } = asking
  const zones = question.zones.length ? question.zones : null
  const needsSpaces = question.measures.includes('revenue_per_space_hour')
  const spaces = needsSpaces ? await readPaidSpaces(state, scope, index, asking.at) : null
  const { compare_start_date: compareStart, compare_end_date: compareEnd } = question
  const compared: Period | null =
    compareStart && compareEnd ? { start_date: compareStart, end_date: compareEnd } : null
  const [pending, comparedPending] = await Promise.all([
    pendingDays(sources, asking, question),
    compared ? pendingDays(sources, asking, compared) : [],
  ])
  const read = async (
    period: Period,
    dimensions: readonly PaymentDimension[],
    ofZones: readonly string[] | null,
  ): Promise<Sums[]> => {
    const waiting = period === compared ? comparedPending : pending
    const queries = groupedSums(regionId, question, period, dimensions, ofZones, waiting)
    return merged(
      (await Promise.all(queries.map((query) => facts.rows<SumTexts>(scope, query, { signal })))).flat(),
    )
  }

  const groupsOf = async (period: Period, dimensions: readonly PaymentDimension[]) => {
    // Places within a zone have no spaces of their own.
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
    const revenues = new Map(spacedRows.map((row) => [row.keys.join('\t'), revenueOf(row)]))
    return rows
      .toSorted((a, b) => a.keys.join('\t').localeCompare(b.keys.join('\t'), 'en', { numeric: true }))
      .map((sums) => {
        const sharedKey = sums.keys
          .filter((_, index) => dimensions[index] !== 'vendor' && dimensions[index] !== 'payment_type')
          .join('\t')
        const group: Group = {
          sums,
          spaceRevenue: revenues.get(sums.keys.join('\t')) ?? 0,
          spaceHours: space.hours.get(sharedKey) ?? 0,
        }
        return { keys: sums.keys, values: question.measures.map((measure) => valueOf[measure](group)) }
      })
  }
  const periodOf = async (period: Period): Promise<PaymentAnswer['period']> => {
    const [rows, totals] = await Promise.all([
      question.dimensions.length ? groupsOf(period, question.dimensions) : [],
      groupsOf(period, []),
    ])
    const empty: Group = { sums: undefined, spaceRevenue: 0, spaceHours: 0 }
    return {
      start_date: period.start_date,
      end_date: period.end_date,
      rows,
      totals: totals[0]?.values ?? question.measures.map((measure) => valueOf[measure](empty)),
    }
  }
  const [period, comparison, [unlinked], newest] = await Promise.all([
    periodOf(question),
    compared && periodOf(compared),
    zones === null ? read(question, [], ['']) : [],
    newestPayment(sources, asking),
  ])
  return {
    period,
    comparison,
    basis: question.basis,
    newest_payment: newest,
    unlinked_revenue: revenueOf(unlinked),
    pending_days: pending.length,
  }
}

/** Days with payments, and the latest payment. */
export async function paymentRange({ facts }: PaymentSources, { scope, regionId, signal }: AskingPayments) {
  const [row] = await facts.rows<{ first: LocalDay; last: LocalDay }>(
    scope,
    sql`select toString(min(day)) as first, toString(max(day)) as last from ${latest('curb_payment_hours')}
      where region_id = ${bind('String', regionId)} and basis = 'paid' having count() > 0`,
    { signal },
  )
  return { start_date: row?.first ?? null, end_date: row?.last ?? null }
}

async function newestPayment(sources: PaymentSources, asking: AskingPayments): Promise<string | null> {
  const { end_date: last } = await paymentRange(sources, asking)
  if (last === null) return null
  const [row] = await sources.facts.rows<{ at: number }>(
    asking.scope,
    sql`select toUnixTimestamp(max(paid_time)) as at from ${latest('curb_payments')}
      where region_id = ${bind('String', asking.regionId)} and day >= ${bind('Date', last)}`,
    { signal: asking.signal },
  )
  return row && row.at > 0 ? new Date(row.at * 1000).toISOString() : null
}
