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
 * Who pays for the curb besides operators: a fleet, or the holder of permits. The id of an account is a slug, under
 * which its invoices, charges and settings are stored as if it were an operator.
 */
export const curbAccountKinds = ['fleet', 'permit_holder'] as const
const accountFields = {
  name: nameSchema(200),
  kind: z.enum(curbAccountKinds).default('fleet'),
  /** Names or ids of data source operators in CDS events whose sessions belong to the account. */
  operator_names: z.array(nameSchema(200)).max(50).default([]),
}
export const CurbAccountFields = z.object({
  ...accountFields,
  /**
   * Plates (followed by a space and their jurisdiction), vehicle ids or permit numbers of sessions. Only
   * hashes with a key of the region are stored. Null: the stored ones remain.
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
    /** Number of vehicles, which are stored as hashes. */
    vehicles: z.number().int(),
  })
  .meta({ id: 'CurbAccount' })
export type CurbAccount = z.output<typeof CurbAccount>

/**
 * Kinds of revenue. `session_fees`: stays in smart zones at the rates of their rules. `permits`: charges of
 * accounts, as on invoices. `meters`: payments received, after refunds. `citations`: as reported.
 */
export const revenueKinds = ['session_fees', 'permits', 'meters', 'citations'] as const
export const RevenueKind = z.enum(revenueKinds)
export type RevenueKind = z.infer<typeof RevenueKind>

/** Revenue by month, zone, policy and payer. Permits have no zone; meters and citations only a zone. */
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

/** Amounts of an account in a period, without taxes: fees of stays, charges, and the invoiced part. */
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

/** Number of stays in a period that are not charged, by reason. */
export const UnchargedStays = z.object({
  /** The vehicle belongs to no account. */
  no_account: z.number().int(),
  /** No rule allowed the stay at any time. */
  no_rule: z.number().int(),
  /** The rules have no rates. */
  no_rate: z.number().int(),
  /** The stay is not over, or its end is unknown. */
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
    /** `amount`: sum of the reported amounts; null: none was reported. */
    citations: z.object({ quantity: z.number().int(), amount: DecimalText.nullable() }),
    reconciliation: z.object({
      accounts: z.array(AccountReconciliation),
      /** `all` is the sum of charged and uncharged stays. */
      stays: z.object({ all: z.number().int(), charged: z.number().int(), uncharged: UnchargedStays }),
      /** Sum of all transactions, and of the rows by zone and month; null: transactions are not available. */
      transactions: z.object({ received: DecimalText, in_rows: DecimalText }).nullable(),
      /** Whether accounts, stays and transactions agree to the cent. */
      is_reconciled: z.boolean(),
    }),
  })
  .meta({ id: 'RevenueTotals' })
export type RevenueTotals = z.infer<typeof RevenueTotals>

/** Maximum number of days per request. */
const maxDays = 2 * 366
/** Returns the schema of a list as a query parameter, separated by commas; empty: all. */
const listParameter = <Item extends z.ZodType>(item: Item) =>
  z
    .preprocess(
      (text) => (typeof text === 'string' ? text.split(',').filter(Boolean) : text),
      z.array(item).max(300),
    )
    .default([])
const period = { start_date: LocalDay, end_date: LocalDay }
const filters = {
  ...period,
  kinds: listParameter(RevenueKind),
  curb_zone_ids: listParameter(CurbId),
  policy_ids: listParameter(CurbId),
  payers: listParameter(operatorSlug),
}
const isValidPeriod = ({ start_date, end_date }: { start_date: LocalDay; end_date: LocalDay }): boolean =>
  start_date <= end_date && dayNumber(end_date) - dayNumber(start_date) < maxDays
const periodError = {
  path: ['end_date'],
  message: 'A period has one day to two years, and ends after it starts',
}
const RevenueFilter = z.object(filters).refine(isValidPeriod, periodError)
export type RevenueFilter = z.output<typeof RevenueFilter>

const regionParams = z.object({ region_id: z.string() })
const revenuePath = '/regions/{region_id}/policies_v2/revenue' as const

export const listCurbRevenue = endpoint({
  route: `GET ${revenuePath}`,
  permission: 'signed_in',
  cost: 'heavy',
  summary: 'Revenue of the curb by month, zone, policy and payer, one page; not for users of operators',
  request: {
    params: regionParams,
    query: z.object({ ...filters, ...pageQuery(50) }).refine(isValidPeriod, periodError),
  },
  response: pageSchema(RevenueRow).extend({ currency: z.string() }),
})
export const getCurbRevenueTotals = endpoint({
  route: `GET ${revenuePath}/totals`,
  permission: 'signed_in',
  cost: 'heavy',
  summary: 'Revenue of the curb by kind, and how it agrees with stays, transactions and invoices',
  request: { params: regionParams, query: RevenueFilter },
  response: RevenueTotals,
})
export const getFullCurbRevenue = endpoint({
  route: `GET ${revenuePath}/full`,
  permission: 'signed_in',
  cost: 'heavy',
  summary: 'All rows of the revenue of the curb, as JSON or CSV',
  medias: ['application/json', 'text/csv'],
  request: {
    params: regionParams,
    // Without a format, the Accept header decides.
    query: z
      .object({ ...filters, format: z.enum(['json', 'csv']).optional() })
      .refine(isValidPeriod, periodError),
  },
  response: z.object({ currency: z.string(), items: z.array(RevenueRow) }),
})

const metricFilter = z.object(filters).refine(isValidPeriod, periodError)
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

const accountsPath = '/regions/{region_id}/curb/accounts' as const
const accountParams = regionParams.extend({ account_id: operatorSlug })
export const listCurbAccounts = endpoint({
  route: `GET ${accountsPath}`,
  permission: 'signed_in',
  summary: 'Fleets and permit holders that pay for the curb; not for users of operators',
  request: { params: regionParams },
  response: z.object({ items: z.array(CurbAccount) }),
})
export const createCurbAccount = endpoint({
  route: `POST ${accountsPath}`,
  prefixes: ['/v2'],
  permission: 'draft_invoices',
  summary: 'Add an account that pays for the curb. Its id must not be that of an operator',
  request: { params: regionParams, body: CurbAccountFields.extend({ account_id: operatorSlug }) },
  response: CurbAccount,
})
export const changeCurbAccount = endpoint({
  route: `PATCH ${accountsPath}/{account_id}`,
  permission: 'draft_invoices',
  summary: 'Change the name of an account and the sessions that it pays for',
  request: { params: accountParams, body: CurbAccountFields },
  response: CurbAccount,
})
export const deleteCurbAccount = endpoint({
  route: `DELETE ${accountsPath}/{account_id}`,
  permission: 'draft_invoices',
  summary: 'Delete an account without invoices and charges',
  request: { params: accountParams },
  response: z.object({ deleted: z.boolean() }),
})
