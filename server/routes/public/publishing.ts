import type { RoutePublishing } from '#contract/routes.ts'
import { findRegion } from '#server/regions/read-region.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State } from '#server/stores/state.ts'
import type { RouteQuestions } from '../route-questions.ts'
import { endedMonths } from './public-months.ts'

/** Whether the public routes map of a region of the Scope is on, its months, and those that it can have. */
export async function findPublishing(
  { state, questions }: { state: State; questions: RouteQuestions },
  scope: Scope,
  regionId: string,
  at: Date,
): Promise<RoutePublishing> {
  const { timezone } = await findRegion(state, scope, regionId)
  const row = await state
    .as(scope)
    .selectFrom('region')
    .select(['has_public_routes', 'public_routes_from', 'public_routes_until'])
    .where('region_id', '=', regionId)
    .executeTakeFirstOrThrow()
  const days = await questions.extent(scope, regionId)
  return {
    published: row.has_public_routes,
    first_month: row.public_routes_from,
    last_month: row.public_routes_until,
    months: days ? endedMonths(days.first_day, days.last_day, at, timezone) : [],
  }
}

/** Switches the public routes map of a region of the Scope on or off, and sets its months. */
export async function setPublishing(
  state: State,
  scope: Scope,
  regionId: string,
  { published, first_month: first, last_month: last }: Omit<RoutePublishing, 'months'>,
): Promise<void> {
  await findRegion(state, scope, regionId)
  await state
    .as(scope)
    .updateTable('region')
    .set({ has_public_routes: published, public_routes_from: first, public_routes_until: last })
    .where('region_id', '=', regionId)
    .execute()
}
