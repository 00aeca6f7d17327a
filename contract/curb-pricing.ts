import { z } from 'zod'
import { CurbId } from './cds.ts'
import { OccupancyKind } from './curb-occupancy.ts'
import { ParameterError, PricingParameters, RateScenario } from './curb-pricing-parameters.ts'
import { endpoint } from './endpoint.ts'
import { pageSchema, pageQuery } from './page.ts'
import { LocalDay } from './period.ts'
import { Box } from './place.ts'

/** The pricing engine: rates that a rule proposes, and scenarios. Rates are minor units per hour. */

/** Why there is no proposal for a row. */
export const pricingRefusals = [
  'no_rate',
  'mixed_rates',
  'rate_gap',
  'not_hourly',
  'no_capacity',
  'no_occupancy',
  'too_few_days',
  'low_coverage',
  'interval',
] as const
/** What limited the proposed rate of a row. */
export const pricingCaps = ['menu_end', 'floor', 'ceiling', 'max_change', 'rounding'] as const
export const pricingLimits = [...pricingRefusals, ...pricingCaps] as const
export const PricingLimit = z.enum(pricingLimits)
export type PricingLimit = z.infer<typeof PricingLimit>
export type Refusal = (typeof pricingRefusals)[number]

/** The current and proposed rate of one time band and day type of a zone. */
export const PricingCell = z.object({
  band: z.string(),
  day_type: z.string(),
  /** Null: no paid parking, or several rates. */
  current_rate: z.number().int().nullable(),
  /** Share; null: unknown. */
  occupancy: z.number().nullable(),
  kind: OccupancyKind.nullable(),
  /** Low and high value of the occupancy if its kind is `estimated`. */
  interval: z.tuple([z.number(), z.number()]).nullable(),
  days: z.number().int(),
  /** Share of the band's time with known occupancy. */
  coverage: z.number().nullable(),
  /** Mean number of spaces. */
  capacity: z.number().nullable(),
  /** Null: no proposal, so the rate remains; `limits` contains the reason. */
  proposed_rate: z.number().int().nullable(),
  /** Index of the applicable step; null: occupancy or rate is unknown. */
  step: z.number().int().nullable(),
  limits: z.array(PricingLimit),
  /** Local day of the last change of the rate; null: unknown. */
  last_change: LocalDay.nullable(),
  /** Paid hours per week in the band on days of this type. */
  paid_hours: z.number(),
})
export type PricingCell = z.infer<typeof PricingCell>

const zoneFields = {
  curb_zone_id: CurbId,
  /** Street and side. */
  shape_name: z.string(),
  street_name: z.string(),
  street_side: z.string().nullable(),
  bbox: Box,
}
export const PricingRow = PricingCell.extend(zoneFields).meta({ id: 'PricingRow' })
export type PricingRow = z.infer<typeof PricingRow>

/** A row of a scenario: expected occupancy under another rate, with the range for elasticities from -0.6 to 0. */
export const RateTargetRow = z
  .object({
    ...zoneFields,
    band: z.string(),
    day_type: z.string(),
    current_rate: z.number().int().nullable(),
    new_rate: z.number().int().nullable(),
    occupancy: z.number().nullable(),
    kind: OccupancyKind.nullable(),
    days: z.number().int(),
    coverage: z.number().nullable(),
    capacity: z.number().nullable(),
    expected: z.number().nullable(),
    low: z.number().nullable(),
    high: z.number().nullable(),
    limits: z.array(PricingLimit),
    paid_hours: z.number(),
  })
  .meta({ id: 'RateTargetRow' })
export type RateTargetRow = z.infer<typeof RateTargetRow>

export const pricingSortKeys = [
  'shape_name',
  'band',
  'day_type',
  'current_rate',
  'occupancy',
  'days',
  'coverage',
  'proposed_rate',
  'change',
] as const
export const rateTargetSortKeys = [
  'shape_name',
  'band',
  'day_type',
  'current_rate',
  'occupancy',
  'new_rate',
  'expected',
] as const
/** Returns the schema of a sort key with an optional sign; the default is ascending. */
const sortParameter = (keys: readonly string[]) =>
  z
    .string()
    .regex(new RegExp(`^[+-]?(${keys.join('|')})$`), `Sort by one of ${keys.join(', ')}, with + or -`)
    .default('+shape_name')

