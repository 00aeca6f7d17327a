import { localDay } from '#contract/period.ts'
import { findRegion } from '#server/regions/read-region.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State } from '#server/stores/state.ts'
import type { DaySpan } from './day-span.ts'

/** Returns the first and the last local day with issues; null if the region has no issues. */
export async function readIssueDays(state: State, scope: Scope, regionId: string): Promise<DaySpan | null> {
  const { timezone } = await findRegion(state, scope, regionId)
  const row = await state
    .as(scope)
    .selectFrom('issue')
    .where('region_id', '=', regionId)
    .select((eb) => [eb.fn.min('requested_time').as('first'), eb.fn.max('requested_time').as('last')])
    .executeTakeFirst()
  const { first, last } = row ?? {}
  return first instanceof Date && last instanceof Date
    ? { first: localDay(first, timezone), last: localDay(last, timezone) }
    : null
}
