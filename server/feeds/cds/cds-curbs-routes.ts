import { createHash } from 'node:crypto'
import type { Geometry } from '#contract/place.ts'
import { findOpenRegion } from '#server/regions/public-region.ts'
import type { CurbIndex, CurbIndexes, IndexedZone } from '#server/curb/store/curb-index.ts'
import type { State } from '#server/stores/state.ts'
import { AgencyError } from '../agency/agency-error.ts'
import { convertGeometry, convertPolicy, fieldsAddedIn11, omit } from './cds-curbs-versions.ts'
import { filterByPlace, readNumber } from './cds-query.ts'
import type { CdsAccess } from './cds-tokens.ts'
import type { CdsResponse, CdsCall, CdsRoute } from './serve-cds.ts'

/** The maximum and default number of records of a page. */
const maxPageSize = 1000
/** The number of zones per statement. */
const batchSize = 1000
interface CurbsServices {
  state: State
  indexes: CurbIndexes
  publicUrl: string
}

/** A stored zone. Times are ms since 1970. */
interface StoredZone {
  record: Record<string, unknown>
  published: number
  updated: number
}

/** Returns the routes of the CDS Curbs API. They need no API key if the region's regulations are public. */
export function cdsCurbsRoutes(services: CurbsServices): CdsRoute[] {
  const getRoute = (
    path: string,
    handle: (services: CurbsServices, call: CdsCall) => Promise<CdsResponse>,
  ): CdsRoute => ({
    method: 'GET',
    path: `/curbs/${path}`,
    access: 'any',
    format: 'json',
    cost: 'light',
    openAccess: (regionId) => findOpenAccess(services, regionId),
    handle: (call) => handle(services, call),
  })
  return [
    getRoute('zones', listZones),
    getRoute('zones/:id', getZone),
    getRoute('policies', listPolicies),
    getRoute('policies/:id', listPolicies),
    getRoute('areas', listAreas),
    getRoute('areas/:id', listAreas),
    getRoute('spaces', listSpaces),
    getRoute('spaces/:id', listSpaces),
    getRoute('objects', listObjects),
    getRoute('objects/:id', listObjects),
  ]
}

/** Finds the access without an API key; null if the regulations of the region are not public. */
async function findOpenAccess(
  { state, indexes }: CurbsServices,
  regionId: string,
): Promise<CdsAccess | null> {
  const openRegion = await findOpenRegion(state, regionId)
  if (!openRegion || !(await indexes.get(openRegion.scope, regionId)).settings.isPublic) return null
  return {
    access: 'events',
    tokenId: 'public',
    organizationId: openRegion.region.organizationId,
    regionId,
    scope: openRegion.scope,
    vendor: '',
    feedId: '',
    settings: {},
  }
}

const findIndex = ({ indexes }: CurbsServices, { access }: CdsCall): Promise<CurbIndex> =>
  indexes.get(access.scope, access.regionId)

/** Returns the parameter `time` of a request (ms since 1970), by default the time of its receipt. */
const getRequestedTime = ({ query, received }: CdsCall): number => readNumber(query, 'time') ?? received

async function listZones(services: CurbsServices, call: CdsCall): Promise<CdsResponse> {
  const { query } = call
  const index = await findIndex(services, call)
  const at = getRequestedTime(call)
  const records = await findZoneRecords(services, call)
  const area = query['area']
  const zonesInArea = index
    .at(at)
    .zones.filter(
      ({ id }) => area === undefined || listIncludes(records.get(id)?.record ?? {}, 'curb_area_ids', area),
    )
  const items = filterByPlace(zonesInArea, ({ geometry }) => geometry, query).flatMap((zone) => {
    const stored = records.get(zone.id)
    return stored ? toZone({ index, call, at }, zone, stored) : []
  })
  return toPage({ services, call, index }, { name: 'zones', path: 'zones', items })
}

