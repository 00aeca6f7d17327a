/** The first time that a vehicle broke a rule on a day. */
export interface RuleBreach {
  /** Number of the rule. */
  rule: number
  deviceId: string
  vehicleType: string
  /** An id: the vehicle with the time since when it was there, or of its telemetry on a trip. */
  factId: string
  /** Null if it was not on a trip. */
  tripId: string | null
  /** Since when it was there, or the time of the telemetry, ms; and when it no longer broke the rule. */
  at: number
  until: number
  lon: number
  lat: number
  /** Meters; NaN: unknown. */
  accuracy: number
  /** Numbers of the areas that contained it. */
  areas: readonly number[]
  /** m/s; NaN at rest. */
  speed: number
}

/** The findings of an operator on a day. */
export interface FoundOfRules {
  /** Number of the window. */
  day: number
  operator: string
  breaches: readonly RuleBreach[]
  /** How many rules had too few vehicles. */
  short: number
}
