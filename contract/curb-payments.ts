import { z } from 'zod'
import { CurbId } from './cds.ts'
import { checkCurbQuestion } from './curb-sessions.ts'
import { endpoint } from './endpoint.ts'
import { orderQuery, pageSchema, pageQuery } from './page.ts'
import { fullDay, hourQuery, HourRange, LocalDay, Weekday, WeekdayList } from './period.ts'
import { GeometryShape } from './place.ts'

/**
 * Kinds of payments. `zero`: the amount is 0. `no_time`: the vendor says that no time was bought, such as `zero time`.
 * Only `counted` and `refund` are revenue. Only `counted` payments with known times belong to sessions.
 */
export const paymentKinds = ['counted', 'refund', 'declined', 'cancelled', 'zero', 'no_time', 'test'] as const
export const PaymentKind = z.enum(paymentKinds)
export type PaymentKind = z.infer<typeof PaymentKind>

/** Kinds of payments that count as revenue. */
export const revenuePaymentKinds = ['counted', 'refund'] as const satisfies readonly PaymentKind[]

/** What a vendor's `location_id` identifies. Vendors of a region share the ids of a kind. */
export const paymentLocationKinds = ['meter', 'pole', 'kiosk', 'zone'] as const
export const PaymentLocationKind = z.enum(paymentLocationKinds)
export type PaymentLocationKind = z.infer<typeof PaymentLocationKind>

/** Meanings of columns of a payment file. */
export const paymentColumns = [
  'row_id',
  'location',
  'location_name',
  'lat',
  'lon',
  'spaces',
  'paid_time',
  'paid_clock',
  'start_time',
  'end_time',
  'duration',
  'remaining',
  'amount',
  'payment_type',
  'status',
  'event_type',
  'plate',
  'session_key',
  'rate',
] as const
export const PaymentColumn = z.enum(paymentColumns)
export type PaymentColumn = z.infer<typeof PaymentColumn>

/** Columns with classified values, such as a status `Declined`. */
export const classifiedPaymentColumns = ['status', 'payment_type', 'event_type'] as const
/** Meanings of classified values; `start` and `extension` distinguish first purchases from extensions. */
export const paymentMeanings = [
  'refund',
  'declined',
  'cancelled',
  'no_time',
  'test',
  'start',
  'extension',
] as const

/** The meaning of each column of a payment file, saved for the vendor. */
export const PaymentMapping = z
  .object({
    columns: z.partialRecord(PaymentColumn, z.string()),
    place_kind: PaymentLocationKind.default('meter'),
    /** `major`: dollars, `minor`: cents. */
    amount_unit: z.enum(['major', 'minor']).default('major'),
    duration_unit: z.enum(['second', 'minute', 'hour']).default('minute'),
    date_order: z.enum(['ymd', 'mdy', 'dmy']).default('ymd'),
    /** `12`: times lack AM or PM. A row counts only if its end and duration determine the half of the day. */
    clock: z.enum(['24', '12']).default('24'),
    /** Whether offsets such as `+00` after local times are wrong and therefore ignored. */
    ignores_offsets: z.boolean().default(false),
    /** Duration of an extension: `own` is the time that it buys; `cumulative` includes the time bought before. */
    extensions: z.enum(['own', 'cumulative']).default('own'),
    /** What a row means that equals an earlier one in all columns, if rows have no ids. */
    repeated_rows: z.enum(['duplicate', 'payment']).default('duplicate'),
    /** Meanings of the values of classified columns. */
    words: z
      .array(
        z.object({
          column: z.enum(classifiedPaymentColumns),
          value: z.string().max(500),
          meaning: z.enum(paymentMeanings),
        }),
      )
      .max(300)
      .default([]),
  })
  .meta({ id: 'PaymentMapping' })
export type PaymentMapping = z.infer<typeof PaymentMapping>

const regionParams = z.object({ region_id: z.string() })
const insightsPath = '/regions/{region_id}/curb_parking_insights'

