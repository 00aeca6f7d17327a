import type { Selectable } from 'kysely'
import type {
  CurbZoneChoice,
  findCurbZoneChoices,
  listCurbZoneChoices,
  listCurbZonesWithin,
  lookUpZoneLengths,
} from '#contract/curb-zones.ts'
import type { Geometry } from '#contract/place.ts'
import type { Call } from '#server/http/route.ts'
import { findRegion } from '#server/regions/read-region.ts'
import { toLikePattern } from '#server/stores/list-query.ts'
import type { State, Store } from '#server/stores/state.ts'
import type { StateTables } from '#server/stores/state-tables.ts'

const rowColumns = [
  'curb_zone_id',
  'shape_uuid',
  'street_name',
  'street_side',
  'length_cm',
  'record',
  'west',
  'south',
  'east',
  'north',
] as const
type ChoiceRow = Pick<Selectable<StateTables['curb_zone']>, (typeof rowColumns)[number]>

const toText = (value: unknown): string | null => (typeof value === 'string' && value ? value : null)

function toChoice({ record, length_cm: length, ...row }: ChoiceRow): CurbZoneChoice {
  const fields = record as Record<string, unknown>
  const spaces = fields['num_spaces']
  return {
    curb_zone_id: row.curb_zone_id,
    shape_uuid: row.shape_uuid,
    name: toText(fields['name']) ?? toText(fields['user_zone_id']),
    street_name: row.street_name,
    cross_street_start_name: toText(fields['cross_street_start_name']),
    cross_street_end_name: toText(fields['cross_street_end_name']),
    street_side: row.street_side,
    length_m: length / 100,
    bbox: [row.west, row.south, row.east, row.north],
    num_spaces: typeof spaces === 'number' && Number.isInteger(spaces) ? spaces : null,
  }
}

/** Builds a query of the zones in force at an instant. */
const selectZonesAt = (store: Store, regionId: string, at: Date) =>
  store
    .selectFrom('curb_zone')
    .where('region_id', '=', regionId)
    .where('start_time', '<=', at)
    .where((where) => where.or([where('end_time', 'is', null), where('end_time', '>', at)]))

/** Minimum length of a word to search in ids: shorter ones occur in too many UUIDs. */
const minIdLength = 6
/** Fields of the record in which words are searched. */
const searchedFields = ['name', 'user_zone_id', 'cross_street_start_name', 'cross_street_end_name']

/** Lists a page of current zones by street. Each word of `text` must be in a street, name or id. */
export async function listZones(
  state: State,
  { viewer: { scope }, params, query, at }: Call<typeof listCurbZoneChoices>,
) {
  await findRegion(state, scope, params.region_id)
  let matches = selectZonesAt(state.as(scope), params.region_id, at)
  for (const word of query.text.split(/\s+/).filter((text) => text !== ''))
    matches = matches.where((where) => {
      const pattern = toLikePattern(word)
      const isInField = (field: string) =>
        where(where.fn<string>('jsonb_extract_path_text', ['record', where.val(field)]), 'ilike', pattern)
      return where.or([
        where('street_name', 'ilike', pattern),
        ...(word.length < minIdLength ? [] : [where('curb_zone_id', 'ilike', pattern)]),
        ...searchedFields.map(isInField),
      ])
    })
  const [rows, count] = await Promise.all([
    matches
      .select(rowColumns)
      .orderBy('street_name')
      .orderBy('curb_zone_id')
      .limit(query.size)
      .offset((query.page - 1) * query.size)
      .execute(),
    matches.select(({ fn }) => fn.countAll().as('count')).executeTakeFirst(),
  ])
  return { items: rows.map(toChoice), total: Number(count?.count ?? 0), page: query.page, size: query.size }
}

/** Finds zones by their ids; leaves out those that are not in force. */
export async function findZones(
  state: State,
  { viewer: { scope }, params, body: { curb_zone_ids: zoneIds }, at }: Call<typeof findCurbZoneChoices>,
) {
  await findRegion(state, scope, params.region_id)
  if (!zoneIds.length) return { items: [] }
  const rows = await selectZonesAt(state.as(scope), params.region_id, at)
    .select(rowColumns)
    .where('curb_zone_id', 'in', zoneIds)
    .orderBy('street_name')
    .orderBy('curb_zone_id')
    .execute()
  return { items: rows.map(toChoice) }
}

/** Zones in a response with geometries. */
const maxGeometries = 4000

/** Lists zones with their geometry by box, at most `maxGeometries`. `is_complete` is false if there are more. */
export async function listZonesWithin(
  state: State,
  { viewer: { scope }, params, query, at }: Call<typeof listCurbZonesWithin>,
) {
  await findRegion(state, scope, params.region_id)
  const rows = await selectZonesAt(state.as(scope), params.region_id, at)
    .select(['curb_zone_id', 'street_name', 'street_side', 'geometry'])
    .where('west', '<=', query.east)
    .where('east', '>=', query.west)
    .where('south', '<=', query.north)
    .where('north', '>=', query.south)
    .orderBy('curb_zone_id')
    .limit(maxGeometries + 1)
    .execute()
  return {
    is_complete: rows.length <= maxGeometries,
    items: rows.slice(0, maxGeometries).map((row) => ({ ...row, geometry: row.geometry as Geometry })),
  }
}

/** Lists the lengths of all zones in force. */
export async function listZoneLengths(
  state: State,
  { viewer: { scope }, params, at }: Call<typeof lookUpZoneLengths>,
) {
  await findRegion(state, scope, params.region_id)
  const rows = await selectZonesAt(state.as(scope), params.region_id, at)
    .select(['curb_zone_id', 'shape_uuid', 'length_cm'])
    .orderBy('curb_zone_id')
    .execute()
  return {
    total_length_m: rows.reduce((sum, row) => sum + row.length_cm, 0) / 100,
    items: rows.map(({ length_cm: length, ...row }) => ({ ...row, length_m: length / 100 })),
  }
}
