import type { VehicleType } from '#contract/mobility.ts'

/** A vehicle as a GBFS feed lists it: its id is good for this list only. NaN and '': not told. */
export interface GbfsVehicle {
  vehicleId: string
  /** Of the feed's own list of types. */
  typeId: string
  /** What earlier feeds say of the kind in a word of their own. */
  typeWord: string
  stationId: string
  lon: number
  lat: number
  /** Percent. */
  battery: number
  /** Metres. */
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
  /** A place without docks. */
  isVirtual: boolean
}

/** NaN: unknown. */
export interface GbfsStationStatus {
  stationId: string
  vehiclesAvailable: number
  docksAvailable: number
  vehiclesDisabled: number
  isInstalled: boolean
  /** False too where the station is not installed, as `isReturning`. */
  isRenting: boolean
  isReturning: boolean
  /** Ms since 1970. */
  lastReported: number
}

/** A geofencing zone as a feature of its own: its rules as plain properties. */
export interface GbfsZone {
  type: 'Feature'
  geometry: unknown
  properties: Record<string, string | number | boolean | null>
}

/** What one file of a GBFS feed says. */
export type GbfsContent =
  | { kind: 'discovery'; feeds: { name: string; url: string }[] }
  | { kind: 'types'; types: { id: string; vehicleType: VehicleType }[] }
  | { kind: 'vehicles'; at: number; vehicles: GbfsVehicle[] }
  | { kind: 'stations'; stations: GbfsStation[] }
  | { kind: 'status'; at: number; statuses: GbfsStationStatus[] }
  | { kind: 'zones'; zones: GbfsZone[] }
  /** Kept for who asks the proxy; nothing of it is read. */
  | { kind: 'kept' }

/** A file of a GBFS feed: what it says, and its text as it came. */
export type GbfsPart = GbfsContent & {
  /** Its name in the feed, as in `vehicle_status`. */
  endpoint: string
  body: string
  /** Ms since 1970; null where it does not tell. */
  lastUpdated: number | null
}

const kinds: readonly GbfsContent['kind'][] = [
  'discovery',
  'types',
  'vehicles',
  'stations',
  'status',
  'zones',
  'kept',
]
export const isGbfsPart = (other: unknown): other is GbfsPart =>
  typeof other === 'object' &&
  other !== null &&
  'endpoint' in other &&
  'body' in other &&
  'kind' in other &&
  kinds.includes(other.kind as GbfsContent['kind'])
