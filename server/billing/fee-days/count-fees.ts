import { civilClock } from '#contract/civil-clock.ts'
import { dayNumber, type LocalDay } from '#contract/period.ts'
import { dayAfter, dayStart } from '#server/health/local-hours.ts'
import { deployedStates } from '#contract/vehicle-states.ts'
import { type DayWindow, dayWindows } from '#server/compliance/days/day-windows.ts'
import { countFleets } from '#server/compliance/days/measures/fleet.ts'
import { operatingPeriods } from '#server/fleet/fleet-size/operating-periods.ts'
import { msOf } from '#server/stores/instant.ts'
import { sql } from '#server/stores/sql.ts'
import { createTimeSlicer } from '#server/stores/time-slices.ts'
import { vehicleCharges } from '../charge.ts'
import { ParkingSums } from '../charge-parking.ts'
import type { ChargedParking, ParkingPart, TripPart, VehiclePart } from '../charged-facts.ts'
import { Rational } from '../rational.ts'
import { discountIndex, withDiscount } from './discount-place.ts'
import { discountCharge, excessCharge, type FeeDaySum, type FeeRevision } from './fee-revision.ts'
import { chunks, type FeeEngine, factQuestion, feeLimits } from './fact-question.ts'
import { chargedParking, chargedTrips, type FactQuestion, parkingColumns, tripColumns } from './queries.ts'
import { rateSums } from './rate-charges.ts'

/** Number of days of parking events read by one query. */
const parkingDaysPerQuery = 7
/** Number of parking events charged between two checks whether to yield to other work. */
const eventsPerSlice = 100
const queryOptions = ({ signal }: FeeEngine) => ({ ...feeLimits, ...(signal ? { signal } : {}) })

const durationOf = ({ from, until }: { from: number; until: number }): number => Math.max(0, until - from)

/** Sums by day of a fee on the fleet, prorated by the time of the day in which the revision is in effect. */
async function vehicleSums(
  engine: FeeEngine,
  revision: FeeRevision,
  part: VehiclePart,
  question: FactQuestion,
  days: readonly LocalDay[],
): Promise<FeeDaySum[]> {
  const { region } = engine
  const { timezone, operatingHours } = region
  const fullDays = days.map((day) => ({
    day,
    from: dayStart(day, timezone),
    until: dayStart(dayAfter(day), timezone),
  }))
  const windows = fullDays.map(({ day, from, until }): DayWindow => {
    const begin = Math.max(from, Math.min(question.from, until))
    return { day, from: begin, until: Math.max(begin, Math.min(until, question.until)), emptyReason: null }
  })
  /** The part of a span that counts: the operating hours for a mean of the day, otherwise all of it. */
  const countedMs = ({ from, until }: { from: number; until: number }): number => {
    if (part.method !== 'daytime_avg') return until - from
    const hours = { timezone, operatingFrom: operatingHours.from, operatingUntil: operatingHours.until }
    return operatingPeriods({ from, until, ...hours }).reduce((sum, [opens, shuts]) => sum + shuts - opens, 0)
  }
  const fleetRows = await countFleets(
    { facts: engine.facts, scope: engine.scope, filter: question.filter, region, windows },
    part.method,
    revision.policy.vehicle_states ?? deployedStates,
  )
  return fleetRows.flatMap(({ day: index, operator, ratio: [count, divisor] }) => {
    const [day, window] = [fullDays[index], windows[index]]
    if (!day || !window || !durationOf(window)) return []
    const fullMs = countedMs(day)
    if (!fullMs) return []
    const fleet = new Rational(BigInt(Math.round(count)), BigInt(divisor)).times(
      new Rational(BigInt(countedMs(window)), BigInt(fullMs)),
    )
    return vehicleCharges(part, day.day, fleet).map(({ quantity, unit, unitPrice }): FeeDaySum => {
      const [numerator, denominator] = quantity.fraction
      const price = unitPrice?.text() ?? ''
      return {
        day: day.day,
        operator,
        vehicleType: '',
        charge: '',
        unit,
        price,
        numerator,
        denominator,
        facts: 1,
        open: 0,
      }
    })
  })
}

async function tripSums(
  engine: FeeEngine,
  revision: FeeRevision,
  part: TripPart,
  question: FactQuestion,
): Promise<FeeDaySum[]> {
  const trips = withDiscount(
    chargedTrips(question, part),
    tripColumns,
    msOf(sql`from_time`),
    await discountIndex(engine, revision),
  )
  const rows = await engine.facts.rows<{
    operator: string
    vehicle_type: string
    day: LocalDay
    n: string
    discounted: string
  }>(
    engine.scope,
    sql`
      select
        operator, vehicle_type, toString(day) as day, toString(count()) as n,
        toString(countIf(is_discounted)) as discounted
      from (${trips})
      group by operator, vehicle_type, day`,
    queryOptions(engine),
  )
  return rows.flatMap(({ operator, vehicle_type: vehicleType, day, n, discounted }): FeeDaySum[] => {
    const common = { day, operator, vehicleType, unit: 'trips', price: '', denominator: 1n, open: 0 }
    const total = { ...common, charge: '', numerator: BigInt(n), facts: Number(n) }
    return discounted === '0'
      ? [total]
      : [total, { ...common, charge: discountCharge, numerator: BigInt(discounted), facts: 0 }]
  })
}

