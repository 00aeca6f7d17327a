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
