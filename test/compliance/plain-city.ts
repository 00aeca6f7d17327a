// The facts of a city as plain rows. Times are ms since 1970, NaN if unknown.
import type { VehicleType } from '#contract/mobility.ts'
import type { Area } from '#contract/place.ts'
import type { PolicyFields } from '#contract/policy.ts'
import type { EventType, VehicleState } from '#contract/vehicle-states.ts'

interface OfVehicle {
  operator: string
  device: string
}
interface Placed {
  lon: number
  lat: number
}
export interface PlainVehicle extends OfVehicle {
  type: VehicleType
  propulsion: string[]
  /** MDS accessibility options. */
  accessibility?: string[]
}
/** The time of a vehicle in a state, from one event to the next. */
export interface PlainInterval extends OfVehicle, Placed {
  type: VehicleType
  from: number
  to: number
  state: VehicleState
  /** Event types that led to the state; absent if the test does not need them. */
  types?: EventType[]
  /** Meters. */
  accuracy?: number
}
/** A parking event. One that has not ended is stored with the time at which the vehicle would be lost. */
export interface PlainParkingEvent extends OfVehicle, Placed {
  type: VehicleType
  from: number
  to: number
  /** Meters. */
  accuracy: number
}
export interface PlainTrip extends OfVehicle {
  tripId: string
  type: VehicleType
  start: number
  end: number | null
  startLon: number
  startLat: number
  endLon: number
  endLat: number
  /** The route of the trip; null if unknown. */
  route: (Placed & { time: number })[] | null
  /** The kind of data from which the trip was derived. */
  source: 'file' | 'report' | 'events' | 'both'
}
/** Telemetry. */
export interface PlainPoint extends OfVehicle, Placed {
  id: string
  tripId: string | null
  time: number
  /** Meters per second, as reported. */
  speed: number
  accuracy: number
}
export interface PlainEvent extends OfVehicle, Placed {
  id: string
  time: number
  state: VehicleState
  types: EventType[]
}

export interface PlainCity {
  region: {
    timezone: string
    lostAfterHours: number
    operatingHours: { from: string; until: string }
    countsUncertain: boolean
  }
  operators: string[]
  vehicles: PlainVehicle[]
  intervals: PlainInterval[]
  parkingEvents: PlainParkingEvent[]
  trips: PlainTrip[]
  points: PlainPoint[]
  events: PlainEvent[]
  now: number
}

/** A place of a policy: a shape, or the boundary of the region (null), with one or more areas. */
export interface PlainShape {
  shape_uuid: string | null
  name: string
  areas: Area[]
  /** The common outline of several areas. */
  outline?: Area
}

/** A revision of a policy with its places and the time in which it was in force. */
export interface PlainRevision {
  policy_uuid: string | null
  policy: PolicyFields
  shapes: PlainShape[]
  from: number
  until: number | null
}
