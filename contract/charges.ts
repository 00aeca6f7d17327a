import { z } from 'zod'
import { BillingCode } from './billing-settings.ts'
import { endpoint } from './endpoint.ts'
import { hasTooManyDecimals, maxAmount, maxAmountDecimals } from './money.ts'
import { nameSchema } from './names.ts'
import { operatorSlug } from './operators.ts'
import { LocalDay } from './period.ts'

/** Kinds of charges that are not part of a policy, in their order on an invoice. */
export const chargeKinds = ['fixed', 'device', 'revenue', 'discount', 'minimum', 'maximum'] as const
export const ChargeKind = z.enum(chargeKinds)
export type ChargeKind = z.infer<typeof ChargeKind>
/** `once`: on the first day; `yearly`: on its anniversaries; `monthly`: prorated by the days in effect. */
export const chargeFrequencies = ['once', 'yearly', 'monthly'] as const
export const ChargeFrequency = z.enum(chargeFrequencies)

const Decimal = z
  .number()
  .min(0)
  .max(maxAmount)
  .refine((value) => !hasTooManyDecimals(value), `has more than ${maxAmountDecimals} decimals`)
/** A percentage with at most 4 decimals. */
const Percent = z
  .number()
  .min(0)
  .max(100)
  .refine((value) => Number(value.toFixed(4)) === value, 'has more than 4 decimals')
export const QuantityName = nameSchema(60)

const fields = {
  name: nameSchema(200),
  /** Null: every operator that receives an invoice. */
  operator: operatorSlug.nullable().default(null),
  kind: ChargeKind,
  /** Local days, both included; null: no end. */
  start_date: LocalDay,
  end_date: LocalDay.nullable().default(null),
  /** For `fixed`, `device`, and discounts by an amount. */
  frequency: ChargeFrequency.default('monthly'),
  /** For `device` the price of one device. Null for percentages. */
  amount: Decimal.nullable().default(null),
  /** For `revenue`, and discounts by a percentage of the fees. */
  percent: Percent.nullable().default(null),
  /** For `revenue`: only the part of a month's revenue above this amount is charged. */
  above: Decimal.default(0),
  /** For `device`: the permitted number of devices; null: the reported number. */
  permitted_quantity: z.number().int().min(0).max(10_000_000).nullable().default(null),
  /** Name under which operators report the quantity, for `revenue` or an open number of devices. */
  quantity: QuantityName.nullable().default(null),
  /** Code of the tax rate; null: the rate of other fees in the billing settings. */
  tax_code: BillingCode.nullable().default(null),
  /** Revenue account in the ledger; null: the account of other fees. */
  account_code: BillingCode.nullable().default(null),
}

type ChargeFaults = readonly { path: keyof typeof fields; message: string }[]

/** Returns why a charge cannot be saved, by field. The form and the API use the same checks. */
export function findChargeFaults(charge: ChargeFields): ChargeFaults {
  const { kind, amount, percent, quantity, permitted_quantity: permitted, start_date, end_date } = charge
  const isShare = kind === 'revenue' || (kind === 'discount' && amount === null)
  const needsQuantity = kind === 'revenue' || (kind === 'device' && permitted === null)
  return [
    ...(end_date !== null && end_date < start_date
      ? [{ path: 'end_date', message: 'The charge ends before it starts' } as const]
      : []),
    ...(!isShare && amount === null ? [{ path: 'amount', message: 'Enter an amount' } as const] : []),
    ...(isShare && percent === null
      ? [
          {
            path: 'percent',
            message: kind === 'discount' ? 'Enter a percentage or an amount' : 'Enter a percentage',
          } as const,
        ]
      : []),
    ...(kind === 'discount' && amount !== null && percent !== null
      ? [{ path: 'percent', message: 'A discount is a percentage or an amount, not both' } as const]
      : []),
    ...(needsQuantity && quantity === null
      ? [{ path: 'quantity', message: 'Enter the name of the quantity that operators report' } as const]
      : []),
  ]
}

const Fields = z.object(fields)
export type ChargeFields = z.output<typeof Fields>
export const ChargeFields = Fields.superRefine((charge, context) => {
  for (const { path, message } of findChargeFaults(charge))
    context.addIssue({ code: 'custom', path: [path], message })
})

export const Charge = Fields.extend({
  charge_id: z.uuid(),
  currency: z.string(),
  /** Last day on an issued invoice; null: never invoiced. Once set, only the end can be changed. */
  invoiced_until: LocalDay.nullable(),
}).meta({ id: 'Charge' })
export type Charge = z.output<typeof Charge>

