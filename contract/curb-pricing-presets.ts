import {
  type PricingBand,
  type PricingDayType,
  type PricingParameters,
  type PricingPresetKey,
  pricingPresetKeys,
  type PricingStep,
} from './curb-pricing-parameters.ts'

/** The fields that a preset sets. */
type PresetFields = Pick<
  PricingParameters,
  'target' | 'steps' | 'change_unit' | 'menu' | 'floor' | 'ceiling' | 'max_change' | 'min_days_between'
> & { bands: PricingBand[]; day_types: PricingDayType[]; rounding: number }
export type PresetField = keyof PresetFields

/** A published pricing rule (decision 048). Money is in cents per hour. */
export interface PricingPreset {
  key: PricingPresetKey
  source: string
  fields: PresetFields
  /** How the preset interprets fields that the source describes vaguely. */
  notes: Partial<Record<PresetField, string>>
  /** Fields that the source does not specify; empty (`change` null, no bands) if no value can be assumed. */
  unspecified: readonly PresetField[]
}

const noMaximum: PricingParameters['max_change'] = {
  amount: null,
  share: null,
  of: 'current',
  base_rate: null,
}
const everyDay: PricingDayType = { key: 'every_day', weekdays: [1, 2, 3, 4, 5, 6, 7] }
const weekday: PricingDayType = { key: 'weekday', weekdays: [1, 2, 3, 4, 5] }
const weekend: PricingDayType = { key: 'weekend', weekdays: [6, 7] }
const saturday: PricingDayType = { key: 'saturday', weekdays: [6] }

/** Makes a time band from local hours. */
const band = (key: string, fromHour: number, untilHour: number, ...types: PricingDayType[]): PricingBand => ({
  key,
  from: fromHour * 60,
  until: untilHour * 60,
  day_types: types.map((type) => type.key),
})

/** Builds the steps for n thresholds from n + 1 changes: below the first, between them, above the last. */
const makeSteps = (thresholds: readonly number[], changes: readonly (number | null)[]): PricingStep[] =>
  changes.map((change, index) => ({
    from: thresholds[index - 1] ?? 0,
    until: thresholds[index] ?? null,
    change,
  }))

const sanFranciscoBands = [band('morning', 0, 12), band('midday', 12, 15), band('afternoon', 15, 24)]
const openHours = 'The first band begins when paid parking begins; the last band ends when paid parking ends.'

const sanFrancisco: PricingPreset = {
  key: 'san_francisco',
  source: 'San Francisco Transportation Code § 402; notices of SFMTA',
  fields: {
    target: { from: 0.6, until: 0.8 },
    steps: makeSteps([0.6, 0.8], [-25, 0, 25]),
    change_unit: 'amount',
    menu: [],
    floor: 50,
    ceiling: 1000,
    max_change: noMaximum,
    min_days_between: 28,
    bands: sanFranciscoBands,
    day_types: [weekday, weekend],
    rounding: 25,
  },
  notes: { bands: openHours },
  unspecified: ['max_change', 'rounding'],
}

const sfpark: PricingPreset = {
  key: 'sfpark',
  source: 'SFpark pilot 2011 to 2013; Pierce and Shoup, ACCESS',
  fields: {
    ...sanFrancisco.fields,
    steps: makeSteps([0.3, 0.6, 0.8], [-50, -25, 0, 25]),
    floor: 25,
    ceiling: 600,
  },
  notes: {
    bands: openHours,
    steps: 'One text sets the last step below 40%; the ordinance and the other texts set it below 30%.',
    min_days_between: 'At least four to six weeks; about two months in practice.',
  },
  unspecified: ['max_change', 'rounding'],
}

