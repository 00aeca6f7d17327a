import type { PlaceMatch } from '#contract/curb-counts.ts'
import { groupBy } from '#contract/group-by.ts'
import type { Geometry } from '#contract/place.ts'
import { measureDistanceToGeometry } from '#server/geography/geometry/distance.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State, Store } from '#server/stores/state.ts'
import type { FilePlace } from './count-sink.ts'

/** Places match the nearest zone within this distance. */
const maxDistanceM = 40
const degreesPerMeter = 1 / 111_320

/** The zones of a place, and how they were found. */
export interface ZoneMatch {
  zoneIds: string[]
  match: PlaceMatch
  /** Meters, for the match `nearest`. */
  distance: number | null
}

/** A zone that a place may match. Street and side are normalized. */
interface MatchZone {
  id: string
  street: string
  side: string
  geometry: Geometry
  box: readonly [number, number, number, number]
}

/** The zones of a region, by everything that a file may use to identify them. */
export interface ZoneNames {
  byId: ReadonlyMap<string, ReadonlySet<string>>
  byName: ReadonlyMap<string, ReadonlySet<string>>
  byStreet: ReadonlyMap<string, readonly MatchZone[]>
  zones: readonly MatchZone[]
  /** Choices of users by place. */
  chosenZones: ReadonlyMap<string, readonly string[]>
}

/** Abbreviations of words in street names. */
const abbreviations: Readonly<Record<string, string>> = {
  street: 'st',
  avenue: 'ave',
  av: 'ave',
  boulevard: 'blvd',
  road: 'rd',
  drive: 'dr',
  place: 'pl',
  square: 'sq',
  court: 'ct',
  lane: 'ln',
  terrace: 'ter',
  highway: 'hwy',
  parkway: 'pkwy',
  north: 'n',
  south: 's',
  east: 'e',
  west: 'w',
  saint: 'st',
}

