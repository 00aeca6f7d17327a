/** A UUID from two numbers: `head` (32 bits) is the kind of object, `number` the trip that it belongs to. */
export const madeId = (head: number, number: number): string =>
  `${head.toString(16).padStart(8, '0')}-0000-4000-8000-${number.toString(16).padStart(12, '0')}`

export const tripIdOf = (tripNumber: number): string => madeId(0, tripNumber)

/** The parts of a trip number: local day, index of the vehicle in the fleet, and sequence number of the trip within the day. */
export const numberParts = (tripNumber: number): { day: number; vehicle: number; sequence: number } => ({
  day: Math.floor(tripNumber / 1_048_576),
  vehicle: Math.floor(tripNumber / 128) % 8192,
  sequence: tripNumber % 128,
})
