import { civilClock } from '#contract/civil-clock.ts'
import { dayNumber, type LocalDay, addDays } from '#contract/period.ts'
import { getDayEnd, getDayStart } from '#server/regions/local-hours.ts'
import { deployedStates } from '#contract/vehicle-states.ts'
import { type DayWindow, makeDayWindows } from '#server/compliance/days/day-windows.ts'
import { countFleets } from '#server/compliance/days/measures/fleet.ts'
import { listOperatingPeriods } from '#server/fleet/fleet-size/operating-periods.ts'
import { sql } from '#server/stores/sql.ts'
import { createTimeSlicer } from '#server/stores/time-slices.ts'
import { chargeVehicles } from '../charge.ts'
import { ParkingSums } from '../charge-parking.ts'
import type { ChargedParking, ParkingPart, TripPart, VehiclePart } from '../charged-facts.ts'
import { Rational } from '../rational.ts'
import { buildDiscountIndex } from './discount-place.ts'
import { discountCharge, excessCharge, type FeeDaySum, type FeeRevision } from './fee-revision.ts'
import {
  abortableOptions,
  toChunks,
  type FeeEngine,
  toFactQuestion,
  findParkingPlaces,
} from './fact-question.ts'
import { chargedTripRows, type FactQuestion, parkingRows } from './queries.ts'
import { sumRates } from './rate-charges.ts'

/** Number of days of parking events read by one query. */
const parkingDaysPerQuery = 7
/** Number of parking events charged between two checks whether to yield to other work. */
const eventsPerSlice = 100
const msPerHour = 3_600_000n
const getDuration = ({ from, until }: { from: number; until: number }): number => Math.max(0, until - from)

