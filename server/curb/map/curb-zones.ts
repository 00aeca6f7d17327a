import type { CdsZone } from '#contract/cds.ts'
import { csvLine } from '#contract/csv.ts'
import type { CurbMapSituation, CurbZoneCard, CurbZoneAt } from '#contract/curb-map.ts'
import { localDay } from '#contract/period.ts'
import type { Geometry } from '#contract/place.ts'
import { Problem } from '#server/http/problem.ts'
import type { Store } from '#server/stores/state.ts'
import { describeSituation } from '../rules/decide-at-instant.ts'
import { describeWeek } from '../rules/week-in-words.ts'
import type { IndexedZone } from '../store/curb-index.ts'
import { type CurbView, getCalendar, splitList, mapSituationAt } from './curb-week.ts'

interface ZoneFilter {
  text: string
  states: string
}

const compareByStreet = (a: IndexedZone, b: IndexedZone): number =>
  a.streetName.localeCompare(b.streetName, 'en') || (a.id < b.id ? -1 : 1)

/** Finds the matching zones in force at an instant, sorted by street, with their situations. */
function findRows(
  view: CurbView,
  { text, states }: ZoneFilter,
): { zone: IndexedZone; ruleSet: string; situation: CurbMapSituation }[] {
  const epoch = view.index.at(view.at)
  const situations = new Map<string, CurbMapSituation>()
  for (const { id, rules } of epoch.ruleSets.values()) situations.set(id, mapSituationAt(rules, view))
  const searchText = text.trim().toLowerCase()
  const selectedStates = new Set(splitList(states))
  return epoch.zones
    .filter(({ streetName, id }) => !searchText || `${streetName} ${id}`.toLowerCase().includes(searchText))
    .flatMap((zone) => {
      const ruleSet = epoch.ruleSetByZone.get(zone.id)?.id
      const situation = ruleSet === undefined ? undefined : situations.get(ruleSet)
      if (ruleSet === undefined || !situation) return []
      return selectedStates.size && !selectedStates.has(situation.state) ? [] : { zone, ruleSet, situation }
    })
    .sort((a, b) => compareByStreet(a.zone, b.zone))
}

interface ZoneCapacity {
  capacity: number
  basis: 'marked' | 'length'
  vehicleLengthCm: number | null
}

/** Reads the capacity of each zone at an instant: rows are ordered by time, so the newest replaces others. */
async function readCapacities(
  store: Store,
  regionId: string,
  ids: readonly string[],
  at: number,
): Promise<Map<string, ZoneCapacity>> {
  if (!ids.length) return new Map()
  const rows = await store
    .selectFrom('curb_capacity')
    .select(['curb_zone_id', 'capacity', 'basis', 'vehicle_length_cm'])
    .where('region_id', '=', regionId)
    .where('curb_zone_id', 'in', ids)
    .where('start_time', '<=', new Date(at))
    .orderBy('start_time')
    .execute()
  return new Map(
    rows.map((row) => [
      row.curb_zone_id,
      {
        capacity: row.capacity,
        basis: row.basis as 'marked' | 'length',
        vehicleLengthCm: row.vehicle_length_cm,
      },
    ]),
  )
}

/** Returns a page of the zones in force at an instant. */
export async function listZones(
  store: Store,
  view: CurbView,
  { page, size, ...filter }: ZoneFilter & { page: number; size: number },
): Promise<{ items: CurbZoneAt[]; total: number; page: number; size: number }> {
  const rows = findRows(view, filter)
  const pageRows = rows.slice((page - 1) * size, page * size)
  const ids = pageRows.map(({ zone }) => zone.id)
  const capacities = await readCapacities(store, view.index.regionId, ids, view.at)
  const items = pageRows.map(({ zone, ruleSet, situation }) => ({
    curb_zone_id: zone.id,
    street_name: zone.streetName,
    street_side: zone.side,
    length_m: zone.lengthCm / 100,
    capacity: capacities.get(zone.id)?.capacity ?? null,
    rule_set: ruleSet,
    ...situation,
    bbox: zone.box,
  }))
  return { items, total: rows.length, page, size }
}

/** Finds a zone with its rules and situation. @throws Problem `not_found` if it is not current at `at`. */
export async function findZone(store: Store, view: CurbView, id: string): Promise<CurbZoneCard> {
  const { index, at, user } = view
  const row = await store
    .selectFrom('curb_zone')
    .selectAll()
    .where('region_id', '=', index.regionId)
    .where('curb_zone_id', '=', id)
    .executeTakeFirst()
  const set = index.at(at).ruleSetByZone.get(id)
  if (!row || !set) throw new Problem('not_found', `There is no curb zone '${id}' at this time.`)
  const capacity = (await readCapacities(store, index.regionId, [id], at)).get(id)
  const zone: CdsZone = {
    ...(row.record as object),
    curb_zone_id: id,
    geometry: row.geometry as Geometry,
    curb_policy_ids: set.policies.map((policy) => policy.curb_policy_id),
    published_date: row.published_time.getTime(),
    last_updated_date: row.updated_time.getTime(),
    start_date: row.start_time.getTime(),
    ...(row.end_time ? { end_date: row.end_time.getTime() } : {}),
  }
  return {
    curb_zone_id: id,
    shape_uuid: row.shape_uuid,
    zone,
    length_m: row.length_cm / 100,
    capacity: capacity?.capacity ?? null,
    capacity_basis: capacity?.basis ?? null,
    vehicle_length_m: capacity?.vehicleLengthCm ? capacity.vehicleLengthCm / 100 : null,
    policies: [...set.policies],
    situation: describeSituation(set.rules, { ...getCalendar(index), ...user, at }),
    now: mapSituationAt(set.rules, view),
    week: describeWeek(
      set.policies,
      { ...getCalendar(index), ...user },
      localDay(new Date(at), index.timezone),
    ),
    currency: index.currency,
  }
}

/** Columns of an export, in the order of the values in `exportZones`. */
const exportColumns = [
  'curb_zone_id',
  'street_name',
  'street_side',
  'length_m',
  'state',
  'max_stay_minutes',
  'first_hour',
  'currency',
  'curb_policy_ids',
]

/** Returns all zones at an instant as CSV or GeoJSON. */
export function exportZones(
  view: CurbView,
  format: 'csv' | 'geojson',
): { text: string; contentType: string } {
  const { index, at } = view
  const epoch = index.at(at)
  const rows = findRows(view, { text: '', states: '' }).map(({ zone, situation }) => ({
    zone,
    values: [
      zone.id,
      zone.streetName,
      zone.side,
      zone.lengthCm / 100,
      situation.state,
      situation.max_stay,
      situation.first_hour,
      index.currency,
      (epoch.ruleSetByZone.get(zone.id)?.policies ?? []).map((policy) => policy.curb_policy_id).join(' '),
    ],
  }))
  if (format === 'csv')
    return {
      text: `${[exportColumns.join(','), ...rows.map(({ values }) => csvLine(values))].join('\r\n')}\r\n`,
      contentType: 'text/csv; charset=utf-8',
    }
  const features = rows.map(({ zone, values }) => ({
    type: 'Feature',
    id: zone.id,
    geometry: zone.geometry,
    properties: Object.fromEntries(exportColumns.map((name, i) => [name, values[i]])),
  }))
  return {
    text: JSON.stringify({ type: 'FeatureCollection', features }),
    contentType: 'application/geo+json; charset=utf-8',
  }
}
