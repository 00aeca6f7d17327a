import { startOfDay } from '#contract/civil-clock.ts'
import { type LocalDay, addDays } from '#contract/period.ts'
import type { RetentionCategory } from '#contract/retention.ts'
import { systemScope } from '#server/identity/scope.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State } from '#server/stores/state.ts'

/** Days before which rows of a category were removed; categories without removed rows are missing. */
export type RemovedBefore = Partial<Record<RetentionCategory, LocalDay>>

/**
 * Days after the removed ones in which records are refused as well. Deriving a record reads earlier rows: one
 * day of the vehicle's events, two sessions of a lane at the curb, the parking that a payment is for. Without
 * those rows the result would be wrong.
 */
const marginDays: Partial<Record<RetentionCategory, number>> = {
  events: 1,
  telemetry: 1,
  sessions: 16,
  plates: 16,
  payments: 4,
}

/** Finds the retention limits of a region. */
export async function findRemovedBefore(
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

/** Returns the first local day with records that are accepted and sums that are derived; null if all are. */
export function findFirstOpenDay(
  removed: RemovedBefore,
  categories: readonly RetentionCategory[],
): LocalDay | null {
  const days = categories.flatMap((category) => {
    const day = removed[category]
    return day === undefined ? [] : [addDays(day, marginDays[category] ?? 0)]
  })
  return days.toSorted().at(-1) ?? null
}

/** Returns the start of the first open day in ms since 1970; -Infinity if all days are accepted. */
export function findFirstOpenMs(
  removed: RemovedBefore,
  categories: readonly RetentionCategory[],
  timezone: string,
): number {
  const day = findFirstOpenDay(removed, categories)
  return day === null ? -Infinity : startOfDay(day, timezone)
}

/** Finds the ids of the regions with a legal hold, from which nothing is removed. */
export async function findHeldRegions(state: Pick<State, 'as'>): Promise<string[]> {
  const rows = await state
    .as(systemScope)
    .selectFrom('retention_hold')
    .select('region_id')
    .where('released_time', 'is', null)
    .execute()
  return rows.map((row) => row.region_id)
}
