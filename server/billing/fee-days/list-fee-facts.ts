import type { FeeFact } from '#contract/fees.ts'
import { civilClock } from '#contract/civil-clock.ts'
import type { LocalDay } from '#contract/period.ts'
import { daysBetween } from '#server/health/local-hours.ts'
import { msOf } from '#server/stores/instant.ts'
import { bind, latest, sql } from '#server/stores/sql.ts'
import { createShareCalculator, shareQuantity } from '../charge-parking.ts'
import { discountShare, type TripPart } from '../charged-facts.ts'
import { Rational, zero } from '../rational.ts'
import { countFees, hasWindows, isInWindows } from './count-fees.ts'
import { type FeeEngine, factQuestion, feeLimits } from './fact-question.ts'
import { discountIndex, withDiscount } from './discount-place.ts'
import type { FeeRevision } from './fee-revision.ts'
import { rateFactId, findRateCharges, findRate } from './rate-charges.ts'
import { chargedParking, chargedTrips, type FactQuestion, parkingColumns, tripColumns } from './queries.ts'
import type { FeePeriod } from './fee-lines.ts'

interface Page {
  page: number
  size: number
}
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

/** The part of a result that a page shows. */
interface Slice {
  skipped: number
  size: number
}

/** The share of a discount, with a negative price. */
const discountedShare = (
  part: Pick<TripPart, 'discount'>,
  { quantity, unit, unit_price: price }: FeeFact['shares'][number],
): FeeFact['shares'][number] => ({
  quantity,
  unit,
  unit_price: price === null ? null : Rational.of(price).times(discountShare(part)).text(),
})

async function tripFacts(
  engine: FeeEngine,
  revision: FeeRevision,
  part: TripPart,
  question: FactQuestion,
  { skipped, size }: Slice,
): Promise<FeeFact[]> {
  const trips = withDiscount(
    chargedTrips(question, part),
    tripColumns,
    msOf(sql`from_time`),
    await discountIndex(engine, revision),
  )
  const rows = await engine.facts.rows<FactRow>(
    engine.scope,
    sql`
    select
      fact_id, operator, vehicle_id, vehicle_type, toString(day) as day,
      toFloat64(toUnixTimestamp64Milli(from_time)) as begins,
      toFloat64(toUnixTimestamp64Milli(to_time)) as ends, is_discounted, lon, lat
    from (${trips}) order by from_time, fact_id limit ${bind('UInt32', size)} offset ${bind('UInt64', skipped)}`,
    { ...feeLimits, ...(engine.signal ? { signal: engine.signal } : {}) },
  )
  const isPricedAlone = !part.tiers.length && part.free.compare(Rational.of(0)) === 0
  const share = {
    quantity: '1',
    unit: 'trips',
    unit_price: isPricedAlone ? (part.price?.text() ?? null) : null,
  }
  return rows.map((row) =>
    toFeeFact('trip', row, row.is_discounted ? [share, discountedShare(part, share)] : [share]),
  )
}

async function parkingFacts(
  engine: FeeEngine,
  revision: FeeRevision,
  question: FactQuestion,
  { skipped, size }: Slice,
): Promise<FeeFact[]> {
  const { part, place } = revision
  if (part.kind !== 'parking') return []
  const indexes = place && (await engine.membership.forAreas(engine.scope, place.content, place.areas))
  const isCharged = isInWindows(revision, question)
  const query = { ...feeLimits, ...(engine.signal ? { signal: engine.signal } : {}) }
  const events = withDiscount(
    chargedParking(question, indexes, part.structure.by === 'event'),
    parkingColumns,
    sql`begins`,
    await discountIndex(engine, revision),
  )
  const charged = sql`select * from (${events}) where is_charged`
  const columns = sql`
    fact_id, operator, vehicle_id, vehicle_type, toString(day) as day,
    toFloat64(begins) as begins, toFloat64(ends) as ends, is_discounted, lon, lat`
  let rows: FactRow[] = []
  if (hasWindows(revision)) {
    // SQL does not check the days and times of a policy: read and filter all ids first, then the rows of the
    // page.
    const [candidates] = await engine.facts.rows<{ starts: number[]; ids: string[] }>(
      engine.scope,
      sql`
        select groupArray(toFloat64(begins)) as starts, groupArray(fact_id) as ids
        from (select begins, fact_id from (${charged}) order by begins, fact_id)`,
      query,
    )
    const { starts = [], ids = [] } = candidates ?? {}
    const pageIds = ids.filter((_, index) => isCharged(starts[index] ?? 0)).slice(skipped, skipped + size)
    if (pageIds.length)
      rows = await engine.facts.rows<FactRow>(
        engine.scope,
        sql`
          select ${columns}
          from (${charged})
          where fact_id in ${bind('Array(String)', pageIds)}
          order by begins, fact_id`,
        query,
      )
  } else
    rows = await engine.facts.rows<FactRow>(
      engine.scope,
      sql`
        select ${columns}
        from (${charged})
        order by begins, fact_id
        limit ${bind('UInt32', size)} offset ${bind('UInt64', skipped)}`,
      query,
    )
  const computeShares = createShareCalculator(part, civilClock(question.timezone))
  return rows.map((row) =>
    toFeeFact(
      'parking_event',
      row,
      computeShares({
        vehicleId: row.vehicle_id,
        vehicleType: row.vehicle_type,
        from: row.begins,
        to: Math.max(row.begins, row.ends),
      }).flatMap((each) => {
        const share = {
          quantity: shareQuantity(each).text(),
          unit: each.unit,
          unit_price: each.price.text(),
        }
        const isReduced = row.is_discounted && each.price.compare(zero) > 0
        return isReduced ? [share, discountedShare(part, share)] : [share]
      }),
    ),
  )
}