/** One payment. Times are UTC. */
export const Transaction = z
  .object({
    transaction_id: z.string(),
    vendor: z.string(),
    kind: PaymentKind,
    paid_time: z.iso.datetime(),
    start_time: z.iso.datetime().nullable(),
    end_time: z.iso.datetime().nullable(),
    /** Time bought by this payment alone, without earlier payments; null: unknown. */
    purchased_seconds: z.number().int().nullable(),
    location_id: z.string(),
    location_name: z.string(),
    curb_zone_id: z.string(),
    payment_type: z.string(),
    /** Minor units of the currency. */
    amount: z.number().int(),
    /** Minor units for an hour; null: unknown. */
    rate: z.number().int().nullable(),
    /** Shared by the payments of one stay; '' if the payment is not part of a session. */
    session_id: z.string(),
  })
  .meta({ id: 'Transaction' })
export type Transaction = z.infer<typeof Transaction>

/** Returns the schema of a list parameter: values separated by commas; `\` escapes commas and backslashes. */
const listParameter = (max: number) =>
  z
    .string()
    .max(20_000)
    .default('')
    .transform((text) => splitList(text))
    .pipe(z.array(z.string().max(500)).max(max))

/** Splits a list parameter into its values; the inverse of `joinList`. */
export function splitList(text: string): string[] {
  const values: string[] = []
  let value = ''
  let isEscaped = false
  for (const character of text) {
    if (isEscaped || (character !== '\\' && character !== ',')) {
      value += character
      isEscaped = false
    } else if (character === '\\') isEscaped = true
    else {
      values.push(value)
      value = ''
    }
  }
  return text === '' ? [] : [...values, value]
}
/** Joins values with commas. Commas and backslashes within values are escaped. */
export const joinList = (values: readonly string[]): string =>
  values.map((value) => value.replace(/[\\,]/g, '\\$&')).join(',')

const OptionalMinorUnits = z.coerce.number().int().optional()
const OptionalMinutes = z.coerce.number().min(0).max(100_000).optional()

/** Filters of payments, by the local day and time of the payment. */
const transactionFilter = {
  start_date: LocalDay,
  end_date: LocalDay,
  ...hourQuery,
  days: WeekdayList,
  kinds: listParameter(paymentKinds.length).pipe(z.array(PaymentKind)),
  payment_types: listParameter(100),
  vendors: listParameter(100),
  zones: listParameter(2000),
  locations: listParameter(2000),
  /** Minor units for an hour. */
  min_rate: OptionalMinorUnits,
  max_rate: OptionalMinorUnits,
  min_minutes: OptionalMinutes,
  max_minutes: OptionalMinutes,
  /** Minor units. */
  min_amount: OptionalMinorUnits,
  max_amount: OptionalMinorUnits,
}
const TransactionFilter = z.object(transactionFilter)
export type TransactionFilter = z.output<typeof TransactionFilter>

export const transactionOrders = [
  'paid_time',
  'amount',
  'duration',
  'location',
  'vendor',
  'payment_type',
] as const

export const listTransactions = endpoint({
  route: `GET ${insightsPath}/transactions`,
  cost: 'heavy',
  permission: 'signed_in',
  summary: 'Payments of parking, 50 a page; counted payments and refunds unless `kinds` says otherwise',
  request: {
    params: regionParams,
    query: TransactionFilter.extend({ ...pageQuery(50), ...orderQuery(transactionOrders, '-paid_time') }),
  },
  response: pageSchema(Transaction),
})
export const TransactionStatistics = z
  .object({
    payments: z.number().int(),
    /** Amounts received, in minor units. */
    received: z.number().int(),
    /** Amounts paid back, 0 or less, in minor units. */
    refunded: z.number().int(),
    /** received + refunded. */
    revenue: z.number().int(),
    sessions: z.number().int(),
    purchased_seconds: z.number().int(),
    kinds: z.array(z.object({ kind: PaymentKind, rows: z.number().int(), amount: z.number().int() })),
    /** Number of payments at locations without a curb zone. */
    unlinked: z.number().int(),
    /** Days of the period with changes that are not in the sums yet. */
    pending_days: z.number().int(),
  })
  .meta({ id: 'TransactionStatistics' })
