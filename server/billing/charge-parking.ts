import type { CivilClock } from '#contract/civil-clock.ts'
import { dayFromNumber, weekdayOf } from '#contract/period.ts'
import type { PriceDay } from '#contract/policy.ts'
import {
  type Charge,
  type ChargeContext,
  type ChargedParking,
  isInAreas,
  isOfType,
  mergeCharges,
} from './charged-facts.ts'
import { greatest, Rational, sumOf, zero } from './rational.ts'
import { type Band, contiguousBands, type TariffPart } from './tariff.ts'

type ParkingPart = Extract<TariffPart, { kind: 'parking' }>
type Structure<By> = Extract<ParkingPart['structure'], { by: By }>

const [minuteMs, hourMs] = [60_000, 3_600_000]
const dayNames = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const

/** A part of an event at a price. */
type Share = Pick<Charge, 'quantity' | 'unit'> & { price: Rational }
const hoursOf = (ms: number): Rational => new Rational(BigInt(Math.round(ms)), BigInt(hourMs))

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

/** The hours of an event in each row of a schedule, by the local clock; a repeated hour counts twice, a skipped one not. */
function bySchedule(
  structure: Structure<'schedule'>,
  { from, to }: ChargedParking,
  clock: CivilClock,
): Share[] {
  const shares: Share[] = []
  const instant = (day: number, seconds: number): number =>
    clock.instant(day + Math.floor(seconds / 86_400), seconds % 86_400).ms
  for (let day = clock.local(from).day - 1; day <= clock.local(to).day; day++)
    for (const row of rowsOfDay(structure, weekdayOf(dayFromNumber(day)))) {
      const [starts, ends] = [secondsOf(row.start_time, 0), secondsOf(row.end_time, 86_400)]
      const [opens, shuts] = [instant(day, starts), instant(ends > starts ? day : day + 1, ends)]
      const ms = Math.min(to, shuts) - Math.max(from, opens)
      if (ms > 0) shares.push({ quantity: hoursOf(ms), unit: 'hours', price: row.price })
    }
  return shares
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
  if (mode === 'marginal')
    return sorted.flatMap(({ start, end, price }) => {
      const within = Math.min(ms, end === null ? Infinity : end * minuteMs) - start * minuteMs
      return within > 0 ? [{ quantity: hoursOf(within), unit: 'hours', price }] : []
    })
  const band = bandReached(sorted, ms)
  if (mode === 'flat')
    return band ? [{ quantity: Rational.of(1), unit: 'parking events', price: band.price }] : []
  const reached = band ?? sorted.at(-1)!
  return [{ quantity: hoursOf(ms), unit: 'hours', price: reached.price }]
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
      shares.push({ quantity: Rational.of(1), unit, price })
    }
    at = next
  }
  return shares
}

/** How the events of a part are charged. */
function sharesBy({ structure }: ParkingPart, clock: CivilClock): (event: ChargedParking) => Share[] {
  switch (structure.by) {
    case 'event':
      return () => [{ quantity: Rational.of(1), unit: 'parking events', price: structure.price }]
    case 'schedule':
      return (event) => bySchedule(structure, event, clock)
    case 'duration': {
      const bands = contiguousBands(structure.bands, structure.free_after)
      return (event) => byDuration(structure.mode, bands, event)
    }
    case 'time_unit':
      return (event) => byTimeUnit(structure, event, clock)
  }
}

/** Charges of the parking events that begin within a span (ms, half open), each whole, by vehicle type and price. */
export function parkingCharges(
  part: ParkingPart,
  parking: readonly ChargedParking[],
  span: { from: number; until: number },
  { clock }: ChargeContext,
): Charge[] {
  const events = parking.filter(
    ({ from, vehicleType, areas }) =>
      from >= span.from && from < span.until && isOfType(part, vehicleType) && isInAreas(part.areas, areas),
  )
  const types = new Set(events.map(({ vehicleType }) => vehicleType))
  const sharesOf = sharesBy(part, clock)
  const amounts = new Map<string, Rational>()
  const charges = events.flatMap((event) => {
    const shares = sharesOf(event)
    const key = `${clock.local(event.from).day} ${event.vehicleId}`
    const amount = sumOf(shares.map(({ quantity, price }) => quantity.times(price)))
    amounts.set(key, (amounts.get(key) ?? zero).plus(amount))
    return shares.map(({ quantity, unit, price }) => ({
      description: types.size > 1 ? `${part.name}, ${event.vehicleType}` : part.name,
      quantity,
      unit,
      unitPrice: price,
      exact: quantity.times(price),
    }))
  })
  const { maximum_per_vehicle_day: maximum } = part
  const excess = maximum
    ? sumOf([...amounts.values()].map((amount) => greatest(zero, amount.minus(maximum))))
    : zero
  return [
    ...mergeCharges(charges),
    ...(excess.compare(zero) > 0
      ? [
          {
            description: `${part.name}: maximum per vehicle and day`,
            quantity: Rational.of(1),
            unit: '',
            unitPrice: null,
            exact: zero.minus(excess),
          },
        ]
      : []),
  ]
}