async function getZone(services: CurbsServices, call: CdsCall): Promise<CdsResponse> {
  const { query, params } = call
  const index = await findIndex(services, call)
  const id = params['id'] ?? ''
  const at = getRequestedTime(call)
  const zone =
    index.at(at).zones.find((indexedZone) => indexedZone.id === id) ??
    (query['show_historic'] === 'true' ? index.findZone(id) : undefined)
  const stored = (await findZoneRecords(services, call, [id])).get(id)
  if (!zone || !stored)
    throw new AgencyError(404, 'not_found', `There is no curb zone ${id} at this time.`, ['id'])
  const items = [toZone({ index, call, at }, zone, stored)]
  return toPage({ services, call, index }, { name: 'zones', path: `zones/${id}`, items })
}

async function listPolicies(services: CurbsServices, call: CdsCall): Promise<CdsResponse> {
  const { query, params, version } = call
  const index = await findIndex(services, call)
  const requestedIds = params['id'] === undefined ? query['ids']?.split(',') : [params['id']]
  const items = [...index.policies.values()]
    .filter(({ curb_policy_id: id }) => !requestedIds || requestedIds.includes(id))
    .flatMap((policy) => convertPolicy(policy, version) ?? [])
  if (params['id'] !== undefined && !items.length)
    throw new AgencyError(404, 'not_found', `There is no policy ${params['id']}.`, ['id'])
  return toPage({ services, call, index }, { name: 'policies', path: 'policies', items })
}

const listAreas = (services: CurbsServices, call: CdsCall): Promise<CdsResponse> =>
  listPlaces(services, call, 'area')

const listSpaces = (services: CurbsServices, call: CdsCall): Promise<CdsResponse> =>
  listPlaces(services, call, 'space')

async function listObjects(services: CurbsServices, call: CdsCall): Promise<CdsResponse> {
  if (call.version === '1.0')
    throw new AgencyError(501, 'not_implemented', 'CDS 1.0 has no curb objects; request 1.1.', ['Accept'])
  return listPlaces(services, call, 'object')
}

/** Lists the areas, spaces or objects that match a request, or the one in its path. */
async function listPlaces(
  services: CurbsServices,
  call: CdsCall,
  kind: 'area' | 'space' | 'object',
): Promise<CdsResponse> {
  const { query, params, version } = call
  const index = await findIndex(services, call)
  const rows = await findPlaceRows(services, call, kind)
  const matching = rows.filter(
    (row) =>
      (params['id'] === undefined || row.place_id === params['id']) &&
      (query['zone'] === undefined || row.curb_zone_id === query['zone']) &&
      (query['space'] === undefined ||
        (row.record as Record<string, unknown>)['curb_space_id'] === query['space']),
  )
  if (params['id'] !== undefined && !matching.length)
    throw new AgencyError(404, 'not_found', `There is no ${kind} ${params['id']} at this time.`, ['id'])
  const items = filterByPlace(matching, (row) => row.geometry as Geometry, query).map((row) => {
    const record = row.record as Record<string, unknown>
    return {
      ...(version === '1.0' && kind !== 'object' ? omit(record, fieldsAddedIn11[kind]) : record),
      geometry: row.geometry,
      published_date: row.published_time.getTime(),
      last_updated_date: row.updated_time.getTime(),
    }
  })
  const name = `${kind}s`
  return toPage({ services, call, index }, { name, path: name, items })
}

/** Finds the places of a kind that exist at the requested time. */
const findPlaceRows = ({ state }: CurbsServices, call: CdsCall, kind: 'area' | 'space' | 'object') => {
  const at = new Date(getRequestedTime(call))
  return state
    .as(call.access.scope)
    .selectFrom('curb_place')
    .selectAll()
    .where('region_id', '=', call.access.regionId)
    .where('kind', '=', kind)
    .where('start_time', '<=', at)
    .where((where) => where.or([where('end_time', 'is', null), where('end_time', '>', at)]))
    .orderBy('place_id')
    .execute()
}

