import { hourMs } from '#contract/period.ts'
import { createRandom, hashNumbers, salts } from '../hash-numbers.ts'
import { computeSmoothNoise } from '../smooth-noise.ts'
import type { LocalDay } from '../trips/local-days.ts'
import { getCalendarDay, getRate } from './curb-demand.ts'
import type { CurbPlace } from './curb-place.ts'
import { toLocalInstant } from './local-instant.ts'
import { type ParkedCar, makeParkedCars } from './parked-cars.ts'

/** Number of blocks at the center with meters that report payments. */
const meteredBlockCount = 12

/** Returns whether payments of a place are reported: it is metered and on a block at the center. */
export const hasPayments = ({ use, block }: CurbPlace): boolean =>
  use === 'meter' && block < meteredBlockCount

export const paymentVendors = { kiosk: 'Meridian Pay Stations', app: 'CurbPay' } as const
export type PaymentVendorKind = keyof typeof paymentVendors

/** A row of a vendor's file. */
export interface DemoPayment {
  vendor: PaymentVendorKind
  id: string
  place: CurbPlace
  /** Time of payment. */
  paidMs: number
  /** Start of the parking. */
  startMs: number
  /** Paid minutes; for an extension in the app, including the minutes bought before. */
  minutes: number
  /** Minor units; negative for refunds. */
  amount: number
  method: string
  status: 'approved' | 'declined' | 'cancelled' | 'refund' | 'test'
  isExtension: boolean
  /** Plate for pay stations, id of the session for the app. */
  key: string
}

/** Shares of drivers while a meter is in operation; of those who pay, except `paying`. */
const shares = {
  paying: 0.66,
  extending: 0.12,
  declined: 0.012,
  cancelled: 0.003,
  refunded: 0.004,
  free: 0.004,
}
const minPaidStayMs = 4 * 60_000
const payDelayMs = 40_000
const stepMinutes = 15
const minMinutes = 15

const letters = 'ABCDEFGHJKLMNPRSTUVWXYZ'
const makePlate = (key: number): string =>
  [0, 5, 10].map((shift) => letters[(key >>> shift) % letters.length]).join('') +
  String((key >>> 15) % 10_000).padStart(4, '0')

/** Returns the share of drivers who pay. It varies by street and hour: fewer pay in the evening. */
function getPayingShare(place: CurbPlace, seed: number, minute: number): number {
  const street = 0.07 * computeSmoothNoise(seed + salts.payingShare, place.block / 7, 0.5)
  const hour = minute < 11 * 60 ? 0.03 : minute < 16 * 60 ? 0 : -0.06
  return shares.paying + street + hour
}

/** Returns the share of payments by app, which grew from about 35% two years ago to 60% now. */
const getAppShare = (daysAgo: number): number => Math.max(0.35, 0.62 - (0.2 * daysAgo) / 550)

/** Computes the price in minor units, rounded up; pay stations round up to 5. */
const computePrice = (rate: number, minutes: number, isKiosk: boolean): number => {
  const exact = (rate * minutes) / 60
  return isKiosk ? Math.ceil(exact / 5) * 5 : Math.ceil(exact)
}

export interface PaymentDay {
  seed: number
  /** Days since 1970-01-01. */
  day: number
  /** Last day of all payments, in days since 1970-01-01. */
  newest: number
  local: LocalDay
  next: LocalDay
}

