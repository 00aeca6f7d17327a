import type { LocalDay } from '#contract/period.ts'
import { countSpanChanges, markDirty, readSpanVersions } from '#server/derived/dirty-spans.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State } from '#server/stores/state.ts'

/**
 * The name under which changes of facts are counted by UTC hour; nothing is derived from them. Compliance and
 * data health store the sum of counts with each result of a day, which is outdated if the sum differs. Facts
 * of the current hour change all the time, which must not make results of earlier hours of the day outdated.
 */
export const factHours = 'fact_hours'

const hourMs = 3_600_000
/** Formats an hour since 1970 such as `2026-05-04T13` (UTC). */
const formatHour = (hour: number): string => new Date(hour * hourMs).toISOString().slice(0, 13)

/**
 * Counts changes of facts in hours (starts, ms), so that stored results of these hours become outdated. The
 * hours of the region may overlap two hours of UTC; both are counted.
 */
export const countFactHours = (
  state: State,
  scope: Scope,
  regionId: string,
  hours: readonly number[],
): Promise<void> =>
  countSpanChanges(
    state,
    scope,
    { product: factHours, regionId },
    hours.flatMap((start) => [start, start + hourMs - 1].map((ms) => formatHour(Math.floor(ms / hourMs)))),
  )

/**
 * The delay (ms) after which dirty days of fees and reports that were derived before are derived again. A
 * vehicle that reports again after several days changes all of them, and in most minutes some vehicle does.
 */
export const settleDaysAgainMs = 600_000

/** Name of the derived product of fees, which billing implements. Its spans are local days. */
export const feeDays = 'fee_days'

/** Marks local days as dirty for fees: days with changed trip starts, deployed vehicles or parking starts. */
export const markFeeDaysDirty = (
  state: State,
  scope: Scope,
  { regionId, days, at }: { regionId: string; days: readonly LocalDay[]; at: Date },
): Promise<void> => markDirty(state, scope, { product: feeDays, regionId }, { spans: days, time: at })

/** The time range (ms, half open) of the facts that a stored result depends on. */
interface FactSpan {
  from: number
  until: number
}

/** Returns the number of changes of facts in each span, by UTC hour. It increases with every change. */
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
  const firstHour = Math.min(...hours.map(([from]) => from))
  const lastHour = Math.max(...hours.map(([, last]) => last))
  const counts = await readSpanVersions(
    state,
    scope,
    { product: factHours, regionId },
    { first: formatHour(firstHour), last: formatHour(lastHour) },
  )
  // The sums of all hours before each hour, because spans may overlap.
  const countsBefore = [0n]
  for (let hour = firstHour; hour <= lastHour; hour++)
    countsBefore.push((countsBefore.at(-1) ?? 0n) + (counts.get(formatHour(hour)) ?? 0n))
  return hours.map(
    ([from, last]) => (countsBefore[last - firstHour + 1] ?? 0n) - (countsBefore[from - firstHour] ?? 0n),
  )
}
