import type { FeeFact } from '#contract/fees.ts'
import { civilClock } from '#contract/civil-clock.ts'
import { type LocalDay, daysBetween } from '#contract/period.ts'
import { toMilliseconds } from '#server/stores/date-time.ts'
import { bind, latest, type Sql, sql } from '#server/stores/sql.ts'
import { createShareCalculator, getShareQuantity } from '../charge-parking.ts'
import { getDiscountShare, type TripPart } from '../charged-facts.ts'
import { Rational, zero } from '../rational.ts'
import { countFees, hasWindows, isInWindows } from './count-fees.ts'
import {
  abortableOptions,
  type FeeEngine,
  toFactQuestion,
  feeQueryOptions,
  findParkingPlaces,
} from './fact-question.ts'
import { buildDiscountIndex } from './discount-place.ts'
import type { FeeRevision } from './fee-revision.ts'
import { makeRateFactId, findRateCharges, findRate } from './rate-charges.ts'
import { chargedTripRows, type FactQuestion, parkingRows } from './queries.ts'
import type { FeePeriod } from './fee-lines.ts'

/** The requested page of facts. Pages are numbered from 1. */
interface Page {
  page: number
  size: number
  /** Only facts of this vehicle type. */
  vehicle_type?: string | undefined
}

/** A trip or parking event. `begins` and `ends` are ms. */
interface FactRow {
  fact_id: string
  operator: string
  vehicle_id: string
  vehicle_type: string
  day: LocalDay
  begins: number
  ends: number
  is_discounted: boolean
  lon: number | null
  lat: number | null
}

const toIso = (ms: number): string => new Date(ms).toISOString()
const nullIfUnknown = (value: number | null): number | null =>
  value !== null && Number.isFinite(value) ? value : null

const toFeeFact = (
  kind: FeeFact['kind'],
  row: Omit<FactRow, 'is_discounted'>,
  shares: FeeFact['shares'],
): FeeFact => ({
  kind,
  fact_id: row.fact_id,
  operator: row.operator,
  vehicle_id: row.vehicle_id,
  vehicle_type: row.vehicle_type,
  day: row.day,
  start_time: toIso(row.begins),
  end_time: toIso(row.ends),
  lon: nullIfUnknown(row.lon),
  lat: nullIfUnknown(row.lat),
  shares,
})

/** The part of a query's result that a page shows. */
interface Slice {
  skipped: number
  size: number
  vehicle_type: string | undefined
}

const typeCondition = (type: string | undefined): Sql =>
  type === undefined ? sql`true` : sql`vehicle_type = ${bind('String', type)}`

/** Builds SQL for the columns of `FactRow`. The expressions are the start and the end of a fact, ms. */
const factColumns = (begins: Sql, ends: Sql): Sql => sql`
      fact_id,
      operator,
      vehicle_id,
      vehicle_type,
      toString(day) as day,
      toFloat64(${begins}) as begins,
      toFloat64(${ends}) as ends,
      is_discounted,
      lon,
      lat`

/** Returns the negative share by which a discount reduces another share. */
const toDiscountShare = (
  part: Pick<TripPart, 'discount'>,
  { quantity, unit, unit_price: price }: FeeFact['shares'][number],
): FeeFact['shares'][number] => ({
  quantity,
  unit,
  unit_price: price === null ? null : Rational.of(price).times(getDiscountShare(part)).text(),
})

/** Returns a slice of the trips that a revision charges. */
async function listTripFacts(
  engine: FeeEngine,
  revision: FeeRevision,
  question: FactQuestion,
  { skipped, size, vehicle_type: type }: Slice,
): Promise<FeeFact[]> {
  const { part } = revision
  if (part.kind !== 'trips') return []
  const trips = chargedTripRows(question, part, await buildDiscountIndex(engine, revision))
  const rows = await engine.facts.rows<FactRow>(
    engine.scope,
    sql`
    select ${factColumns(toMilliseconds(sql`from_time`), toMilliseconds(sql`to_time`))}
    from (${trips})
    where ${typeCondition(type)}
    order by from_time, fact_id
    limit ${bind('UInt32', size)} offset ${bind('UInt64', skipped)}`,
    abortableOptions(engine),
  )
  const isPricedAlone = !part.tiers.length && part.free.compare(Rational.of(0)) === 0
  const share = {
    quantity: '1',
    unit: 'trips',
    unit_price: isPricedAlone ? (part.price?.text() ?? null) : null,
  }
  return rows.map((row) =>
    toFeeFact('trip', row, row.is_discounted ? [share, toDiscountShare(part, share)] : [share]),
  )
}

