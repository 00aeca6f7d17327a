import type { VehicleType } from '#contract/mobility.ts'
import type { EventType, VehicleState } from '#contract/vehicle-states.ts'

/** A vehicle as registered by its operator (MDS Vehicle). */
export interface Vehicle {
  operator: string
  deviceId: string
  /** The number printed on it. */
  vehicleId: string
  vehicleType: VehicleType
  /** MDS mode: micromobility by default. */
  mode: string
  propulsionTypes: readonly string[]
  /** The record as received, as JSON: has the fields without a column, and is returned by GET /vehicles. */
  attributes: string
}

/** An event of a vehicle, from any kind of feed. Times are ms since 1970; NaN: unknown. */
export interface VehicleEvent {
  operator: string
  deviceId: string
  eventId: string
  time: number
  state: VehicleState
  /** In the order in which they happened. */
  types: readonly EventType[]
  tripIds: readonly string[]
  lon: number
  lat: number
  /** Meters. */
  accuracy: number
  /** Percent. */
  battery: number
  /** When the operator published it; 0: not reported. */
  published: number
}

/** A trip as reported by its operator (MDS Trip). Times in ms since 1970, meters, seconds; NaN: unknown. */
export interface TripReport {
  operator: string
  tripId: string
  deviceId: string
  startTime: number
  endTime: number
  startLon: number
  startLat: number
  endLon: number
  endLat: number
  distance: number
  duration: number
  /** When the operator published it; 0: not reported. */
  published: number
  /** Fields without a column (costs, parking, mode attributes), as JSON; '' if there are none. */
  attributes: string
}

/** The position of a vehicle at a time (MDS Telemetry). Times are ms since 1970; NaN: unknown. */
export interface TelemetryPoint {
  operator: string
  deviceId: string
  telemetryId: string
  time: number
  tripIds: readonly string[]
  lon: number
  lat: number
  /** Meters per second. */
  speed: number
  /** Degrees from north. */
  heading: number
  /** Meters. */
  accuracy: number
  /** Percent. */
  battery: number
}

/** A parking place for vehicles (MDS Stop). */
export interface Stop {
  operator: string
  stopId: string
  name: string
  lon: number
  lat: number
  /** Milliseconds since 1970. */
  lastUpdated: number
  /** The record as received, as JSON. */
  attributes: string
}

/**
 * Kinds of findings. `schema`: the record violates the standard and is set aside. `clock_skew`: its time is
 * after its receipt; it is stored.
 */
export const findingKinds = ['schema', 'clock_skew'] as const
export type FindingKind = (typeof findingKinds)[number]

/** The maximum number of characters of `Finding.raw`. */
export const maxRawLength = 2_000

/** A remark about one record of a feed. */
export interface Finding {
  kind: FindingKind
  /** The record's id, or its position in the list; '' if the finding is about the entire body. */
  recordId: string
  /** The field, such as `events[3].location.lat`; '' if the finding is about the record. */
  field: string
  /** A sentence that says what is wrong. */
  reason: string
  /** The record as received, as JSON, cut to `maxRawLength`. */
  raw: string
}

/** The parsed records of a response, push or file, and the findings about its records. */
export interface FeedRecords {
  vehicles: Vehicle[]
  events: VehicleEvent[]
  trips: TripReport[]
  telemetry: TelemetryPoint[]
  stops: Stop[]
  findings: Finding[]
}

/** Returns empty lists. */
export const noRecords = (): FeedRecords => ({
  vehicles: [],
  events: [],
  trips: [],
  telemetry: [],
  stops: [],
  findings: [],
})

/** Joins records, for example of several pushes. Lists are too long for the arguments of `push(...list)`. */
export function joinRecords(parts: readonly FeedRecords[]): FeedRecords {
  const joined = noRecords()
  for (const { vehicles, events, trips, telemetry, stops, findings } of parts) {
    for (const vehicle of vehicles) joined.vehicles.push(vehicle)
    for (const event of events) joined.events.push(event)
    for (const trip of trips) joined.trips.push(trip)
    for (const point of telemetry) joined.telemetry.push(point)
    for (const stop of stops) joined.stops.push(stop)
    for (const finding of findings) joined.findings.push(finding)
  }
  return joined
}
