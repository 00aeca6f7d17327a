/** A UUID made of two numbers: `head` (32 bits) tells what it names, `number` which trip it belongs to. */
export const madeId = (head: number, number: number): string =>
  `${head.toString(16).padStart(8, '0')}-0000-4000-8000-${number.toString(16).padStart(12, '0')}`

export const tripIdOf = (tripNumber: number): string => madeId(0, tripNumber)

/** What a trip number is made of: a local day, the vehicle's place in the fleet, and the how many-th trip of its day. */
export const numberParts = (tripNumber: number): { day: number; vehicle: number; made: number } => ({
  day: Math.floor(tripNumber / 1_048_576),
  vehicle: Math.floor(tripNumber / 128) % 8192,
  made: tripNumber % 128,
})