export const rowOutcomes = ['up', 'down', 'unchanged', 'refused'] as const
export const RowOutcome = z.enum(rowOutcomes)
export type RowOutcome = z.infer<typeof RowOutcome>
/** Compares the rates of a cell; `refused` if one of them is unknown. */
export function getRowOutcome({
  current_rate: current,
  proposed_rate: proposed,
}: Pick<PricingCell, 'current_rate' | 'proposed_rate'>): RowOutcome {
  if (current === null || proposed === null) return 'refused'
  if (proposed === current) return 'unchanged'
  return proposed > current ? 'up' : 'down'
}

export const rowFilter = {
  band: z.string().max(40).nullish(),
  day_type: z.string().max(40).nullish(),
  outcome: RowOutcome.nullish(),
  /** Text to find in street names and ids. */
  text: z.string().max(200).default(''),
}
const paging = pageQuery(100, 5000)

/** Revenue per week if every occupied hour of paid times were paid: an upper bound, not a forecast. */
export const RevenueScenario = z.object({
  rows: z.number().int(),
  /** With the current rates. */
  before: z.number(),
  /** With the proposed rates. */
  after: z.number(),
  /** Lowest revenue with the proposed rates for elasticities from -0.6 to 0. */
  low: z.number(),
  /** Highest revenue for these elasticities. */
  high: z.number(),
  elasticity: z.number(),
})
export type RevenueScenario = z.infer<typeof RevenueScenario>

/** Number of rows below, in and above the target band, and without an occupancy. */
export const TargetCounts = z.object({
  band: z.string(),
  day_type: z.string(),
  under: z.number().int(),
  in: z.number().int(),
  over: z.number().int(),
  unknown: z.number().int(),
})
export const OccupancyTargetSummary = z
  .object({
    currency: z.string(),
    rows: z.number().int(),
    zones: z.number().int(),
    outcomes: z.record(RowOutcome, z.number().int()),
    /** Number of rows by change of the rate, in ascending order of the change. */
    histogram: z.array(z.object({ change: z.number().int(), rows: z.number().int() })),
    limits: z.array(z.object({ limit: PricingLimit, rows: z.number().int() })),
    targets: z.array(TargetCounts),
    revenue: RevenueScenario,
  })
  .meta({ id: 'OccupancyTargetSummary' })
export type OccupancyTargetSummary = z.infer<typeof OccupancyTargetSummary>

const regionParams = z.object({ region_id: z.string() })
const tileParams = regionParams.extend({
  z: z.coerce.number().int().min(0).max(22),
  x: z.coerce.number().int().min(0),
  y: z.coerce.number().int().min(0),
})
/** Parameters as JSON, and the band and day type that the tile shows. */
const tileQuery = z.object({
  parameters: z.string().max(20_000),
  band: z.string().max(40),
  day_type: z.string().max(40),
})
const vectorTile = { media: 'application/vnd.mapbox-vector-tile' }
const pricingPath = '/regions/{region_id}/pricing_engine'

