/** The first violation of a rule by a vehicle on a day. */
export interface RuleBreach {
  /** Index of the rule. */
  rule: number
  deviceId: string
  vehicleType: string
  /** Id of the violation: the vehicle and the start of its dwell time; on a trip, the id of the telemetry. */
  factId: string
  /** Null if the vehicle was not on a trip. */
  tripId: string | null
  /** Start of the dwell time, or time of the telemetry, ms; and the end of the violation. */
  at: number
  until: number
  lon: number
  lat: number
  /** Meters; NaN if unknown. */
  accuracy: number
  /** Numbers of the areas that contained the vehicle. */
  areas: readonly number[]
  /** m/s; NaN at rest. */
  speed: number
}

/** The violations of an operator on a day. */
export interface DayBreaches {
  /** Index of the window. */
  day: number
  operator: string
  breaches: readonly RuleBreach[]
  /** Number of rules with too few vehicles. */
  short: number
}
