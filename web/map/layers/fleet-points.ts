import type { Scheme } from '#web/kit/theme.ts'

/** Nearby vehicles that are drawn as one mark. */
export interface FleetCluster {
  lon: number
  lat: number
  count: number
  /** Counts by color, drawn as a ring; without them the cluster is a plain circle. */
  parts?: readonly ClusterPart[]
}

export interface ClusterPart {
  /** As `#rrggbb`. */
  color: string
  count: number
}

export interface StationMark {
  /** Id reported on hover and click, see fleet-marks.ts. */
  id: string
  lon: number
  lat: number
  text: string
  /** No vehicle is available. */
  isEmpty: boolean
}

/** Position of the user according to their device. */
export interface UserLocation {
  lon: number
  lat: number
  /** Radius of uncertainty in meters. */
  accuracy: number
}

/** Everything that is drawn for a fleet at one moment. Immutable; each change creates a new object. */
export interface FleetPoints {
  scheme: Scheme
  count: number
  /** Longitude and latitude of each vehicle in degrees, interleaved. */
  positions: Float64Array
  /** Red, green, blue and alpha of each vehicle, 0 to 255, interleaved. */
  colors: Uint8ClampedArray
  /** Id of a vehicle for the selection. */
  getId: (index: number) => string
  clusters: readonly FleetCluster[]
  stations: readonly StationMark[]
  selected: { lon: number; lat: number } | null
  userLocation: UserLocation | null
}

/** Source of a fleet; `watch` notifies of changes. */
export interface FleetSource {
  read: () => FleetPoints | null
  watch: (listener: () => void) => () => void
}
