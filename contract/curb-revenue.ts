import { z } from 'zod'
import { CurbId } from './cds.ts'
import { endpoint } from './endpoint.ts'
import { DecimalText } from './fees.ts'
import { nameSchema } from './names.ts'
import { operatorSlug } from './operators.ts'
import { pageSchema, pageQuery } from './page.ts'
import { dayNumber, LocalDay } from './period.ts'
import { GeometryShape } from './place.ts'

/**
 * Who pays for the curb beside operators: a fleet, or the holder of permits. Its id is a slug like that of an operator, and its invoices,
 * charges and settings are those of an operator with this slug.
 */
export const curbAccountKinds = ['fleet', 'permit_holder'] as const
const accountFields = {
  name: nameSchema(200),
  kind: z.enum(curbAccountKinds).default('fleet'),
  /** Names or ids of data source operators in CDS events: their sessions are those of the account. */
  operator_names: z.array(nameSchema(200)).max(50).default([]),
}
export const CurbAccountFields = z.object({
  ...accountFields,
  /**
   * Plates (with their jurisdiction behind a space), vehicle ids or permit numbers of sessions. They are hashed with a key of the region, and
   * not stored; null: those that are stored stay.
   */
  vehicles: z
    .array(z.object({ kind: z.enum(['plate', 'vehicle', 'permit']), value: nameSchema(60) }))
    .max(5000)
    .nullable()
    .default(null),
})
export type CurbAccountFields = z.output<typeof CurbAccountFields>
export const CurbAccount = z
  .object({
    ...accountFields,
    account_id: operatorSlug,
    /** How many vehicles are known by their hash. */
    vehicles: z.number().int(),
  })
  .meta({ id: 'CurbAccount' })
export type CurbAccount = z.output<typeof CurbAccount>

/**
 * Kinds of revenue. `session_fees`: stays in smart zones by the rates of their rules. `permits`: charges of accounts, as on invoices.
 * `meters`: payments that were received, after refunds. `citations`: as reported.
 */
export const revenueKinds = ['session_fees', 'permits', 'meters', 'citations'] as const
export const RevenueKind = z.enum(revenueKinds)
export type RevenueKind = z.infer<typeof RevenueKind>

/** Revenue of a month, zone, policy and payer. Permits have no zone; meters and citations no policy and payer. */
export const RevenueRow = z
  .object({
    kind: RevenueKind,
    /** First day of the month in which stays, payments and citations begin. */
    month: LocalDay,
    curb_zone_id: z.string().nullable(),
    zone_name: z.string(),
    curb_policy_id: z.string().nullable(),
    policy_name: z.string(),
    payer: z.string().nullable(),
    payer_name: z.string(),
    /** Stays under a rule, charges, payments or citations. */
    quantity: z.number().int(),
    /** Null: no amount was reported. */
    amount: DecimalText.nullable(),
  })
  .meta({ id: 'RevenueRow' })
export type RevenueRow = z.infer<typeof RevenueRow>

const Sum = z.object({ quantity: z.number().int(), amount: DecimalText })

/** The charges of an account in a period: stays, charges by the tariff, and the invoiced part. Without taxes. */
export const AccountReconciliation = z.object({
  payer: z.string(),
  payer_name: z.string(),
  session_fees: DecimalText,
  permits: DecimalText,
  accrued: DecimalText,
  /** Lines of issued invoices that begin in the period, less credit notes. */
  invoiced: DecimalText,
  /** Accrued and not invoiced yet; below 0: more was invoiced than accrued. */
  open: DecimalText,
})
export type AccountReconciliation = z.infer<typeof AccountReconciliation>

/** Stays of a period that cost nothing, by the reason. They are counted, not charged. */
export const UnchargedStays = z.object({
  /** Of no account. */
  no_account: z.number().int(),
  /** No rule allowed the stay at any time of it. */
  no_rule: z.number().int(),
  /** The rules have no rates. */
  no_rate: z.number().int(),
  /** They go on, or their end is unknown. */
  no_end: z.number().int(),
  /** Another source reports the same stay of the same vehicle. */
  reported_twice: z.number().int(),
})

export const RevenueTotals = z
  .object({
    currency: z.string(),
    session_fees: Sum,
    permits: Sum,
    /** Null: transactions are not available. */
    meters: Sum.nullable(),
    /** `amount`: of those with an amount; null: none has one. */
    citations: z.object({ quantity: z.number().int(), amount: DecimalText.nullable() }),
    reconciliation: z.object({
      accounts: z.array(AccountReconciliation),
      /** All stays of the period: those that are charged and those that are not add up to them. */
      stays: z.object({ all: z.number().int(), charged: z.number().int(), uncharged: UnchargedStays }),
      /** Sums of all transactions and of the rows by zone and month. */
      transactions: z.object({ received: DecimalText, in_rows: DecimalText }).nullable(),
      /** Accounts, stays and transactions agree to the cent. */
      is_reconciled: z.boolean(),
    }),
  })
  .meta({ id: 'RevenueTotals' })
export type RevenueTotals = z.infer<typeof RevenueTotals>

