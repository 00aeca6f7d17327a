import type { Box } from '#contract/place.ts'
import type { Facts } from '#server/stores/facts.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { PendingDay } from '../queries/shape-list-days.ts'
import {
  deletedRouteRows,
  routesOfDaysSql,
  type RouteRow,
  routeShapeColumns,
} from '../queries/route-shapes.ts'
import type { Portion } from './portions.ts'
import type { RouteIntersector } from './route-intersector.ts'

const queryOptions = { limits: { seconds: 600, memory: 4 * 2 ** 30 } }

/** The list of shapes with which the routes of a region are intersected. */
export interface PreparationContext {
  facts: Facts
  /** Covers all operators of the region. */
  scope: Scope
  regionId: string
  listId: string
}

/**
 * Intersects the pending routes of a portion with the shapes and stores the results.
 * @param boxes only routes near these boxes are intersected; null for all
 */
export async function intersectRoutes(
  { facts, scope, regionId }: PreparationContext,
  { days, parts }: Portion,
  intersector: RouteIntersector,
  boxes: readonly Box[] | null,
): Promise<void> {
  for (let part = 0; part < parts; part++) {
    const routes = await facts.rows<RouteRow>(
      scope,
      routesOfDaysSql({ regionId, days, parts, part, boxes }),
      queryOptions,
    )
    if (routes.length)
      await facts.insert(scope, 'way_shapes', {
        columns: routeShapeColumns,
        regionId,
        lines: await intersector.makeRouteShapeLines(routes, regionId),
      })
  }
}

/** Updates the results of a list for the days of a portion: new, changed and deleted routes. Idempotent. */
export async function prepareDays(
  context: PreparationContext,
  portion: Portion,
  intersector: RouteIntersector,
): Promise<void> {
  const { facts, scope, regionId, listId } = context
  await intersectRoutes(context, portion, intersector, null)
  const recomputedDays = portion.days.filter(({ since }) => since !== '0')
  if (recomputedDays.length)
    await facts.add(scope, 'way_shapes', {
      columns: routeShapeColumns,
      rows: deletedRouteRows({ regionId, days: recomputedDays }, listId),
      ...queryOptions,
    })
  await markDays(context, portion.days)
}

/** Records that the results of a list are complete for these versions of the days. */
export async function markDays(
  { facts, scope, regionId, listId }: PreparationContext,
  days: readonly PendingDay[],
): Promise<void> {
  if (days.length)
    await facts.insert(scope, 'way_days', {
      columns: ['region_id', 'list_id', 'local_date', 'version', 'version_rows'],
      regionId,
      lines: Buffer.from(
        days
          .map(
            ({ day, version, version_rows: rows }) => `${regionId}\t${listId}\t${day}\t${version}\t${rows}\n`,
          )
          .join(''),
      ),
    })
}
