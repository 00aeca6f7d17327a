import type { CivilClock } from '#contract/civil-clock.ts'
import { dayFromNumber, dayMs, getWeekday, hourMs, minuteMs } from '#contract/period.ts'
import type { PriceDay } from '#contract/policy.ts'
import { contiguousBands } from '#contract/policy-types/parking-fees.ts'
import {
  type Charge,
  type ChargedParking,
  getDiscountShare,
  describeDiscount,
  type ParkingPart,
} from './charged-facts.ts'
import { max, Rational, sumRationals, zero } from './rational.ts'
import type { Band } from './tariff.ts'

type Structure<By> = Extract<ParkingPart['structure'], { by: By }>

const eventUnit = 'parking events'
const dayNames = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const

/** A part of a parking event at one price of the tariff. */
export interface Share {
  /** An integer: ms if the unit is hours, otherwise the number of units. */
  amount: number
  unit: string
  price: Rational
}
const toHourShare = (ms: number, price: Rational): Share => ({ amount: Math.round(ms), unit: 'hours', price })
const toUnitShare = (unit: string, price: Rational): Share => ({ amount: 1, unit, price })

/** Returns the amount of a share in its unit. */
export const getShareQuantity = ({ amount, unit }: Pick<Share, 'amount' | 'unit'>): Rational =>
  new Rational(BigInt(amount), unit === 'hours' ? BigInt(hourMs) : 1n)

/** Converts a time of day such as `09:30` to seconds. */
function parseSeconds(time: string | null, ifNull: number): number {
  if (time === null) return ifNull
  const [hours = 0, minutes = 0, seconds = 0] = time.split(':').map(Number)
  return hours * 3600 + minutes * 60 + seconds
}

/** Finds the rows of an ISO weekday: those of the day itself, else of Monday to Friday, else of all days. */
export function findDayRows({ prices }: Structure<'schedule'>, weekday: number) {
  const keys: readonly (PriceDay | null)[] = [dayNames[weekday - 1]!, weekday <= 5 ? 'weekday' : null, 'all']
  const key = keys.find((name) => name !== null && prices[name]?.length)
  return (key && prices[key]) || []
}

/** A part of a UTC day without a clock change, ms, half open. Local time is UTC plus `offset`. */
interface Stretch {
  from: number
  until: number
  offset: number
}

/** Returns a UTC day as one stretch, or as two if the clock changes on it. */
function splitAtClockChange(utcDay: number, clock: CivilClock): Stretch[] {
  const findOffset = (ms: number): number => {
    const { day, seconds } = clock.local(ms)
    return day * dayMs + seconds * 1000 - ms
  }
  const begin = utcDay * dayMs
  const end = (utcDay + 1) * dayMs
  const firstOffset = findOffset(begin)
  const lastOffset = findOffset(end - 1000)
  if (firstOffset === lastOffset) return [{ from: begin, until: end, offset: firstOffset }]
  // Bisects to the second at which the offset changes.
  let lastBefore = begin
  let change = end - 1000
  while (change - lastBefore > 1000) {
    const middle = lastBefore + Math.floor((change - lastBefore) / 2000) * 1000
    if (findOffset(middle) === firstOffset) lastBefore = middle
    else change = middle
  }
  return [
    { from: begin, until: change, offset: firstOffset },
    { from: change, until: end, offset: lastOffset },
  ]
}

/** The time in which a row of a schedule applies within a UTC day, ms, half open. */
interface PricedSpan {
  opens: number
  shuts: number
  price: Rational
}

/** Returns the times on a UTC day at which rows of a schedule apply, by the local clock. */
function findPricedSpans(structure: Structure<'schedule'>, clock: CivilClock, utcDay: number): PricedSpan[] {
  const spans: PricedSpan[] = []
  for (const { from, until, offset } of splitAtClockChange(utcDay, clock)) {
    const firstDay = Math.floor((from + offset) / dayMs)
    const lastDay = Math.floor((until + offset) / dayMs)
    // An overnight row of the previous day may reach into the first local day.
    for (let day = firstDay - 1; day <= lastDay; day++)
      for (const row of findDayRows(structure, getWeekday(dayFromNumber(day)))) {
        const startSeconds = parseSeconds(row.start_time, 0)
        const endSeconds = parseSeconds(row.end_time, 86_400)
        const endDay = endSeconds > startSeconds ? day : day + 1
        const opens = Math.max(from, day * dayMs + startSeconds * 1000 - offset)
        const shuts = Math.min(until, endDay * dayMs + endSeconds * 1000 - offset)
        if (shuts > opens) spans.push({ opens, shuts, price: row.price })
      }
  }
  return spans
}