/**
 * Finds the days with a page of a revision's trips or parking events, and where the page begins in them. A
 * month may have millions, so the daily counts stored with the fees are used to skip days.
 */
async function findDaysOfPage(
  { facts, scope, region, operators = [] }: FeeEngine,
  { policyId }: FeeRevision,
  { start_date: first, end_date: last }: FeePeriod,
  { page, size }: Page,
): Promise<{ days: LocalDay[]; skipped: number; total: number }> {
  const counts = await facts.rows<{ day: LocalDay; n: string }>(
    scope,
    sql`
    select toString(day) as day, toString(sum(of_type)) as n
    from (
      select day, operator, vehicle_type, max(facts) as of_type from ${latest('fee_days')}
      where region_id = ${bind('String', region.regionId)}
        and policy_id = ${bind('UUID', policyId)}
        and day between ${bind('Date', first)} and ${bind('Date', last)}
        and operator in ${bind('Array(String)', operators)}
      group by day, operator, vehicle_type
    )
    group by day having sum(of_type) > 0 order by day`,
    feeLimits,
  )
  const begin = (page - 1) * size
  let [total, skipped] = [0, 0]
  const days: LocalDay[] = []
  for (const { day, n } of counts) {
    const before = total
    total += Number(n)
    if (total <= begin || before >= begin + size) continue
    if (!days.length) skipped = begin - before
    days.push(day)
  }
  return { days, skipped, total }
}

async function rateFacts(
  engine: FeeEngine,
  revision: FeeRevision,
  days: readonly LocalDay[],
  { page, size }: Page,
) {
  const { part } = revision
  if (part.kind !== 'rates') return { items: [], total: 0 }
  const charges = (await findRateCharges(engine, revision, days)).toSorted(
    (a, b) => a.charge.from - b.charge.from || (rateFactId(a) < rateFactId(b) ? -1 : 1),
  )
  return {
    items: charges.slice((page - 1) * size, page * size).map((each): FeeFact => {
      const { charge, key, operator, deviceId, vehicleType, day, lon, lat } = each
      const { unit, amount } = findRate(part, key)
      const row = {
        fact_id: rateFactId(each),
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

/**
 * A page of the facts behind the fees of a revision in a period, in order of time. `engine.operators` must
 * not be empty.
 */
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
      const { days: pageDays, skipped, total } = await findDaysOfPage(engine, revision, period, page)
      const [first, last] = [pageDays[0], pageDays.at(-1)]
      const question = first && last ? factQuestion(engine, revision, daysBetween(first, last)) : null
      if (!question) return { items: [], total }
      const slice = { skipped, size: page.size }
      return {
        items:
          revision.part.kind === 'trips'
            ? await tripFacts(engine, revision, revision.part, question, slice)
            : await parkingFacts(engine, revision, question, slice),
        total,
      }
    }
    case 'rates':
      return rateFacts(engine, revision, days, page)
    case 'vehicles': {
      const sums = (await countFees(engine, revision, days)).toSorted((a, b) => (a.day < b.day ? -1 : 1))
      const { page: number, size } = page
      return {
        items: sums.slice((number - 1) * size, number * size).map((sum): FeeFact => ({
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
    default:
      return { items: [], total: 0 }
  }
}
