import { Problem } from '#server/http/problem.ts'
import { findRegion } from '#server/regions/read-region.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State } from '#server/stores/state.ts'
import { answerObject, isObject } from '../adapters/answer-body.ts'
import { bodiesNamed, type GbfsBody } from './gbfs-bodies.ts'

/** Names of the same list in several versions. */
const sameFile: Readonly<Record<string, readonly string[]>> = {
  vehicle_status: ['vehicle_status', 'free_bike_status'],
  free_bike_status: ['free_bike_status', 'vehicle_status'],
}

/** The list of files with our addresses: those of the feed may contain secrets. */
function withOurAddresses({ body, operator }: GbfsBody, address: (name: string) => string): string {
  const rewritten = (data: unknown): unknown => {
    if (!isObject(data)) return data
    if (!Array.isArray(data['feeds']))
      return Object.fromEntries(Object.entries(data).map(([language, each]) => [language, rewritten(each)]))
    const feeds = data['feeds'].flatMap((each: unknown) =>
      isObject(each) && typeof each['name'] === 'string'
        ? [
            {
              name: each['name'],
              url: `${address(each['name'].replace(/\.json$/, ''))}?operator=${operator}`,
            },
          ]
        : [],
    )
    return { ...data, feeds }
  }
  const whole = answerObject(body)
  return JSON.stringify({ ...whole, data: rewritten(whole['data']) })
}

/** The newest text of a file of the region's GBFS feeds, as it was stored when it was pulled. Nothing is fetched on request. */
export async function readGbfsFile(
  state: State,
  scope: Scope,
  { region_id: regionId, gbfs_endpoint }: { region_id: string; gbfs_endpoint: string },
  operator: string | undefined,
  publicUrl: string,
): Promise<Uint8Array> {
  await findRegion(state, scope, regionId)
  const endpoint = gbfs_endpoint.replace(/\.json$/, '')
  const found = await bodiesNamed(
    state,
    scope,
    regionId,
    Object.hasOwn(sameFile, endpoint) ? (sameFile[endpoint] ?? []) : [endpoint],
  )
  const matching = operator === undefined ? found : found.filter((each) => each.operator === operator)
  const operators = [...new Set(matching.map((each) => each.operator))]
  if (operators.length > 1)
    throw new Problem(
      'validation_error',
      `Several operators have ${endpoint}: choose one with operator=. Available: ${operators.join(', ')}.`,
    )
  const [newest] = matching.toSorted(
    (a, b) => Number(b.endpoint === endpoint) - Number(a.endpoint === endpoint) || b.received - a.received,
  )
  if (!newest)
    throw new Problem(
      'not_found',
      found.length
        ? `The operator '${operator}' has no ${endpoint} in this region.`
        : `No GBFS feed of this region has sent ${endpoint} yet.`,
    )
  const base = `${publicUrl.replace(/\/+$/, '')}/v2/regions/${encodeURIComponent(regionId)}/gbfs_proxy/`
  return Buffer.from(
    endpoint === 'gbfs' ? withOurAddresses(newest, (name) => base + encodeURIComponent(name)) : newest.body,
  )
}
