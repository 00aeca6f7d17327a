import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { DecimalText } from './fees.ts'
import { Language } from './identity.ts'
import { nameSchema, optionalNameSchema } from './names.ts'
import { operatorSlug } from './operators.ts'

/** Maximum bytes of the logo on invoices, which is PNG or JPEG. */
export const maxLogoBytes = 200 * 1024

/** Returns the schema of multi-line text that may be empty. */
const textLines = (max: number) => z.string().trim().max(max).default('')
/** Code of a tax rate or of an account in the ledger. */
export const BillingCode = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,19}$/, 'Letters, digits, dots, dashes; at most 20')

/** A tax rate. Taxes are computed once per rate, on the sum of its lines. */
export const TaxRate = z
  .object({
    code: BillingCode,
    name: nameSchema(80),
    /** Percent. */
    rate: DecimalText.refine(
      (text) => Number(text) >= 0 && Number(text) <= 100,
      'A rate is 0 to 100 percent',
    ),
    /** Whether fees include the tax; otherwise it is added to them. */
    is_inclusive: z.boolean().default(false),
    /** Printed on invoices, such as the reason for an exemption or reverse charge. */
    exemption_text: textLines(500),
  })
  .meta({ id: 'TaxRate' })
export type TaxRate = z.infer<typeof TaxRate>

/** A number is made of `{region}`, `{year}`, `{month}` and `{seq}`; `{seq:5}` has at least five digits. */
const NumberFormat = z
  .string()
  .trim()
  .max(60)
  .regex(
    /^(?:[A-Za-z0-9/._-]|\{region\}|\{year\}|\{month\}|\{seq(?::[1-9])?\})+$/,
    'Only letters, digits, / . _ - and {region}, {year}, {month}, {seq}',
  )
  .regex(/^[^{]*(?:\{(?!seq)[^{]*)*\{seq[^{]*(?:\{(?!seq)[^{]*)*$/, 'The number needs {seq} once')

/** Codes by policy type, such as `trip_fees`; `default` is for all others. */
const codesByPolicyType = z.record(z.string().max(60), BillingCode).default({})

export const BillingSettings = z
  .object({
    seller: z
      .object({
        name: optionalNameSchema(200).default(''),
        address: textLines(500),
        tax_id: optionalNameSchema(60).default(''),
        email: z.union([z.literal(''), z.email()]).default(''),
      })
      .prefault({}),
    tax_rates: z.array(TaxRate).max(20).default([]),
    /** Tax rates by policy type. Without one, no tax is shown. */
    tax_codes: codesByPolicyType,
    /** Language of the PDFs of invoices that are issued from now on. */
    document_language: Language.default('en-US'),
    payment_terms_days: z.number().int().min(0).max(365).default(30),
    remittance_text: textLines(1000),
    invoice_number_format: NumberFormat.default('{region}-{year}-{seq}'),
    credit_note_number_format: NumberFormat.default('{region}-{year}-CN{seq}'),
    /** Whether an invoice must be approved by someone other than the person who prepared it. */
    needs_second_person: z.boolean().default(false),
    account_codes: z
      .object({
        /** Revenue, by policy type. */
        revenue: codesByPolicyType,
        tax: BillingCode.nullable().default(null),
        receivable: BillingCode.nullable().default(null),
        payment: BillingCode.nullable().default(null),
      })
      .prefault({}),
    /** Number of past months with invoices that are compared with the current fees; 0: none. */
    adjustment_months: z.number().int().min(0).max(60).default(12),
    /** Years for which issued invoices are stored, regardless of the retention of trips. */
    retention_years: z.number().int().min(1).max(100).default(10),
  })
  .superRefine(({ tax_rates, tax_codes, invoice_number_format, credit_note_number_format }, context) => {
    const codes = tax_rates.map(({ code }) => code)
    for (const [index, code] of codes.entries())
      if (codes.indexOf(code) !== index)
        context.addIssue({
          code: 'custom',
          path: ['tax_rates', index, 'code'],
          message: 'The code is used twice',
        })
    for (const [type, code] of Object.entries(tax_codes))
      if (!codes.includes(code))
        context.addIssue({
          code: 'custom',
          path: ['tax_codes', type],
          message: `There is no tax rate '${code}'`,
        })
    if (invoice_number_format === credit_note_number_format)
      context.addIssue({
        code: 'custom',
        path: ['credit_note_number_format'],
        message: 'Credit notes need a different format than invoices',
      })
  })
  .meta({ id: 'BillingSettings' })
export type BillingSettings = z.output<typeof BillingSettings>

/** Maximum number of recipients of an email, and of copies. */
export const maxMailAddresses = 20

/** How an operator appears on its invoices, and who receives them. */
export const PayerSettings = z
  .object({
    /** Empty: the name of the operator. */
    legal_name: optionalNameSchema(200).default(''),
    address: textLines(500),
    tax_id: optionalNameSchema(60).default(''),
    contact: optionalNameSchema(200).default(''),
    recipients: z.array(z.email()).max(maxMailAddresses).default([]),
    cc: z.array(z.email()).max(maxMailAddresses).default([]),
    /** Language of the PDFs; null: the language of the region's billing settings. */
    document_language: Language.nullable().default(null),
    /** Purchase order number of new drafts. */
    purchase_order: optionalNameSchema(80).default(''),
  })
  .meta({ id: 'PayerSettings' })
export type PayerSettings = z.output<typeof PayerSettings>

const regionParams = z.object({ region_id: z.string() })
const payerParams = regionParams.extend({ operator: operatorSlug })
const settingsPath = '/regions/{region_id}/billing_settings' as const
const payerPath = `${settingsPath}/payers/{operator}` as const
const response = BillingSettings.and(z.object({ has_logo: z.boolean() }))

export const getBillingSettings = endpoint({
  route: `GET ${settingsPath}`,
  permission: 'signed_in',
  summary: 'Settings of the invoices of a region; not for users of operators',
  request: { params: regionParams },
  response,
})
export const saveBillingSettings = endpoint({
  route: `PATCH ${settingsPath}`,
  permission: 'is_admin',
  summary: 'Save the settings of the invoices of a region; fields that are left out get their defaults',
  request: { params: regionParams, body: BillingSettings },
  response,
})
export const getBillingLogo = endpoint({
  route: `GET ${settingsPath}/logo`,
  permission: 'signed_in',
  summary: 'The logo on invoices of a region',
  medias: ['image/jpeg'],
  request: { params: regionParams },
  response: { media: 'image/png' },
})
export const saveBillingLogo = endpoint({
  route: `POST ${settingsPath}/logo`,
  prefixes: ['/v2'],
  permission: 'is_admin',
  summary: 'Save the logo on invoices: PNG or JPEG, at most 200 kB',
  request: { params: regionParams, body: { media: 'application/octet-stream' } },
  response: z.object({ has_logo: z.boolean() }),
})
export const deleteBillingLogo = endpoint({
  route: `DELETE ${settingsPath}/logo`,
  permission: 'is_admin',
  summary: 'Delete the logo on invoices',
  request: { params: regionParams },
  response: z.object({ has_logo: z.boolean() }),
})
export const getPayerSettings = endpoint({
  route: `GET ${payerPath}`,
  permission: 'signed_in',
  summary: 'Settings of the invoices of an operator; not for users of operators',
  request: { params: payerParams },
  response: PayerSettings,
})
export const savePayerSettings = endpoint({
  route: `PATCH ${payerPath}`,
  permission: 'draft_invoices',
  summary: 'Save the settings of the invoices of an operator; fields that are left out get their defaults',
  request: { params: payerParams, body: PayerSettings },
  response: PayerSettings,
})
