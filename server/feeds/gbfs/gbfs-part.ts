import type { VehicleType } from '#contract/mobility.ts'

/** A vehicle of a GBFS feed: its id is valid in this list only. NaN and '' if unknown. */
export interface GbfsVehicle {
  vehicleId: string
  /** Of the feed's own list of types. */
  typeId: string
  /** The type in earlier versions, in their own word. */
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
  /** Ms since 1970. */
  lastReported: number
}

export interface GbfsStation {
  stationId: string
  name: string
  lon: number
  lat: number
  capacity: number
  /** Without docks. */
  isVirtual: boolean
}

/** NaN if unknown. */
export interface GbfsStationStatus {
  stationId: string
  vehiclesAvailable: number
  docksAvailable: number
  vehiclesDisabled: number
  isInstalled: boolean
  /** Also false if the station is not installed, like `isReturning`. */
  isRenting: boolean
  isReturning: boolean
  /** Ms since 1970. */
  lastReported: number
}

/** A geofencing zone as a feature: its rules as plain properties. */
export interface GbfsZone {
  type: 'Feature'
  geometry: unknown
  properties: Record<string, string | number | boolean | null>
}

/** The content of one file of a GBFS feed. */
export type GbfsContent =
  | { kind: 'discovery'; feeds: { name: string; url: string }[] }
  | { kind: 'types'; types: { id: string; vehicleType: VehicleType }[] }
  | { kind: 'vehicles'; at: number; vehicles: GbfsVehicle[] }
  | { kind: 'stations'; stations: GbfsStation[] }
  | { kind: 'status'; at: number; statuses: GbfsStationStatus[] }
  | { kind: 'zones'; zones: GbfsZone[] }
  /** Stored for the proxy, but not parsed. */
  | { kind: 'unparsed' }

/** A file of a GBFS feed: its content, and its text as received. */
export type GbfsPart = GbfsContent & {
  /** Its name in the feed, as in `vehicle_status`. */
  endpoint: string
  body: string
  /** Ms since 1970; null if the file has no time. */
  lastUpdated: number | null
}

const kinds: readonly GbfsContent['kind'][] = [
  'discovery',
  'types',
  'vehicles',
  'stations',
  'status',
  'zones',
  'unparsed',
]
export const isGbfsPart = (other: unknown): other is GbfsPart =>
  typeof other === 'object' &&
  other !== null &&
  'endpoint' in other &&
  'body' in other &&
  'kind' in other &&
  kinds.includes(other.kind as GbfsContent['kind'])
