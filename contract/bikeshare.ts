import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { LocalDay } from './period.ts'

/** Maximum number of local days of one station report. */
export const maxStationDays = 366

/** Default parameters of the report (decision 037). */
export const stationDefaults = {
  window_from: '06:00',
  window_until: '22:00',
  /** Minutes for which a station may be continuously empty or full. */
  tolerance: 10,
} as const

/** Minutes after a poll for which the state of a station is known. */
export const knownMinutes = 10

export type StationColumnUnit = 'minutes' | 'share' | 'vehicles' | 'docks' | 'trips' | 'runs' | 'money'

const column = (unit: StationColumnUnit | null, description: string) => ({ unit, description })

/** The columns of the report, in the order of its CSV file. */
export const stationColumns = {
  operator: column(null, 'Slug of the operator'),
  feed_id: column(null, 'Id of the GBFS feed: one system of the operator'),
  station_id: column(null, 'Id of the station in the feed'),
  station: column(null, 'Name of the station'),
  capacity: column('docks', 'Docks of the station, as the feed described it at the end of the period'),
  window_minutes: column('minutes', 'Time of the window in the days of the period, until now'),
  known_minutes: column('minutes', 'Time within 10 minutes after a poll of the feed that had the station'),
  unknown_minutes: column('minutes', 'Time of the window that is not known'),
  installed_minutes: column('minutes', 'Known time in which the station was installed'),
  renting_minutes: column('minutes', 'Known time in which the station was installed and rented vehicles'),
  returning_minutes: column(
    'minutes',
    'Known time in which the station was installed and took vehicles back',
  ),
  empty_minutes: column('minutes', 'Known time without an available vehicle while renting'),
  full_minutes: column(
    'minutes',
    'Known time without an available dock while taking vehicles back; empty where the feed does not say',
  ),
  longest_empty_minutes: column('minutes', 'Longest time without a break in which it was empty'),
  longest_full_minutes: column('minutes', 'Longest time without a break in which it was full'),
  empty_or_full_share: column('share', 'Share of known time in which it was empty or full'),
  runs_beyond_tolerance: column(
    'runs',
    'Number of times it was empty or full longer than the tolerance without a break',
  ),
  minutes_beyond_tolerance: column('minutes', 'Minutes by which these periods exceed the tolerance'),
  penalty: column('money', 'Minutes beyond the tolerance by the price per minute, rounded once per station'),
  vehicles_disabled_mean: column('vehicles', 'Mean number of disabled vehicles over known time'),
  starts: column(
    'trips',
    'Trips of the operator that start within 50 m, or vehicles that left between two polls',
  ),
  ends: column(
    'trips',
    'Trips of the operator that end within 50 m, or vehicles that arrived between two polls',
  ),
  net_flow: column('trips', 'Ends less starts'),
  turnover_per_dock: column('trips', 'Half of starts and ends, per dock and day'),
  last_report_age_minutes: column(
    'minutes',
    'Time from the last report of the station to the end of the last window, or until now',
  ),
  coverage: column('share', 'Known time as a share of the window'),
} as const satisfies Record<string, { unit: StationColumnUnit | null; description: string }>
export type StationColumn = keyof typeof stationColumns
export const stationColumnNames = Object.keys(stationColumns) as StationColumn[]

const Clock = z.string().regex(/^(([01]\d|2[0-3]):[0-5]\d|24:00)$/, 'A time of day is written HH:MM')
/** An exact decimal amount as text, because binary floating-point numbers are not exact. */
const Price = z.string().regex(/^\d{1,9}(\.\d{1,6})?$/, 'A price is a decimal number, such as 1.00')

const regionParams = z.object({ region_id: z.string() })

/** The terms by which stations are evaluated. */
export const stationTerms = {
  /** The evaluated part of each local day. */
  window_from: Clock.default(stationDefaults.window_from),
  window_until: Clock.default(stationDefaults.window_until),
  tolerance: z.coerce.number().int().min(0).max(1440).default(stationDefaults.tolerance),
}
const question = {
  start_date: LocalDay,
  end_date: LocalDay,
  /** Separated by commas. */
  operators: z.string().max(2000).optional(),
  ...stationTerms,
  /** In the currency of the region. If omitted, no penalties are computed. */
  price_per_minute: Price.optional(),
}

