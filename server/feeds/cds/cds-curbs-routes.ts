import { createHash } from 'node:crypto'
import type { CdsPolicy, CdsRule, CdsTimeSpan } from '#contract/cds.ts'
import type { CdsVersion } from '#contract/cds-events.ts'
import type { Geometry, Position } from '#contract/place.ts'
import { metersToGeometry } from '#server/geography/geometry/distance.ts'
import { findOpenRegion } from '#server/regions/public-region.ts'
import type { CurbIndex, CurbIndexes, IndexedZone } from '#server/curb/store/curb-index.ts'
import type { State } from '#server/stores/state.ts'
import { AgencyError } from '../agency/agency-error.ts'
import type { CdsAccess } from './cds-tokens.ts'
import type { CdsResponse, CdsCall, CdsRoute } from './serve-cds.ts'

/** The maximum and default number of records of a page. */
const maxPageSize = 1000
/** The width of a zone that is a line of unknown width, because CDS 1.0 requires a polygon. */
const assumedWidthCm = 240

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

/** Fields that were added in CDS 1.1. */
const fieldsOf11: Readonly<Record<'zone' | 'space' | 'area' | 'policy' | 'rule', readonly string[]>> = {
  zone: [
    'description',
    'jurisdiction_type',
    'owner_name',
    'address_number',
    'curb_object_ids',
    'custom_attributes',
    'external_references',
  ],
  space: ['curb_object_ids', 'custom_attributes', 'external_references'],
  area: ['custom_attributes', 'external_references'],
  policy: ['name', 'description', 'policy_color', 'external_references'],
  rule: ['name', 'description'],
}

