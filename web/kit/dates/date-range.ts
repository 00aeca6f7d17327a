import type { LocalDay } from '#contract/period.ts'

/** First and last day, both included; null where there is none. */
export interface DateRange {
  from: LocalDay | null
  to: LocalDay | null
}

export type RangeEnd = keyof DateRange
export const rangeEnds = ['from', 'to'] as const

export const otherEnd = (end: RangeEnd): RangeEnd => (end === 'from' ? 'to' : 'from')
export const sameRange = (a: DateRange, b: DateRange): boolean => a.from === b.from && a.to === b.to