export type TransactionStatistics = z.infer<typeof TransactionStatistics>

export const getTransactionStatistics = endpoint({
  route: `GET ${insightsPath}/transactions/statistics`,
  cost: 'heavy',
  permission: 'signed_in',
  summary: 'Totals of the payments that a filter selects',
  request: { params: regionParams, query: TransactionFilter },
  response: TransactionStatistics,
})
export const PaymentLocation = z
  .object({
    location_id: z.string(),
    kind: PaymentLocationKind,
    name: z.string(),
    lon: z.number().nullable(),
    lat: z.number().nullable(),
    spaces: z.number().int().nullable(),
    curb_zone_id: z.string().nullable(),
    /** Whether a user linked it; imports do not change such links. */
    is_linked_by_hand: z.boolean(),
  })
  .meta({ id: 'PaymentLocation' })
export type PaymentLocation = z.infer<typeof PaymentLocation>

// Paths and operation names are from the specification: its shapes are payment locations, its operators vendors.
export const lookUpTransactionShapes = endpoint({
  route: `GET ${insightsPath}/transactions/shape_lookup`,
  cost: 'heavy',
  permission: 'signed_in',
  summary: 'Locations of the payments that a filter selects, with their curb zones and sums',
  request: { params: regionParams, query: TransactionFilter },
  response: z.object({
    locations: z.array(PaymentLocation.extend({ payments: z.number().int(), revenue: z.number().int() })),
  }),
})
export const downloadTransactions = endpoint({
  route: `GET ${insightsPath}/transactions.csv`,
  cost: 'heavy',
  permission: 'signed_in',
  summary: 'All payments that a filter selects as CSV, by time',
  request: { params: regionParams, query: TransactionFilter },
  response: { media: 'text/csv' },
})
export const linkPaymentLocation = endpoint({
  route: 'PATCH /regions/{region_id}/curb/payments/locations/{location_id}',
  permission: 'edit_curb_regulations',
  summary: 'Link a location of payments to a curb zone, or to none; its payments follow in the background',
  request: {
    params: regionParams.extend({ location_id: z.string().max(300) }),
    body: z.object({ curb_zone_id: CurbId.nullable() }),
  },
  response: PaymentLocation,
})

/** Units and definitions of the measures for API users; the web app has its own definitions, translated. */
export const paymentMeasures = {
  revenue: {
    unit: 'minor_units',
    definition: 'Money received after refunds, in minor units of the currency',
  },
  received: { unit: 'minor_units', definition: 'Money received before refunds' },
  refunded: { unit: 'minor_units', definition: 'Money paid back, 0 or less' },
  payments: { unit: 'payments', definition: 'Counted payments; extensions are payments of their own' },
  sessions: {
    unit: 'sessions',
    definition: 'Paid sessions that begin in the period; payments that continue each other are one session',
  },
  purchased_hours: { unit: 'hours', definition: 'Time that the payments bought' },
  revenue_per_session: { unit: 'minor_units', definition: 'Revenue per paid session' },
  revenue_per_space_hour: {
    unit: 'minor_units',
    definition:
      'Revenue at zones with payment locations and known capacity, per space and hour in which rules require payment, in minor units',
  },
} as const
export type PaymentMeasure = keyof typeof paymentMeasures
export const paymentMeasureKeys = Object.keys(paymentMeasures) as [PaymentMeasure, ...PaymentMeasure[]]

export const paymentDimensions = [
  'day',
  'week',
  'month',
  'hour_of_day',
  'day_of_week',
  'zone',
  'location',
  'payment_type',
  'vendor',
] as const
export type PaymentDimension = (typeof paymentDimensions)[number]

/** When an amount counts: when it was paid, or when the paid parking began. */
export const paymentBases = ['paid', 'parked'] as const
export const PaymentBasis = z.enum(paymentBases)
export type PaymentBasis = z.infer<typeof PaymentBasis>

