import type { Posed } from './mode.ts'

const minuteMs = 60_000

/**
 * The moment from which on a question's answer changes no more: rests that go on are cut at it. A mean asks for whole lengths, which never settle
 * while a rest goes on.
 */
export const settledAt = ({ aggregation, now, time, parkedMinutes }: Posed): number =>
  aggregation === 'average_parked_duration' ? now : Math.min(now, time.until + parkedMinutes * minuteMs)