/** Finds a page of parking events in the days and times of a policy, which SQL does not check. */
async function findIdsInWindows(
  engine: FeeEngine,
  chargedSql: Sql,
  isCharged: (moment: number) => boolean,
  { skipped, size }: Slice,
): Promise<string[]> {
  const [candidates] = await engine.facts.rows<{ starts: number[]; ids: string[] }>(
    engine.scope,
    sql`
      with
        ordered as (
          select begins, fact_id
          from (${chargedSql})
          order by begins, fact_id
        )
      select
        groupArray(toFloat64(begins)) as starts,
        groupArray(fact_id) as ids
      from ordered`,
    abortableOptions(engine),
  )
  const { starts = [], ids = [] } = candidates ?? {}
  return ids.filter((_, index) => isCharged(starts[index] ?? 0)).slice(skipped, skipped + size)
}

/** Returns a page of the charged parking events. */
async function readParkingPage(
  engine: FeeEngine,
  revision: FeeRevision,
  question: FactQuestion,
  slice: Slice,
): Promise<FactRow[]> {
  const { part } = revision
  if (part.kind !== 'parking') return []
  const events = parkingRows(question, part, await findParkingPlaces(engine, revision))
  const chargedSql = sql`select * from (${events}) where is_charged and ${typeCondition(slice.vehicle_type)}`
  let pageSql = sql`
    order by begins, fact_id
    limit ${bind('UInt32', slice.size)} offset ${bind('UInt64', slice.skipped)}`
  if (hasWindows(revision)) {
    const ids = await findIdsInWindows(engine, chargedSql, isInWindows(revision, question), slice)
    if (!ids.length) return []
    pageSql = sql`
    where fact_id in ${bind('Array(String)', ids)}
    order by begins, fact_id`
  }
  return engine.facts.rows<FactRow>(
    engine.scope,
    sql`
    select ${factColumns(sql`begins`, sql`ends`)}
    from (${chargedSql})
    ${pageSql}`,
    abortableOptions(engine),
  )
}

/** Returns a slice of the parking events that a revision charges. */
async function listParkingFacts(
  engine: FeeEngine,
  revision: FeeRevision,
  question: FactQuestion,
  slice: Slice,
): Promise<FeeFact[]> {
  const { part } = revision
  if (part.kind !== 'parking') return []
  const computeShares = createShareCalculator(part, civilClock(question.timezone))
  const toShares = (row: FactRow): FeeFact['shares'] => {
    const event = {
      vehicleId: row.vehicle_id,
      vehicleType: row.vehicle_type,
      from: row.begins,
      to: Math.max(row.begins, row.ends),
    }
    return computeShares(event).flatMap((timeShare) => {
      const share = {
        quantity: getShareQuantity(timeShare).text(),
        unit: timeShare.unit,
        unit_price: timeShare.price.text(),
      }
      const isReduced = row.is_discounted && timeShare.price.compare(zero) > 0
      return isReduced ? [share, toDiscountShare(part, share)] : [share]
    })
  }
  const rows = await readParkingPage(engine, revision, question, slice)
  return rows.map((row) => toFeeFact('parking_event', row, toShares(row)))
}

/**
 * Finds the days with a page of a revision's trips or parking events, and how many facts of these days to
 * skip. A month may have millions, so the daily counts stored with the fees are used to leave out days.
 */