/** Longest period of one question, days. */
const maxDays = 2 * 366
/** A list in a query, separated by commas; empty: all. */
const list = <Item extends z.ZodType>(item: Item) =>
  z
    .preprocess(
      (text) => (typeof text === 'string' ? text.split(',').filter(Boolean) : text),
      z.array(item).max(300),
    )
    .default([])
const period = { start_date: LocalDay, end_date: LocalDay }
const filters = {
  ...period,
  kinds: list(RevenueKind),
  curb_zone_ids: list(CurbId),
  policy_ids: list(CurbId),
  payers: list(operatorSlug),
}
const isPeriod = ({ start_date, end_date }: { start_date: LocalDay; end_date: LocalDay }): boolean =>
  start_date <= end_date && dayNumber(end_date) - dayNumber(start_date) < maxDays
const periodFault = {
  path: ['end_date'],
  message: 'A period has one day to two years, and ends after it starts',
}
const RevenueFilter = z.object(filters).refine(isPeriod, periodFault)
export type RevenueFilter = z.output<typeof RevenueFilter>

const regionParams = z.object({ region_id: z.string() })
const revenue = '/regions/{region_id}/policies_v2/revenue' as const

export const listCurbRevenue = endpoint({
  route: `GET ${revenue}`,
  permission: 'signed_in',
  cost: 'heavy',
  summary: 'Revenue of the curb by month, zone, policy and payer, one page; not for users of operators',
  request: {
    params: regionParams,
    query: z.object({ ...filters, ...pageQuery(50) }).refine(isPeriod, periodFault),
  },
  response: pageSchema(RevenueRow).extend({ currency: z.string() }),
})
export const getCurbRevenueTotals = endpoint({
  route: `GET ${revenue}/totals`,
  permission: 'signed_in',
  cost: 'heavy',
  summary: 'Revenue of the curb by kind, and how it agrees with stays, transactions and invoices',
  request: { params: regionParams, query: RevenueFilter },
  response: RevenueTotals,
})
export const getFullCurbRevenue = endpoint({
  route: `GET ${revenue}/full`,
  permission: 'signed_in',
  cost: 'heavy',
  summary: 'All rows of the revenue of the curb, as JSON or CSV',
  medias: ['application/json', 'text/csv'],
  request: {
    params: regionParams,
    // Without a format, the Accept header decides.
    query: z.object({ ...filters, format: z.enum(['json', 'csv']).optional() }).refine(isPeriod, periodFault),
  },
  response: z.object({ currency: z.string(), items: z.array(RevenueRow) }),
})

const metricFilter = z.object(filters).refine(isPeriod, periodFault)
export const getCurbRevenueByTime = endpoint({
  route: 'GET /regions/{region_id}/metrics/by_time',
  permission: 'signed_in',
  cost: 'heavy',
  summary: 'Revenue of the curb by month and kind',
  request: { params: regionParams, query: metricFilter },
  response: z.object({
    currency: z.string(),
    items: z.array(
      z.object({
        month: LocalDay,
        kind: RevenueKind,
        quantity: z.number().int(),
        amount: DecimalText.nullable(),
      }),
    ),
  }),
})
export const getCurbRevenueByShape = endpoint({
  route: 'GET /regions/{region_id}/metrics/by_shape',
  permission: 'signed_in',
  cost: 'heavy',
  summary: 'Revenue of the curb by zone, with the shape of the zone, and kind',
  request: { params: regionParams, query: metricFilter },
  response: z.object({
    currency: z.string(),
    items: z.array(
      z.object({
        shape_uuid: z.string().nullable(),
        curb_zone_id: z.string(),
        zone_name: z.string(),
        geometry: GeometryShape.nullable(),
        kind: RevenueKind,
        quantity: z.number().int(),
        amount: DecimalText.nullable(),
      }),
    ),
  }),
})

const accounts = '/regions/{region_id}/curb/accounts' as const
const accountParams = regionParams.extend({ account_id: operatorSlug })
export const listCurbAccounts = endpoint({
  route: `GET ${accounts}`,
  permission: 'signed_in',
  summary: 'Fleets and permit holders that pay for the curb; not for users of operators',
  request: { params: regionParams },
  response: z.object({ items: z.array(CurbAccount) }),
})
export const createCurbAccount = endpoint({
  route: `POST ${accounts}`,
  prefixes: ['/v2'],
  permission: 'draft_invoices',
  summary: 'Add an account that pays for the curb. Its id must not be that of an operator',
  request: { params: regionParams, body: CurbAccountFields.extend({ account_id: operatorSlug }) },
  response: CurbAccount,
})
export const changeCurbAccount = endpoint({
  route: `PATCH ${accounts}/{account_id}`,
  permission: 'draft_invoices',
  summary: 'Change the name of an account and the sessions that it pays for',
  request: { params: accountParams, body: CurbAccountFields },
  response: CurbAccount,
})
export const deleteCurbAccount = endpoint({
  route: `DELETE ${accounts}/{account_id}`,
  permission: 'draft_invoices',
  summary: 'Delete an account without invoices and charges',
  request: { params: accountParams },
  response: z.object({ deleted: z.boolean() }),
})
