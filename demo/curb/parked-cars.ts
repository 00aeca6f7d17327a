import { createRandom, hashNumbers } from '../hash-numbers.ts'
import type { LocalDay } from '../trips/local-days.ts'
import { cleaningMinutes, curbDay, isCleaningDay, occupancyOf } from './curb-demand.ts'
import type { CurbPlace } from './curb-place.ts'
import { localInstant } from './local-instant.ts'

/** A car that parks in one space of a place. Times are ms. */
export interface ParkedCar {
  place: CurbPlace
  /** From 0 on. */
  space: number
  from: number
  until: number
  /** The same number for the same car at each start. */
  key: number
}

/** Standard normal. */
const normal = (random: () => number): number =>
  Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())

/** Minutes of the day: when those leave who stay overnight, and when they come, which is after the meters. */
const [firstLeave, lastLeave, firstArrival, lastArrival] = [330, 545, 1060, 1430]
/** Of 100 cars that would stay longer than allowed, so many do. */
const overstayShare = { short: 0.24, long: 0.5 }

interface Night {
  isTaken: boolean
  arrives: number
  leaves: number
}

/** Whether a car stays in a space overnight; `leaves` is a minute of the next day. */
function nightOf(place: CurbPlace, seed: number, space: number, day: number): Night {
  const random = createRandom(hashNumbers(seed + 91, place.number * 64 + space, day))
  const isTaken = random() < 0.2 * place.attraction
  const first = Math.max(firstArrival, place.closes + 5)
  const last = place.isCleaned && isCleaningDay(day + 1) ? cleaningMinutes[0] - 3 : lastLeave
  return {
    isTaken,
    arrives: first + (lastArrival - first) * random() ** 1.4,
    leaves: firstLeave + (last - firstLeave) * (random() + random()) * 0.5,
  }
}

/** Sensors report whole seconds. */
export const toSecond = (ms: number): number => Math.floor(ms / 1000) * 1000

/** How long a car stays, minutes. The limit of its meter applies to who comes while it is in operation. */
function stayMinutes(place: CurbPlace, isPaid: boolean, minute: number, random: () => number): number {
  const { maxStay, opens, closes } = place
  const isShort = maxStay <= 120
  const isEvening = minute >= closes - 30
  const median = isEvening ? 74 : isShort ? 60 : 78
  const minutes = Math.max(2, median * Math.exp(0.74 * normal(random)))
  const isLimited = isPaid && minute >= opens && minute < closes
  if (!isLimited || minutes <= maxStay) return Math.min(minutes, 600)
  return random() < overstayShare[isShort ? 'short' : 'long']
    ? maxStay * (1.04 - 0.3 * Math.log(1 - random()))
    : maxStay * (0.78 + 0.21 * random())
}

/** Streets follow their demand late, because cars stay: arrivals look ahead, minutes. */
const aheadMinutes = 50

/** When the next car comes to a space that is free, minutes. `wait`: exponential of mean 1. */
function nextArrival(shares: Float64Array, meanStay: number, free: number, wait: number): number {
  let minute = free
  for (let left = wait; minute < 1560;) {
    const half = Math.floor(minute / 30)
    const share = shares[Math.min(47, Math.floor((minute + aheadMinutes) / 30))] ?? 0.1
    const perMinute = share / (1 - share) / meanStay
    const needed = left / perMinute
    const border = (half + 1) * 30
    if (minute + needed < border) return minute + needed
    left -= (border - minute) * perMinute
    minute = border
  }
  return minute
}

/** Cars that come to a place on a local day, space by space. A day ends with the cars that leave on the next morning. */
export function parkedCars(
  place: CurbPlace,
  seed: number,
  day: number,
  local: LocalDay,
  next: LocalDay,
): ParkedCar[] {
  const cars: ParkedCar[] = []
  const { isPaid } = curbDay(day)
  const shares = occupancyOf(place, seed, day)
  const isCleaned = place.isCleaned && isCleaningDay(day)
  const [cleaned] = cleaningMinutes
  const meanStay = place.maxStay <= 120 ? 70 : 100
  for (let space = 0; space < place.spaces; space++) {
    const before = nightOf(place, seed, space, day - 1)
    const night = nightOf(place, seed, space, day)
    const random = createRandom(hashNumbers(seed + 92, place.number * 64 + space, day))
    const end = night.isTaken ? night.arrives - 2 : 1440 + 90
    const add = (from: number, until: number, untilDay = local): void =>
      void cars.push({
        place,
        space,
        from: toSecond(localInstant(local, from)),
        until: toSecond(localInstant(untilDay, until)),
        key: hashNumbers(place.number * 64 + space, day, Math.floor(from * 60)),
      })
    let minute = before.isTaken ? before.leaves + 1 : firstLeave
    for (;;) {
      minute = nextArrival(shares, meanStay, minute + 1, -Math.log(1 - random()))
      if (minute >= end - 4) break
      const leaves = Math.min(end, minute + stayMinutes(place, isPaid, minute, random))
      const until = isCleaned && minute < cleaned ? Math.min(leaves, cleaned - 2) : leaves
      add(minute, until)
      minute = until + 0.5
    }
    if (night.isTaken) add(night.arrives, night.leaves, next)
  }
  return cars
}
