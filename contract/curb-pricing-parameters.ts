import { z } from 'zod'
import { CurbId } from './cds.ts'
import { OccupancyKind } from './curb-occupancy.ts'
import { LocalDay, Weekday } from './period.ts'

export const pricingPresetKeys = [
  'san_francisco',
  'sfpark',
  'seattle',
  'los_angeles',
  'pittsburgh',
  'washington_dc',
] as const
export const PricingPresetKey = z.enum(pricingPresetKeys)
export type PricingPresetKey = z.infer<typeof PricingPresetKey>

const Key = z.string().regex(/^[a-z0-9_-]{1,40}$/, 'Keys are lower-case letters, digits, - and _')
/** Minor units of the region's currency. */
const MinorUnits = z.number().int().max(10_000_000)
const Rate = MinorUnits.min(0)
/** A share: 1 is 100%. Occupancies may exceed 1. */
const Share = z.number().min(0).max(10)

/** A part of the local day. Its unpaid times are ignored. */
export const PricingBand = z.object({
  key: Key,
  /** Minutes since midnight; `until` is excluded. */
  from: z.number().int().min(0).max(1439),
  until: z.number().int().min(1).max(1440),
  /** Keys of the day types that have this band; empty: all. */
  day_types: z.array(Key).max(7).default([]),
})
export type PricingBand = z.infer<typeof PricingBand>

export const PricingDayType = z.object({ key: Key, weekdays: z.array(Weekday).min(1).max(7) })
export type PricingDayType = z.infer<typeof PricingDayType>

/** The change of rates in a range of occupancies. */
export const PricingStep = z.object({
  /** Lowest occupancy, included. */
  from: Share,
  /** Highest occupancy, excluded; null: no end. */
  until: Share.nullable(),
  /** Change of the rate per hour, in minor units or in positions of the menu. Null: still to be entered. */
  change: MinorUnits.min(-10_000_000).nullable(),
})
export type PricingStep = z.infer<typeof PricingStep>

/** Maximum change of a rate per proposal; null: no limit of this kind. */
export const MaxChange = z.object({
  amount: Rate.nullable(),
  share: z.number().min(0).max(10).nullable(),
  /** `current`: `share` is of the current rate. `base`: rates remain within `share` of `base_rate`. */
  of: z.enum(['current', 'base']).default('current'),
  base_rate: Rate.nullable().default(null),
})
export type MaxChange = z.infer<typeof MaxChange>

/** The times that are analyzed, and the requirements on their occupancies. */
const windowFields = {
  bands: z.array(PricingBand).min(1).max(12),
  day_types: z.array(PricingDayType).min(1).max(7),
  /** Local days of the analysis window, both included. */
  start_date: LocalDay,
  end_date: LocalDay,
  excluded_days: z.array(LocalDay).max(1000).default([]),
  /** In order of preference: each row uses the first kind with enough days and coverage. */
  kinds: z.array(OccupancyKind).min(1).max(3),
  /** Why rates are based on paid occupancy, which is below actual occupancy; required for the kind `paid`. */
  paid_reason: z.string().trim().max(2000).nullable().default(null),
  /** Minimum number of days with occupancy. */
  min_days: z.number().int().min(1).max(1000),
  /** Minimum share of a band's time with known occupancy. */
  min_coverage: z.number().min(0).max(1),
  /** null: all zones with paid parking. */
  curb_zone_ids: z.array(CurbId).max(100_000).nullable().default(null),
}