/** Whether a policy is limited to weekdays or times of day. */
export const hasWindows = ({ policy }: Pick<FeeRevision, 'policy'>): boolean =>
  policy.days.length > 0 || policy.start_time !== null || policy.end_time !== null

/**
 * Returns a test whether a moment is within the days and times of a policy, for moments from `first` to
 * `last`.
 */
export function isInWindows(
  revision: Pick<FeeRevision, 'policy' | 'from' | 'until'>,
  { first, last, timezone }: Pick<FactQuestion, 'first' | 'last' | 'timezone'>,
): (moment: number) => boolean {
  if (!hasWindows(revision)) return () => true
  // A window that starts the evening before may reach into the first day.
  const windows = dayWindows(revision, dayAfter(first, -1), last, timezone)
  const clock = civilClock(timezone)
  const firstDay = dayNumber(first)
  return (moment) => {
    const dayIndex = clock.local(moment).day - firstDay + 1
    return [windows[dayIndex - 1], windows[dayIndex]].some(
      (window) => window !== undefined && moment >= window.from && moment < window.until,
    )
  }
}

interface ParkingRow {
  operator: string
  vehicle_type: string
  day: LocalDay
  begins: number[]
  ends: number[]
  vehicles: string[]
  discounted: boolean[]
  open: string
}

async function parkingSums(
  engine: FeeEngine,
  revision: FeeRevision,
  part: ParkingPart,
  question: FactQuestion,
): Promise<FeeDaySum[]> {
  const { place } = revision
  const indexes = place && (await engine.membership.forAreas(engine.scope, place.content, place.areas))
  const clock = civilClock(question.timezone)
  const isCharged = isInWindows(revision, question)
  const hasMaximum = part.maximum_per_vehicle_day !== null
  const events = withDiscount(
    chargedParking(question, indexes, part.structure.by === 'event'),
    parkingColumns,
    sql`begins`,
    await discountIndex(engine, revision),
  )
  const rows = await engine.facts.rows<ParkingRow>(
    engine.scope,
    sql`
    select
      operator, vehicle_type, toString(day) as day, groupArrayIf(toFloat64(begins), is_charged) as begins,
      groupArrayIf(toFloat64(ends), is_charged) as ends,
      groupArrayIf(is_discounted, is_charged) as discounted,
      ${hasMaximum ? sql`groupArrayIf(vehicle_id, is_charged)` : sql`emptyArrayString()`} as vehicles,
      toString(countIf(is_open)) as open
    from (${events})
    group by operator, vehicle_type, day`,
    queryOptions(engine),
  )
  const endSlice = createTimeSlicer()
  const daySums: FeeDaySum[] = []
  for (const { operator, vehicle_type: vehicleType, day, begins, ends, vehicles, discounted, open } of rows) {
    const [sums, discountedSums] = [new ParkingSums(part, clock), new ParkingSums(part, clock)]
    let count = 0
    for (const [index, from] of begins.entries()) {
      if (index % eventsPerSlice === 0) await endSlice()
      if (!isCharged(from)) continue
      const event: ChargedParking = {
        vehicleId: vehicles[index] ?? '',
        vehicleType,
        from,
        to: Math.max(from, ends[index] ?? from),
      }
      sums.add(event, discounted[index] ?? false)
      if (discounted[index]) discountedSums.add(event)
      count++
    }
    const common = { day, operator, vehicleType, facts: count, open: Number(open) }
    // Events that are still open or cost nothing get a row without a quantity: open events make the day be
    // counted again.
    const toDaySums = (parkingSum: ParkingSums, charge: string): FeeDaySum[] =>
      parkingSum.shares().map(({ share: { amount, unit, price } }) => ({
        ...common,
        charge,
        unit,
        price: price.text(),
        numerator: BigInt(amount),
        denominator: unit === 'hours' ? 3_600_000n : 1n,
      }))
    const shares = toDaySums(sums, '')
    if (!shares.length && (common.open || count))
      shares.push({
        ...common,
        charge: '',
        unit: 'hours',
        price: '0',
        numerator: 0n,
        denominator: 3_600_000n,
      })
    shares.push(...toDaySums(discountedSums, discountCharge).map((sum) => ({ ...sum, facts: 0, open: 0 })))
    const [numerator, denominator] = sums.excess().fraction
    daySums.push(...shares)
    if (numerator !== 0n)
      daySums.push({ ...common, charge: excessCharge, unit: '', price: '', numerator, denominator, open: 0 })
  }
  return daySums
}

/**
 * Counts what a revision charges on consecutive local days up to now, by day, operator and price. A parking
 * event or trip counts entirely on the day on which it begins, a fleet by the counting method of the policy.
 */
export async function countFees(
  engine: FeeEngine,
  revision: FeeRevision,
  days: readonly LocalDay[],
): Promise<FeeDaySum[]> {
  const question = factQuestion(engine, revision, days)
  if (!question) return []
  const { part } = revision
  switch (part.kind) {
    case 'vehicles':
      return vehicleSums(engine, revision, part, question, days)
    case 'trips':
      return tripSums(engine, revision, part, question)
    case 'parking': {
      const sums: FeeDaySum[] = []
      for (const chunk of chunks(days, parkingDaysPerQuery)) {
        const chunkQuestion = factQuestion(engine, revision, chunk)
        if (chunkQuestion) sums.push(...(await parkingSums(engine, revision, part, chunkQuestion)))
      }
      return sums
    }
    case 'rates':
      return rateSums(engine, revision, part, days)
    default:
      return []
  }
}
