import { hourMs } from '#contract/period.ts'
import { hashNumbers, salts } from '../hash-numbers.ts'
import { createEventKinds } from '../live/event-kinds.ts'

/** Error of a fast clock, ms. */
const clockErrorMs = 180_000

/** Faults in the feeds of a careless operator. Deterministic. */
export interface FeedFaults {
  /** Additional delay (ms) until an hour is available. */
  lateMs(hour: number): number
  /** Whether the event is never reported. */
  isMissing(kind: number, number: number): boolean
  /** Whether the event is listed twice. */
  isDuplicate(kind: number, number: number): boolean
  /** Error (ms) of the event's time. */
  aheadMs(kind: number, number: number): number
  /** Whether the record violates the schema. */
  isInvalid(kind: number, number: number): boolean
}

/** Returns whether a number is selected, which is the case for one in `count`. */
function isOneIn(count: number, seed: number, kind: number, number: number): boolean {
  return hashNumbers(seed + kind, Math.floor(number / 1_048_576), number % 1_048_576) % count === 0
}

export const createFeedFaults = (seed: number): FeedFaults => ({
  lateMs(hour) {
    const draw = hashNumbers(seed + salts.lateHour, Math.floor(hour / hourMs), 7)
    return draw % 8 === 0 ? (1 + (Math.floor(draw / 8) % 3)) * hourMs : 0
  },
  isMissing: (kind, number) =>
    kind === createEventKinds.tripEnd && isOneIn(150, seed + salts.missingEvent, 0, number),
  isDuplicate: (kind, number) => isOneIn(400, seed + salts.duplicateEvent, kind, number),
  aheadMs: (kind, number) => (isOneIn(300, seed + salts.eventClock, kind, number) ? clockErrorMs : 0),
  isInvalid: (kind, number) => isOneIn(2000, seed + salts.invalidRecord, kind, number),
})

/** An operator without faults. */
export const noFaults: FeedFaults = {
  lateMs: () => 0,
  isMissing: () => false,
  isDuplicate: () => false,
  aheadMs: () => 0,
  isInvalid: () => false,
}
