import { z } from 'zod'
import { CurbId } from './cds.ts'
import { endpoint } from './endpoint.ts'
import { dayMs, hourQuery, LocalDay, Weekday, WeekdayList } from './period.ts'

/**
 * Occupancy of the curb (decision 047). Kinds are never mixed: `measured` by sensors, cameras and surveys;
 * `paid` is the paid time in hours that require payment; `estimated` is paid times a calibration. Unknown
 * time is never vacant.
 */
export const occupancyKinds = ['measured', 'paid', 'estimated'] as const
export const OccupancyKind = z.enum(occupancyKinds)
export type OccupancyKind = z.infer<typeof OccupancyKind>

/** Sources of values, most reliable first. */
export const occupancySources = ['sensor', 'camera', 'survey', 'payment'] as const
export const OccupancySource = z.enum(occupancySources)
export type OccupancySource = z.infer<typeof OccupancySource>

/**
 * Where the number of spaces comes from: marked spaces or the length of the zone; `source`: the imported
 * file; `earliest`: the first known number, for times before it was known.
 */
export const CapacityBasis = z.enum(['marked', 'length', 'source', 'earliest'])
export type CapacityBasis = z.infer<typeof CapacityBasis>

/** Minutes of the local day, half-open: 480 to 660 is 8:00 to 11:00. */
export const TimeBand = z
  .object({
    key: z.string().min(1).max(50),
    from: z.number().int().min(0).max(1439),
    until: z.number().int().min(1).max(1440),
  })
  .refine(({ from, until }) => from < until, { path: ['until'], message: 'A band must end after it begins' })
export type TimeBand = z.infer<typeof TimeBand>

/** A group of weekdays with common figures, Monday 1 to Sunday 7. */
export const DayType = z.object({ key: z.string().min(1).max(50), weekdays: z.array(Weekday).min(1).max(7) })
export type DayType = z.infer<typeof DayType>

/** Parameters of `readBandOccupancy`. Hours that are partly in a band count in proportion. */
export interface BandOccupancyQuery {
  regionId: string
  /** Null: all zones. */
  zoneIds: readonly string[] | null
  bands: readonly TimeBand[]
  dayTypes: readonly { key: string; weekdays: readonly number[] }[]
  /** Local days, both included. */
  from: LocalDay
  until: LocalDay
  excludedDays: readonly LocalDay[]
  kind: OccupancyKind
}

/** Occupancy of a zone in a band on days of a type. */
export interface BandOccupancy {
  zone_id: string
  band: string
  day_type: string
  /** Share of the known time of spaces; may exceed 1. Null: nothing is known. */
  occupancy: number | null
  /** Days with known time. */
  days: number
  /** Share of the open (measured) or paid hours of spaces that are known, 0 to 1. */
  coverage: number
  /** Average number of spaces over the open hours; null: unknown. */
  capacity: number | null
  kind: OccupancyKind
  /** 95% interval of an estimated value; otherwise null. */
  interval: [low: number, high: number] | null
}

const regionParams = z.object({ region_id: z.string() })
const insightsPath = '/regions/{region_id}/curb_parking_insights'

/** `480-660,660-1020`: minutes of the local day. */
const BandList = z
  .string()
  .regex(
    /^\d{1,4}-\d{1,4}(,\d{1,4}-\d{1,4}){0,11}$/,
    'Bands are written 480-660,660-1020, in minutes of the day',
  )
  .default('480-660,660-1020,1020-1200')
  .transform((text) =>
    text.split(',').map((each) => {
      const [from = 0, until = 0] = each.split('-').map(Number)
      return { key: each, from, until }
    }),
  )
  .pipe(z.array(TimeBand))

const shareParameter = (defaultValue: number) => z.coerce.number().min(0).max(2).default(defaultValue)

export const OccupancyQuery = z
  .object({
    kind: OccupancyKind.default('measured'),
    start_date: LocalDay,
    end_date: LocalDay,
    days: WeekdayList,
    ...hourQuery,
    /** Zone ids, separated by commas; empty: all. */
    zones: z.string().max(20_000).default(''),
    bands: BandList,
    /** Occupancies from `target_low` to below `target_high` are within the target. */
    target_low: shareParameter(0.6),
    target_high: shareParameter(0.8),
  })
  .refine(({ start_date, end_date }) => start_date <= end_date, {
    path: ['end_date'],
    message: 'The last day is before the first',
  })
  .refine(({ start_date, end_date }) => (Date.parse(end_date) - Date.parse(start_date)) / dayMs < 1830, {
    path: ['end_date'],
    message: 'A period has at most five years',
  })
  .refine(({ target_low, target_high }) => target_low < target_high, {
    path: ['target_high'],
    message: 'The end of a target must be above its start',
  })
export type OccupancyQuery = z.output<typeof OccupancyQuery>

/** Occupancy of one or more zones: the sum of numerators divided by the sum of denominators. */
export const OccupancyFigure = z.object({
  /** Null: less than half of each hour is known, or nothing is open. May exceed 1. */
  occupancy: z.number().nullable(),
  /** Share of the open or paid time of spaces that is known; null: nothing is open. */
  coverage: z.number().nullable(),
  /** Hours of one space. */
  occupied_hours: z.number(),
  known_hours: z.number(),
  open_hours: z.number(),
})
export type OccupancyFigure = z.infer<typeof OccupancyFigure>