/** Sums a fee on the fleet by day, prorated by the time of the day in which the revision is in effect. */
async function sumVehicleFees(
  engine: FeeEngine,
  revision: FeeRevision,
  { part, question, days }: { part: VehiclePart; question: FactQuestion; days: readonly LocalDay[] },
): Promise<FeeDaySum[]> {
  const { region } = engine
  const { timezone, operatingHours } = region
  const fullDays = days.map((day) => ({
    day,
    from: getDayStart(day, timezone),
    until: getDayEnd(day, timezone),
  }))
  const windows = fullDays.map(({ day, from, until }): DayWindow => {
    const begin = Math.max(from, Math.min(question.from, until))
    return { day, from: begin, until: Math.max(begin, Math.min(until, question.until)), emptyReason: null }
  })
  /** Returns how much of a span counts: operating hours for a daytime mean, otherwise all of it. */
  const getCountedMs = ({ from, until }: { from: number; until: number }): number => {
    if (part.method !== 'daytime_avg') return until - from
    const hours = { timezone, operatingFrom: operatingHours.from, operatingUntil: operatingHours.until }
    return listOperatingPeriods({ from, until, ...hours }).reduce(
      (sum, [opens, shuts]) => sum + shuts - opens,
      0,
    )
  }
  const fleetRows = await countFleets(
    { facts: engine.facts, scope: engine.scope, filter: question.filter, region, windows },
    part.method,
    revision.policy.vehicle_states ?? deployedStates,
  )
  return fleetRows.flatMap(({ day: index, operator, ratio: [count, divisor] }) => {
    const fullDay = fullDays[index]
    const window = windows[index]
    if (!fullDay || !window || !getDuration(window)) return []
    const fullMs = getCountedMs(fullDay)
    if (!fullMs) return []
    const fleet = new Rational(BigInt(Math.round(count)), BigInt(divisor)).times(
      new Rational(BigInt(getCountedMs(window)), BigInt(fullMs)),
    )
    return chargeVehicles(part, fullDay.day, fleet).map(({ quantity, unit, unitPrice }): FeeDaySum => {
      const [numerator, denominator] = quantity.fraction
      const price = unitPrice?.text() ?? ''
      return {
        day: fullDay.day,
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

/** Returns the fees of trips by operator, vehicle type and local day. */
async function sumTripFees(
  engine: FeeEngine,
  revision: FeeRevision,
  part: TripPart,
  question: FactQuestion,
): Promise<FeeDaySum[]> {
  const trips = chargedTripRows(question, part, await buildDiscountIndex(engine, revision))
  const rows = await engine.facts.rows<{
    operator: string
    vehicle_type: string
    day: LocalDay
    trip_count: string
    discounted: string
  }>(
    engine.scope,
    sql`
      select
        operator,
        vehicle_type,
        toString(day) as day,
        toString(count()) as trip_count,
        toString(countIf(is_discounted)) as discounted
      from (${trips})
      group by operator, vehicle_type, day`,
    abortableOptions(engine),
  )
  return rows.flatMap(
    ({ operator, vehicle_type: vehicleType, day, trip_count: count, discounted }): FeeDaySum[] => {
      const common = { day, operator, vehicleType, unit: 'trips', price: '', denominator: 1n, open: 0 }
      const total = { ...common, charge: '', numerator: BigInt(count), facts: Number(count) }
      return discounted === '0'
        ? [total]
        : [total, { ...common, charge: discountCharge, numerator: BigInt(discounted), facts: 0 }]
    },
  )
}

/** Whether a policy is limited to weekdays or times of day. */
export const hasWindows = ({ policy }: Pick<FeeRevision, 'policy'>): boolean =>
  policy.days.length > 0 || policy.start_time !== null || policy.end_time !== null

/** Returns a test whether a moment (ms) on days `first` to `last` is in the days and times of a policy. */
export function isInWindows(
  revision: Pick<FeeRevision, 'policy' | 'from' | 'until'>,
  { first, last, timezone }: Pick<FactQuestion, 'first' | 'last' | 'timezone'>,
): (moment: number) => boolean {
  if (!hasWindows(revision)) return () => true
  // A window that starts the evening before may reach into a day, so both are tested.
  const dayBefore = addDays(first, -1)
  const windows = makeDayWindows(revision, dayBefore, last, timezone)
  const clock = civilClock(timezone)
  return (moment) => {
    const dayIndex = clock.local(moment).day - dayNumber(dayBefore)
    return [windows[dayIndex - 1], windows[dayIndex]].some(
      (window) => window !== undefined && moment >= window.from && moment < window.until,
    )
  }
}

/** The parking events of an operator, vehicle type and day. The arrays have one value per charged event. */
interface ParkingGroup {
  operator: string
  vehicle_type: string
  day: LocalDay
  /** Milliseconds, as `ends`. */
  begins: number[]
  ends: number[]
  /** Empty if the part has no maximum per vehicle and day. */
  vehicles: string[]
  discounted: boolean[]
  /** Number of events that have not ended. */
  open: string
}

async function readParkingGroups(
  engine: FeeEngine,
  revision: FeeRevision,
  part: ParkingPart,
  question: FactQuestion,
): Promise<ParkingGroup[]> {
  const events = parkingRows(question, part, await findParkingPlaces(engine, revision))
  const vehicles =
    part.maximum_per_vehicle_day === null
      ? sql`emptyArrayString()`
      : sql`groupArrayIf(vehicle_id, is_charged)`
  return engine.facts.rows<ParkingGroup>(
    engine.scope,
    sql`
    select
      operator,
      vehicle_type,
      toString(day) as day,
      groupArrayIf(toFloat64(begins), is_charged) as begins,
      groupArrayIf(toFloat64(ends), is_charged) as ends,
      groupArrayIf(is_discounted, is_charged) as discounted,
      ${vehicles} as vehicles,
      toString(countIf(is_open)) as open
    from (${events})
    group by operator, vehicle_type, day`,
    abortableOptions(engine),
  )
}

/** Sums of the events of a group: all of them, and those that are discounted. */
interface GroupSums {
  all: ParkingSums
  discounted: ParkingSums
  /** Number of events. */
  count: number
}

/** Returns a group's rows: one per price, per discounted price, and one of the reduction to the maximum. */
function sumParkingDays(
  { operator, vehicle_type: vehicleType, day, open }: ParkingGroup,
  { all, discounted, count }: GroupSums,
): FeeDaySum[] {
  const common = { day, operator, vehicleType, facts: count, open: Number(open) }
  const toDaySums = (sums: ParkingSums, charge: string): FeeDaySum[] =>
    sums.getShares().map(({ share: { amount, unit, price } }) => ({
      ...common,
      charge,
      unit,
      price: price.text(),
      numerator: BigInt(amount),
      denominator: unit === 'hours' ? msPerHour : 1n,
    }))
  const daySums = toDaySums(all, '')
  // Events that are still open or cost nothing get a row without a quantity: open events make the day be
  // counted again.
  if (!daySums.length && (common.open || count))
    daySums.push({ ...common, charge: '', unit: 'hours', price: '0', numerator: 0n, denominator: msPerHour })
  daySums.push(...toDaySums(discounted, discountCharge).map((sum) => ({ ...sum, facts: 0, open: 0 })))
  const [numerator, denominator] = all.computeExcess().fraction
  if (numerator !== 0n)
    daySums.push({ ...common, charge: excessCharge, unit: '', price: '', numerator, denominator, open: 0 })
  return daySums
}

/** Returns the fees of parking events by operator, vehicle type and local day. */
async function sumParkingFees(
  engine: FeeEngine,
  revision: FeeRevision,
  part: ParkingPart,
  question: FactQuestion,
): Promise<FeeDaySum[]> {
  const clock = civilClock(question.timezone)
  const isCharged = isInWindows(revision, question)
  const yieldIfDue = createTimeSlicer()
  const daySums: FeeDaySum[] = []
  for (const group of await readParkingGroups(engine, revision, part, question)) {
    const sums = { all: new ParkingSums(part, clock), discounted: new ParkingSums(part, clock), count: 0 }
    for (const [index, from] of group.begins.entries()) {
      if (index % eventsPerSlice === 0) await yieldIfDue()
      if (!isCharged(from)) continue
      const event: ChargedParking = {
        vehicleId: group.vehicles[index] ?? '',
        vehicleType: group.vehicle_type,
        from,
        to: Math.max(from, group.ends[index] ?? from),
      }
      const isDiscounted = group.discounted[index] ?? false
      sums.all.add(event, isDiscounted)
      if (isDiscounted) sums.discounted.add(event)
      sums.count++
    }
    daySums.push(...sumParkingDays(group, sums))
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
  const question = toFactQuestion(engine, revision, days)
  if (!question) return []
  const { part } = revision
  switch (part.kind) {
    case 'vehicles':
      return sumVehicleFees(engine, revision, { part, question, days })
    case 'trips':
      return sumTripFees(engine, revision, part, question)
    case 'parking': {
      const sums: FeeDaySum[] = []
      for (const chunk of toChunks(days, parkingDaysPerQuery)) {
        const chunkQuestion = toFactQuestion(engine, revision, chunk)
        if (chunkQuestion) sums.push(...(await sumParkingFees(engine, revision, part, chunkQuestion)))
      }
      return sums
    }
    case 'rates':
      return sumRates(engine, revision, part, days)
    default:
      return []
  }
}