/** Parameters of a proposal. Rates are minor units per hour. `checkParameters` returns their errors. */
export const PricingParameters = z
  .object({
    ...windowFields,
    /** The preset from which the parameters were copied. Only the parameters are applied. */
    preset: PricingPresetKey.nullable().default(null),
    /** Target occupancy. */
    target: z.object({ from: Share, until: Share }),
    steps: z.array(PricingStep).min(1).max(20),
    change_unit: z.enum(['amount', 'menu']).default('amount'),
    /** Prices to choose from, ascending; empty unless `change_unit` is `menu`. */
    menu: z.array(Rate).max(100).default([]),
    floor: Rate.nullable(),
    ceiling: Rate.nullable(),
    max_change: MaxChange,
    /** Minimum number of days from the last change of a rate to `effective_date`; null: any. */
    min_days_between: z.number().int().min(0).max(3660).nullable(),
    /** Rates are multiples of this number; they are rounded toward the current rate. */
    rounding: z.number().int().min(1).max(1_000_000),
    /** Local day on which the proposal would take effect. */
    effective_date: LocalDay,
  })
  .meta({ id: 'PricingParameters' })
export type PricingParameters = z.infer<typeof PricingParameters>

/** Default elasticity of occupancy to price (decision 048). */
export const defaultElasticity = -0.3
/** Elasticities between which scenarios show a range. */
export const elasticityRange = [-0.6, 0] as const

/** Parameters of a scenario that estimates occupancy under other rates. */
export const RateScenario = z
  .object({
    ...windowFields,
    /** `rate`: one rate everywhere. `amount` and `percent`: a change of each rate. */
    change: z.discriminatedUnion('by', [
      z.object({ by: z.literal('rate'), value: Rate }),
      z.object({ by: z.literal('amount'), value: MinorUnits.min(-10_000_000) }),
      z.object({ by: z.literal('percent'), value: z.number().min(-100).max(1000) }),
    ]),
    elasticity: z.number().min(-5).max(0).default(defaultElasticity),
  })
  .meta({ id: 'RateScenario' })
export type RateScenario = z.infer<typeof RateScenario>

/** An invalid parameter: its field, such as `steps.1.from`, and the reason. */
export const ParameterError = z.object({ field: z.string(), message: z.string() })
export type ParameterError = z.infer<typeof ParameterError>

type WindowParameters = Pick<
  PricingParameters,
  'bands' | 'day_types' | 'start_date' | 'end_date' | 'kinds' | 'paid_reason'
>

/** Returns a function that adds an error to a list. */
const createErrorAdder =
  (errors: ParameterError[]) =>
  (field: string, message: string): void => {
    errors.push({ field, message })
  }

/** Finds the index of the first key that repeats an earlier one; -1 if all keys differ. */
const findRepeatedIndex = (keys: readonly string[]): number =>
  keys.findIndex((key, index) => keys.indexOf(key) !== index)

/** Returns the day types to which a band applies. */
export const getDayTypes = (
  band: Pick<PricingBand, 'day_types'>,
  dayTypes: readonly PricingDayType[],
): PricingDayType[] => dayTypes.filter(({ key }) => !band.day_types.length || band.day_types.includes(key))

/** Checks the time bands, day types and days on which occupancy is measured. */
function checkWindow(parameters: WindowParameters): ParameterError[] {
  const { bands, day_types: dayTypes, start_date: start, end_date: end, kinds } = parameters
  const errors: ParameterError[] = []
  const add = createErrorAdder(errors)
  const repeatedBandIndex = findRepeatedIndex(bands.map(({ key }) => key))
  if (repeatedBandIndex >= 0) add(`bands.${repeatedBandIndex}.key`, 'Another time band has the same key.')
  const repeatedTypeIndex = findRepeatedIndex(dayTypes.map(({ key }) => key))
  if (repeatedTypeIndex >= 0) add(`day_types.${repeatedTypeIndex}.key`, 'Another day type has the same key.')
  const dayTypeByWeekday = new Map<number, string>()
  for (const [index, { key, weekdays }] of dayTypes.entries())
    for (const weekday of new Set(weekdays)) {
      const otherType = dayTypeByWeekday.get(weekday)
      if (otherType !== undefined)
        add(`day_types.${index}.weekdays`, `Weekday ${weekday} belongs to the day type “${otherType}” too.`)
      dayTypeByWeekday.set(weekday, key)
    }
  for (const [index, band] of bands.entries()) {
    if (band.until <= band.from) add(`bands.${index}.until`, 'The band ends before it begins.')
    for (const name of band.day_types)
      if (!dayTypes.some(({ key }) => key === name))
        add(`bands.${index}.day_types`, `There is no day type “${name}”.`)
    const bandDayTypes = getDayTypes(band, dayTypes)
    const overlapping = bands
      .slice(0, index)
      .find(
        (other) =>
          other.from < band.until &&
          band.from < other.until &&
          getDayTypes(other, dayTypes).some((type) => bandDayTypes.includes(type)),
      )
    if (overlapping) add(`bands.${index}.from`, `The band overlaps the band “${overlapping.key}”.`)
  }
  if (end < start) add('end_date', 'The analysis window ends before it begins.')
  if (new Set(kinds).size < kinds.length) add('kinds', 'A kind is named twice.')
  if (kinds.includes('paid') && !parameters.paid_reason)
    add(
      'paid_reason',
      'Paid occupancy is below the true one. Calibrate it with counts, or state why rates are proposed from it.',
    )
  return errors
}