/**
 * Creates a calculator of the hours of an event at each price of a schedule, by the local clock: a repeated
 * hour counts twice, a skipped one not at all. The spans of a UTC day are computed once and cached, because a
 * month may have millions of events.
 */
function createScheduleCalculator(
  structure: Structure<'schedule'>,
  clock: CivilClock,
): (event: ChargedParking) => Share[] {
  const spansByDay = new Map<number, PricedSpan[]>()
  return ({ from, to }) => {
    const shares: Share[] = []
    for (let day = Math.floor(from / dayMs); day * dayMs < to; day++) {
      let spans = spansByDay.get(day)
      if (!spans) spansByDay.set(day, (spans = findPricedSpans(structure, clock, day)))
      for (const { opens, shuts, price } of spans) {
        const ms = Math.min(to, shuts) - Math.max(from, opens)
        if (ms <= 0) continue
        const share = shares.find((candidate) => candidate.price === price)
        if (share) share.amount += Math.round(ms)
        else shares.push(toHourShare(ms, price))
      }
    }
    return shares
  }
}

/** Returns the band in which a duration ends. Started minutes count as whole ones. */
const findBandReached = (bands: readonly Band[], ms: number): Band | undefined => {
  const minutes = Math.ceil(ms / minuteMs)
  return bands.find(({ end }) => end === null || minutes <= end)
}

/**
 * Returns the shares of an event charged by duration. `mode`: `marginal` charges the time in each band at its
 * price, `flat` once the price of the band in which the event ends, `retroactive` all hours at that price.
 * @param sorted The bands in order, without gaps.
 */
function computeDurationShares(
  mode: Structure<'duration'>['mode'],
  sorted: readonly Band[],
  { from, to }: ChargedParking,
): Share[] {
  const ms = to - from
  if (mode === 'marginal') {
    const shares: Share[] = []
    for (const { start, end, price } of sorted) {
      const chargedMs = Math.min(ms, end === null ? Infinity : end * minuteMs) - start * minuteMs
      if (chargedMs > 0) shares.push(toHourShare(chargedMs, price))
    }
    return shares
  }
  const band = findBandReached(sorted, ms)
  if (mode === 'flat') return band ? [toUnitShare(eventUnit, band.price)] : []
  return [toHourShare(ms, (band ?? sorted.at(-1)!).price)]
}

/** Returns the start of the local-clock unit that contains a moment, and the start of the next unit. */
function findClockUnit(
  unit: Structure<'time_unit'>['unit'],
  ms: number,
  clock: CivilClock,
): { begin: number; next: number } {
  const { day, seconds } = clock.local(ms)
  if (unit === 'days') return { begin: clock.instant(day, 0).ms, next: clock.instant(day + 1, 0).ms }
  const length = unit === 'hours' ? 3600 : 60
  const begin = ms - (seconds % length) * 1000 - (ms % 1000)
  return { begin, next: begin + length * 1000 }
}

/** Returns shares of an event charged by units of the local clock that it starts, or covers completely. */
function computeTimeUnitShares(
  { unit, recurrence, prices }: Structure<'time_unit'>,
  { from, to }: ChargedParking,
  clock: CivilClock,
): Share[] {
  const sorted = prices.toSorted((a, b) => a.from - b.from)
  const shares: Share[] = []
  for (let moment = from; moment < to;) {
    const { begin, next } = findClockUnit(unit, moment, clock)
    if (recurrence === 'each_time_unit' || (begin >= from && next <= to)) {
      // Each share is one unit, so the number of shares selects the price of the next one.
      const price = sorted.findLast((step) => step.from <= shares.length)?.price ?? zero
      shares.push(toUnitShare(`${recurrence === 'each_time_unit' ? 'started' : 'complete'} ${unit}`, price))
    }
    moment = next
  }
  return shares
}

/** Returns a function that computes the shares of an event by the price structure of a part. */
export function createShareCalculator(
  { structure }: ParkingPart,
  clock: CivilClock,
): (event: ChargedParking) => Share[] {
  switch (structure.by) {
    case 'event':
      return () => [toUnitShare(eventUnit, structure.price)]
    case 'schedule':
      return createScheduleCalculator(structure, clock)
    case 'duration': {
      const bands = contiguousBands(structure.bands, structure.free_after)
      return (event) => computeDurationShares(structure.mode, bands, event)
    }
    case 'time_unit':
      return (event) => computeTimeUnitShares(structure, event, clock)
  }
}