/** Figures of one station and of the totals. */
const figures = {
  window_minutes: z.number(),
  known_minutes: z.number(),
  unknown_minutes: z.number(),
  installed_minutes: z.number(),
  renting_minutes: z.number(),
  returning_minutes: z.number(),
  empty_minutes: z.number(),
  full_minutes: z.number().nullable(),
  longest_empty_minutes: z.number(),
  longest_full_minutes: z.number().nullable(),
  empty_or_full_share: z.number().nullable(),
  runs_beyond_tolerance: z.number().int(),
  minutes_beyond_tolerance: z.number(),
  /** Decimal number. */
  penalty: z.string().nullable(),
  vehicles_disabled_mean: z.number().nullable(),
  starts: z.number().int(),
  ends: z.number().int(),
  net_flow: z.number().int(),
  turnover_per_dock: z.number().nullable(),
  coverage: z.number(),
}

/** Figures of a station in a period. Null: unknown. */
export const StationRow = z
  .object({
    operator: z.string(),
    feed_id: z.string(),
    station_id: z.string(),
    station: z.string(),
    lon: z.number().nullable(),
    lat: z.number().nullable(),
    capacity: z.number().int().nullable(),
    ...figures,
    last_report_age_minutes: z.number().nullable(),
  })
  .meta({ id: 'StationRow' })
export type StationRow = z.infer<typeof StationRow>

/** Whether starts and ends are counted from trips, or from vehicles that left or arrived between polls. */
const FlowSource = z.enum(['trips', 'counts'])

export const StationReport = z
  .object({
    start_date: LocalDay,
    end_date: LocalDay,
    parameters: z.object({
      timezone: z.string(),
      window_from: z.string(),
      window_until: z.string(),
      tolerance: z.number().int(),
      price_per_minute: z.string().nullable(),
      currency: z.string(),
      known_minutes: z.number().int(),
    }),
    systems: z.array(z.object({ operator: z.string(), feed_id: z.string(), flow_source: FlowSource })),
    stations: z.array(StationRow),
    /** Sums over all stations; `longest_*` are maxima. */
    totals: z.object({ stations: z.number().int(), capacity: z.number().int().nullable(), ...figures }),
    /** Sums over all stations by day, for the days of the period that have begun. */
    days: z.array(
      z.object({
        date: LocalDay,
        known_minutes: z.number(),
        empty_minutes: z.number(),
        full_minutes: z.number(),
        /** Null: nothing is known. */
        empty_share: z.number().nullable(),
        full_share: z.number().nullable(),
      }),
    ),
    /** Time of the newest poll of these systems; null: none. */
    newest_poll: z.iso.datetime().nullable(),
  })
  .meta({ id: 'StationReport' })
export type StationReport = z.output<typeof StationReport>

export const getBikeshare = endpoint({
  route: 'GET /regions/{region_id}/reports/bikeshare',
  permission: 'signed_in',
  summary: 'The bikeshare station report: its systems, columns and default parameters',
  request: { params: regionParams },
  response: z.object({
    systems: z.array(
      z.object({
        operator: z.string(),
        feed_id: z.string(),
        stations: z.number().int(),
        first_time: z.iso.datetime(),
        last_time: z.iso.datetime(),
      }),
    ),
    columns: z.array(z.object({ name: z.string(), unit: z.string().nullable(), description: z.string() })),
    parameters: z.object({
      window_from: z.string(),
      window_until: z.string(),
      tolerance: z.number().int(),
      known_minutes: z.number().int(),
      currency: z.string(),
    }),
    formats: z.array(z.enum(['csv', 'json'])),
  }),
})

export const getBikeshareDownloadUrl = endpoint({
  route: 'GET /regions/{region_id}/reports/bikeshare/download_url',
  permission: 'signed_in',
  summary:
    'Address of the bikeshare station report as a file; it is called with the same credentials as this call',
  request: {
    params: regionParams,
    query: z.object({ ...question, format: z.enum(['csv', 'json']).default('csv') }),
  },
  response: z.object({ url: z.string(), file_name: z.string() }),
})

export const getBikeshareStations = endpoint({
  route: 'GET /regions/{region_id}/reports/bikeshare/stations',
  cost: 'heavy',
  permission: 'signed_in',
  medias: ['application/json', 'text/csv'],
  summary:
    'How long each station was empty, full, out of service and unknown within a window of the local days of a period, with starts, ends and penalties; JSON unless `format` is csv',
  request: {
    params: regionParams,
    query: z.object({ ...question, format: z.enum(['csv', 'json']).default('json') }),
  },
  response: StationReport,
})
