// Reference implementation of charges, by single minutes. Facts must begin and end at full minutes.
import { minuteMs } from '#contract/period.ts'

/** Numerator and denominator. */
export type Fraction = readonly [bigint, bigint]
const nothing: Fraction = [0n, 1n]
export const toFraction = (text: string | number): Fraction => {
  const [whole = '0', decimals = ''] = String(text).split('.')
  return [BigInt(whole + decimals), 10n ** BigInt(decimals.length)]
}
export const add = ([a, b]: Fraction, [c, d]: Fraction): Fraction => [a * d + c * b, b * d]
export const multiply = ([a, b]: Fraction, [c, d]: Fraction): Fraction => [a * c, b * d]
const isLess = ([a, b]: Fraction, [c, d]: Fraction): boolean => a * d < c * b
const subtract = (a: Fraction, [c, d]: Fraction): Fraction => add(a, [-c, d])
const min = (a: Fraction, b: Fraction): Fraction => (isLess(a, b) ? a : b)
const max = (a: Fraction, b: Fraction): Fraction => (isLess(a, b) ? b : a)
/** Rounds to cents, halves away from zero. */
export function roundToCents([a, b]: Fraction): bigint {
  const [twice, divisor] = [200n * (a < 0n ? -a : a) + b, 2n * b]
  return a < 0n ? -(twice / divisor) : twice / divisor
}
const formatMoney = (amount: bigint): string =>
  `${amount < 0n ? '-' : ''}${(amount < 0n ? -amount : amount).toString().padStart(3, '0').replace(/(..)$/, '.$1')}`

/** Formats a fraction with a power of ten as denominator. */
function formatDecimal([a, b]: Fraction): string {
  const digits = b.toString().length - 1
  const text = a.toString().padStart(digits + 1, '0')
  return `${text.slice(0, text.length - digits)}.${text.slice(text.length - digits)}`.replace(/\.?0+$/, '')
}

const formats = new Map<string, Intl.DateTimeFormat>()
const shown = new Map<string, { date: string; minute: number; weekday: number }>()
const weekdays = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']

/** Returns the local date, minute and weekday of a full minute. */
export function getClockAt(ms: number, timezone: string): { date: string; minute: number; weekday: number } {
  const key = `${timezone} ${ms}`
  let found = shown.get(key)
  if (!found) {
    let format = formats.get(timezone)
    if (!format)
      formats.set(
        timezone,
        (format = new Intl.DateTimeFormat('en-US', {
          timeZone: timezone,
          hourCycle: 'h23',
          weekday: 'short',
          year: 'numeric',
          month: '2-digit',
          day: '2-digit',
          hour: '2-digit',
          minute: '2-digit',
        })),
      )
    const parts = Object.fromEntries(format.formatToParts(ms).map(({ type, value }) => [type, value]))
    found = {
      date: `${parts['year']}-${parts['month']}-${parts['day']}`,
      minute: Number(parts['hour']) * 60 + Number(parts['minute']),
      weekday: weekdays.indexOf(parts['weekday'] ?? ''),
    }
    shown.set(key, found)
  }
  return found
}

const parseMinutes = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5))

export interface Row {
  start_time: string | null
  end_time: string | null
  price: string
}
export interface Band {
  start: number
  end: number | null
  price: string
}
export type Prices = Partial<Record<string, Row[]>>
const names = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday']

const listRowsOn = (prices: Prices, weekday: number): Row[] =>
  [names[weekday] ?? '', ...(weekday >= 1 && weekday <= 5 ? ['weekday'] : []), 'all']
    .map((key) => prices[key] ?? [])
    .find((rows) => rows.length) ?? []

export interface Parked {
  from: number
  to: number
  vehicle_id: string
  vehicle_type: string
  areas: string[]
}

/** A percentage that is deducted for events in some areas. */
export interface Discount {
  percent: string
  areas: string[]
}
export const hasDiscount = (discount: Discount | null, areas: readonly string[]): discount is Discount =>
  discount !== null && discount.areas.some((area) => areas.includes(area))
export const getDiscountShare = ({ percent }: Discount): Fraction => multiply(toFraction(percent), [1n, 100n])

