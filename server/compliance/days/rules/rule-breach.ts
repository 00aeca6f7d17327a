/** A vehicle that broke a rule on a day, as it did first. */
export interface RuleBreach {
  /** Number of the rule. */
  rule: number
  deviceId: string
  vehicleType: string
  /** Names it: the vehicle with the time since which it stood there, or what it told as it rode. */
  factId: string
  /** Null: it did not ride. */
  tripId: string | null
  /** Since when it stood there, ms, or when it rode; and when it no longer broke the rule. */
  at: number
  until: number
  lon: number
  lat: number
  /** Metres; NaN: unknown. */
  accuracy: number
  /** Numbers of the areas that it was in. */
  areas: readonly number[]
  /** m/s; NaN: it stood. */
  speed: number
}

/** What was found of an operator on a day. */
export interface FoundOfRules {
  /** Number of the window. */
  day: number
  operator: string
  breaches: readonly RuleBreach[]
  /** How many rules had vehicles too few. */
  short: number
}