/** Normalizes a street name such as `01ST STREET` to `1st st`. */
export const normalizeStreet = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[.,']/g, '')
    .split(/\s+/)
    .filter(Boolean)
    .map((word) => abbreviations[word] ?? word.replace(/^0+(?=\d)/, ''))
    .join(' ')

/** Normalizes a side of a street to the initials of a compass direction such as `ne`; '' if it is none. */
function normalizeSide(side: string): string {
  const text = side.trim().toLowerCase()
  const words = /^(north|south)?[\s-]*(east|west)?$/.exec(text)
  if (words?.[0]) return `${words[1]?.[0] ?? ''}${words[2]?.[0] ?? ''}`
  return /^(n|s|e|w|ne|nw|se|sw)$/.test(text) ? text : ''
}

/** Adds a value to the set of a key; ignores empty keys. */
const addToSet = <Value>(map: Map<string, Set<Value>>, key: string, value: Value): void => {
  if (!key) return
  const values = map.get(key)
  if (values) values.add(value)
  else map.set(key, new Set([value]))
}

/** Reads the zones that are in force, or were in force after a time. */
export async function readZoneNames(
  state: Pick<State, 'as'>,
  scope: Scope,
  regionId: string,
  since: Date,
): Promise<ZoneNames> {
  const store = state.as(scope)
  const zones = await readZones(store, regionId, since)
  const places = await store
    .selectFrom('curb_place')
    .select(['place_id', 'curb_zone_id', 'record'])
    .where('region_id', '=', regionId)
    .where('curb_zone_id', 'is not', null)
    .execute()
  const choices = await store
    .selectFrom('curb_place_choice')
    .select(['place', 'zone_ids'])
    .where('region_id', '=', regionId)
    .execute()
  const byId = new Map<string, Set<string>>()
  const byName = new Map<string, Set<string>>()
  const readName = (record: unknown): string => String((record as { name?: unknown }).name ?? '')
  for (const row of zones) {
    const id = row.curb_zone_id
    addToSet(byId, id, id)
    addToSet(byId, row.source_id, id)
    addToSet(byName, normalizeStreet(readName(row.record)), id)
  }
  const zoneIds = new Set(zones.map((zone) => zone.curb_zone_id))
  for (const row of places) {
    const zoneId = row.curb_zone_id ?? ''
    if (!zoneIds.has(zoneId)) continue
    addToSet(byId, row.place_id, zoneId)
    addToSet(byName, normalizeStreet(readName(row.record)), zoneId)
  }
  const matchZones = zones.map(toMatchZone)
  return {
    byId,
    byName,
    byStreet: groupByStreet(matchZones),
    zones: matchZones,
    chosenZones: new Map(choices.map((row) => [row.place, row.zone_ids as string[]])),
  }
}

const readZones = (store: Store, regionId: string, since: Date) =>
  store
    .selectFrom('curb_zone')
    .select(['curb_zone_id', 'source_id', 'street_name', 'street_side', 'geometry', 'record'])
    .select(['west', 'south', 'east', 'north'])
    .where('region_id', '=', regionId)
    .where((eb) => eb.or([eb('end_time', 'is', null), eb('end_time', '>', since)]))
    .orderBy('curb_zone_id')
    .execute()

const toMatchZone = (row: Awaited<ReturnType<typeof readZones>>[number]): MatchZone => ({
  id: row.curb_zone_id,
  street: normalizeStreet(row.street_name),
  side: (row.street_side ?? '').toLowerCase(),
  geometry: row.geometry as Geometry,
  box: [row.west, row.south, row.east, row.north],
})

/** Returns the zones of each street; zones without a street are left out. */
const groupByStreet = (zones: readonly MatchZone[]): Map<string, MatchZone[]> =>
  groupBy(
    zones.filter(({ street }) => street),
    ({ street }) => street,
  )

/**
 * Finds the zones of a place in a file: those that a user chose, or else by id, by name, the nearest one
 * within `maxDistanceM`, or by street and side.
 */
export function matchPlace(place: FilePlace, names: ZoneNames): ZoneMatch {
  const chosenIds = names.chosenZones.get(place.key)
  if (chosenIds) return { zoneIds: [...chosenIds], match: chosenIds.length ? 'hand' : 'none', distance: null }
  for (const name of place.names) {
    const byId = names.byId.get(name) ?? names.byId.get(name.replace(/^0+(?=\d)/, ''))
    if (byId?.size) return { zoneIds: [...byId], match: 'id', distance: null }
  }
  for (const name of place.names) {
    const byName = names.byName.get(normalizeStreet(name))
    if (byName?.size) return { zoneIds: [...byName], match: 'name', distance: null }
  }
  const nearest = findNearestZone(place, names)
  if (nearest) return nearest
  const onStreet = names.byStreet.get(normalizeStreet(place.street)) ?? []
  const side = normalizeSide(place.side)
  const onSide = side ? onStreet.filter((zone) => zone.side === side) : []
  const matches = onSide.length ? onSide : onStreet
  return matches.length
    ? { zoneIds: matches.map(({ id }) => id), match: 'street', distance: null }
    : { zoneIds: [], match: 'none', distance: null }
}

/** Finds the nearest zone within `maxDistanceM`; zones on the street of the place are preferred. */
function findNearestZone({ lon, lat, street }: FilePlace, { zones }: ZoneNames): ZoneMatch | null {
  if (lon === null || lat === null) return null
  const northDegrees = maxDistanceM * degreesPerMeter
  // At least 0.01, because the cosine is 0 at the poles.
  const eastDegrees = northDegrees / Math.max(0.01, Math.cos((lat * Math.PI) / 180))
  const nearbyZones = zones
    .filter(
      ({ box: [west, south, east, north] }) =>
        lon >= west - eastDegrees &&
        lon <= east + eastDegrees &&
        lat >= south - northDegrees &&
        lat <= north + northDegrees,
    )
    .map((zone) => ({ zone, meters: measureDistanceToGeometry([lon, lat], zone.geometry) }))
    .filter(({ meters }) => meters <= maxDistanceM)
    .toSorted((a, b) => a.meters - b.meters || (a.zone.id < b.zone.id ? -1 : 1))
  const onStreet = street
    ? nearbyZones.find(({ zone }) => zone.street === normalizeStreet(street))
    : undefined
  const nearest = onStreet ?? nearbyZones[0]
  return nearest
    ? { zoneIds: [nearest.zone.id], match: 'nearest', distance: Math.round(nearest.meters * 10) / 10 }
    : null
}