/** Reads the stored records of zones by id; of all zones without `ids`. */
async function findZoneRecords(
  { state }: CurbsServices,
  { access }: CdsCall,
  ids?: readonly string[],
): Promise<Map<string, StoredZone>> {
  const records = new Map<string, StoredZone>()
  const readBatch = async (batch: readonly string[] | null): Promise<void> => {
    let rows = state
      .as(access.scope)
      .selectFrom('curb_zone')
      .select(['curb_zone_id', 'record', 'published_time', 'updated_time'])
      .where('region_id', '=', access.regionId)
    if (batch) rows = rows.where('curb_zone_id', 'in', batch)
    for (const row of await rows.execute())
      records.set(row.curb_zone_id, {
        record: row.record as Record<string, unknown>,
        published: row.published_time.getTime(),
        updated: row.updated_time.getTime(),
      })
  }
  if (!ids) await readBatch(null)
  else
    for (let start = 0; start < ids.length; start += batchSize)
      await readBatch(ids.slice(start, start + batchSize))
  return records
}

/** Returns whether the field `name` of a record is a list with the value. */
const listIncludes = (record: Record<string, unknown>, name: string, value: string): boolean => {
  const list = record[name]
  return Array.isArray(list) && list.includes(value)
}

/** Returns a zone as of `at` (ms) in the version of the call. */
function toZone(
  { index, call, at }: { index: CurbIndex; call: CdsCall; at: number },
  zone: IndexedZone,
  stored: StoredZone,
): object {
  const { version, query } = call
  const { record } = stored
  const fields = version === '1.0' ? omit(record, fieldsAddedIn11.zone) : record
  const policies = index.at(at).ruleSetByZone.get(zone.id)?.policies ?? []
  const endedSpans = index
    .getPolicyHistory(zone.id)
    .filter(({ to, policyIds }) => to !== null && to <= at && policyIds.length)
  return {
    ...fields,
    curb_zone_id: zone.id,
    ...(query['include_geometry'] === 'false'
      ? {}
      : { geometry: convertGeometry(zone.geometry, record, version) }),
    curb_policy_ids: policies.flatMap((policy) =>
      convertPolicy(policy, version) ? policy.curb_policy_id : [],
    ),
    ...(endedSpans.length
      ? {
          prev_policies: endedSpans.map(({ policyIds, from, to }) => ({
            curb_policy_ids: policyIds,
            start_date: from,
            end_date: to,
          })),
        }
      : {}),
    published_date: stored.published,
    last_updated_date: stored.updated,
    start_date: zone.from,
    ...(zone.to === null ? {} : { end_date: zone.to }),
  }
}

/** Returns a page of items. `name`: the field of the response with them; `path`: the path below `/curbs`. */
function toPage(
  { services, call, index }: { services: CurbsServices; call: CdsCall; index: CurbIndex },
  { name, path, items }: { name: string; path: string; items: readonly object[] },
): CdsResponse {
  const { version, query, received } = call
  const limit = Math.min(maxPageSize, Math.max(1, Math.floor(readNumber(query, 'limit') ?? maxPageSize)))
  const page = Math.max(1, Math.floor(readNumber(query, 'page') ?? 1))
  const lastPage = Math.max(1, Math.ceil(items.length / limit))
  const buildPageUrl = (pageNumber: number): string => {
    const search = new URLSearchParams(
      Object.entries(query).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])),
    )
    search.set('page', String(pageNumber))
    return `${services.publicUrl}/cds/curbs/${encodeURIComponent(index.regionId)}/curbs/${path}?${search.toString()}`
  }
  const body = {
    version,
    time_zone: index.timezone,
    last_updated: received,
    currency: index.currency,
    author: 'Publicway',
    data: { [name]: items.slice((page - 1) * limit, page * limit) },
    links: {
      first: buildPageUrl(1),
      last: buildPageUrl(lastPage),
      prev: page > 1 ? buildPageUrl(page - 1) : null,
      next: page < lastPage ? buildPageUrl(page + 1) : null,
    },
  }
  // The ETag excludes the time of the response, so that unchanged content has the same one.
  const { last_updated: _time, ...content } = body
  const etag = `"${createHash('sha1').update(JSON.stringify(content)).digest('base64url')}"`
  return { status: 200, body, etag }
}