async function findPageDays(
  { facts, scope, region, operators = [] }: FeeEngine,
  { policyId }: FeeRevision,
  { start_date: first, end_date: last }: FeePeriod,
  { page, size, vehicle_type: type }: Page,
): Promise<{ days: LocalDay[]; skipped: number; total: number }> {
  const counts = await facts.rows<{ day: LocalDay; fact_count: string }>(
    scope,
    sql`
    with
      -- every price of a day and vehicle type repeats the count
      type_counts as (
        select
          day,
          operator,
          vehicle_type,
          max(facts) as type_count
        from ${latest('fee_days')}
        where region_id = ${bind('String', region.regionId)}
          and policy_id = ${bind('UUID', policyId)}
          and day between ${bind('Date', first)} and ${bind('Date', last)}
          and operator in ${bind('Array(String)', operators)}
          and ${typeCondition(type)}
        group by day, operator, vehicle_type
      )
    select
      toString(day) as day,
      toString(sum(type_count)) as fact_count
    from type_counts
    group by day
    having sum(type_count) > 0
    order by day`,
    feeQueryOptions,
  )
  const begin = (page - 1) * size
  let total = 0
  let skipped = 0
  const days: LocalDay[] = []
  for (const { day, fact_count: count } of counts) {
    const countBefore = total
    total += Number(count)
    if (total <= begin || countBefore >= begin + size) continue
    if (!days.length) skipped = begin - countBefore
    days.push(day)
  }
  return { days, skipped, total }
}

/** Returns a page of the rate matches that a revision with MDS rates charges. */
async function listRateFacts(
  engine: FeeEngine,
  revision: FeeRevision,
  days: readonly LocalDay[],
  { page, size, vehicle_type: type }: Page,
) {
  const { part } = revision
  if (part.kind !== 'rates') return { items: [], total: 0 }
  const charges = (await findRateCharges(engine, revision, days))
    .filter(({ vehicleType }) => type === undefined || vehicleType === type)
    .toSorted((a, b) => a.charge.from - b.charge.from || (makeRateFactId(a) < makeRateFactId(b) ? -1 : 1))
  return {
    items: charges.slice((page - 1) * size, page * size).map((vehicleRate): FeeFact => {
      const { charge, key, operator, deviceId, vehicleType, day, lon, lat } = vehicleRate
      const { unit, amount } = findRate(part, key)
      const row = {
        fact_id: makeRateFactId(vehicleRate),
        operator,
        vehicle_id: deviceId,
        vehicle_type: vehicleType,
        day,
      }
      return toFeeFact('rate_match', { ...row, begins: charge.from, ends: charge.until, lon, lat }, [
        { quantity: String(charge.quantity), unit, unit_price: amount.text() },
      ])
    }),
    total: charges.length,
  }
}

/** Returns a page of the fleets of local days that a revision charges. */
async function listVehicleFacts(
  engine: FeeEngine,
  revision: FeeRevision,
  days: readonly LocalDay[],
  { page, size }: Page,
): Promise<{ items: FeeFact[]; total: number }> {
  const sums = (await countFees(engine, revision, days)).toSorted((a, b) => (a.day < b.day ? -1 : 1))
  return {
    items: sums.slice((page - 1) * size, page * size).map((sum): FeeFact => ({
      kind: 'vehicle_day',
      fact_id: `${sum.operator} ${sum.day}`,
      operator: sum.operator,
      vehicle_id: '',
      vehicle_type: '',
      day: sum.day,
      start_time: null,
      end_time: null,
      lon: null,
      lat: null,
      shares: [
        {
          quantity: new Rational(sum.numerator, sum.denominator).text(),
          unit: sum.unit,
          unit_price: sum.price,
        },
      ],
    })),
    total: sums.length,
  }
}

/** Returns a page of the facts behind a revision's fees, by time. `engine.operators` must not be empty. */
export async function listRevisionFacts(
  engine: FeeEngine,
  revision: FeeRevision,
  period: FeePeriod,
  page: Page,
): Promise<{ items: FeeFact[]; total: number }> {
  const days = daysBetween(period.start_date, period.end_date)
  switch (revision.part.kind) {
    case 'trips':
    case 'parking': {
      const { days: pageDays, skipped, total } = await findPageDays(engine, revision, period, page)
      const firstDay = pageDays[0]
      const lastDay = pageDays.at(-1)
      const question =
        firstDay && lastDay ? toFactQuestion(engine, revision, daysBetween(firstDay, lastDay)) : null
      if (!question) return { items: [], total }
      const slice = { skipped, size: page.size, vehicle_type: page.vehicle_type }
      return {
        items:
          revision.part.kind === 'trips'
            ? await listTripFacts(engine, revision, question, slice)
            : await listParkingFacts(engine, revision, question, slice),
        total,
      }
    }
    case 'rates':
      return listRateFacts(engine, revision, days, page)
    case 'vehicles':
      return listVehicleFacts(engine, revision, days, page)
    default:
      return { items: [], total: 0 }
  }
}
