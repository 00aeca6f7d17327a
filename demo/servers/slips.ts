import { hashNumbers } from '../hash-numbers.ts'
import { eventKinds } from '../live/event-kinds.ts'

const hourMs = 3_600_000
/** How far a clock is ahead. */
const aheadMs = 180_000

/** What an operator that is not careful does wrong, always the same: pure functions of what it is about. */
export interface Slips {
  /** By how much an hour is ready later than others, ms. */
  lateMs(hour: number): number
  /** The event is never told. */
  isMissing(kind: number, number: number): boolean
  /** It stands twice in its list. */
  isTwice(kind: number, number: number): boolean
  /** By how much its time is wrong, ms. */
  aheadMs(kind: number, number: number): number
  /** It breaks the schema. */
  isBroken(kind: number, number: number): boolean
}

/** One in `of`. */
function oneIn(of: number, seed: number, kind: number, number: number): boolean {
  return hashNumbers(seed + kind, Math.floor(number / 1_048_576), number % 1_048_576) % of === 0
}

export const slipsOf = (seed: number): Slips => ({
  lateMs(hour) {
    const draw = hashNumbers(seed + 101, Math.floor(hour / hourMs), 7)
    return draw % 8 === 0 ? (1 + (Math.floor(draw / 8) % 3)) * hourMs : 0
  },
  isMissing: (kind, number) => kind === eventKinds.tripEnd && oneIn(150, seed + 102, 0, number),
  isTwice: (kind, number) => oneIn(400, seed + 103, kind, number),
  aheadMs: (kind, number) => (oneIn(300, seed + 104, kind, number) ? aheadMs : 0),
  isBroken: (kind, number) => oneIn(2000, seed + 105, kind, number),
})

/** An operator that does everything right. */
export const noSlips: Slips = {
  lateMs: () => 0,
  isMissing: () => false,
  isTwice: () => false,
  aheadMs: () => 0,
  isBroken: () => false,
}