/** Returns the errors of the time bands, window and kinds of a scenario. */
export const checkScenario = (scenario: RateScenario): ParameterError[] => checkWindow(scenario)

/** Checks that steps cover every occupancy once, and that their changes fit the unit. */
function checkSteps({ steps, change_unit: unit, menu }: PricingParameters): ParameterError[] {
  const errors: ParameterError[] = []
  const add = createErrorAdder(errors)
  const formatPercent = (value: number): string => `${Number((value * 100).toFixed(4))}%`
  let coveredUntil: number | null = 0
  for (const [index, { from, until, change }] of steps.entries()) {
    if (coveredUntil === null)
      add(`steps.${index}.from`, 'The previous step has no end, so this one overlaps it.')
    else if (from > coveredUntil)
      add(
        `steps.${index}.from`,
        `There is a gap from ${formatPercent(coveredUntil)} to ${formatPercent(from)}.`,
      )
    else if (from < coveredUntil)
      add(
        `steps.${index}.from`,
        `The step overlaps the previous one, which ends at ${formatPercent(coveredUntil)}.`,
      )
    if (until !== null && until <= from) add(`steps.${index}.until`, 'The step ends before it begins.')
    if (change === null) add(`steps.${index}.change`, 'Enter by how much the rate changes; 0 is no change.')
    coveredUntil = until
  }
  if (coveredUntil !== null)
    add(`steps.${steps.length - 1}.until`, `No step covers ${formatPercent(coveredUntil)} and more.`)
  if (unit === 'menu') {
    if (menu.length < 2) add('menu', 'A menu has at least two prices.')
    if (menu.some((entry, index) => index > 0 && entry <= menu[index - 1]!))
      add('menu', 'The prices must ascend.')
  } else if (menu.length) add('menu', 'Steps are amounts, so a menu of prices has no effect.')
  return errors
}

/** Returns the errors of parameters; empty if they are valid. */
export function checkParameters(parameters: PricingParameters): ParameterError[] {
  const { target, floor, ceiling, rounding, max_change: maxChange, end_date: end } = parameters
  const errors = [...checkWindow(parameters), ...checkSteps(parameters)]
  const add = createErrorAdder(errors)
  if (target.until <= target.from) add('target.until', 'The target band ends before it begins.')
  if (floor !== null && ceiling !== null && ceiling < floor)
    add('ceiling', 'The highest rate is below the lowest one.')
  if (floor !== null && floor % rounding) add('floor', 'The lowest rate is not a multiple of the rounding.')
  if (ceiling !== null && ceiling % rounding)
    add('ceiling', 'The highest rate is not a multiple of the rounding.')
  if (maxChange.of === 'base' && maxChange.share !== null && maxChange.base_rate === null)
    add('max_change.base_rate', 'Enter the base rate to which the share refers.')
  if (parameters.effective_date <= end)
    add('effective_date', 'The rates would take effect before the analysis window has ended.')
  return errors
}