/** Minutes or numbers of events by price. */
export type Amounts = Map<string, number>
const count = (amounts: Amounts, price: string): void =>
  void amounts.set(price, (amounts.get(price) ?? 0) + 1)

/** Returns the minutes of an event by price of a schedule. Looks up each minute by its local time. */
export function scheduleMinutes(prices: Prices, { from, to }: Parked, timezone: string): Amounts {
  const amounts: Amounts = new Map()
  for (let at = from; at < to; at += minuteMs) {
    const { minute, weekday } = getClockAt(at, timezone)
    const getBounds = (row: Row): [number, number] => [
      parseMinutes(row.start_time ?? '00:00'),
      parseMinutes(row.end_time ?? '24:00'),
    ]
    for (const row of listRowsOn(prices, weekday)) {
      const [starts, ends] = getBounds(row)
      if (minute >= starts && (ends <= starts || minute < ends)) count(amounts, row.price)
    }
    for (const row of listRowsOn(prices, (weekday + 6) % 7)) {
      const [starts, ends] = getBounds(row)
      if (ends <= starts && minute < ends) count(amounts, row.price)
    }
  }
  return amounts
}

/** Returns the band that contains a number of minutes. There may be a gap of a minute between bands. */
const findBand = (bands: readonly Band[], minutes: number): Band | undefined =>
  bands.find(({ end }) => end === null || minutes <= end)

/** Returns the minutes of an event, or the event (mode `flat`), by price of a table by duration. */
export function countDurationMinutes(bands: readonly Band[], mode: string, { from, to }: Parked): Amounts {
  const amounts: Amounts = new Map()
  const length = (to - from) / minuteMs
  if (mode === 'flat') {
    const band = findBand(bands, length)
    if (band) count(amounts, band.price)
    return amounts
  }
  for (let minute = 1; minute <= length; minute++) {
    const band = mode === 'marginal' ? findBand(bands, minute) : (findBand(bands, length) ?? bands.at(-1))
    if (band) count(amounts, band.price)
  }
  return amounts
}

/** A line with its quantity, unit and amount in cents. */
export interface PlainLine {
  unit: string
  unit_price: string | null
  amount: string
}

const computeAmount = (minutes: number, price: string, isFlat: boolean): Fraction =>
  multiply(isFlat ? [BigInt(minutes), 1n] : [BigInt(minutes), 60n], toFraction(price))

interface ParkingTerms {
  isFlat: boolean
  maximum: string | null
  timezone: string
  discount: Discount | null
}

/** Computes lines of parking events: one per vehicle type and price, and one for what exceeds the daily maximum. */
export function makeParkingLines(
  events: readonly Parked[],
  getAmounts: (event: Parked) => Amounts,
  { isFlat, maximum, timezone, discount }: ParkingTerms,
): PlainLine[] {
  const sums = new Map<string, Amounts>()
  const discounted: Amounts = new Map()
  const days = new Map<string, Fraction>()
  for (const event of events) {
    const amounts = sums.get(event.vehicle_type) ?? new Map<string, number>()
    sums.set(event.vehicle_type, amounts)
    const key = `${event.vehicle_id} ${getClockAt(event.from, timezone).date}`
    for (const [price, amount] of getAmounts(event)) {
      amounts.set(price, (amounts.get(price) ?? 0) + amount)
      let paid = computeAmount(amount, price, isFlat)
      if (hasDiscount(discount, event.areas)) {
        discounted.set(price, (discounted.get(price) ?? 0) + amount)
        paid = subtract(paid, multiply(paid, getDiscountShare(discount)))
      }
      days.set(key, add(days.get(key) ?? nothing, paid))
    }
  }
  const lines = [...sums.values()].flatMap((own) =>
    [...own].map(([price, amount]) => ({
      unit: isFlat ? 'parking events' : 'hours',
      unit_price: price,
      amount: formatMoney(roundToCents(computeAmount(amount, price, isFlat))),
    })),
  )
  if (discount)
    for (const [price, amount] of discounted)
      lines.push({
        unit: isFlat ? 'parking events' : 'hours',
        unit_price: `-${formatDecimal(multiply(toFraction(price), getDiscountShare(discount)))}`,
        amount: formatMoney(
          -roundToCents(multiply(computeAmount(amount, price, isFlat), getDiscountShare(discount))),
        ),
      })
  if (maximum === null) return lines
  const excess = [...days.values()].reduce(
    (sum, cost) => add(sum, max(nothing, subtract(cost, toFraction(maximum)))),
    nothing,
  )
  return isLess(nothing, excess)
    ? [...lines, { unit: '', unit_price: null, amount: formatMoney(-roundToCents(excess)) }]
    : lines
}

