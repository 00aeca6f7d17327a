import { numberParts } from '../trips/made-id.ts'

/**
 * When vehicles are taken off the street between two of their trips. demo/history/rest-events.ts says the same in SQL: both must
 * find the same moments to the millisecond, so there are whole numbers only, and no draws.
 */
export const restRules = {
  /** A vehicle whose next trip starts further away was moved; further than `lostMetres`, a receiver erred. */
  movedMetres: 150,
  lostMetres: 30_000,
  /** Without a trip for this long it was in the workshop. */
  workshopMs: 561_600_000,
  /** It is taken there so long after its last trip, and up to two hours more. */
  workshopAfterMs: 7_200_000,
  /** In the night before its next trip a vehicle is moved between one and three o'clock, and put out within 40 to 100 minutes. */
  moveAfterMs: 3_600_000,
  movingMs: 2_400_000,
  /** Seconds over which such moments are spread: primes, so that neighbours differ. */
  pickUpSpread: 7207,
  dropOffSpread: 3607,
  /** A stop of the vehicle is longer than this, or the move is fitted into the time that there is. */
  leastMs: 60_000,
} as const

/** The end of a trip: when (ms), where, and of which trip. */
export interface RestEnd {
  number: number
  time: number
  lon: number
  lat: number
}

/** Squared metres between two places, for places within a city: `scale` is metres a degree of longitude. */
export function metresSquared(a: RestEnd, b: RestEnd, scale: number): number {
  const x = (b.lon - a.lon) * scale
  const y = (b.lat - a.lat) * 111_195
  return x * x + y * y
}

/** When a vehicle goes to the workshop after its last trip. */
export const workshopTime = ({ time, number }: RestEnd): number =>
  time + restRules.workshopAfterMs + (number % restRules.pickUpSpread) * 1000

/** When a vehicle is moved before a trip: not before `from`. Null where there is no time for it. `midnight`: of the local day of the trip. */
export function moveTimes(
  from: number,
  { time, number }: RestEnd,
  midnight: number,
): { pickUp: number; dropOff: number } | null {
  const begin = Math.max(from, midnight)
  const pickUp = midnight + restRules.moveAfterMs + (number % restRules.pickUpSpread) * 1000
  const dropOff = pickUp + restRules.movingMs + (number % restRules.dropOffSpread) * 1000
  if (pickUp > begin + restRules.leastMs && dropOff < time - restRules.leastMs) return { pickUp, dropOff }
  const third = Math.floor((time - begin) / 3)
  return third > 0 ? { pickUp: begin + third, dropOff: time - third } : null
}

/** When a vehicle comes back from the workshop for a trip, or is put out for its very first. */
export const returnTime = (from: number, start: RestEnd, midnight: number): number =>
  moveTimes(from, start, midnight)?.dropOff ?? start.time - 1000

/** Percent of a battery after so many trips of the day of a trip; NaN for a vehicle without one. */
export function batteryOf(number: number, vehicleType: string, isEnd: boolean): number {
  if (vehicleType === 'pedal_bicycle') return Number.NaN
  const { day, vehicle, made } = numberParts(number)
  return Math.max(5, 97 - ((vehicle * 7 + day * 13) % 30) - 7 * (isEnd ? made + 1 : made))
}
