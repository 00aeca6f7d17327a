import { createRandom, hashNumbers } from '../hash-numbers.ts'
import { smoothNoise } from '../smooth-noise.ts'
import type { LocalDay } from '../trips/local-days.ts'
import { curbDay, rateAt } from './curb-demand.ts'
import type { CurbPlace } from './curb-place.ts'
import { localInstant } from './local-instant.ts'
import { type ParkedCar, parkedCars } from './parked-cars.ts'

/** Blocks around the middle whose meters report their payments. */
const meterBlocks = 12

/** Whether payments of a place are reported: it has meters on a block around the middle. */
export const hasPayments = ({ use, block }: CurbPlace): boolean => use === 'meter' && block < meterBlocks

export const paymentVendors = {
  kiosk: 'Meridian Pay Stations',
  app: 'CurbPay',
} as const
export type PaymentVendorKind = keyof typeof paymentVendors

/** A row as a vendor reports it. Minutes are of the local day. */
export interface MadePayment {
  vendor: PaymentVendorKind
  id: string
  place: CurbPlace
  /** Ms. */
  paid: number
  /** When the parking began, ms. */
  start: number
  /** Minutes since the start that are paid for so far; an extension of the app includes what was bought before. */
  minutes: number
  /** Minor units; negative: paid back. */
  amount: number
  method: string
  status: 'approved' | 'declined' | 'cancelled' | 'refund' | 'test'
  isExtension: boolean
  /** Plate at a pay station, session at the app. */
  key: string
}

/** Of all stays that begin at a meter in operation, by what their drivers do. */
const shares = { pays: 0.66, extends: 0.12, declined: 0.012, cancelled: 0.003, refunded: 0.004, zero: 0.004 }
const stepMinutes = 15
const minMinutes = 15

const letters = 'ABCDEFGHJKLMNPRSTUVWXYZ'
const plateOf = (key: number): string =>
  [0, 5, 10].map((shift) => letters[(key >>> shift) % letters.length]).join('') +
  String((key >>> 15) % 10_000).padStart(4, '0')

/** How many pay differs by street and hour: fewer in the evening and where people have permits. */
function payingShare(place: CurbPlace, seed: number, minute: number): number {
  const street = 0.07 * smoothNoise(seed + 87, place.block / 7, 0.5)
  const hour = minute < 660 ? 0.03 : minute < 960 ? 0 : -0.06
  return shares.pays + street + hour
}

/** Shares of the app grow: about 35 % of payments two years ago, 60 % now. */
const appShare = (daysAgo: number): number => Math.max(0.35, 0.62 - (0.2 * daysAgo) / 550)

const priceOf = (rate: number, minutes: number, isKiosk: boolean): number => {
  const exact = (rate * minutes) / 60
  return isKiosk ? Math.ceil(exact / 5) * 5 : Math.ceil(exact)
}

export interface PaymentDay {
  seed: number
  /** Days since 1970-01-01, and the day of the newest payments. */
  day: number
  newest: number
  local: LocalDay
  next: LocalDay
}

/** What one driver pays, and what goes wrong with it. */
function paymentsOfCar(
  { place, from, until, space }: ParkedCar,
  { seed, day, newest, local }: PaymentDay,
  random: () => number,
): MadePayment[] {
  const minuteOf = (ms: number): number => Math.round((ms - localInstant(local, 0)) / 60_000)
  const [opens, closes] = [localInstant(local, place.opens), localInstant(local, place.closes)]
  const start = Math.max(from + 40_000, opens)
  const end = Math.min(until, closes)
  if (end - start < 4 * 60_000 || random() >= payingShare(place, seed, minuteOf(start))) return []
  const isApp = random() < appShare(newest - day)
  const vendor: PaymentVendorKind = isApp ? 'app' : 'kiosk'
  const { weekday } = curbDay(day)
  const rate = rateAt(place, { at: start, weekday, minute: minuteOf(start) })
  const stay = (end - start) / 60_000
  // People buy a little more than they need, some less.
  const wanted = stay * (0.82 + 0.5 * random())
  const most = Math.min(place.maxStay, Math.floor((closes - start) / 60_000))
  const bought = Math.max(
    Math.min(minMinutes, most),
    Math.min(most, isApp ? Math.round(wanted) : Math.ceil(wanted / stepMinutes) * stepMinutes),
  )
  if (bought < 1 || rate <= 0) return []
  const number = hashNumbers(place.number * 64 + space, day, Math.floor(start / 1000))
  const id = `${day.toString(36)}${place.number.toString(36)}${number.toString(36)}`
  const method = isApp ? (random() < 0.7 ? 'Card' : 'Wallet') : random() < 0.74 ? 'Card' : 'Coins'
  const key = isApp ? `s${id}` : plateOf(number)
  const base = { vendor, place, start, method, key, status: 'approved', isExtension: false } as const
  const price = (minutes: number): number => priceOf(rate, minutes, !isApp)
  const found: MadePayment[] = []
  const add = (more: Partial<MadePayment> & Pick<MadePayment, 'id' | 'paid' | 'minutes' | 'amount'>): void =>
    void found.push({ ...base, ...more })
  const chance = random()
  if (chance < shares.cancelled) {
    add({ id, paid: start, minutes: 0, amount: 0, status: 'cancelled' })
    return found
  }
  if (method === 'Card' && random() < shares.declined)
    add({ id: `${id}d`, paid: start - 25_000, minutes: 0, amount: price(bought), status: 'declined' })
  if (chance > 1 - shares.zero) {
    // Drivers with a free half hour, which the vendor reports with no amount.
    add({ id, paid: start, minutes: Math.min(30, bought), amount: 0 })
    return found
  }
  const first =
    random() < shares.extends && bought > 40 ? Math.round(bought * (0.4 + 0.3 * random())) : bought
  const at = isApp ? first : Math.max(minMinutes, Math.floor(first / stepMinutes) * stepMinutes)
  add({ id, paid: start, minutes: at, amount: price(at) })
  if (at < bought) {
    const paid = start + Math.floor(at * (0.75 + 0.2 * random()) * 60) * 1000
    const minutes = isApp ? bought : bought - at
    add({
      id: `${id}x`,
      paid,
      start: isApp ? start : start + at * 60_000,
      minutes,
      amount: price(bought) - price(at),
      isExtension: true,
    })
  }
  if (isApp && random() < shares.refunded)
    add({
      id: `${id}r`,
      paid: start + (3 + Math.floor(40 * random())) * 3_600_000,
      minutes: 0,
      amount: -price(at),
      status: 'refund',
    })
  return found
}

/** Payments of the stays that begin at a place on a local day, in the order of their time. */
export function paymentsOfDay(place: CurbPlace, made: PaymentDay): MadePayment[] {
  const { seed, day, local, next } = made
  if (!curbDay(day).isPaid || (place.until !== null && local.startMs >= place.until)) return []
  const cars = parkedCars(place, seed, day, local, next)
  const random = createRandom(hashNumbers(seed + 88, place.number, day))
  const found = cars.flatMap((car) => paymentsOfCar(car, made, random))
  // Somebody tests each pay station about twice a month.
  if (hashNumbers(seed + 89, place.number, day) % 14 === 0) {
    const paid = localInstant(local, place.opens - 25)
    found.push({
      vendor: 'kiosk',
      id: `${day.toString(36)}${place.number.toString(36)}t`,
      place,
      paid,
      start: paid,
      minutes: 12,
      amount: 25,
      method: 'Maintenance card',
      status: 'test',
      isExtension: false,
      key: '',
    })
  }
  return found.sort((a, b) => a.paid - b.paid || (a.id < b.id ? -1 : 1))
}
