import type { RoutePublishing } from '#contract/routes.ts'
import { findRegion } from '#server/regions/read-region.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State } from '#server/stores/state.ts'
import type { RouteQueries } from '../route-queries.ts'
import { listEndedMonths } from './public-months.ts'

/** Finds whether a region's public routes map is published, with its months and those that could be published. */
export async function findPublishing(
  { state, queries }: { state: State; queries: RouteQueries },
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
  const days = await queries.readExtent(scope, regionId)
  return {
    published: row.has_public_routes,
    first_month: row.public_routes_from,
    last_month: row.public_routes_until,
    months: days ? listEndedMonths(days.first_day, days.last_day, at, timezone) : [],
  }
}

/** Publishes or hides the public routes map of a region and sets its range of months. */
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
