import type { Box } from '#contract/place.ts'
import type { Facts } from '#server/stores/facts.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { PendingDay } from '../queries/shape-list-days.ts'
import { deletedRoutes, routesOfDays, type RouteRow, routeShapeColumns } from '../queries/route-shapes.ts'
import type { Portion } from './portions.ts'
import type { RouteIntersector } from './route-intersector.ts'

const limits = { limits: { seconds: 600, memory: 4 * 2 ** 30 } }

export interface PreparationContext {
  facts: Facts
  /** Of the whole region. */
  scope: Scope
  regionId: string
  listId: string
}

/** Intersects the requested routes of a portion with the shapes, and stores the results. */
export async function intersectRoutes(
  { facts, scope, regionId }: PreparationContext,
  { days, parts }: Portion,
  intersector: RouteIntersector,
  boxes: readonly Box[] | null,
): Promise<void> {
  for (let part = 0; part < parts; part++) {
    const routes = await facts.rows<RouteRow>(
      scope,
      routesOfDays({ regionId, days, parts, part, boxes }),
      limits,
    )
    if (routes.length)
      await facts.insert(
        scope,
        'way_shapes',
        routeShapeColumns,
        regionId,
        await intersector.routeShapeLines(routes, regionId),
      )
  }
}

/** Updates a list to the routes of a portion's days: new, changed and deleted ones. Idempotent. */
export async function prepareDays(
  context: PreparationContext,
  portion: Portion,
  routeIntersector: RouteIntersector,
): Promise<void> {
  const { facts, scope, regionId, listId } = context
  await intersectRoutes(context, portion, routeIntersector, null)
  const known = portion.days.filter(({ since }) => since !== '0')
  if (known.length)
    await facts.add(
      scope,
      'way_shapes',
      routeShapeColumns,
      deletedRoutes({ regionId, days: known }, listId),
      limits,
    )
  await markDays(context, portion.days)
}

/** Writes down that a list knows days as they stood when they were found to be due. */
export async function markDays(
  { facts, scope, regionId, listId }: PreparationContext,
  days: readonly PendingDay[],
): Promise<void> {
  if (days.length)
    await facts.insert(
      scope,
      'way_days',
      ['region_id', 'list_id', 'local_date', 'version', 'version_rows'],
      regionId,
      Buffer.from(
        days
          .map(
            ({ day, version, version_rows: rows }) => `${regionId}\t${listId}\t${day}\t${version}\t${rows}\n`,
          )
          .join(''),
      ),
    )
}