export const ZoneOccupancy = OccupancyFigure.extend({
  curb_zone_id: CurbId,
  name: z.string(),
  street_name: z.string(),
  street_side: z.string().nullable(),
  /** Spaces on the last day of the period. */
  capacity: z.number().nullable(),
  capacity_basis: CapacityBasis.nullable(),
  /** Days with known time. */
  days: z.number().int(),
  source: OccupancySource.nullable(),
  /** Whether any hour was above 100%. */
  is_over: z.boolean(),
  /** 95% interval of an estimate; otherwise null. */
  interval: z.tuple([z.number(), z.number()]).nullable(),
  /** Occupancy by hour of the local day, 24 values. */
  hours: z.array(z.number().nullable()),
})
export type ZoneOccupancy = z.infer<typeof ZoneOccupancy>

/** Number of zones under, within and over the target in a band, and without a value. */
export const TargetShare = z.object({
  band: z.string(),
  from: z.number().int(),
  until: z.number().int(),
  under: z.number().int(),
  within: z.number().int(),
  over: z.number().int(),
  unknown: z.number().int(),
})
export type TargetShare = z.infer<typeof TargetShare>

export const OccupancyResponse = z
  .object({
    kind: OccupancyKind,
    start_date: LocalDay,
    end_date: LocalDay,
    zones: z.array(ZoneOccupancy),
    total: OccupancyFigure.extend({ interval: z.tuple([z.number(), z.number()]).nullable() }),
    /** By weekday (1 to 7) and hour; cells without open time are absent. */
    calendar: z.array(OccupancyFigure.extend({ weekday: Weekday, hour: z.number().int() })),
    targets: z.array(TargetShare),
    /** Number of zones that are open or require payment but have no known time. */
    unknown_zones: z.number().int(),
    /** Days of the period with changes that are not derived yet. */
    pending_days: z.number().int(),
    /** Version for tile requests with the same query. */
    v: z.string(),
  })
  .meta({ id: 'OccupancyResponse' })
export type OccupancyResponse = z.output<typeof OccupancyResponse>

export const getOccupancy = endpoint({
  route: `GET ${insightsPath}/occupancy`,
  cost: 'heavy',
  permission: 'signed_in',
  scope: 'curb:read',
  summary: 'Occupancy of curb zones of one kind over a period: zones, total, hours by weekday, targets',
  request: { params: regionParams, query: OccupancyQuery },
  response: OccupancyResponse,
})
export const exportOccupancy = endpoint({
  route: `GET ${insightsPath}/occupancy/by_hour`,
  cost: 'heavy',
  permission: 'signed_in',
  scope: 'curb:read',
  medias: ['text/csv'],
  summary: 'Occupancy of curb zones by hour of the day as CSV, with sums, coverage, capacity and kind',
  request: { params: regionParams, query: OccupancyQuery },
  response: { media: 'text/csv' },
})
const tileParams = regionParams.extend({
  z: z.coerce.number().int().min(0).max(22),
  x: z.coerce.number().int().min(0),
  y: z.coerce.number().int().min(0),
})
const TileQuery = OccupancyQuery.safeExtend({ v: z.string().max(100).optional() })
const vectorTile = { media: 'application/vnd.mapbox-vector-tile' }

export const getOccupancyTile = endpoint({
  route: `GET ${insightsPath}/occupancy/vector/{z}/{x}/{y}`,
  cost: 'heavy',
  permission: 'signed_in',
  summary: 'Vector tile of curb zones with `value` (occupancy), `coverage` and one value per hour',
  request: { params: tileParams, query: TileQuery },
  response: vectorTile,
})
export const getParkingInsightsTile = endpoint({
  ...getOccupancyTile,
  route: `GET ${insightsPath}/vector/{z}/{x}/{y}`,
  summary: 'Vector tile of curb zones with their occupancy, as occupancy/vector',
})
export const getParkingInsightsStatistics = endpoint({
  route: `GET ${insightsPath}/statistics`,
  cost: 'heavy',
  permission: 'signed_in',
  scope: 'curb:read',
  summary: 'Totals of curb occupancy over a period: occupancy, coverage, zones, targets by time band',
  request: { params: regionParams, query: OccupancyQuery },
  response: OccupancyResponse.pick({ kind: true, total: true, targets: true, unknown_zones: true }).extend({
    zones: z.number().int(),
    zones_over: z.number().int(),
  }),
})
export const getParkingInsightsLegend = endpoint({
  route: `GET ${insightsPath}/legend_values`,
  cost: 'heavy',
  permission: 'signed_in',
  summary: 'Classes of the occupancy of zones: of 20 percent each, and above 100 percent',
  request: { params: regionParams, query: OccupancyQuery },
  response: z.object({
    bins: z.array(z.object({ from: z.number(), to: z.number().nullable(), count: z.number().int() })),
    none: z.number().int(),
    v: z.string(),
  }),
})
/** Kinds of occupancy in a region, with their sources and days. */
const dataTypes = z.object({
  items: z.array(
    z.object({
      kind: OccupancyKind,
      sources: z.array(OccupancySource),
      zones: z.number().int(),
      first_day: LocalDay.nullable(),
      last_day: LocalDay.nullable(),
    }),
  ),
})
export const getOccupancyDataTypes = endpoint({
  route: `GET ${insightsPath}/occupancy/data_types`,
  permission: 'signed_in',
  summary: 'Kinds of occupancy that a region has, with their sources and days',
  request: { params: regionParams },
  response: dataTypes,
})
export const getInsightsDataTypes = endpoint({
  ...getOccupancyDataTypes,
  route: 'GET /regions/{region_id}/insights/occupancy/data_types',
})