export const queryOccupancyTarget = endpoint({
  route: `POST ${pricingPath}/occupancy_target`,
  permission: 'signed_in',
  reads: true,
  longBody: true,
  cost: 'heavy',
  summary: 'Rates that a step rule proposes for the occupancy of each curb zone, time band and day type',
  request: {
    params: regionParams,
    body: z.object({
      parameters: PricingParameters,
      ...rowFilter,
      sort: sortParameter(pricingSortKeys),
      ...paging,
    }),
  },
  response: pageSchema(PricingRow),
})
export const sumOccupancyTarget = endpoint({
  route: `POST ${pricingPath}/occupancy_target/aggregated`,
  permission: 'signed_in',
  reads: true,
  longBody: true,
  cost: 'heavy',
  summary:
    'Proposed rates in sums: changes, limits, blocks in, under and over the target, and a revenue scenario',
  request: {
    params: regionParams,
    body: z.object({
      parameters: PricingParameters,
      ...rowFilter,
      elasticity: z.number().min(-5).max(0).default(-0.3),
    }),
  },
  response: OccupancyTargetSummary,
})
export const getOccupancyTargetTile = endpoint({
  route: `GET ${pricingPath}/occupancy_target/vector/{z}/{x}/{y}`,
  permission: 'signed_in',
  summary: 'Vector tile of curb zones with current and proposed rate, change and occupancy',
  request: { params: tileParams, query: tileQuery },
  response: vectorTile,
})
const scenarioBody = {
  scenario: RateScenario,
  band: rowFilter.band,
  day_type: rowFilter.day_type,
  text: rowFilter.text,
}
export const queryRateTarget = endpoint({
  route: `POST ${pricingPath}/rate_target`,
  permission: 'signed_in',
  reads: true,
  longBody: true,
  cost: 'heavy',
  summary: 'Scenario: the occupancy that other rates might give, as a range, by an elasticity',
  request: {
    params: regionParams,
    body: z.object({ ...scenarioBody, sort: sortParameter(rateTargetSortKeys), ...paging }),
  },
  response: pageSchema(RateTargetRow),
})
export const sumRateTarget = endpoint({
  route: `POST ${pricingPath}/rate_target/aggregated`,
  permission: 'signed_in',
  reads: true,
  longBody: true,
  cost: 'heavy',
  summary: 'Scenario in sums: rows, mean occupancy before and after by capacity and paid hours, revenue',
  request: { params: regionParams, body: z.object(scenarioBody) },
  response: z.object({
    currency: z.string(),
    rows: z.number().int(),
    refused: z.number().int(),
    /** Occupied divided by paid space-hours; null: no row has an occupancy. */
    occupancy: z.number().nullable(),
    expected: z.number().nullable(),
    low: z.number().nullable(),
    high: z.number().nullable(),
    revenue: RevenueScenario,
  }),
})
export const getRateTargetTile = endpoint({
  route: `GET ${pricingPath}/rate_target/vector/{z}/{x}/{y}`,
  permission: 'signed_in',
  summary: 'Vector tile of curb zones with occupancy, new rate and the expected occupancy of a scenario',
  request: { params: tileParams, query: tileQuery },
  response: vectorTile,
})

/** Proposed rates of a past day compared with the rates that the city set. */
export const BackTest = z
  .object({
    compared_day: LocalDay,
    /** Rows with a proposal and a rate on the compared day. */
    rows: z.number().int(),
    refused: z.number().int(),
    same_rate: z.number().int(),
    same_direction: z.number().int(),
    /** Number of rows by the direction that the rule proposed and the one that the city chose. */
    directions: z.array(z.object({ proposed: RowOutcome, actual: RowOutcome, rows: z.number().int() })),
    items: z.array(PricingRow.extend({ actual_rate: z.number().int().nullable() })),
  })
  .meta({ id: 'BackTest' })
export type BackTest = z.infer<typeof BackTest>
/** Uses the regulations in force on the day before `parameters.effective_date`. */
export const backTestPricing = endpoint({
  route: `POST ${pricingPath}/back_test`,
  permission: 'signed_in',
  reads: true,
  longBody: true,
  cost: 'heavy',
  summary: 'What a rule would have proposed in the past, compared with the rates that the city set',
  request: {
    params: regionParams,
    body: z.object({ parameters: PricingParameters, compared_day: LocalDay }),
  },
  response: BackTest,
})
export const checkPricingParameters = endpoint({
  route: `POST ${pricingPath}/check`,
  permission: 'signed_in',
  reads: true,
  summary: 'Errors of parameters of the pricing engine, by field',
  request: { params: regionParams, body: z.object({ parameters: PricingParameters }) },
  response: z.object({ errors: z.array(ParameterError) }),
})
