import type { VehicleType } from '#contract/mobility.ts'

/** A vehicle of a GBFS feed. Its id is valid within this list only. NaN and '' mean unknown. */
export interface GbfsVehicle {
  vehicleId: string
  /** The id of its type in the feed's list of types. */
  typeId: string
  /** The name of its type in versions without a list of types. */
  typeWord: string
  stationId: string
  lon: number
  lat: number
  /** Percent. */
  battery: number
  /** Meters. */
  range: number
  isReserved: boolean
  isDisabled: boolean
  /** Milliseconds since 1970. */
  lastReported: number
}

export interface GbfsStation {
  stationId: string
  name: string
  lon: number
  lat: number
  capacity: number
  /** Whether the station has no docks. */
  isVirtual: boolean
}

/** The status of a station. NaN means unknown. */
export interface GbfsStationStatus {
  stationId: string
  vehiclesAvailable: number
  docksAvailable: number
  vehiclesDisabled: number
  isInstalled: boolean
  /** False if the station is not installed, like `isReturning`. */
  isRenting: boolean
  isReturning: boolean
  /** Milliseconds since 1970. */
  lastReported: number
}

/** A geofencing zone as a GeoJSON feature with its rules as properties. */
export interface GbfsZone {
  type: 'Feature'
  geometry: unknown
  properties: Record<string, string | number | boolean | null>
}

/** The content of a GBFS file. `at`: ms since 1970. */
export type GbfsContent =
  | { kind: 'discovery'; feeds: { name: string; url: string }[] }
  | { kind: 'types'; types: { id: string; vehicleType: VehicleType }[] }
  | { kind: 'vehicles'; at: number; vehicles: GbfsVehicle[] }
  | { kind: 'stations'; stations: GbfsStation[] }
  | { kind: 'status'; at: number; statuses: GbfsStationStatus[] }
  | { kind: 'zones'; zones: GbfsZone[] }
  /** Stored for the proxy, but not parsed. */
  | { kind: 'unparsed' }

/** A GBFS file: its content and its text as received. */
export type GbfsPart = GbfsContent & {
  /** Its name in the feed, such as `vehicle_status`. */
  endpoint: string
  body: string
  /** Milliseconds since 1970; null if the file has no time. */
  lastUpdated: number | null
}

const contentKinds: readonly GbfsContent['kind'][] = [
  'discovery',
  'types',
  'vehicles',
  'stations',
  'status',
  'zones',
  'unparsed',
]
/** Returns whether the content of a page (`ReadResult.other`) is a GBFS file. */
export const isGbfsPart = (content: unknown): content is GbfsPart =>
  typeof content === 'object' &&
  content !== null &&
  'endpoint' in content &&
  'body' in content &&
  'kind' in content &&
  contentKinds.includes(content.kind as GbfsContent['kind'])