export interface Tier {
  from: string
  price: string
}
export interface Pricing {
  price: string
  free: string
  tiers: Tier[]
  tier_mode: string
}

/** Splits a quantity by price of the tiers. */
export function priceLines(
  quantity: Fraction,
  { price, free, tiers, tier_mode: mode }: Pricing,
): [string, Fraction][] {
  const charged = max(nothing, subtract(quantity, toFraction(free)))
  if (!tiers.length) return [[price, charged]]
  const reached = tiers.filter(({ from }) => !isLess(charged, toFraction(from)))
  if (mode === 'whole') return reached.slice(-1).map((tier) => [tier.price, charged])
  return reached.map((tier, index) => {
    const next = reached[index + 1]
    return [tier.price, subtract(next ? min(charged, toFraction(next.from)) : charged, toFraction(tier.from))]
  })
}

/** Makes lines of quantities by price. */
export const makePricedLines = (unit: string, sums: ReadonlyMap<string, Fraction>): PlainLine[] =>
  [...sums].map(([price, quantity]) => ({
    unit,
    unit_price: price,
    amount: formatMoney(roundToCents(multiply(quantity, toFraction(price)))),
  }))

export interface Standing {
  from: number
  to: number
  state: string
}

interface FleetQuestion {
  intervals: readonly Standing[]
  method: string
  /** Local hours of operation. */
  hours: { from: string; until: string }
  timezone: string
}

/** Returns the fleet size of a local day by a counting method, counted by minute. */
export function countFleet(
  date: string,
  minutes: readonly number[],
  { intervals, method, hours, timezone }: FleetQuestion,
): Fraction {
  const minutesOnDate = minutes.filter((at) => getClockAt(at, timezone).date === date)
  const numberAt = (at: number): bigint =>
    BigInt(intervals.filter(({ from, to, state }) => state !== 'removed' && from <= at && at < to).length)
  const computeMean = (sizes: readonly number[]): Fraction =>
    sizes.length ? [sizes.reduce((sum, at) => sum + numberAt(at), 0n), BigInt(sizes.length)] : nothing
  switch (method) {
    case 'max':
      return [
        minutesOnDate.map(numberAt).reduce((most, quantity) => (quantity > most ? quantity : most), 0n),
        1n,
      ]
    case 'sae_max': {
      const clockHours: number[][] = []
      for (const [index, minute] of minutesOnDate.entries())
        if (
          index === 0 ||
          getClockAt(minute, timezone).minute % 60 === 0 ||
          getClockAt(minute, timezone).minute < getClockAt(minutesOnDate[index - 1] ?? 0, timezone).minute
        )
          clockHours.push([minute])
        else clockHours.at(-1)?.push(minute)
      return clockHours.map(computeMean).reduce(max, nothing)
    }
    case 'daytime_avg':
      return computeMean(
        minutesOnDate.filter((at) => {
          const { minute } = getClockAt(at, timezone)
          return minute >= parseMinutes(hours.from) && minute < parseMinutes(hours.until)
        }),
      )
    default:
      return computeMean(minutesOnDate)
  }
}

/** Makes the line that raises other lines to a minimum amount or reduces them to a maximum amount. */
export function limitLines(
  lines: readonly PlainLine[],
  least: string | null,
  most: string | null,
): PlainLine[] {
  const total = lines.reduce(
    (sum, line) =>
      sum + roundToCents(toFraction(line.amount.replace('-', ''))) * (line.amount.startsWith('-') ? -1n : 1n),
    0n,
  )
  const bounds = [least, most].map((text) => (text === null ? null : roundToCents(toFraction(text))))
  const [minimum, largest] = bounds
  const to =
    minimum != null && minimum > total ? minimum : largest != null && largest < total ? largest : total
  return to === total
    ? [...lines]
    : [...lines, { unit: '', unit_price: null, amount: formatMoney(to - total) }]
}

export { formatMoney as money }
