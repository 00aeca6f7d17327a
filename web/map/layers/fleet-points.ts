import type { Scheme } from '#web/kit/theme.ts'

/** Vehicles that stand so near to each other that one mark stands for them. */
export interface FleetCluster {
  lon: number
  lat: number
  count: number
}

export interface StationMark {
  /** What it is known by under the pointer: see fleet-marks.ts. */
  id: string
  lon: number
  lat: number
  /** What the square says. */
  text: string
  /** Nothing to be had there. */
  isEmpty: boolean
}

/** Where the viewer is, by their own device. */
export interface UserLocation {
  lon: number
  lat: number
  /** Metres around it in which the place really is. */
  accuracy: number
}

/** All that is drawn of a fleet at one moment: never changed, but replaced by the next. */
export interface FleetPoints {
  scheme: Scheme
  count: number
  /** Longitude and latitude of each vehicle in turn, degrees. */
  positions: Float64Array
  /** Red, green, blue and opacity of each, 0 to 255. */
  colors: Uint8ClampedArray
  /** What a vehicle is called where it is selected. */
  idOf: (index: number) => string
  clusters: readonly FleetCluster[]
  stations: readonly StationMark[]
  selected: { lon: number; lat: number } | null
  here: UserLocation | null
}

/** Where the fleet is read from; tells when there is a new one. */
export interface FleetSource {
  read: () => FleetPoints | null
  watch: (listener: () => void) => () => void
}