const omit = (record: object, names: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(Object.entries(record).filter(([key]) => !names.includes(key)))

/** Converts a time span to CDS 1.0, which has no weeks of the month, by replacing them with their days. */
function toTimeSpan10({ weeks_of_month: weeks, ...span }: CdsTimeSpan): CdsTimeSpan {
  if (!weeks?.length) return span
  const days = weeks.flatMap((week) => Array.from({ length: 7 }, (_, index) => (week - 1) * 7 + index + 1))
  const requested = span.days_of_month
  return {
    ...span,
    days_of_month: days.filter((day) => day <= 31 && (!requested || requested.includes(day))),
  }
}

/**
 * Converts a rule to CDS 1.0. Purposes become user classes, with a rule for each. 1.0 has no exceptions: a
 * prohibition with exceptions is published without them and a permission not at all, so that readers never
 * permit what is forbidden.
 */
function toRules10({ user_classes_except: except, purposes, ...rule }: CdsRule): object[] {
  if (except?.length && !rule.activity.startsWith('no ')) return []
  const rule10 = omit(rule, fieldsOf11.rule)
  if (!purposes?.length) return [rule10]
  return purposes.map((purpose) => ({ ...rule10, user_classes: [...(rule.user_classes ?? []), purpose] }))
}

/** Converts a policy to a version; null if none of its rules can be expressed. */
function convertPolicy(policy: CdsPolicy, version: CdsVersion): object | null {
  if (version !== '1.0') return policy
  const rules = policy.rules.flatMap(toRules10)
  if (!rules.length) return null
  return {
    ...omit(policy, fieldsOf11.policy),
    rules,
    ...(policy.time_spans ? { time_spans: policy.time_spans.map(toTimeSpan10) } : {}),
  }
}

/** The polygon around a line with the given width. */
function bufferLine(line: readonly Position[], widthCm: number): Geometry {
  const halfMeters = widthCm / 200
  const side = (sign: 1 | -1): Position[] =>
    line.map(([lon, lat], index): Position => {
      const [fromLon, fromLat] = line[index - 1] ?? [lon, lat]
      const [toLon, toLat] = line[index + 1] ?? [lon, lat]
      const metersPerLat = 111_320
      const metersPerLon = Math.cos((lat * Math.PI) / 180) * metersPerLat
      const [dx, dy] = [(toLon - fromLon) * metersPerLon, (toLat - fromLat) * metersPerLat]
      const length = Math.hypot(dx, dy) || 1
      return [
        lon + (sign * halfMeters * dy) / length / metersPerLon,
        lat - (sign * halfMeters * dx) / length / metersPerLat,
      ]
    })
  const [right, left] = [side(1), side(-1).toReversed()]
  return { type: 'Polygon', coordinates: [[...right, ...left, right[0] ?? [0, 0]]] }
}

/** Converts a geometry to a version: in 1.0 zones are polygons. */
function convertGeometry(geometry: Geometry, record: Record<string, unknown>, version: CdsVersion): Geometry {
  if (version !== '1.0' || geometry.type !== 'LineString') return geometry
  const width = record['width']
  return bufferLine(geometry.coordinates, typeof width === 'number' ? width : assumedWidthCm)
}

/** Reads a numeric query parameter; undefined if it is missing. Throws 400 if it is invalid. */
function readNumber(query: CdsCall['query'], name: string): number | undefined {
  const text = query[name]
  if (text === undefined || text === '') return undefined
  const value = Number(text)
  if (!Number.isFinite(value)) throw new AgencyError(400, 'bad_param', `${name} must be a number.`, [name])
  return value
}

/**
 * The filter of a query by box or by radius (centimeters); null if it has none. The filter returns the
 * distance of a geometry in meters (0 in a box), or null if it does not match.
 */
function createPlaceFilter(query: CdsCall['query']): ((geometry: Geometry) => number | null) | null {
  const [minLat, minLng, maxLat, maxLng] = ['min_lat', 'min_lng', 'max_lat', 'max_lng'].map((name) =>
    readNumber(query, name),
  )
  const [lat, lng, radius] = ['lat', 'lng', 'radius'].map((name) => readNumber(query, name))
  const isBox = [minLat, minLng, maxLat, maxLng].some((each) => each !== undefined)
  const isCircle = [lat, lng, radius].some((each) => each !== undefined)
  if (isBox && isCircle)
    throw new AgencyError(400, 'bad_param', 'Use a box or a radius, not both.', ['radius'])
  if (isBox) {
    if (minLat === undefined || minLng === undefined || maxLat === undefined || maxLng === undefined)
      throw new AgencyError(400, 'bad_param', 'A box needs min_lat, min_lng, max_lat and max_lng.', [
        'min_lat',
      ])
    return (geometry) =>
      (geometry.coordinates.flat(geometry.type === 'Point' ? 0 : 3) as number[]).some(
        (_, i, flat) =>
          i % 2 === 0 &&
          flat[i]! >= minLng &&
          flat[i]! <= maxLng &&
          flat[i + 1]! >= minLat &&
          flat[i + 1]! <= maxLat,
      )
        ? 0
        : null
  }
  if (!isCircle) return null
  if (lat === undefined || lng === undefined || radius === undefined)
    throw new AgencyError(400, 'bad_param', 'A radius needs lat, lng and radius (centimeters).', ['radius'])
  return (geometry) => {
    const meters = metersToGeometry([lng, lat], geometry)
    return meters <= radius / 100 ? meters : null
  }
}

/** The items that match the place filter of a query, nearest first for a radius. */
function filterByPlace<T>(
  items: readonly T[],
  getGeometry: (item: T) => Geometry,
  query: CdsCall['query'],
): T[] {
  const filter = createPlaceFilter(query)
  if (!filter) return [...items]
  return items
    .flatMap((item) => {
      const distance = filter(getGeometry(item))
      return distance === null ? [] : { item, distance }
    })
    .sort((a, b) => a.distance - b.distance)
    .map(({ item }) => item)
}

const includes = (record: Record<string, unknown>, name: string, value: string): boolean => {
  const list = record[name]
  return Array.isArray(list) && list.includes(value)
}

/** The Curbs API of CDS. No API key is required if the regulations of the region are public. */
export function cdsCurbsRoutes({ state, indexes, publicUrl }: CurbsServices): CdsRoute[] {
  const openAccess = async (regionId: string): Promise<CdsAccess | null> => {
    const open = await findOpenRegion(state, regionId)
    if (!open || !(await indexes.get(open.scope, regionId)).settings.isPublic) return null
    return {
      access: 'events',
      tokenId: 'public',
      organizationId: open.region.organizationId,
      regionId,
      scope: open.scope,
      vendor: '',
      feedId: '',
      settings: {},
    }
  }

  const toPage = (
    index: CurbIndex,
    { version, query, received }: CdsCall,
    name: string,
    items: readonly object[],
    path: string,
  ): CdsResponse => {
    const limit = Math.min(maxPageSize, Math.max(1, Math.floor(readNumber(query, 'limit') ?? maxPageSize)))
    const page = Math.max(1, Math.floor(readNumber(query, 'page') ?? 1))
    const lastPage = Math.max(1, Math.ceil(items.length / limit))
    const link = (number: number): string => {
      const search = new URLSearchParams(
        Object.entries(query).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])),
      )
      search.set('page', String(number))
      return `${publicUrl}/cds/curbs/${encodeURIComponent(index.regionId)}/curbs/${path}?${search.toString()}`
    }
    const body = {
      version,
      time_zone: index.timezone,
      last_updated: received,
      currency: index.currency,
      author: 'Publicway',
      data: { [name]: items.slice((page - 1) * limit, page * limit) },
      links: {
        first: link(1),
        last: link(lastPage),
        prev: page > 1 ? link(page - 1) : null,
        next: page < lastPage ? link(page + 1) : null,
      },
    }
    // Without the time of the response, so that unchanged content has the same ETag.
    const { last_updated: _time, ...content } = body
    const etag = `"${createHash('sha1').update(JSON.stringify(content)).digest('base64url')}"`
    return { status: 200, body, etag }
  }

  /** Reads the stored records of zones by id; of all zones without `ids`. */
  const findZoneRecords = async (
    call: CdsCall,
    ids?: readonly string[],
  ): Promise<Map<string, StoredZone>> => {
    const records = new Map<string, StoredZone>()
    const readBatch = async (batch: readonly string[] | null): Promise<void> => {
      let rows = state
        .as(call.access.scope)
        .selectFrom('curb_zone')
        .select(['curb_zone_id', 'record', 'published_time', 'updated_time'])
        .where('region_id', '=', call.access.regionId)
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
      for (let start = 0; start < ids.length; start += 1000) await readBatch(ids.slice(start, start + 1000))
    return records
  }

  const toZone = (
    { index, call, at }: { index: CurbIndex; call: CdsCall; at: number },
    zone: IndexedZone,
    stored: StoredZone,
  ): object => {
    const { version, query } = call
    const { record } = stored
    const fields = version === '1.0' ? omit(record, fieldsOf11.zone) : record
    const policies = index.at(at).ruleSetByZone.get(zone.id)?.policies ?? []
    const previous = index
      .policyHistory(zone.id)
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
      ...(previous.length
        ? {
            prev_policies: previous.map(({ policyIds, from, to }) => ({
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

  const listZones = async (call: CdsCall): Promise<CdsResponse> => {
    const { query, access } = call
    const index = await indexes.get(access.scope, access.regionId)
    const at = readNumber(query, 'time') ?? call.received
    const records = await findZoneRecords(call)
    const area = query['area']
    const zonesInArea = index
      .at(at)
      .zones.filter(
        ({ id }) => area === undefined || includes(records.get(id)?.record ?? {}, 'curb_area_ids', area),
      )
    const items = filterByPlace(zonesInArea, ({ geometry }) => geometry, query).flatMap((zone) => {
      const stored = records.get(zone.id)
      return stored ? toZone({ index, call, at }, zone, stored) : []
    })
    return toPage(index, call, 'zones', items, 'zones')
  }

  const getZone = async (call: CdsCall): Promise<CdsResponse> => {
    const { query, access, params } = call
    const index = await indexes.get(access.scope, access.regionId)
    const id = params['id'] ?? ''
    const at = readNumber(query, 'time') ?? call.received
    const zone =
      index.at(at).zones.find((each) => each.id === id) ??
      (query['show_historic'] === 'true' ? index.zoneById(id) : undefined)
    const stored = (await findZoneRecords(call, [id])).get(id)
    if (!zone || !stored)
      throw new AgencyError(404, 'not_found', `There is no curb zone ${id} at this time.`, ['id'])
    return toPage(index, call, 'zones', [toZone({ index, call, at }, zone, stored)], `zones/${id}`)
  }

  const listPolicies = async (call: CdsCall): Promise<CdsResponse> => {
    const { query, access, params, version } = call
    const index = await indexes.get(access.scope, access.regionId)
    const requestedIds = params['id'] === undefined ? query['ids']?.split(',') : [params['id']]
    const items = [...index.policies.values()]
      .filter(({ curb_policy_id: id }) => !requestedIds || requestedIds.includes(id))
      .flatMap((policy) => convertPolicy(policy, version) ?? [])
    if (params['id'] !== undefined && !items.length)
      throw new AgencyError(404, 'not_found', `There is no policy ${params['id']}.`, ['id'])
    return toPage(index, call, 'policies', items, 'policies')
  }

  const listPlaces =
    (kind: 'area' | 'space' | 'object', name: string) =>
    async (call: CdsCall): Promise<CdsResponse> => {
      const { query, access, params, version } = call
      if (kind === 'object' && version === '1.0')
        throw new AgencyError(501, 'not_implemented', 'CDS 1.0 has no curb objects; request 1.1.', ['Accept'])
      const index = await indexes.get(access.scope, access.regionId)
      const at = new Date(readNumber(query, 'time') ?? call.received)
      const rows = await state
        .as(access.scope)
        .selectFrom('curb_place')
        .selectAll()
        .where('region_id', '=', access.regionId)
        .where('kind', '=', kind)
        .where('start_time', '<=', at)
        .where((eb) => eb.or([eb('end_time', 'is', null), eb('end_time', '>', at)]))
        .orderBy('place_id')
        .execute()
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
          ...(version === '1.0' && kind !== 'object' ? omit(record, fieldsOf11[kind]) : record),
          geometry: row.geometry,
          published_date: row.published_time.getTime(),
          last_updated_date: row.updated_time.getTime(),
        }
      })
      return toPage(index, call, name, items, name)
    }

  const getRoute = (path: string, handle: CdsRoute['handle']): CdsRoute => ({
    method: 'GET',
    path: `/curbs/${path}`,
    access: 'any',
    format: 'json',
    cost: 'light',
    openAccess,
    handle,
  })
  return [
    getRoute('zones', listZones),
    getRoute('zones/:id', getZone),
    getRoute('policies', listPolicies),
    getRoute('policies/:id', listPolicies),
    getRoute('areas', listPlaces('area', 'areas')),
    getRoute('areas/:id', listPlaces('area', 'areas')),
    getRoute('spaces', listPlaces('space', 'spaces')),
    getRoute('spaces/:id', listPlaces('space', 'spaces')),
    getRoute('objects', listPlaces('object', 'objects')),
    getRoute('objects/:id', listPlaces('object', 'objects')),
  ]
}
