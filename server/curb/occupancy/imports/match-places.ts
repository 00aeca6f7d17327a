import type { PlaceMatch } from '#contract/curb-counts.ts'
import type { Geometry } from '#contract/place.ts'
import { metersToGeometry } from '#server/geography/geometry/distance.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State } from '#server/stores/state.ts'
import type { FilePlace } from './count-sink.ts'

/** A zone is the nearest to a place within this distance, meters. */
const reachMeters = 40
const degreesPerMeter = 1 / 111_320

export interface PlacedZones {
  zoneIds: string[]
  match: PlaceMatch
  distance: number | null
}

interface MatchZone {
  id: string
  street: string
  side: string
  geometry: Geometry
  box: readonly [number, number, number, number]
}

/** Zones of a region by everything by which a file may name them. */
export interface ZoneNames {
  byId: ReadonlyMap<string, ReadonlySet<string>>
  byName: ReadonlyMap<string, ReadonlySet<string>>
  byStreet: ReadonlyMap<string, readonly MatchZone[]>
  zones: readonly MatchZone[]
  chosen: ReadonlyMap<string, readonly string[]>
}

const kinds: Readonly<Record<string, string>> = {
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

/** A street name without case, dots, leading zeros and long forms of its kind: `01ST STREET` is `1st st`. */
export const plainStreet = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[.,']/g, '')
    .split(/\s+/)
    .filter(Boolean)
    .map((word) => kinds[word] ?? word.replace(/^0+(?=\d)/, ''))
    .join(' ')

/** A compass side, or left and right, by its first letters; '' if it is none. */
function plainSide(side: string): string {
  const text = side.trim().toLowerCase()
  const word = /^(north|south)?[\s-]*(east|west)?$/.exec(text)
  if (word?.[0]) return `${word[1]?.[0] ?? ''}${word[2]?.[0] ?? ''}`
  return /^(n|s|e|w|ne|nw|se|sw)$/.test(text) ? text : ''
}

const add = <Value>(map: Map<string, Set<Value>>, key: string, value: Value): void => {
  if (!key) return
  const values = map.get(key)
  if (values) values.add(value)
  else map.set(key, new Set([value]))
}

/** Zones that are in force, or were after a time. */
export async function readZoneNames(
  state: Pick<State, 'as'>,
  scope: Scope,
  regionId: string,
  since: Date,
): Promise<ZoneNames> {
  const store = state.as(scope)
  const zones = await store
    .selectFrom('curb_zone')
    .select(['curb_zone_id', 'source_id', 'street_name', 'street_side', 'geometry', 'record'])
    .select(['west', 'south', 'east', 'north'])
    .where('region_id', '=', regionId)
    .where((eb) => eb.or([eb('end_time', 'is', null), eb('end_time', '>', since)]))
    .orderBy('curb_zone_id')
    .execute()
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
  const [byId, byName] = [new Map<string, Set<string>>(), new Map<string, Set<string>>()]
  const byStreet = new Map<string, MatchZone[]>()
  const all: MatchZone[] = []
  const nameOf = (record: unknown): string => String((record as { name?: unknown }).name ?? '')
  const known = new Set(zones.map((zone) => zone.curb_zone_id))
  for (const row of zones) {
    const zone: MatchZone = {
      id: row.curb_zone_id,
      street: plainStreet(row.street_name),
      side: (row.street_side ?? '').toLowerCase(),
      geometry: row.geometry as Geometry,
      box: [row.west, row.south, row.east, row.north],
    }
    all.push(zone)
    add(byId, zone.id, zone.id)
    add(byId, row.source_id, zone.id)
    add(byName, plainStreet(nameOf(row.record)), zone.id)
    if (!zone.street) continue
    const street = byStreet.get(zone.street)
    if (street) street.push(zone)
    else byStreet.set(zone.street, [zone])
  }
  for (const row of places) {
    const zone = row.curb_zone_id ?? ''
    if (!known.has(zone)) continue
    add(byId, row.place_id, zone)
    add(byName, plainStreet(nameOf(row.record)), zone)
  }
  return {
    byId,
    byName,
    byStreet,
    zones: all,
    chosen: new Map(choices.map((row) => [row.place, row.zone_ids as string[]])),
  }
}

/** The zones that a place of a file is: as people said, by id, by name, by its street and side, or the nearest one. */
export function matchPlace(place: FilePlace, names: ZoneNames): PlacedZones {
  const chosen = names.chosen.get(place.key)
  if (chosen) return { zoneIds: [...chosen], match: chosen.length ? 'hand' : 'none', distance: null }
  for (const name of place.names) {
    const found = names.byId.get(name) ?? names.byId.get(name.replace(/^0+(?=\d)/, ''))
    if (found?.size) return { zoneIds: [...found], match: 'id', distance: null }
  }
  for (const name of place.names) {
    const found = names.byName.get(plainStreet(name))
    if (found?.size) return { zoneIds: [...found], match: 'name', distance: null }
  }
  const nearest = nearestZone(place, names)
  if (nearest) return nearest
  const onStreet = names.byStreet.get(plainStreet(place.street)) ?? []
  const side = plainSide(place.side)
  const ofSide = side ? onStreet.filter((zone) => zone.side === side) : []
  const found = ofSide.length ? ofSide : onStreet
  return found.length
    ? { zoneIds: found.map(({ id }) => id), match: 'street', distance: null }
    : { zoneIds: [], match: 'none', distance: null }
}

/** The nearest zone within reach; zones of the street of the place go before others. */
function nearestZone({ lon, lat, street }: FilePlace, { zones }: ZoneNames): PlacedZones | null {
  if (lon === null || lat === null) return null
  const [northReach, eastReach] = [
    reachMeters * degreesPerMeter,
    (reachMeters * degreesPerMeter) / Math.max(0.01, Math.cos((lat * Math.PI) / 180)),
  ]
  const near = zones
    .filter(
      ({ box: [west, south, east, north] }) =>
        lon >= west - eastReach &&
        lon <= east + eastReach &&
        lat >= south - northReach &&
        lat <= north + northReach,
    )
    .map((zone) => ({ zone, meters: metersToGeometry([lon, lat], zone.geometry) }))
    .filter(({ meters }) => meters <= reachMeters)
    .toSorted((one, other) => one.meters - other.meters || (one.zone.id < other.zone.id ? -1 : 1))
  const own = street ? near.find(({ zone }) => zone.street === plainStreet(street)) : undefined
  const found = own ?? near[0]
  return found
    ? { zoneIds: [found.zone.id], match: 'nearest', distance: Math.round(found.meters * 10) / 10 }
    : null
}
