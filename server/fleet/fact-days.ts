import { dayFromNumber, type LocalDay } from '#contract/period.ts'
import { countChange, markDirty, spanVersions } from '#server/derived/dirty-spans.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State } from '#server/stores/state.ts'

/**
 * Name of the changes of facts by UTC day. Nothing is derived when they are counted: what compliance and data health store of a day holds
 * the sum of the counts that it was derived from, and is out of date once the sum differs.
 */
export const factDays = 'fact_days'

/** Counts changes of facts in some hours (starts, ms) by UTC day: stored results of those days become outdated. */
export const countFactDays = (
  state: State,
  scope: Scope,
  regionId: string,
  hours: readonly number[],
): Promise<void> =>
  countChange(
    state,
    scope,
    { product: factDays, regionId },
    hours.map((hour) => new Date(hour).toISOString().slice(0, 10)),
  )

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

const dayMs = 86_400_000

/** Moments (ms, half open) of which the facts count for a stored result. */
export interface FactSpan {
  from: number
  until: number
}

/** The number of changes of facts in each of some spans, by UTC day. It grows with any change. */
export async function countFactChanges(
  state: State,
  scope: Scope,
  regionId: string,
  spans: readonly FactSpan[],
): Promise<bigint[]> {
  if (!spans.length) return []
  const days = spans.map(
    ({ from, until }) => [Math.floor(from / dayMs), Math.floor((until - 1) / dayMs)] as const,
  )
  const counts = await spanVersions(
    state,
    scope,
    { product: factDays, regionId },
    dayFromNumber(Math.min(...days.map(([first]) => first))),
    dayFromNumber(Math.max(...days.map(([, last]) => last))),
  )
  return days.map(([first, last]) => {
    let sum = 0n
    for (let day = first; day <= last; day++) sum += counts.get(dayFromNumber(day)) ?? 0n
    return sum
  })
}