const seattle: PricingPreset = {
  key: 'seattle',
  source: 'Seattle Municipal Code 11.16.121; reports of SDOT',
  fields: {
    target: { from: 0.7, until: 0.85 },
    steps: makeSteps([0.65, 0.9], [-50, 0, 50]),
    change_unit: 'amount',
    menu: [],
    floor: null,
    ceiling: null,
    max_change: noMaximum,
    min_days_between: null,
    bands: [band('morning', 8, 11), band('midday', 11, 17), band('evening', 17, 20)],
    day_types: [everyDay],
    rounding: 50,
  },
  notes: {
    target: '70 to 85% (71 to 86% in 2011).',
    steps:
      'Rates change only below 65% or above 90%: within 5 points of the target, a block is only watched.',
    floor: 'Set by the council.',
    ceiling: 'Set by the council.',
    min_days_between: 'Yearly, now by season.',
  },
  unspecified: ['max_change', 'day_types', 'rounding', 'min_days_between'],
}

const losAngeles: PricingPreset = {
  key: 'los_angeles',
  source: 'LA Express Park: LADOT; Zoeter et al., KDD 2014',
  fields: {
    target: { from: 0.7, until: 0.9 },
    steps: makeSteps([0.7, 0.9], [null, 0, null]),
    change_unit: 'amount',
    menu: [],
    floor: 50,
    ceiling: 600,
    max_change: { amount: null, share: 0.5, of: 'base', base_rate: null },
    min_days_between: 28,
    bands: [
      band('morning', 8, 11, weekday),
      band('midday', 11, 16, weekday),
      band('evening', 16, 20, weekday),
      band('weekend', 0, 24, weekend),
    ],
    day_types: [weekday, weekend],
    rounding: 50,
  },
  notes: {
    steps:
      'Los Angeles decides by the shares of time with congestion and under-use, not by mean occupancy. The size of a change is not published.',
    target: '10 to 30% of the spaces free.',
    max_change: 'Never more than 50% above or below the base rate. Enter the base rate.',
    min_days_between: 'Four to six weeks, or a month.',
  },
  unspecified: ['steps', 'rounding'],
}

const pittsburgh: PricingPreset = {
  key: 'pittsburgh',
  source: 'Pittsburgh: pilot of Carnegie Mellon University',
  fields: {
    target: { from: 0.6, until: 0.85 },
    steps: makeSteps([0.6, 0.85], [-1, 0, 1]),
    change_unit: 'menu',
    menu: [],
    floor: null,
    ceiling: null,
    max_change: noMaximum,
    min_days_between: 28,
    bands: [],
    day_types: [everyDay],
    rounding: 1,
  },
  notes: {
    target: '60 to 85%, in some texts to 90%, with the aim of 80%.',
    menu: 'From $0.50 to $2.25; the prices between are not published.',
    steps: 'One price of the menu up or down at a time.',
    min_days_between: 'Monthly.',
  },
  unspecified: ['menu', 'bands', 'day_types', 'floor', 'ceiling', 'max_change', 'rounding'],
}

const washington: PricingPreset = {
  key: 'washington_dc',
  source: 'Washington DC, Penn Quarter and Chinatown: DDOT',
  fields: {
    target: { from: 0.85, until: 0.9 },
    steps: makeSteps([0.85, 0.9], [null, 0, null]),
    change_unit: 'amount',
    menu: [],
    floor: 100,
    ceiling: 700,
    max_change: noMaximum,
    min_days_between: 90,
    bands: [
      band('morning', 7, 11, weekday),
      band('midday', 11, 16, weekday),
      band('evening', 16, 22, weekday),
      band('saturday', 0, 24, saturday),
    ],
    day_types: [weekday, saturday],
    rounding: 5,
  },
  notes: {
    target: 'About 85 to 90%.',
    steps: 'The size of a change is not published.',
    ceiling: 'The law allows $8.00.',
    min_days_between: 'Quarterly.',
  },
  unspecified: ['steps', 'max_change', 'rounding'],
}

const presets = [sanFrancisco, sfpark, seattle, losAngeles, pittsburgh, washington]
export const pricingPresets: readonly PricingPreset[] = pricingPresetKeys.map((key) =>
  presets.find((preset) => preset.key === key)!,
)
