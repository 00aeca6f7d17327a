import type { Finding } from '#server/fleet/events/feed-records.ts'
import type { VehicleType } from '#contract/mobility.ts'
import { isObject, type JsonObject } from '../adapters/response-body.ts'
import { UnreadableBody } from '../adapters/adapter.ts'
import { createFinding } from '../mds/create-finding.ts'
import type { GbfsContent, GbfsStation, GbfsStationStatus, GbfsVehicle, GbfsZone } from './gbfs-part.ts'
import { parseFlag, parseId, parseNumber, readLocalizedText, parseTime } from './gbfs-value.ts'

const ruleFlags = [
  'ride_allowed',
  'ride_start_allowed',
  'ride_end_allowed',
  'ride_through_allowed',
  'station_parking',
] as const

/** Returns the first rule, which applies to most vehicles, as properties, and all rules as JSON in `rules`. */
function readRules(rules: unknown): GbfsZone['properties'] {
  if (!Array.isArray(rules) || !rules.length) return {}
  const firstRule: unknown = rules[0]
  const properties: GbfsZone['properties'] = { rules: JSON.stringify(rules).slice(0, 4000) }
  if (!isObject(firstRule)) return properties
  for (const name of ruleFlags) {
    const flag = parseFlag(firstRule[name])
    if (flag !== null) properties[name] = flag
  }
  const speed = parseNumber(firstRule['maximum_speed_kph'])
  if (!Number.isNaN(speed)) properties['maximum_speed_kph'] = speed
  return properties
}

/** Reads geofencing zones of any version, in the order of the feed: earlier zones have precedence. */
function readZones(data: JsonObject, language: string, findings: Finding[]): GbfsZone[] {
  const collection = data['geofencing_zones']
  const features = isObject(collection) ? collection['features'] : undefined
  if (!Array.isArray(features))
    throw new UnreadableBody('The response contains no collection of geofencing zones.')
  return features.flatMap((feature, index): GbfsZone[] => {
    const properties = isObject(feature) && isObject(feature['properties']) ? feature['properties'] : {}
    if (!isObject(feature) || !isObject(feature['geometry'])) {
      findings.push(
        createFinding({
          kind: 'schema',
          recordId: String(index),
          field: `features[${index}]`,
          reason: 'The zone has no geometry.',
          item: feature,
        }),
      )
      return []
    }
    const name = readLocalizedText(properties['name'], language)
    const toTimeProperty = (value: unknown): string | null =>
      typeof value === 'string' || typeof value === 'number' ? String(value).slice(0, 40) : null
    return [
      {
        type: 'Feature',
        geometry: feature['geometry'],
        properties: {
          name: name || `Zone ${index + 1}`,
          ...readRules(properties['rules']),
          start: toTimeProperty(properties['start']),
          end: toTimeProperty(properties['end']),
        },
      },
    ]
  })
}

const typesByFormFactor: Readonly<Record<string, VehicleType>> = {
  car: 'car',
  moped: 'moped',
  scooter: 'scooter',
  scooter_standing: 'scooter_standing',
  scooter_seated: 'scooter_seated',
}

/** Returns the vehicle type of a GBFS form factor and propulsion. Motorless bicycles are pedal bicycles. */
function toVehicleType(formFactor: string, propulsion: string): VehicleType {
  const form = formFactor.toLowerCase()
  if (form === 'bicycle' || form === 'cargo_bicycle')
    return propulsion.toLowerCase() === 'human' ? 'pedal_bicycle' : 'bicycle'
  return Object.hasOwn(typesByFormFactor, form) ? (typesByFormFactor[form] ?? 'other') : 'other'
}

/** The context in which a file is read. */
export interface GbfsReading {
  /** The time of the file, or of its receipt if it has none. Ms since 1970. */
  at: number
  language: string
  findings: Finding[]
}

/** Adds a finding about a record. Returns null, so that the reader of the record can return its result. */
type Reject = (field: string, reason: string) => null

/** Reads the entries of a list that are objects with a unique id, and adds findings for the others. */
function readList<Entry>(
  list: unknown,
  { findings }: GbfsReading,
  {
    name,
    idNames,
    read,
  }: {
    name: string
    /** The names that the id has in different versions. */
    idNames: readonly string[]
    read: (item: JsonObject, id: string, reject: Reject) => Entry | null
  },
): Entry[] {
  if (!Array.isArray(list)) throw new UnreadableBody(`The response contains no list of ${name}.`)
  const seenIds = new Set<string>()
  const entries: Entry[] = []
  for (const [index, item] of list.entries()) {
    const id = isObject(item)
      ? (idNames.map((idName) => parseId(item[idName])).find((text) => text !== '') ?? '')
      : ''
    const reject: Reject = (field, reason) => {
      findings.push(
        createFinding({
          kind: 'schema',
          recordId: id || String(index),
          field: `${name}[${index}]${field && `.${field}`}`,
          reason,
          item,
        }),
      )
      return null
    }
    if (!isObject(item)) reject('', 'The entry is not an object.')
    else if (!id) reject(idNames[0] ?? '', 'The id is missing.')
    else if (seenIds.has(id)) reject(idNames[0] ?? '', 'The id is in the list twice; the first is read.')
    else {
      seenIds.add(id)
      const entry = read(item, id, reject)
      if (entry) entries.push(entry)
    }
  }
  return entries
}

