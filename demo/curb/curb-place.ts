/** An hourly rate that applies during part of the day on some weekdays, in minor units. */
export interface CurbBand {
  /** 0: Sunday. */
  weekdays: readonly number[]
  /** Minutes of the local day, half-open. */
  opens: number
  closes: number
  rate: number
}

/** Prices from a time (ms) on. */
export interface CurbRates {
  from: number
  bands: readonly CurbBand[]
}

/** A zone with generated traffic: a metered zone or a smart loading zone. */
export interface CurbPlace {
  zoneId: string
  /** Stable between first runs, unlike the ID. */
  number: number
  /** The label in the inventory, such as 12-R1. */
  label: string
  block: number
  streetName: string
  lon: number
  lat: number
  spaces: number
  use: 'meter' | 'smart'
  /** Minutes. */
  maxStay: number
  /** Minutes of the local day between which the rule applies, Monday to Saturday except holidays. */
  opens: number
  closes: number
  /** Rates of a metered zone, oldest first. */
  rates: readonly CurbRates[]
  /** Whether stopping is prohibited while the street is cleaned. */
  isCleaned: boolean
  /** When the metered rules for which traffic is generated ended (ms); null if they are in force. */
  until: number | null
  /** Relative demand: about 1 at the center of downtown. */
  attraction: number
  hasSensor: boolean
  /** Response of demand to the rate change; null if there was none. */
  response: PriceResponse | null
}

/** Factors of the share of occupied spaces from a day on, by half hour. */
export interface PriceResponse {
  /** Days since 1970-01-01. */
  from: number
  weekday: readonly number[]
  saturday: readonly number[]
}
