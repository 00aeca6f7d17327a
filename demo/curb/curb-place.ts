/** The price per hour in a part of some weekdays, in minor units. */
export interface CurbBand {
  /** 0: Sunday. */
  weekdays: readonly number[]
  /** Minutes of the local day, half-open. */
  opens: number
  closes: number
  rate: number
}

/** Prices from a moment (ms) on. */
export interface CurbRates {
  from: number
  bands: readonly CurbBand[]
}

/** A zone whose traffic is generated: with meters, or a smart loading zone. */
export interface CurbPlace {
  zoneId: string
  /** The same at each start, other than the id. */
  number: number
  /** As in the inventory, such as 12-R1. */
  label: string
  block: number
  streetName: string
  lon: number
  lat: number
  spaces: number
  use: 'meter' | 'smart'
  /** Minutes. */
  maxStay: number
  /** Minutes of the local day between which the rule applies, Monday to Saturday but for holidays. */
  opens: number
  closes: number
  /** Of a meter, oldest first. */
  rates: readonly CurbRates[]
  /** Whether nobody may park while the street is cleaned. */
  isCleaned: boolean
  /** When the zone got its present rules, if these are not those that are generated, ms. */
  until: number | null
  /** How much it is in demand: about 1 in the middle of downtown. */
  attraction: number
  hasSensor: boolean
  /** How drivers react to a change of rates; null: there was none. */
  response: PriceResponse | null
}

/** From a day on, by what the share of taken spaces is multiplied, by half hour. */
export interface PriceResponse {
  /** Days since 1970-01-01. */
  from: number
  weekday: readonly number[]
  saturday: readonly number[]
}
