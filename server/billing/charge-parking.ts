import type { CivilClock } from '#contract/civil-clock.ts'
import { dayFromNumber, weekdayOf } from '#contract/period.ts'
import type { PriceDay } from '#contract/policy.ts'
import { contiguousBands } from '#contract/policy-types/parking-fees.ts'
import {
  type Charge,
  type ChargedParking,
  discountShare,
  discountText,
  type ParkingPart,
} from './charged-facts.ts'
import { greatest, Rational, sumOf, zero } from './rational.ts'
import type { Band } from './tariff.ts'

type Structure<By> = Extract<ParkingPart['structure'], { by: By }>

const [minuteMs, hourMs, dayMs] = [60_000, 3_600_000, 86_400_000]
const events = 'parking events'
const dayNames = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const

/** A part of an event at a price of the tariff. `amount`: an integer, of hours in ms. */
export interface Share {
  amount: number
  unit: string
  price: Rational
}
const hours = (ms: number, price: Rational): Share => ({ amount: Math.round(ms), unit: 'hours', price })
const one = (unit: string, price: Rational): Share => ({ amount: 1, unit, price })

/** The quantity of an amount in its unit. */
export const quantityOf = ({ amount, unit }: Pick<Share, 'amount' | 'unit'>): Rational =>
  new Rational(BigInt(amount), unit === 'hours' ? BigInt(hourMs) : 1n)

function secondsOf(time: string | null, ifNull: number): number {
  if (time === null) return ifNull
  const [hours = 0, minutes = 0, seconds = 0] = time.split(':').map(Number)
  return hours * 3600 + minutes * 60 + seconds
}

/** The rows of a weekday (ISO): of the day itself, else of Monday to Friday, else of all days. */
function rowsOfDay({ prices }: Structure<'schedule'>, weekday: number) {
  const keys: readonly (PriceDay | null)[] = [dayNames[weekday - 1]!, weekday <= 5 ? 'weekday' : null, 'all']
  const key = keys.find((each) => each !== null && prices[each]?.length)
  return (key && prices[key]) || []
}

/** Time of a UTC day in which the local clock runs evenly, ms, half open; it shows the UTC time and the offset. */
interface Stretch {
  from: number
  until: number
  offset: number
}

/** A UTC day, in two stretches where the clock changes. */
function stretchesOf(utcDay: number, clock: CivilClock): Stretch[] {
  const offsetAt = (ms: number): number => {
    const { day, seconds } = clock.local(ms)
    return day * dayMs + seconds * 1000 - ms
  }
  const [begin, end] = [utcDay * dayMs, (utcDay + 1) * dayMs]
  const [first, last] = [offsetAt(begin), offsetAt(end - 1000)]
  if (first === last) return [{ from: begin, until: end, offset: first }]
  let [before, change] = [begin, end - 1000]
  while (change - before > 1000) {
    const middle = before + Math.floor((change - before) / 2000) * 1000
    if (offsetAt(middle) === first) before = middle
    else change = middle
  }
  return [
    { from: begin, until: change, offset: first },
    { from: change, until: end, offset: last },
  ]
}

/** When a row of a schedule applies within a UTC day, ms, half open. */
interface PricedSpan {
  opens: number
  shuts: number
  price: Rational
}

/** The rows of a schedule on a UTC day, by what the local clock shows. */
function pricedSpans(structure: Structure<'schedule'>, clock: CivilClock, utcDay: number): PricedSpan[] {
  const spans: PricedSpan[] = []
  for (const { from, until, offset } of stretchesOf(utcDay, clock)) {
    const [firstDay, lastDay] = [from, until].map((ms) => Math.floor((ms + offset) / dayMs)) as [
      number,
      number,
    ]
    // A row of the evening before may run into the first local day.
    for (let day = firstDay - 1; day <= lastDay; day++)
      for (const row of rowsOfDay(structure, weekdayOf(dayFromNumber(day)))) {
        const [starts, ends] = [secondsOf(row.start_time, 0), secondsOf(row.end_time, 86_400)]
        const opens = Math.max(from, day * dayMs + starts * 1000 - offset)
        const shuts = Math.min(until, (ends > starts ? day : day + 1) * dayMs + ends * 1000 - offset)
        if (shuts > opens) spans.push({ opens, shuts, price: row.price })
      }
  }
  return spans
}

/**
 * The hours of an event at each price of a schedule, by what the local clock shows: a repeated hour counts twice, a skipped one not. The
 * spans of a UTC day are found once, because there are millions of events in a month.
 */
function bySchedule(structure: Structure<'schedule'>, clock: CivilClock): (event: ChargedParking) => Share[] {
  const spansByDay = new Map<number, PricedSpan[]>()
  return ({ from, to }) => {
    const shares: Share[] = []
    for (let day = Math.floor(from / dayMs); day * dayMs < to; day++) {
      let spans = spansByDay.get(day)
      if (!spans) spansByDay.set(day, (spans = pricedSpans(structure, clock, day)))
      for (const { opens, shuts, price } of spans) {
        const ms = Math.min(to, shuts) - Math.max(from, opens)
        if (ms <= 0) continue
        const share = shares.find((each) => each.price === price)
        if (share) share.amount += Math.round(ms)
        else shares.push(hours(ms, price))
      }
    }
    return shares
  }
}

/** The band that a duration reaches: the one it ends in, by whole minutes that have started. */
const bandReached = (bands: readonly Band[], ms: number): Band | undefined => {
  const minutes = Math.ceil(ms / minuteMs)
  return bands.find(({ end }) => end === null || minutes <= end)
}

