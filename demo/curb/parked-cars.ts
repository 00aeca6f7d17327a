import { createRandom, drawNormal, hashNumbers, salts } from '../hash-numbers.ts'
import type { LocalDay } from '../trips/local-days.ts'
import { cleaningMinutes, getCalendarDay, isCleaningDay, computeOccupancy } from './curb-demand.ts'
import type { CurbPlace } from './curb-place.ts'
import { toLocalInstant } from './local-instant.ts'

/** A parked car in one space of a place. */
export interface ParkedCar {
  place: CurbPlace
  /** Index of the space. */
  space: number
  fromMs: number
  untilMs: number
  /** Stable number of the car. */
  key: number
}

/** Minutes of the day between which overnight cars leave and arrive. They arrive after the meters' hours. */
const [firstLeave, lastLeave, firstArrival, lastArrival] = [330, 545, 1060, 1430]
/** Among the cars that need more time than the limit, the share that exceeds it; by short and long limits. */
const overstayShare = { short: 0.24, long: 0.5 }

/** A night at a space. */
interface Night {
  isTaken: boolean
  /** Minute of the day. */
  arrives: number
  /** Minute of the next day. */
  leaves: number
}

/** Draws whether a car is in a space overnight. */
function drawNight(place: CurbPlace, seed: number, space: number, day: number): Night {
  const random = createRandom(hashNumbers(seed + salts.overnightCar, place.number * 64 + space, day))
  const isTaken = random() < 0.2 * place.attraction
  const first = Math.max(firstArrival, place.closes + 5)
  const last = place.isCleaned && isCleaningDay(day + 1) ? cleaningMinutes[0] - 3 : lastLeave
  return {
    isTaken,
    arrives: first + (lastArrival - first) * random() ** 1.4,
    leaves: firstLeave + (last - firstLeave) * (random() + random()) * 0.5,
  }
}

/** Rounds down to a second, because sensors report full seconds. */
export const toSecond = (ms: number): number => Math.floor(ms / 1000) * 1000

/** Draws the duration of a stay, minutes. The limit applies to arrivals while the meter is in operation. */
function drawStayMinutes(place: CurbPlace, isPaid: boolean, minute: number, random: () => number): number {
  const { maxStay, opens, closes } = place
  const isShort = maxStay <= 120
  const isEvening = minute >= closes - 30
  const median = isEvening ? 74 : isShort ? 60 : 78
  const minutes = Math.max(2, median * Math.exp(0.74 * drawNormal(random)))
  const isLimited = isPaid && minute >= opens && minute < closes
  if (!isLimited || minutes <= maxStay) return Math.min(minutes, 600)
  return random() < overstayShare[isShort ? 'short' : 'long']
    ? maxStay * (1.04 - 0.3 * Math.log(1 - random()))
    : maxStay * (0.78 + 0.21 * random())
}

/** Arrivals follow the target occupancy of this many minutes later, because occupancy lags behind. */
const aheadMinutes = 50

/** Draws the minute at which the next car takes a space that is free from `free` on. `wait` has mean 1. */
function drawNextArrival(shares: Float64Array, meanStay: number, free: number, wait: number): number {
  let minute = free
  for (let remaining = wait; minute < 1560;) {
    const half = Math.floor(minute / 30)
    const share = shares[Math.min(47, Math.floor((minute + aheadMinutes) / 30))] ?? 0.1
    const perMinute = share / (1 - share) / meanStay
    const needed = remaining / perMinute
    const halfEnd = (half + 1) * 30
    if (minute + needed < halfEnd) return minute + needed
    remaining -= (halfEnd - minute) * perMinute
    minute = halfEnd
  }
  return minute
}

/** Makes the cars that arrive at a place on a local day, by space, including cars that stay overnight. */
export function makeParkedCars(
  place: CurbPlace,
  { seed, day, local, next }: { seed: number; day: number; local: LocalDay; next: LocalDay },
): ParkedCar[] {
  const cars: ParkedCar[] = []
  const { isPaid } = getCalendarDay(day)
  const shares = computeOccupancy(place, seed, day)
  const isCleaned = place.isCleaned && isCleaningDay(day)
  const [cleaningStart, cleaningEnd] = cleaningMinutes
  const meanStay = place.maxStay <= 120 ? 70 : 100
  for (let space = 0; space < place.spaces; space++) {
    const lastNight = drawNight(place, seed, space, day - 1)
    const night = drawNight(place, seed, space, day)
    const random = createRandom(hashNumbers(seed + salts.parkedCars, place.number * 64 + space, day))
    const end = night.isTaken ? night.arrives - 2 : 1440 + 90
    const add = (fromMinute: number, untilMinute: number, untilDay = local): void => {
      cars.push({
        place,
        space,
        fromMs: toSecond(toLocalInstant(local, fromMinute)),
        untilMs: toSecond(toLocalInstant(untilDay, untilMinute)),
        key: hashNumbers(place.number * 64 + space, day, Math.floor(fromMinute * 60)),
      })
    }
    let minute = lastNight.isTaken ? lastNight.leaves + 1 : firstLeave
    for (;;) {
      minute = drawNextArrival(shares, meanStay, minute + 1, -Math.log(1 - random()))
      if (minute >= end - 4) break
      // Nobody arrives during street cleaning, or shortly before it.
      if (isCleaned && minute >= cleaningStart - 4 && minute < cleaningEnd) {
        minute = cleaningEnd
        continue
      }
      const leaves = Math.min(end, minute + drawStayMinutes(place, isPaid, minute, random))
      const until = isCleaned && minute < cleaningStart ? Math.min(leaves, cleaningStart - 2) : leaves
      add(minute, until)
      minute = until + 0.5
    }
    if (night.isTaken) add(night.arrives, night.leaves, next)
  }
  return cars
}
