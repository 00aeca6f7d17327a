import type { LocalDay } from '#contract/period.ts'
import { countSpanChanges, markDirty, readSpanVersions } from '#server/derived/dirty-spans.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State } from '#server/stores/state.ts'

/**
 * Name under which changes of facts are counted by UTC hour. Counting derives nothing. Compliance and data
 * health store the sum of counts with each result of a day; the result is outdated if the sum differs. Counts
 * are by hour, because facts of the current hour change all the time, which must not make results of earlier
 * hours of the day outdated.
 */
export const factHours = 'fact_hours'

const hourMs = 3_600_000
/** `2026-05-04T13`. */
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
 * Days of fees and reports that were derived before are derived again this long (ms) after they became dirty.
 * A vehicle that reports again after several days changes all of them, and in most minutes some vehicle does.
 */
export const settleDaysAgainMs = 600_000

/** Name of the derived product of fees, which billing implements. Its spans are local days. */
export const feeDays = 'fee_days'

/**
 * Marks local days as dirty for fees: days on which changed trips start, vehicles are deployed or parking
 * events begin.
 */
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
  const first = Math.min(...hours.map(([from]) => from))
  const last = Math.max(...hours.map(([, until]) => until))
  const counts = await readSpanVersions(
    state,
    scope,
    { product: factHours, regionId },
    { first: formatHour(first), last: formatHour(last) },
  )
  // Cumulative counts before each hour, because spans may overlap.
  const cumulative = [0n]
  for (let hour = first; hour <= last; hour++)
    cumulative.push((cumulative.at(-1) ?? 0n) + (counts.get(formatHour(hour)) ?? 0n))
  return hours.map(
    ([from, until]) => (cumulative[until - first + 1] ?? 0n) - (cumulative[from - first] ?? 0n),
  )
}
