import type { Finding } from '#server/fleet/events/finding.ts'
import { isObject, type JsonObject } from '../adapters/answer-body.ts'
import { UnreadableBody } from '../adapters/adapter.ts'
import { findingOf } from '../mds/finding-of.ts'
import type { GbfsContent, GbfsStation, GbfsStationStatus, GbfsVehicle, GbfsZone } from './gbfs-part.ts'
import { flagOf, idOf, numberOf, textIn, timeOf } from './gbfs-value.ts'
import type { VehicleType } from '#contract/mobility.ts'

const ruleFlags = [
  'ride_allowed',
  'ride_start_allowed',
  'ride_end_allowed',
  'ride_through_allowed',
  'station_parking',
] as const

/** The first rule as plain properties: it applies to most vehicles. All rules are added as JSON. */
function rulesOf(rules: unknown): GbfsZone['properties'] {
  if (!Array.isArray(rules) || !rules.length) return {}
  const [first] = rules
  const properties: GbfsZone['properties'] = { rules: JSON.stringify(rules).slice(0, 4000) }
  if (!isObject(first)) return properties
  for (const name of ruleFlags) {
    const flag = flagOf(first[name])
    if (flag !== null) properties[name] = flag
  }
  const speed = numberOf(first['maximum_speed_kph'])
  if (!Number.isNaN(speed)) properties['maximum_speed_kph'] = speed
  return properties
}

/** Geofencing zones of any version as features, in the order of the feed: earlier ones take precedence. */
function readZones(data: JsonObject, language: string, findings: Finding[]): GbfsZone[] {
  const collection = data['geofencing_zones']
  const features = isObject(collection) ? collection['features'] : undefined
  if (!Array.isArray(features))
    throw new UnreadableBody('The response holds no collection of geofencing zones.')
  return features.flatMap((feature, at): GbfsZone[] => {
    const properties = isObject(feature) && isObject(feature['properties']) ? feature['properties'] : {}
    if (!isObject(feature) || !isObject(feature['geometry'])) {
      findings.push(findingOf('schema', String(at), `features[${at}]`, 'The zone has no geometry.', feature))
      return []
    }
    const name = textIn(properties['name'], language)
    const time = (of: unknown): string | null =>
      typeof of === 'string' || typeof of === 'number' ? String(of).slice(0, 40) : null
    return [
      {
        type: 'Feature',
        geometry: feature['geometry'],
        properties: {
          name: name || `Zone ${at + 1}`,
          ...rulesOf(properties['rules']),
          start: time(properties['start']),
          end: time(properties['end']),
        },
      },
    ]
  })
}

const forms: Readonly<Record<string, VehicleType>> = {
  car: 'car',
  moped: 'moped',
  scooter: 'scooter',
  scooter_standing: 'scooter_standing',
  scooter_seated: 'scooter_seated',
}

/** The vehicle type of a form factor and propulsion of GBFS; a bicycle without a motor is a pedal bicycle. */
function vehicleTypeOfForm(formFactor: string, propulsion: string): VehicleType {
  const form = formFactor.toLowerCase()
  if (form === 'bicycle' || form === 'cargo_bicycle')
    return propulsion.toLowerCase() === 'human' ? 'pedal_bicycle' : 'bicycle'
  return Object.hasOwn(forms, form) ? (forms[form] ?? 'other') : 'other'
}

export interface GbfsReading {
  /** The time of the body, else of its receipt, ms. */
  at: number
  language: string
  findings: Finding[]
}

/** Reads each entry of a list that is an object with a unique id; adds findings for the others. */
function eachOf<Record>(
  list: unknown,
  name: string,
  idNames: readonly string[],
  { findings }: GbfsReading,
  read: (item: JsonObject, id: string, bad: (field: string, reason: string) => null) => Record | null,
): Record[] {
  if (!Array.isArray(list)) throw new UnreadableBody(`The response holds no list of ${name}.`)
  const seen = new Set<string>()
  const found: Record[] = []
  for (const [at, item] of list.entries()) {
    const id = isObject(item)
      ? (idNames.map((each) => idOf(item[each])).find((text) => text !== '') ?? '')
      : ''
    const bad = (field: string, reason: string): null => {
      findings.push(
        findingOf('schema', id || String(at), `${name}[${at}]${field && `.${field}`}`, reason, item),
      )
      return null
    }
    if (!isObject(item)) bad('', 'The entry is not an object.')
    else if (!id) bad(idNames[0] ?? '', 'The id is missing.')
    else if (seen.has(id)) bad(idNames[0] ?? '', 'The id is in the list twice; the first is read.')
    else {
      seen.add(id)
      const record = read(item, id, bad)
      if (record) found.push(record)
    }
  }
  return found
}

