/** Creates a seeded generator of numbers in [0, 1) (mulberry32), the same on every machine. */
export function createRandom(seed: number): () => number {
  let state = seed | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}

/** Draws a standard normal number (Box-Muller transform). */
export const drawNormal = (random: () => number): number =>
  Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())

/**
 * Numbers that are added to the seed by purpose, so that draws of different purposes are independent. They must
 * not change, because the demo city is the same for a seed and day.
 */
export const salts = {
  nightlyMove: 3,
  workshop: 5,
  contactOnTrip: 21,
  reservation: 22,
  reservationStart: 23,
  interruptionStart: 24,
  maintenance: 25,
  outOfServiceDuration: 26,
  contactWhileParked: 27,
  lostContactDuration: 28,
  dayDemand: 31,
  longSpell: 71,
  shortSpell: 72,
  wetness: 73,
  temperatureSpread: 75,
  curbOccupancy: 81,
  eveningPeak: 82,
  deliveriesPerDay: 83,
  payingShare: 87,
  payments: 88,
  meterTest: 89,
  overnightCar: 91,
  parkedCars: 92,
  deliveries: 93,
  sensorOutage: 95,
  sensorClock: 96,
  missedStay: 97,
  survey: 99,
  lateHour: 101,
  missingEvent: 102,
  duplicateEvent: 103,
  eventClock: 104,
  invalidRecord: 105,
} as const

/** Hashes three integers to 32 bits (xxHash, MurmurHash): random numbers that need no earlier draws. */
export function hashNumbers(a: number, b: number, c: number): number {
  let h = Math.imul(a ^ 0x9e3779b9, 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 15) ^ b, 0xc2b2ae35)
  h = Math.imul(h ^ (h >>> 13) ^ c, 0x27d4eb2f)
  h = Math.imul(h ^ (h >>> 16), 0x165667b1)
  return (h ^ (h >>> 15)) >>> 0
}

/** Hashes three integers to a number in [0, 1). */
export const hashToShare = (a: number, b: number, c: number): number => hashNumbers(a, b, c) / 2 ** 32

/** Returns whether a random event occurs. The three integers identify the draw, as in `hashNumbers`. */
export const occursWithProbability = (probability: number, a: number, b: number, c: number): boolean =>
  hashToShare(a, b, c) < probability
