import type { getGbfs } from '#contract/gbfs.ts'
import { Problem } from '#server/http/problem.ts'
import type { Call } from '#server/http/route.ts'
import { findRegion } from '#server/regions/read-region.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State } from '#server/stores/state.ts'
import { parseJsonObject, isObject } from '../adapters/response-body.ts'
import { findBodiesByEndpoint, type GbfsBody } from './gbfs-bodies.ts'

/** Files with another name in other versions, and all their names. */
const fileNames: Readonly<Record<string, readonly string[]>> = {
  vehicle_status: ['vehicle_status', 'free_bike_status'],
  free_bike_status: ['free_bike_status', 'vehicle_status'],
}

/** Replaces the URLs of a gbfs.json by those of the proxy, because the original ones may contain secrets. */
function rewriteUrls({ body, operator }: GbfsBody, buildUrl: (name: string) => string): string {
  const rewriteFeeds = (data: unknown): unknown => {
    if (!isObject(data)) return data
    if (!Array.isArray(data['feeds']))
      return Object.fromEntries(
        Object.entries(data).map(([language, content]) => [language, rewriteFeeds(content)]),
      )
    const feeds = data['feeds'].flatMap((feed: unknown) => {
      if (!isObject(feed) || typeof feed['name'] !== 'string') return []
      const { name } = feed
      return [{ name, url: `${buildUrl(name.replace(/\.json$/, ''))}?operator=${operator}` }]
    })
    return { ...data, feeds }
  }
  const file = parseJsonObject(body)
  return JSON.stringify({ ...file, data: rewriteFeeds(file['data']) })
}

/** Reads the newest stored text of a file of the region's GBFS feeds. Nothing is fetched from operators. */
export async function readGbfsFile(
  state: State,
  scope: Scope,
  { params, query }: Pick<Call<typeof getGbfs>, 'params' | 'query'>,
  publicUrl: string,
): Promise<Uint8Array> {
  const { region_id: regionId, gbfs_endpoint } = params
  const { operator } = query
  await findRegion(state, scope, regionId)
  const endpoint = gbfs_endpoint.replace(/\.json$/, '')
  const bodies = await findBodiesByEndpoint(
    state,
    scope,
    regionId,
    Object.hasOwn(fileNames, endpoint) ? (fileNames[endpoint] ?? []) : [endpoint],
  )
  const matching = operator === undefined ? bodies : bodies.filter((body) => body.operator === operator)
  const operators = [...new Set(matching.map((body) => body.operator))]
  if (operators.length > 1)
    throw new Problem(
      'validation_error',
      `Several operators have ${endpoint}: choose one with operator=. Available: ${operators.join(', ')}.`,
    )
  // A file of the requested name has precedence over one of its other name.
  const [newest] = matching.toSorted(
    (a, b) => Number(b.endpoint === endpoint) - Number(a.endpoint === endpoint) || b.received - a.received,
  )
  if (!newest)
    throw new Problem(
      'not_found',
      bodies.length
        ? `The operator '${operator}' has no ${endpoint} in this region.`
        : `No GBFS feed of this region has sent ${endpoint} yet.`,
    )
  const base = `${publicUrl.replace(/\/+$/, '')}/v2/regions/${encodeURIComponent(regionId)}/gbfs_proxy/`
  return Buffer.from(
    endpoint === 'gbfs' ? rewriteUrls(newest, (name) => base + encodeURIComponent(name)) : newest.body,
  )
}