const TextList = z.array(z.string().max(500)).max(100).default([])

export const PaymentQuestion = z
  .object({
    measures: z.array(z.enum(paymentMeasureKeys)).min(1).max(paymentMeasureKeys.length),
    dimensions: z.array(z.enum(paymentDimensions)).max(2).default([]),
    basis: PaymentBasis.default('paid'),
    start_date: LocalDay,
    end_date: LocalDay,
    compare_start_date: LocalDay.nullable().default(null),
    compare_end_date: LocalDay.nullable().default(null),
    days: z.array(Weekday).max(7).default([]),
    hour_filters: HourRange.default([...fullDay]),
    payment_types: TextList,
    vendors: TextList,
    zones: z.array(CurbId).max(2000).default([]),
  })
  .superRefine(checkCurbQuestion)
export type PaymentQuestion = z.output<typeof PaymentQuestion>

const PaymentPeriod = z.object({
  start_date: LocalDay,
  end_date: LocalDay,
  /** Values in the order of the requested measures; null is unknown. */
  rows: z.array(z.object({ keys: z.array(z.string()), values: z.array(z.number().nullable()) })),
  totals: z.array(z.number().nullable()),
})
export const PaymentResponse = z
  .object({
    period: PaymentPeriod,
    comparison: PaymentPeriod.nullable(),
    basis: PaymentBasis,
    /** Time of the newest stored payment. */
    newest_payment: z.iso.datetime().nullable(),
    /** Revenue of the period at locations without a curb zone, in minor units. */
    unlinked_revenue: z.number().int(),
    pending_days: z.number().int(),
  })
  .meta({ id: 'PaymentResponse' })
export type PaymentResponse = z.output<typeof PaymentResponse>

export const getAggregatedCounts = endpoint({
  route: `POST ${insightsPath}/aggregated_counts`,
  cost: 'heavy',
  permission: 'signed_in',
  reads: true,
  summary: 'Revenue, payments and paid sessions by time, zone, location, payment type and vendor',
  request: { params: regionParams, body: PaymentQuestion },
  response: PaymentResponse,
})
export const listPaymentLocationLayers = endpoint({
  route: `GET ${insightsPath}/location_layers`,
  permission: 'signed_in',
  summary: 'Where payments are made: locations, and the curb zones that they are linked to',
  request: { params: regionParams },
  response: z.object({
    locations: z.array(PaymentLocation),
    zones: z.array(z.object({ curb_zone_id: z.string(), name: z.string(), geometry: GeometryShape })),
  }),
})
/** Days with payments; null: there are none. */
const DateRange = z.object({ start_date: LocalDay.nullable(), end_date: LocalDay.nullable() })
const regionInsightsPath = '/regions/{region_id}/insights'
export const getTransactionDateRange = endpoint({
  route: `GET ${regionInsightsPath}/transactions/date_range`,
  permission: 'signed_in',
  summary: 'The first and the last local day with payments',
  request: { params: regionParams },
  response: DateRange,
})
export const getInsightsDateRange = endpoint({
  route: `GET ${regionInsightsPath}/date_range`,
  permission: 'signed_in',
  summary: 'The first and the last local day with data of parking',
  request: { params: regionParams },
  response: DateRange,
})
export const listPaymentOperators = endpoint({
  route: `GET ${regionInsightsPath}/operators`,
  permission: 'signed_in',
  summary: 'Vendors and payment types with payments, by name',
  request: { params: regionParams },
  response: z.object({ vendors: z.array(z.string()), payment_types: z.array(z.string()) }),
})
export const listInsightsDownloads = endpoint({
  route: `GET ${regionInsightsPath}/download_urls`,
  permission: 'signed_in',
  summary: 'Addresses of the CSV files of parking insights for a period',
  request: { params: regionParams, query: z.object({ start_date: LocalDay, end_date: LocalDay }) },
  response: z.object({ urls: z.array(z.object({ name: z.string(), url: z.string() })) }),
})
