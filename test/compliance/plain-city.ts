// A city's facts as plain rows. Times are ms since 1970; NaN: not known.
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
  /** What it offers to those who need it. */
  accessibility?: string[]
}
/** A vehicle in a state, from an event to its next one. */
export interface PlainStay extends OfVehicle, Placed {
  type: VehicleType
  from: number
  to: number
  state: VehicleState
  /** What led there; none: it is not asked for. */
  types?: EventType[]
  /** Meters. */
  accuracy?: number
}
/** A rest; one that goes on ends when the vehicle would be lost. */
export interface PlainRest extends OfVehicle, Placed {
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
  /** Its places with their times, where they are known. */
  way: (Placed & { time: number })[] | null
  /** What it was made of. */
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
  stays: PlainStay[]
  rests: PlainRest[]
  trips: PlainTrip[]
  points: PlainPoint[]
  events: PlainEvent[]
  now: number
}

/** A place of a policy: a shape, or the region's boundary (null) of one or more areas. */
export interface PlainShape {
  shape_uuid: string | null
  name: string
  areas: Area[]
  /** The border of several areas together. */
  outline?: Area
}

/** A revision with the time in which it held, and where. */
export interface PlainRevision {
  policy_uuid: string | null
  policy: PolicyFields
  shapes: PlainShape[]
  from: number
  until: number | null
}