/** A charge with its reported quantities, stored with an invoice so that it can be recomputed. */
export const AppliedCharge = Charge.omit({ invoiced_until: true }).extend({
  quantities: z.array(z.object({ month: LocalDay, value: z.string(), is_estimate: z.boolean() })),
})
export type AppliedCharge = z.output<typeof AppliedCharge>

/** A quantity that an operator or the city reported for a month. */
export const ReportedQuantity = z
  .object({
    operator: operatorSlug,
    quantity: QuantityName,
    /** First day of the month. */
    month: LocalDay,
    /** Null: not reported yet, although it is charged. */
    value: z.string().nullable(),
    /** Whether the city estimated it. An estimate is settled once the operator reports the quantity. */
    is_estimate: z.boolean(),
    reported_by: z.string().nullable(),
    reported_time: z.iso.datetime().nullable(),
  })
  .meta({ id: 'ReportedQuantity' })
export type ReportedQuantity = z.output<typeof ReportedQuantity>

const Month = LocalDay.refine((day) => day.endsWith('-01'), 'A month is written as its first day')
const Value = z
  .string()
  .trim()
  .regex(/^\d{1,13}(\.\d{1,6})?$/, 'is not a decimal number from 0 on with at most 6 decimals')
export const QuantityEntry = z.object({
  operator: operatorSlug,
  quantity: QuantityName,
  month: Month,
  value: Value,
  is_estimate: z.boolean().default(false),
})
export type QuantityEntry = z.output<typeof QuantityEntry>

const regionParams = z.object({ region_id: z.string() })
const chargesPath = '/regions/{region_id}/charges' as const
const chargeParams = regionParams.extend({ charge_id: z.uuid() })

export const listCharges = endpoint({
  route: `GET ${chargesPath}`,
  permission: 'signed_in',
  summary: 'Charges beside policies on the invoices of a region; not for users of operators',
  request: { params: regionParams },
  response: z.object({ items: z.array(Charge) }),
})
export const createCharge = endpoint({
  route: `POST ${chargesPath}`,
  prefixes: ['/v2'],
  permission: 'draft_invoices',
  summary: 'Add a charge to the invoices of one operator or all, from a day that is not invoiced yet',
  request: { params: regionParams, body: ChargeFields },
  response: Charge,
})
export const changeCharge = endpoint({
  route: `PATCH ${chargesPath}/{charge_id}`,
  permission: 'draft_invoices',
  summary: 'Change a charge; once it is on an issued invoice, only its end',
  request: { params: chargeParams, body: ChargeFields },
  response: Charge,
})
export const deleteCharge = endpoint({
  route: `DELETE ${chargesPath}/{charge_id}`,
  permission: 'draft_invoices',
  summary: 'Delete a charge that is on no issued invoice',
  request: { params: chargeParams },
  response: z.object({ deleted: z.boolean() }),
})

const quantitiesPath = '/regions/{region_id}/reported_quantities' as const
export const maxQuantityRows = 5000

export const listReportedQuantities = endpoint({
  route: `GET ${quantitiesPath}`,
  permission: 'signed_in',
  summary:
    'Quantities that are charged in some months, reported or missing. Users of operators see their own',
  request: { params: regionParams, query: z.object({ start_month: Month, end_month: Month }) },
  response: z.object({ items: z.array(ReportedQuantity) }),
})
export const reportQuantities = endpoint({
  route: `POST ${quantitiesPath}`,
  prefixes: ['/v2'],
  permission: 'signed_in',
  changesOwnData: true,
  summary:
    'Report quantities of months, all or none: for users who draft invoices, and users of operators for months that are not invoiced',
  request: {
    params: regionParams,
    body: z.object({ items: z.array(QuantityEntry).min(1).max(maxQuantityRows) }),
  },
  response: z.object({ items: z.array(ReportedQuantity) }),
})
export const importQuantities = endpoint({
  route: `POST ${quantitiesPath}/import`,
  permission: 'signed_in',
  changesOwnData: true,
  summary:
    'Report quantities by a CSV with the columns operator, quantity, month (2026-03 or 2026-03-01), value',
  request: { params: regionParams, body: z.object({ csv: z.string().max(1_000_000) }) },
  response: z.object({ items: z.array(ReportedQuantity) }),
})