/** Longitude and latitude; null if they are present but invalid. */
function placeOf(item: JsonObject): { lon: number; lat: number } | null {
  if ((item['lat'] ?? null) === null && (item['lon'] ?? null) === null)
    return { lon: Number.NaN, lat: Number.NaN }
  const [lon, lat] = [numberOf(item['lon']), numberOf(item['lat'])]
  return Math.abs(lon) <= 180 && Math.abs(lat) <= 90 && (lon !== 0 || lat !== 0) ? { lon, lat } : null
}
const badPlace = 'Latitude and longitude are out of range.'

function vehicleOf(
  item: JsonObject,
  vehicleId: string,
  bad: (field: string, reason: string) => null,
): GbfsVehicle | null {
  const stationId = idOf(item['station_id'])
  const place = placeOf(item)
  if (!place) return bad('lat', badPlace)
  if (Number.isNaN(place.lat) && stationId === '')
    return bad('lat', 'Neither a place nor a station is given.')
  // A missing flag is false.
  const [isReserved, isDisabled] = [
    flagOf(item['is_reserved'] ?? false),
    flagOf(item['is_disabled'] ?? false),
  ]
  if (isReserved === null || isDisabled === null)
    return bad(isReserved === null ? 'is_reserved' : 'is_disabled', 'It is neither true nor false.')
  const share = numberOf(item['current_fuel_percent'])
  // The standard has a share of 1; some feeds have percent.
  const battery = share > 1 && share <= 100 ? share : share * 100
  const range = numberOf(item['current_range_meters'])
  return {
    vehicleId,
    typeId: idOf(item['vehicle_type_id']),
    typeWord: idOf(item['vehicle_type'] ?? item['type']),
    stationId,
    ...place,
    battery: battery >= 0 && battery <= 100 ? battery : Number.NaN,
    range: range >= 0 ? range : Number.NaN,
    isReserved,
    isDisabled,
    lastReported: timeOf(item['last_reported']),
  }
}

function stationOf(
  item: JsonObject,
  stationId: string,
  bad: (field: string, reason: string) => null,
  language: string,
): GbfsStation | null {
  const place = placeOf(item)
  if (!place || Number.isNaN(place.lat)) return bad('lat', badPlace)
  const capacity = numberOf(item['capacity'])
  return {
    stationId,
    name: textIn(item['name'], language),
    ...place,
    capacity: capacity >= 0 ? capacity : Number.NaN,
    isVirtual: flagOf(item['is_virtual_station']) ?? false,
  }
}

function statusOf(
  item: JsonObject,
  stationId: string,
  bad: (field: string, reason: string) => null,
): GbfsStationStatus | null {
  const vehiclesAvailable = numberOf(item['num_vehicles_available'] ?? item['num_bikes_available'])
  if (!(vehiclesAvailable >= 0)) return bad('num_vehicles_available', 'It is not a count.')
  const docks = numberOf(item['num_docks_available'])
  const disabled = numberOf(item['num_vehicles_disabled'] ?? item['num_bikes_disabled'])
  const isInstalled = flagOf(item['is_installed']) ?? true
  return {
    stationId,
    vehiclesAvailable,
    docksAvailable: docks >= 0 ? docks : Number.NaN,
    vehiclesDisabled: disabled >= 0 ? disabled : Number.NaN,
    isInstalled,
    isRenting: isInstalled && (flagOf(item['is_renting']) ?? true),
    isReturning: isInstalled && (flagOf(item['is_returning']) ?? true),
    lastReported: timeOf(item['last_reported']),
  }
}

/** Parses a file of a GBFS feed of any version. `findings` has the invalid records. */
export function readGbfs(endpoint: string, data: JsonObject, reading: GbfsReading): GbfsContent {
  const { at, language } = reading
  switch (endpoint) {
    case 'vehicle_types':
      return {
        kind: 'types',
        types: eachOf(
          data['vehicle_types'],
          'vehicle_types',
          ['vehicle_type_id'],
          reading,
          (item, id, bad) => {
            const [form, propulsion] = [item['form_factor'], item['propulsion_type']]
            return typeof form === 'string' && typeof propulsion === 'string'
              ? { id, vehicleType: vehicleTypeOfForm(form, propulsion) }
              : bad('form_factor', 'The form or the propulsion is missing.')
          },
        ),
      }
    case 'vehicle_status':
    case 'free_bike_status': {
      const name = Array.isArray(data['vehicles']) ? 'vehicles' : 'bikes'
      return {
        kind: 'vehicles',
        at,
        vehicles: eachOf(data[name], name, ['vehicle_id', 'bike_id'], reading, vehicleOf),
      }
    }
    case 'station_information':
      return {
        kind: 'stations',
        stations: eachOf(data['stations'], 'stations', ['station_id'], reading, (...of) =>
          stationOf(...of, language),
        ),
      }
    case 'station_status':
      return {
        kind: 'status',
        at,
        statuses: eachOf(data['stations'], 'stations', ['station_id'], reading, statusOf),
      }
    case 'geofencing_zones':
      return { kind: 'zones', zones: readZones(data, language, reading.findings) }
    default:
      return { kind: 'unparsed' }
  }
}
