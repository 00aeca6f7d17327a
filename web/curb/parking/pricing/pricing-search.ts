import { PricingParameters } from '#contract/curb-pricing-parameters.ts'
import { pricingPresets } from '#contract/curb-pricing-presets.ts'
import { rowOutcomes } from '#contract/curb-pricing.ts'
import { dayFromNumber, dayNumber, type LocalDay } from '#contract/period.ts'
import {
  day,
  enumParam,
  integer,
  matching,
  type Param,
  type SearchOf,
  searchParams,
  tableParams,
  text,
} from '#web/shell/search-params.ts'

export const pricingModes = ['occupancy_target', 'rate_target', 'back_test', 'proposals'] as const
export type PricingMode = (typeof pricingModes)[number]

/** Pricing parameters. The router has already parsed their JSON; invalid ones are dropped. */
const parameters: Param<PricingParameters> = (value) => {
  const parsed = PricingParameters.safeParse(value)
  return parsed.success ? parsed.data : undefined
}
const bandOrDayTypeKey = matching(/^[a-z0-9_-]{1,40}$/)

/** URL parameters of the pricing engine. */
export const pricingSearch = searchParams({
  mode: enumParam(pricingModes, 'occupancy_target'),
  parameters,
  /** For a back-test: the day of the city rates that are compared with the proposed ones. */
  compared: day,
  band: bandOrDayTypeKey,
  day_type: bandOrDayTypeKey,
  outcome: enumParam(rowOutcomes),
  search: text(),
  zone: text(),
  /** Change of all rates in a scenario, in percent. */
  percent: integer(-100, 500),
  /** Percent change of parking for one percent change of the price, in hundredths; negative or 0. */
  elasticity: integer(-200, 0),
  ...tableParams,
})
export type PricingSearch = SearchOf<typeof pricingSearch>

/** Length of the default period, which ends yesterday. */
const defaultPeriodDays = 56
/** Days from today until the rates take effect. */
const noticeDays = 28
/** How far the default period of a back-test lies before the usual one. */
const backTestOffsetDays = 180

/** Returns the default parameters of a back-test, half a year earlier. */
export function getPastParameters(today: LocalDay): PricingParameters {
  return getDefaultParameters(dayFromNumber(dayNumber(today) - backTestOffsetDays))
}

/** Returns San Francisco's parameters for the eight weeks before today. */
export function getDefaultParameters(today: LocalDay): PricingParameters {
  const todayNumber = dayNumber(today)
  const preset = pricingPresets.find(({ key }) => key === 'san_francisco')
  if (!preset) throw new Error('The preset of San Francisco is missing')
  return {
    ...preset.fields,
    preset: preset.key,
    start_date: dayFromNumber(todayNumber - defaultPeriodDays),
    end_date: dayFromNumber(todayNumber - 1),
    excluded_days: [],
    kinds: ['measured', 'estimated'],
    paid_reason: null,
    min_days: 10,
    min_coverage: 0.5,
    curb_zone_ids: null,
    effective_date: dayFromNumber(todayNumber + noticeDays),
  }
}
