import type { BasemapRole } from '#contract/basemap.ts'
import type { Tags } from './strings.ts'

/** How a map object is drawn: its layer (`role`), its style (`class`) and its label (`name`). */
export interface MapClass {
  role: BasemapRole
  class: string
  /** Empty if it has none. */
  name: string
}

/** Ramps (`…_link`) are drawn narrower than the road they lead to; otherwise junctions become blots. */
const streets: Record<string, string> = {
  motorway: 'freeway',
  motorway_link: 'arterial',
  trunk: 'freeway',
  trunk_link: 'arterial',
  primary: 'arterial',
  primary_link: 'collector',
  secondary: 'arterial',
  secondary_link: 'collector',
  tertiary: 'collector',
  tertiary_link: 'local',
  residential: 'local',
  unclassified: 'local',
  living_street: 'local',
  road: 'local',
  service: 'local',
  busway: 'local',
  cycleway: 'path',
  path: 'path',
  pedestrian: 'path',
  footway: 'path',
}
/** Service ways that are not drawn. There are as many of them as of all other ways combined. */
const minorServiceWays = ['driveway', 'parking_aisle', 'drive-through', 'emergency_access']
const rails: Record<string, string> = {
  rail: 'rail',
  light_rail: 'tram',
  tram: 'tram',
  subway: 'tram',
  narrow_gauge: 'rail',
  monorail: 'tram',
}
const places = ['city', 'town', 'village', 'suburb', 'quarter', 'neighbourhood']
const streams: Record<string, string> = { river: 'river', canal: 'river', stream: 'stream' }

const parksByLeisure: Record<string, string> = {
  park: 'park',
  garden: 'park',
  nature_reserve: 'wood',
  golf_course: 'grass',
  dog_park: 'grass',
  common: 'park',
}
const parksByLanduse: Record<string, string> = {
  forest: 'wood',
  grass: 'grass',
  meadow: 'grass',
  cemetery: 'cemetery',
  recreation_ground: 'grass',
  village_green: 'park',
  allotments: 'grass',
}
const parksByNature: Record<string, string> = {
  wood: 'wood',
  scrub: 'wood',
  grassland: 'grass',
  heath: 'grass',
  wetland: 'wood',
}
const waters = ['reservoir', 'basin']

const getValueIn = (table: Record<string, string>, key: string | undefined): string | undefined =>
  key !== undefined && Object.hasOwn(table, key) ? table[key] : undefined

const maxNameLength = 200

const toLabel = (name: string | undefined): string => (name ?? '').trim().slice(0, maxNameLength)

/** Returns the class of a way as a line; null if it is not drawn. */
export function classifyLine(tags: Tags): MapClass | null {
  // Roads without a name are labeled with their number.
  const name = toLabel(tags.get('name') ?? tags.get('ref'))
  const highway = tags.get('highway')
  const street = getValueIn(streets, highway)
  if (street && tags.get('area') !== 'yes') {
    if (
      highway === 'service' &&
      (minorServiceWays.includes(tags.get('service') ?? '') || tags.get('access') === 'private')
    )
      return null
    // Sidewalks run beside every street; only ways for riding are drawn.
    if (highway === 'footway' && !['yes', 'designated'].includes(tags.get('bicycle') ?? '')) return null
    return { role: 'street', class: street, name }
  }
  // Sidings and tracks of yards have the tag `service`.
  const rail = getValueIn(rails, tags.get('railway'))
  if (rail && !tags.has('service') && tags.get('tunnel') !== 'yes') return { role: 'rail', class: rail, name }
  const stream = getValueIn(streams, tags.get('waterway'))
  if (stream && !['yes', 'culvert'].includes(tags.get('tunnel') ?? ''))
    return { role: 'water', class: stream, name }
  return null
}

/** Returns the class of a closed way or a multipolygon; null if it is not drawn. */
export function classifyArea(tags: Tags): MapClass | null {
  const name = toLabel(tags.get('name'))
  const natural = tags.get('natural')
  const landuse = tags.get('landuse')
  if (
    natural === 'water' ||
    tags.get('waterway') === 'riverbank' ||
    tags.get('waterway') === 'dock' ||
    (landuse && waters.includes(landuse))
  )
    return { role: 'water', class: 'water', name }
  const green =
    getValueIn(parksByLeisure, tags.get('leisure')) ??
    getValueIn(parksByLanduse, landuse) ??
    getValueIn(parksByNature, natural)
  return green ? { role: 'park', class: green, name } : null
}

/** Returns the class of a node, a named place; null if it is not drawn. */
export function classifyPlace(tags: Tags): MapClass | null {
  const place = tags.get('place')
  const name = toLabel(tags.get('name'))
  return place && name && places.includes(place) ? { role: 'place', class: place, name } : null
}