/** `sorted`: the bands in order, without gaps. */
function byDuration(
  mode: Structure<'duration'>['mode'],
  sorted: readonly Band[],
  { from, to }: ChargedParking,
): Share[] {
  const ms = to - from
  if (mode === 'marginal') {
    const shares: Share[] = []
    for (const { start, end, price } of sorted) {
      const within = Math.min(ms, end === null ? Infinity : end * minuteMs) - start * minuteMs
      if (within > 0) shares.push(hours(within, price))
    }
    return shares
  }
  const band = bandReached(sorted, ms)
  if (mode === 'flat') return band ? [one(events, band.price)] : []
  return [hours(ms, (band ?? sorted.at(-1)!).price)]
}

/** The begin of the unit of the local clock that a moment is in, and of the next. */
function unitAround(
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

/** Units of the local clock that an event starts, or covers completely. */
function byTimeUnit(
  { unit, recurrence, prices }: Structure<'time_unit'>,
  { from, to }: ChargedParking,
  clock: CivilClock,
): Share[] {
  const sorted = prices.toSorted((a, b) => a.from - b.from)
  const shares: Share[] = []
  for (let at = from; at < to;) {
    const { begin, next } = unitAround(unit, at, clock)
    if (recurrence === 'each_time_unit' || (begin >= from && next <= to)) {
      const price = sorted.findLast((each) => each.from <= shares.length)?.price ?? zero
      shares.push(one(`${recurrence === 'each_time_unit' ? 'started' : 'complete'} ${unit}`, price))
    }
    at = next
  }
  return shares
}

/** How the events of a part are charged. */
export function sharesBy({ structure }: ParkingPart, clock: CivilClock): (event: ChargedParking) => Share[] {
  switch (structure.by) {
    case 'event':
      return () => [one(events, structure.price)]
    case 'schedule':
      return bySchedule(structure, clock)
    case 'duration': {
      const bands = contiguousBands(structure.bands, structure.free_after)
      return (event) => byDuration(structure.mode, bands, event)
    }
    case 'time_unit':
      return (event) => byTimeUnit(structure, event, clock)
  }
}

/** What the maximum per vehicle and day reduces. */
const maximumText = 'maximum per vehicle and day'

/** Sums what parking events cost, event by event: integers by vehicle type, unit and price. */
export class ParkingSums {
  readonly #part: ParkingPart
  readonly #clock: CivilClock
  readonly #sharesOf: (event: ChargedParking) => Share[]
  readonly #sums = new Map<string, Map<Rational, Share>>()
  /** Costs by vehicle and day, where they have a maximum. */
  readonly #costs = new Map<string, Rational>()

  constructor(part: ParkingPart, clock: CivilClock) {
    this.#part = part
    this.#clock = clock
    this.#sharesOf = sharesBy(part, clock)
  }

  /** `isDiscounted`: the maximum per vehicle and day applies to the price after the discount of the part. */
  add(event: ChargedParking, isDiscounted = false): void {
    let sums = this.#sums.get(event.vehicleType)
    if (!sums) this.#sums.set(event.vehicleType, (sums = new Map()))
    const shares = this.#sharesOf(event)
    for (const share of shares) {
      const sum = sums.get(share.price)
      if (sum) sum.amount += share.amount
      else sums.set(share.price, { ...share })
    }
    if (!this.#part.maximum_per_vehicle_day) return
    const key = `${this.#clock.local(event.from).day} ${event.vehicleId}`
    const full = sumOf(shares.map((share) => quantityOf(share).times(share.price)))
    const cost = isDiscounted ? full.plus(full.times(discountShare(this.#part))) : full
    this.#costs.set(key, (this.#costs.get(key) ?? zero).plus(cost))
  }

  /** By vehicle type. */
  shares(): TypedShare[] {
    return [...this.#sums].flatMap(([vehicleType, sums]) =>
      [...sums.values()].map((share) => ({ vehicleType, share })),
    )
  }

  /** What is above the maximum per vehicle and day. */
  excess(): Rational {
    const maximum = this.#part.maximum_per_vehicle_day
    if (!maximum) return zero
    return sumOf([...this.#costs.values()].map((cost) => greatest(zero, cost.minus(maximum))))
  }
}

interface TypedShare {
  vehicleType: string
  share: Share
}

/** What the discount of a part takes off its shares, by price. */
function discountCharges(
  part: Pick<ParkingPart, 'name' | 'discount'>,
  shares: readonly TypedShare[],
): Charge[] {
  const off = discountShare(part)
  return shares
    .filter(({ share }) => share.price.compare(zero) !== 0)
    .map(({ share }): Charge => {
      const [quantity, unitPrice] = [quantityOf(share), share.price.times(off)]
      return {
        description: discountText(part),
        quantity,
        unit: share.unit,
        unitPrice,
        exact: quantity.times(unitPrice),
      }
    })
}

/** Charges of sums of parking events, by vehicle type where several occur. `discounted`: those of them in discounted areas. */
export function parkingCharges(
  part: Pick<ParkingPart, 'name' | 'discount'>,
  shares: readonly TypedShare[],
  discounted: readonly TypedShare[],
  excess: Rational,
): Charge[] {
  const { name } = part
  const types = new Set(shares.map(({ vehicleType }) => vehicleType))
  const charges = shares.map(({ vehicleType, share }): Charge => {
    const quantity = quantityOf(share)
    return {
      description: types.size > 1 ? `${name}, ${vehicleType}` : name,
      quantity,
      unit: share.unit,
      unitPrice: share.price,
      exact: quantity.times(share.price),
    }
  })
  charges.push(...discountCharges(part, discounted))
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