/** Description of the line that reduces fees to their maximum per vehicle and day. */
const maximumText = 'maximum per vehicle and day'

interface TypedShare {
  vehicleType: string
  share: Share
}

/** Sums the shares of parking events as integers by vehicle type and price. */
export class ParkingSums {
  readonly #part: ParkingPart
  readonly #clock: CivilClock
  readonly #computeShares: (event: ChargedParking) => Share[]
  readonly #sums = new Map<string, Map<Rational, Share>>()
  /** Costs by local day and vehicle, if the part has a maximum per vehicle and day. */
  readonly #costs = new Map<string, Rational>()

  constructor(part: ParkingPart, clock: CivilClock) {
    this.#part = part
    this.#clock = clock
    this.#computeShares = createShareCalculator(part, clock)
  }

  /** Adds an event. The maximum per vehicle and day applies to costs after the discount. */
  add(event: ChargedParking, isDiscounted = false): void {
    let sums = this.#sums.get(event.vehicleType)
    if (!sums) this.#sums.set(event.vehicleType, (sums = new Map()))
    const shares = this.#computeShares(event)
    for (const share of shares) {
      const sum = sums.get(share.price)
      if (sum) sum.amount += share.amount
      else sums.set(share.price, { ...share })
    }
    if (!this.#part.maximum_per_vehicle_day) return
    const key = `${this.#clock.local(event.from).day} ${event.vehicleId}`
    const fullCost = sumRationals(shares.map((share) => getShareQuantity(share).times(share.price)))
    const cost = isDiscounted ? fullCost.plus(fullCost.times(getDiscountShare(this.#part))) : fullCost
    this.#costs.set(key, (this.#costs.get(key) ?? zero).plus(cost))
  }

  /** Returns the summed shares by vehicle type. */
  getShares(): TypedShare[] {
    return [...this.#sums].flatMap(([vehicleType, sums]) =>
      [...sums.values()].map((share) => ({ vehicleType, share })),
    )
  }

  /** Returns the total of the costs above the maximum per vehicle and day. */
  computeExcess(): Rational {
    const maximum = this.#part.maximum_per_vehicle_day
    if (!maximum) return zero
    return sumRationals([...this.#costs.values()].map((cost) => max(zero, cost.minus(maximum))))
  }
}

/** Returns the negative charges of a discount, by price. @param shares The discounted shares. */
function makeDiscountCharges(
  part: Pick<ParkingPart, 'name' | 'discount'>,
  shares: readonly TypedShare[],
): Charge[] {
  const discountFactor = getDiscountShare(part)
  return shares
    .filter(({ share }) => share.price.compare(zero) !== 0)
    .map(({ share }): Charge => {
      const quantity = getShareQuantity(share)
      const unitPrice = share.price.times(discountFactor)
      return {
        description: describeDiscount(part),
        quantity,
        unit: share.unit,
        unitPrice,
        exact: quantity.times(unitPrice),
      }
    })
}

/**
 * Returns the charges of summed parking events, with one line per vehicle type if there are several types.
 * @param discounted The shares in discounted areas, which `shares` includes too.
 * @param excess Costs above the maximum per vehicle and day, which are subtracted.
 */
export function chargeParking(
  part: Pick<ParkingPart, 'name' | 'discount'>,
  shares: readonly TypedShare[],
  discounted: readonly TypedShare[],
  excess: Rational,
): Charge[] {
  const { name } = part
  const types = new Set(shares.map(({ vehicleType }) => vehicleType))
  const charges = shares.map(({ vehicleType, share }): Charge => {
    const quantity = getShareQuantity(share)
    return {
      description: types.size > 1 ? `${name}, ${vehicleType}` : name,
      quantity,
      unit: share.unit,
      unitPrice: share.price,
      exact: quantity.times(share.price),
    }
  })
  charges.push(...makeDiscountCharges(part, discounted))
  if (excess.compare(zero) <= 0) return charges
  return [
    ...charges,
    {
      description: `${name}: ${maximumText}`,
      quantity: Rational.of(1),
      unit: '',
      unitPrice: null,
      exact: zero.minus(excess),
    },
  ]
}
