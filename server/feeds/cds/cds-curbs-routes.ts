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
import type { CdsAnswer, CdsCall, CdsRoute } from './serve-cds.ts'

/** Records of a page, unless `limit` asks for fewer. */
const maxPage = 1000
/** Width of a zone that is a line of unknown width, where CDS 1.0 asks for a polygon; centimeters. */
const assumedWidthCm = 240

interface Curbs {
  state: State
  indexes: CurbIndexes
  publicUrl: string
}

/** Fields of CDS 1.1 that 1.0 does not have. */
const newInVersion11: Readonly<Record<'zone' | 'space' | 'area' | 'policy' | 'rule', readonly string[]>> = {
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

const without = (record: object, names: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(Object.entries(record).filter(([key]) => !names.includes(key)))

/** 1.0 has no weeks of the month: their days instead. */
function span10({ weeks_of_month: weeks, ...span }: CdsTimeSpan): CdsTimeSpan {
  if (!weeks?.length) return span
  const days = weeks.flatMap((week) => Array.from({ length: 7 }, (_, at) => (week - 1) * 7 + at + 1))
  const requested = span.days_of_month
  return {
    ...span,
    days_of_month: days.filter((day) => day <= 31 && (!requested || requested.includes(day))),
  }
}

/**
 * A rule for 1.0. Purposes are user classes there, one rule for each. Exceptions cannot be said: a prohibition is published for
 * everybody, a permission not at all, so that a reader never allows what is forbidden.
 */
function rules10({ user_classes_except: except, purposes, ...rule }: CdsRule): object[] {
  if (except?.length && !rule.activity.startsWith('no ')) return []
  const plain = without(rule, newInVersion11.rule)
  if (!purposes?.length) return [plain]
  return purposes.map((purpose) => ({ ...plain, user_classes: [...(rule.user_classes ?? []), purpose] }))
}

function policyOf(policy: CdsPolicy, version: CdsVersion): object | null {
  if (version !== '1.0') return policy
  const rules = policy.rules.flatMap(rules10)
  if (!rules.length) return null
  return {
    ...without(policy, newInVersion11.policy),
    rules,
    ...(policy.time_spans ? { time_spans: policy.time_spans.map(span10) } : {}),
  }
}

/** The strip along a line, for version 1.0, in which zones are polygons. */
function strip(line: readonly Position[], widthCm: number): Geometry {
  const half = widthCm / 200
  const side = (sign: 1 | -1): Position[] =>
    line.map(([lon, lat], at): Position => {
      const [fromLon, fromLat] = line[at - 1] ?? [lon, lat]
      const [toLon, toLat] = line[at + 1] ?? [lon, lat]
      const meters = 111_320
      const east = Math.cos((lat * Math.PI) / 180) * meters
      const [dx, dy] = [(toLon - fromLon) * east, (toLat - fromLat) * meters]
      const length = Math.hypot(dx, dy) || 1
      return [lon + (sign * half * dy) / length / east, lat - (sign * half * dx) / length / meters]
    })
  const [right, left] = [side(1), side(-1).toReversed()]
  return { type: 'Polygon', coordinates: [[...right, ...left, right[0] ?? [0, 0]]] }
}

function geometryOf(geometry: Geometry, record: Record<string, unknown>, version: CdsVersion): Geometry {
  if (version !== '1.0' || geometry.type !== 'LineString') return geometry
  const width = record['width']
  return strip(geometry.coordinates, typeof width === 'number' ? width : assumedWidthCm)
}

/** A number of a query; undefined without one. Throws 400. */
function numberIn(query: CdsCall['query'], name: string): number | undefined {
  const text = query[name]
  if (text === undefined || text === '') return undefined
  const value = Number(text)
  if (!Number.isFinite(value)) throw new AgencyError(400, 'bad_param', `${name} must be a number.`, [name])
  return value
}

/** Whether a place is requested by box or radius; null: by neither. A radius is in centimeters. */
function placeFilter(query: CdsCall['query']): ((geometry: Geometry) => number | null) | null {
  const [minLat, minLng, maxLat, maxLng] = ['min_lat', 'min_lng', 'max_lat', 'max_lng'].map((name) =>
    numberIn(query, name),
  )
  const [lat, lng, radius] = ['lat', 'lng', 'radius'].map((name) => numberIn(query, name))
  const isBox = [minLat, minLng, maxLat, maxLng].some((each) => each !== undefined)
  const isCircle = [lat, lng, radius].some((each) => each !== undefined)
  if (isBox && isCircle)
    throw new AgencyError(400, 'bad_param', 'Ask for a box or for a radius, not for both.', ['radius'])
  if (isBox) {
    if (minLat === undefined || minLng === undefined || maxLat === undefined || maxLng === undefined)
      throw new AgencyError(400, 'bad_param', 'A box needs min_lat, min_lng, max_lat and max_lng.', [
        'min_lat',
      ])
    return (geometry) =>
      (geometry.coordinates.flat(geometry.type === 'Point' ? 0 : 3) as number[]).some(
        (_, at, flat) =>
          at % 2 === 0 &&
          flat[at]! >= minLng &&
          flat[at]! <= maxLng &&
          flat[at + 1]! >= minLat &&
          flat[at + 1]! <= maxLat,
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

/** Those that a filter leaves, nearest first where it is a radius. */
function placed<T>(items: readonly T[], geometryIn: (item: T) => Geometry, query: CdsCall['query']): T[] {
  const filter = placeFilter(query)
  if (!filter) return [...items]
  return items
    .flatMap((item) => {
      const distance = filter(geometryIn(item))
      return distance === null ? [] : { item, distance }
    })
    .sort((a, b) => a.distance - b.distance)
    .map(({ item }) => item)
}

const includes = (record: Record<string, unknown>, name: string, value: string): boolean => {
  const list = record[name]
  return Array.isArray(list) && list.includes(value)
}

/** The Curbs API of CDS of a region: without a token where its regulations are public. */
export function cdsCurbsRoutes({ state, indexes, publicUrl }: Curbs): CdsRoute[] {
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

  const answered = (
    index: CurbIndex,
    { version, query, received }: CdsCall,
    name: string,
    items: readonly object[],
    path: string,
  ): CdsAnswer => {
    const limit = Math.min(maxPage, Math.max(1, Math.floor(numberIn(query, 'limit') ?? maxPage)))
    const page = Math.max(1, Math.floor(numberIn(query, 'page') ?? 1))
    const last = Math.max(1, Math.ceil(items.length / limit))
    const link = (number: number): string => {
      const search = new URLSearchParams(
        Object.entries(query).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])),
      )
      search.set('page', String(number))
      return `${publicUrl}/cds/curbs/${encodeURIComponent(index.regionId)}/curbs/${path}?${search.toString()}`
    }
    const body = {
      version,
      time_zone: index.zone,
      last_updated: received,
      currency: index.currency,
      author: 'Publicway',
      data: { [name]: items.slice((page - 1) * limit, page * limit) },
      links: {
        first: link(1),
        last: link(last),
        prev: page > 1 ? link(page - 1) : null,
        next: page < last ? link(page + 1) : null,
      },
    }
    const { last_updated: _time, ...content } = body
    const etag = `"${createHash('sha1').update(JSON.stringify(content)).digest('base64url')}"`
    return { status: 200, body, etag }
  }

  const recordsOf = async (
    call: CdsCall,
    ids?: readonly string[],
  ): Promise<Map<string, { record: Record<string, unknown>; published: number; updated: number }>> => {
    const records = new Map<string, { record: Record<string, unknown>; published: number; updated: number }>()
    const read = async (batch: readonly string[] | null): Promise<void> => {
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
    if (!ids) await read(null)
    else for (let from = 0; from < ids.length; from += 1000) await read(ids.slice(from, from + 1000))
    return records
  }

  const zoneOf = (
    index: CurbIndex,
    call: CdsCall,
    at: number,
    zone: IndexedZone,
    stored: { record: Record<string, unknown>; published: number; updated: number },
  ): object => {
    const { version, query } = call
    const { record } = stored
    const sent = version === '1.0' ? without(record, newInVersion11.zone) : record
    const policies = index.at(at).ruleSetOf.get(zone.id)?.policies ?? []
    const previous = index
      .historyOf(zone.id)
      .filter(({ to, policyIds }) => to !== null && to <= at && policyIds.length)
    return {
      ...sent,
      curb_zone_id: zone.id,
      ...(query['include_geometry'] === 'false'
        ? {}
        : { geometry: geometryOf(zone.geometry, record, version) }),
      curb_policy_ids: policies.flatMap((policy) => (policyOf(policy, version) ? policy.curb_policy_id : [])),
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

  const zones = async (call: CdsCall): Promise<CdsAnswer> => {
    const { query, access } = call
    const index = await indexes.get(access.scope, access.regionId)
    const at = numberIn(query, 'time') ?? call.received
    const records = await recordsOf(call)
    const area = query['area']
    const inArea = index
      .at(at)
      .zones.filter(
        ({ id }) => area === undefined || includes(records.get(id)?.record ?? {}, 'curb_area_ids', area),
      )
    const found = placed(inArea, ({ geometry }) => geometry, query)
    const items = found.flatMap((zone) => {
      const stored = records.get(zone.id)
      return stored ? zoneOf(index, call, at, zone, stored) : []
    })
    return answered(index, call, 'zones', items, 'zones')
  }

  const oneZone = async (call: CdsCall): Promise<CdsAnswer> => {
    const { query, access, params } = call
    const index = await indexes.get(access.scope, access.regionId)
    const id = params['id'] ?? ''
    const at = numberIn(query, 'time') ?? call.received
    const zone =
      index.at(at).zones.find((each) => each.id === id) ??
      (query['show_historic'] === 'true' ? index.zoneById(id) : undefined)
    const stored = (await recordsOf(call, [id])).get(id)
    if (!zone || !stored)
      throw new AgencyError(404, 'not_found', `There is no curb zone ${id} at this time.`, ['id'])
    return answered(index, call, 'zones', [zoneOf(index, call, at, zone, stored)], `zones/${id}`)
  }

  const policies = async (call: CdsCall): Promise<CdsAnswer> => {
    const { query, access, params, version } = call
    const index = await indexes.get(access.scope, access.regionId)
    const wanted = params['id'] === undefined ? query['ids']?.split(',') : [params['id']]
    const items = [...index.policies.values()]
      .filter(({ curb_policy_id: id }) => !wanted || wanted.includes(id))
      .flatMap((policy) => policyOf(policy, version) ?? [])
    if (params['id'] !== undefined && !items.length)
      throw new AgencyError(404, 'not_found', `There is no policy ${params['id']}.`, ['id'])
    return answered(index, call, 'policies', items, 'policies')
  }

  const places =
    (kind: 'area' | 'space' | 'object', name: string) =>
    async (call: CdsCall): Promise<CdsAnswer> => {
      const { query, access, params, version } = call
      if (kind === 'object' && version === '1.0')
        throw new AgencyError(501, 'not_implemented', 'CDS 1.0 has no curb objects; ask for 1.1.', ['Accept'])
      const index = await indexes.get(access.scope, access.regionId)
      const at = new Date(numberIn(query, 'time') ?? call.received)
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
      const wanted = rows.filter(
        (row) =>
          (params['id'] === undefined || row.place_id === params['id']) &&
          (query['zone'] === undefined || row.curb_zone_id === query['zone']) &&
          (query['space'] === undefined ||
            (row.record as Record<string, unknown>)['curb_space_id'] === query['space']),
      )
      if (params['id'] !== undefined && !wanted.length)
        throw new AgencyError(404, 'not_found', `There is no ${kind} ${params['id']} at this time.`, ['id'])
      const items = placed(wanted, (row) => row.geometry as Geometry, query).map((row) => {
        const record = row.record as Record<string, unknown>
        return {
          ...(version === '1.0' && kind !== 'object' ? without(record, newInVersion11[kind]) : record),
          geometry: row.geometry,
          published_date: row.published_time.getTime(),
          last_updated_date: row.updated_time.getTime(),
        }
      })
      return answered(index, call, name, items, name)
    }

  const get = (path: string, answer: CdsRoute['answer']): CdsRoute => ({
    method: 'GET',
    path: `/curbs/${path}`,
    access: 'any',
    format: 'json',
    cost: 'light',
    openAccess,
    answer,
  })
  return [
    get('zones', zones),
    get('zones/:id', oneZone),
    get('policies', policies),
    get('policies/:id', policies),
    get('areas', places('area', 'areas')),
    get('areas/:id', places('area', 'areas')),
    get('spaces', places('space', 'spaces')),
    get('spaces/:id', places('space', 'spaces')),
    get('objects', places('object', 'objects')),
    get('objects/:id', places('object', 'objects')),
  ]
}
