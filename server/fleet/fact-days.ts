import type { LocalDay } from '#contract/period.ts'
import { countChange, markDirty, spanVersions } from '#server/derived/dirty-spans.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State } from '#server/stores/state.ts'

/**
 * Name of the changes of facts by UTC hour. Nothing is derived when they are counted: what compliance and data health store of a day holds
 * the sum of the counts that it was derived from, and is out of date once the sum differs. Counts are by hour, not by day: facts of the
 * current hour change all the time, which must not make a day or a night outdated that is over.
 */
export const factHours = 'fact_hours'

const hourMs = 3_600_000
/** `2026-05-04T13`. */
const hourText = (hour: number): string => new Date(hour * hourMs).toISOString().slice(0, 13)

/** Counts changes of facts in some hours (starts, ms; not necessarily full hours of UTC): stored results of them become outdated. */
export const countFactHours = (
  state: State,
  scope: Scope,
  regionId: string,
  hours: readonly number[],
): Promise<void> =>
  countChange(
    state,
    scope,
    { product: factHours, regionId },
    hours.flatMap((start) => [start, start + hourMs - 1].map((at) => hourText(Math.floor(at / hourMs)))),
  )

/**
 * Days of fees and reports that were derived before are derived again this long after they became dirty, ms: a vehicle that is seen again
 * after days changes all of them, and some vehicle is seen again in most minutes.
 */
export const settleDaysAgainMs = 600_000

/** The derived product of fees, implemented in billing. Its spans are local days. */
export const feeDays = 'fee_days'

/** Marks local days on which trips start, vehicles are deployed, or parking events begin that changed. */
export const markFeeDaysDirty = (
  state: State,
  scope: Scope,
  regionId: string,
  days: readonly LocalDay[],
  at: Date,
): Promise<void> => markDirty(state, scope, { product: feeDays, regionId }, days, at)

/** Moments (ms, half open) of which the facts count for a stored result. */
export interface FactSpan {
  from: number
  until: number
}

/** The number of changes of facts in each of some spans, by UTC hour. It grows with any change. */
export async function countFactChanges(
  state: State,
  scope: Scope,
  regionId: string,
  spans: readonly FactSpan[],
): Promise<bigint[]> {
  if (!spans.length) return []
  const hours = spans.map(
    ({ from, until }) => [Math.floor(from / hourMs), Math.floor((until - 1) / hourMs)] as const,
  )
  const first = Math.min(...hours.map(([from]) => from))
  const last = Math.max(...hours.map(([, until]) => until))
  const counts = await spanVersions(
    state,
    scope,
    { product: factHours, regionId },
    hourText(first),
    hourText(last),
  )
  /** Sums of all counts before each hour: spans overlap. */
  const before = [0n]
  for (let hour = first; hour <= last; hour++)
    before.push((before.at(-1) ?? 0n) + (counts.get(hourText(hour)) ?? 0n))
  return hours.map(([from, until]) => (before[until - first + 1] ?? 0n) - (before[from - first] ?? 0n))
}
