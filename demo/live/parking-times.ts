import { splitTripNumber } from '../trips/demo-trip.ts'

/**
 * When vehicles are removed from the street between two trips. demo/history/trip-ends.ts implements the same rules in
 * SQL. Both must return the same times to the millisecond, so they use only integers and no random numbers.
 */
export const parkingRules = {
  /** A vehicle was moved if its next trip starts farther away. Beyond `lostMeters` the position is wrong. */
  movedMeters: 150,
  lostMeters: 30_000,
  /** A vehicle without a trip for this long was in the workshop. */
  workshopMs: 561_600_000,
  /** Time from its last trip to the workshop, plus up to two hours. */
  workshopAfterMs: 7_200_000,
  /** A move begins between 1:00 and 3:00 on the day of the next trip and takes 40 to 100 minutes. */
  moveAfterMs: 3_600_000,
  movingMs: 2_400_000,
  /** Seconds over which these times are spread; primes, so that neighboring numbers differ. */
  pickUpSpread: 7207,
  dropOffSpread: 3607,
  /** Minimum time between a move and trips around it, if the time between these is long enough. */
  minStopMs: 60_000,
} as const

/** The start or end of a trip: trip number, time (ms) and position. */
export interface TripEndpoint {
  number: number
  time: number
  lon: number
  lat: number
}

/** Computes the squared meters between two places of a city. `lonMeters`: meters per degree of longitude. */
export function computeMetersSquared(a: TripEndpoint, b: TripEndpoint, lonMeters: number): number {
  const x = (b.lon - a.lon) * lonMeters
  const y = (b.lat - a.lat) * 111_195
  return x * x + y * y
}

/** Returns the time at which a vehicle is taken to the workshop after its last trip. */
export const getWorkshopTime = ({ time, number }: TripEndpoint): number =>
  time + parkingRules.workshopAfterMs + (number % parkingRules.pickUpSpread) * 1000

/** Computes when a vehicle is moved before a trip, after `fromMs`; null if there is no time for it. */
export function planMove(
  fromMs: number,
  { time, number }: TripEndpoint,
  midnightMs: number,
): { pickUp: number; dropOff: number } | null {
  const beginMs = Math.max(fromMs, midnightMs)
  const pickUp = midnightMs + parkingRules.moveAfterMs + (number % parkingRules.pickUpSpread) * 1000
  const dropOff = pickUp + parkingRules.movingMs + (number % parkingRules.dropOffSpread) * 1000
  if (pickUp > beginMs + parkingRules.minStopMs && dropOff < time - parkingRules.minStopMs)
    return { pickUp, dropOff }
  const thirdMs = Math.floor((time - beginMs) / 3)
  return thirdMs > 0 ? { pickUp: beginMs + thirdMs, dropOff: time - thirdMs } : null
}

/** Returns the time at which a vehicle returns from the workshop, or is deployed for its first trip. */
export const getReturnTime = (fromMs: number, start: TripEndpoint, midnightMs: number): number =>
  planMove(fromMs, start, midnightMs)?.dropOff ?? start.time - 1000

/** Computes the battery in percent before or after a trip; NaN for a vehicle without a battery. */
export function computeBattery(number: number, vehicleType: string, isEnd: boolean): number {
  if (vehicleType === 'pedal_bicycle') return Number.NaN
  const { day, vehicle, sequence } = splitTripNumber(number)
  return Math.max(5, 97 - ((vehicle * 7 + day * 13) % 30) - 7 * (isEnd ? sequence + 1 : sequence))
}