/** Reads longitude and latitude, which are NaN if both are missing; null if they are invalid. */
function readPlace(item: JsonObject): { lon: number; lat: number } | null {
  if ((item['lat'] ?? null) === null && (item['lon'] ?? null) === null)
    return { lon: Number.NaN, lat: Number.NaN }
  const lon = parseNumber(item['lon'])
  const lat = parseNumber(item['lat'])
  // Devices without a position report 0, 0.
  return Math.abs(lon) <= 180 && Math.abs(lat) <= 90 && (lon !== 0 || lat !== 0) ? { lon, lat } : null
}
const invalidPlace = 'Latitude and longitude are out of range.'

function readVehicle(item: JsonObject, vehicleId: string, reject: Reject): GbfsVehicle | null {
  const stationId = parseId(item['station_id'])
  const place = readPlace(item)
  if (!place) return reject('lat', invalidPlace)
  if (Number.isNaN(place.lat) && stationId === '')
    return reject('lat', 'Neither a place nor a station is given.')
  // A missing flag means false.
  const isReserved = parseFlag(item['is_reserved'] ?? false)
  const isDisabled = parseFlag(item['is_disabled'] ?? false)
  if (isReserved === null || isDisabled === null)
    return reject(isReserved === null ? 'is_reserved' : 'is_disabled', 'It is neither true nor false.')
  const fuel = parseNumber(item['current_fuel_percent'])
  // The standard requires a number from 0 to 1, but some feeds contain percent.
  const battery = fuel > 1 && fuel <= 100 ? fuel : fuel * 100
  const range = parseNumber(item['current_range_meters'])
  return {
    vehicleId,
    typeId: parseId(item['vehicle_type_id']),
    typeWord: parseId(item['vehicle_type'] ?? item['type']),
    stationId,
    ...place,
    battery: battery >= 0 && battery <= 100 ? battery : Number.NaN,
    range: range >= 0 ? range : Number.NaN,
    isReserved,
    isDisabled,
    lastReported: parseTime(item['last_reported']),
  }
}

function readStation(
  item: JsonObject,
  stationId: string,
  reject: Reject,
  language: string,
): GbfsStation | null {
  const place = readPlace(item)
  if (!place || Number.isNaN(place.lat)) return reject('lat', invalidPlace)
  const capacity = parseNumber(item['capacity'])
  return {
    stationId,
    name: readLocalizedText(item['name'], language),
    ...place,
    capacity: capacity >= 0 ? capacity : Number.NaN,
    isVirtual: parseFlag(item['is_virtual_station']) ?? false,
  }
}

function readStationStatus(item: JsonObject, stationId: string, reject: Reject): GbfsStationStatus | null {
  const vehiclesAvailable = parseNumber(item['num_vehicles_available'] ?? item['num_bikes_available'])
  if (!(vehiclesAvailable >= 0)) return reject('num_vehicles_available', 'It is not a count.')
  const docks = parseNumber(item['num_docks_available'])
  const disabled = parseNumber(item['num_vehicles_disabled'] ?? item['num_bikes_disabled'])
  const isInstalled = parseFlag(item['is_installed']) ?? true
  return {
    stationId,
    vehiclesAvailable,
    docksAvailable: docks >= 0 ? docks : Number.NaN,
    vehiclesDisabled: disabled >= 0 ? disabled : Number.NaN,
    isInstalled,
    isRenting: isInstalled && (parseFlag(item['is_renting']) ?? true),
    isReturning: isInstalled && (parseFlag(item['is_returning']) ?? true),
    lastReported: parseTime(item['last_reported']),
  }
}

/** Reads a GBFS file of any version. Adds a finding to `reading` for each invalid record. */
export function readGbfs(endpoint: string, data: JsonObject, reading: GbfsReading): GbfsContent {
  const { at, language } = reading
  switch (endpoint) {
    case 'vehicle_types':
      return {
        kind: 'types',
        types: readList(data['vehicle_types'], reading, {
          name: 'vehicle_types',
          idNames: ['vehicle_type_id'],
          read: (item, id, reject) => {
            const form = item['form_factor']
            const propulsion = item['propulsion_type']
            return typeof form === 'string' && typeof propulsion === 'string'
              ? { id, vehicleType: toVehicleType(form, propulsion) }
              : reject('form_factor', 'The form or the propulsion is missing.')
          },
        }),
      }
    case 'vehicle_status':
    case 'free_bike_status': {
      const name = Array.isArray(data['vehicles']) ? 'vehicles' : 'bikes'
      return {
        kind: 'vehicles',
        at,
        vehicles: readList(data[name], reading, {
          name,
          idNames: ['vehicle_id', 'bike_id'],
          read: readVehicle,
        }),
      }
    }
    case 'station_information':
      return {
        kind: 'stations',
        stations: readList(data['stations'], reading, {
          name: 'stations',
          idNames: ['station_id'],
          read: (...entry) => readStation(...entry, language),
        }),
      }
    case 'station_status':
      return {
        kind: 'status',
        at,
        statuses: readList(data['stations'], reading, {
          name: 'stations',
          idNames: ['station_id'],
          read: readStationStatus,
        }),
      }
    case 'geofencing_zones':
      return { kind: 'zones', zones: readZones(data, language, reading.findings) }
    default:
      return { kind: 'unparsed' }
  }
}
