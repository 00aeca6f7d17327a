import { createHash } from 'node:crypto'
import { getMonthPeriod } from '#contract/period.ts'
import * as contract from '#contract/routes.ts'
import { Problem } from '#server/http/problem.ts'
import { RawResponse, type Route, route } from '#server/http/route.ts'
import { findOpenRegion, type OpenRegion } from '#server/regions/public-region.ts'
import type { State } from '#server/stores/state.ts'
import { sendTile } from '#server/geography/tiles/send-tile.ts'
import type { RouteQueries } from '../route-queries.ts'
import type { RouteStreets } from '../route-streets.ts'
import type { SegmentTiles } from '../segment-tiles.ts'
import { hideSmallCounts } from './hide-small-counts.ts'
import { listEndedMonths, filterPublishedMonths } from './public-months.ts'

interface PublicRoutesOptions {
  state: State
  queries: RouteQueries
  streets: RouteStreets
  tiles: SegmentTiles
}

/** Shared caches may store responses for some minutes and must then revalidate. */
const cacheControl = 'public, max-age=300'

/**
 * Finds a region with a public routes map. Unknown and private regions get the same error, so that it does
 * not reveal which exist.
 */
async function findPublicRegion(state: State, regionId: string): Promise<OpenRegion> {
  const found = await findOpenRegion(state, regionId)
  if (!found?.hasPublicRoutes) throw new Problem('not_found', 'No public routes map is published here.')
  return found
}

/** Returns a public JSON response with an ETag; 304 without a body for clients that have it. */
function makeCacheableResponse(content: unknown, headers: Headers): RawResponse {
  const body = Buffer.from(JSON.stringify(content))
  const etag = `"${createHash('sha1').update(body).digest('base64url')}"`
  if (headers.get('if-none-match') === etag)
    return new RawResponse(null, { 'cache-control': cacheControl, etag }, 304)
  return new RawResponse(body, {
    'cache-control': cacheControl,
    etag,
    'content-type': 'application/json; charset=utf-8',
  })
}

/** Declares the endpoints of the public routes map, which require no sign-in. */
export function publicRoutes({ state, queries, streets, tiles }: PublicRoutesOptions): Route[] {
  const listMonths = async ({ region, scope, publicMonths }: OpenRegion, at: Date): Promise<string[]> => {
    const days = await queries.readExtent(scope, region.regionId)
    const months = days ? listEndedMonths(days.first_day, days.last_day, at, region.timezone) : []
    return filterPublishedMonths(months, publicMonths)
  }
  return [
    route(contract.getPublicRoutes, async ({ params, headers, at }) => {
      const found = await findPublicRegion(state, params.region_id)
      const { text, lat, lon, mapZoom, isMetric, privacyMinimum } = found.region
      const streetSegments = await streets.load(found.scope, params.region_id)
      return makeCacheableResponse(
        {
          text,
          lat,
          lon,
          mapZoom,
          isMetric,
          months: await listMonths(found, at),
          privacy_minimum: privacyMinimum,
          streets_version: streetSegments?.version ?? null,
        },
        headers,
      )
    }),
    route(contract.getPublicRouteVolumes, async ({ params, query, headers, at }) => {
      const found = await findPublicRegion(state, params.region_id)
      if (!(await listMonths(found, at)).includes(query.month))
        throw new Problem('not_found', 'There is no public map of this month.')
      const filters = {
        ...getMonthPeriod(query.month),
        operators: '',
        days: '',
        start_time_hour: 0,
        end_time_hour: 23,
      }
      const [totals, volumes, segments] = await Promise.all([
        queries.readTotals(found.scope, params.region_id, filters),
        queries.readVolumes(found.scope, params.region_id, filters),
        streets.load(found.scope, params.region_id),
      ])
      return makeCacheableResponse(
        hideSmallCounts(query.month, volumes, segments, { totals, minTrips: found.region.privacyMinimum }),
        headers,
      )
    }),
    route(contract.getPublicRouteTile, async ({ params: { region_id, z, x, y }, headers }) => {
      if (x >= 2 ** z || y >= 2 ** z) throw new Problem('not_found', 'There is no such tile at this zoom.')
      const { scope } = await findPublicRegion(state, region_id)
      const streetSegments = await streets.load(scope, region_id)
      return sendTile(streetSegments && (await tiles.getTile(streetSegments, z, x, y)), headers, 'everybody')
    }),
  ]
}