/** Makes the payments of one driver, including failed ones. */
function makePaymentsOfCar(
  { place, fromMs, untilMs, space }: ParkedCar,
  { seed, day, newest, local }: PaymentDay,
  random: () => number,
): DemoPayment[] {
  const toMinute = (ms: number): number => Math.round((ms - toLocalInstant(local, 0)) / 60_000)
  const [opensMs, closesMs] = [toLocalInstant(local, place.opens), toLocalInstant(local, place.closes)]
  const startMs = Math.max(fromMs + payDelayMs, opensMs)
  const endMs = Math.min(untilMs, closesMs)
  if (endMs - startMs < minPaidStayMs || random() >= getPayingShare(place, seed, toMinute(startMs))) return []
  const isApp = random() < getAppShare(newest - day)
  const vendor: PaymentVendorKind = isApp ? 'app' : 'kiosk'
  const { weekday } = getCalendarDay(day)
  const rate = getRate(place, { timeMs: startMs, weekday, minute: toMinute(startMs) })
  const stayMinutes = (endMs - startMs) / 60_000
  // Most people buy a little more time than they need, some less.
  const wantedMinutes = stayMinutes * (0.82 + 0.5 * random())
  const maxMinutes = Math.min(place.maxStay, Math.floor((closesMs - startMs) / 60_000))
  const boughtMinutes = Math.max(
    Math.min(minMinutes, maxMinutes),
    Math.min(
      maxMinutes,
      isApp ? Math.round(wantedMinutes) : Math.ceil(wantedMinutes / stepMinutes) * stepMinutes,
    ),
  )
  if (boughtMinutes < 1 || rate <= 0) return []
  const number = hashNumbers(place.number * 64 + space, day, Math.floor(startMs / 1000))
  const id = `${day.toString(36)}${place.number.toString(36)}${number.toString(36)}`
  const method = isApp ? (random() < 0.7 ? 'Card' : 'Wallet') : random() < 0.74 ? 'Card' : 'Coins'
  const key = isApp ? `s${id}` : makePlate(number)
  const base = { vendor, place, startMs, method, key, status: 'approved', isExtension: false } as const
  const price = (minutes: number): number => computePrice(rate, minutes, !isApp)
  const payments: DemoPayment[] = []
  const add = (
    fields: Partial<DemoPayment> & Pick<DemoPayment, 'id' | 'paidMs' | 'minutes' | 'amount'>,
  ): void => {
    payments.push({ ...base, ...fields })
  }
  const chance = random()
  const isCancelled = chance < shares.cancelled
  const isFree = chance > 1 - shares.free
  if (isCancelled) {
    add({ id, paidMs: startMs, minutes: 0, amount: 0, status: 'cancelled' })
    return payments
  }
  if (method === 'Card' && random() < shares.declined)
    add({
      id: `${id}d`,
      paidMs: startMs - 25_000,
      minutes: 0,
      amount: price(boughtMinutes),
      status: 'declined',
    })
  if (isFree) {
    // Drivers with a free half hour: the vendor reports a payment of zero.
    add({ id, paidMs: startMs, minutes: Math.min(30, boughtMinutes), amount: 0 })
    return payments
  }
  const wantedFirstMinutes =
    random() < shares.extending && boughtMinutes > 40
      ? Math.round(boughtMinutes * (0.4 + 0.3 * random()))
      : boughtMinutes
  const firstMinutes = isApp
    ? wantedFirstMinutes
    : Math.max(minMinutes, Math.floor(wantedFirstMinutes / stepMinutes) * stepMinutes)
  add({ id, paidMs: startMs, minutes: firstMinutes, amount: price(firstMinutes) })
  if (firstMinutes < boughtMinutes) {
    const paidMs = startMs + Math.floor(firstMinutes * (0.75 + 0.2 * random()) * 60) * 1000
    const minutes = isApp ? boughtMinutes : boughtMinutes - firstMinutes
    add({
      id: `${id}x`,
      paidMs,
      startMs: isApp ? startMs : startMs + firstMinutes * 60_000,
      minutes,
      amount: price(boughtMinutes) - price(firstMinutes),
      isExtension: true,
    })
  }
  if (isApp && random() < shares.refunded)
    add({
      id: `${id}r`,
      paidMs: startMs + (3 + Math.floor(40 * random())) * hourMs,
      minutes: 0,
      amount: -price(firstMinutes),
      status: 'refund',
    })
  return payments
}

/** Makes the payments of the stays that begin at a place on a local day, ordered by time. */
export function makeDayPayments(place: CurbPlace, context: PaymentDay): DemoPayment[] {
  const { seed, day, local, next } = context
  if (!getCalendarDay(day).isPaid || (place.until !== null && local.startMs >= place.until)) return []
  const cars = makeParkedCars(place, { seed, day, local, next })
  const random = createRandom(hashNumbers(seed + salts.payments, place.number, day))
  const payments = cars.flatMap((car) => makePaymentsOfCar(car, context, random))
  // Each pay station is tested about twice a month.
  if (hashNumbers(seed + salts.meterTest, place.number, day) % 14 === 0) {
    const paidMs = toLocalInstant(local, place.opens - 25)
    payments.push({
      vendor: 'kiosk',
      id: `${day.toString(36)}${place.number.toString(36)}t`,
      place,
      paidMs,
      startMs: paidMs,
      minutes: 12,
      amount: 25,
      method: 'Maintenance card',
      status: 'test',
      isExtension: false,
      key: '',
    })
  }
  return payments.sort((a, b) => a.paidMs - b.paidMs || (a.id < b.id ? -1 : 1))
}
