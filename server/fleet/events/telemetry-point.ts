/** Where a vehicle was (MDS Telemetry), in our words. Times are ms since 1970; NaN: not known. */
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
