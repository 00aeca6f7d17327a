import { startOfDay } from '#contract/civil-clock.ts'
import { dayFromNumber, dayNumber, type LocalDay } from '#contract/period.ts'
import type { RetentionCategory } from '#contract/retention.ts'
import { systemScope } from '#server/identity/scope.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State } from '#server/stores/state.ts'

/** Days before which rows of a category were removed; categories without removed rows are missing. */
export type RemovedBefore = Partial<Record<RetentionCategory, LocalDay>>

/**
 * Days by which records may be late beyond those that are removed. What is derived of a record reads others of some days before it: of a
 * vehicle a day, of a lane at the curb two sessions, of payments their parking.
 */
const marginDays: Partial<Record<RetentionCategory, number>> = {
  events: 1,
  telemetry: 1,
  sessions: 16,
  plates: 16,
  payments: 4,
}

export async function removedBefore(
  state: Pick<State, 'as'>,
  scope: Scope,
  regionId: string,
): Promise<RemovedBefore> {
  const rows = await state
    .as(scope)
    .selectFrom('retention_limit')
    .select(['category', 'before_day'])
    .where('region_id', '=', regionId)
    .execute()
  return Object.fromEntries(rows.map((row) => [row.category, row.before_day]))
}

/** The first local day of which records are still accepted and sums derived; null: all are. */
export function openFrom(removed: RemovedBefore, categories: readonly RetentionCategory[]): LocalDay | null {
  const days = categories.flatMap((category) => {
    const day = removed[category]
    return day === undefined ? [] : [dayFromNumber(dayNumber(day) + (marginDays[category] ?? 0))]
  })
  return days.toSorted().at(-1) ?? null
}

/** The same as a moment, ms. */
export function openFromTime(
  removed: RemovedBefore,
  categories: readonly RetentionCategory[],
  timezone: string,
): number {
  const day = openFrom(removed, categories)
  return day === null ? -Infinity : startOfDay(day, timezone)
}

/** Regions with a legal hold: nothing of them is removed. */
export async function heldRegions(state: Pick<State, 'as'>): Promise<string[]> {
  const rows = await state
    .as(systemScope)
    .selectFrom('retention_hold')
    .select('region_id')
    .where('released_time', 'is', null)
    .execute()
  return rows.map((row) => row.region_id)
}
