import { BillingSettings, PayerSettings } from '#contract/billing-settings.ts'

/** Billing settings of the demo city. */
export const demoBilling: BillingSettings = BillingSettings.parse({
  seller: {
    name: 'City of Port Meridian, Department of Transportation',
    address: '1 Harbor Square\nPort Meridian',
    tax_id: '00-0000000',
    email: 'finance@portmeridian.example',
  },
  payment_terms_days: 30,
  remittance_text:
    'Pay by bank transfer to City of Port Meridian, account 000 123 456, and state the invoice number.',
  invoice_number_format: 'PM-{year}-{seq:4}',
  credit_note_number_format: 'PM-{year}-C{seq:3}',
  account_codes: {
    revenue: { default: '4100', parking_fees: '4120', trip_fees: '4130' },
    receivable: '1200',
    payment: '1010',
  },
})

const makePayer = (name: string, domain: string, address: string, order: string): PayerSettings =>
  PayerSettings.parse({
    legal_name: name,
    address,
    contact: 'Accounts payable',
    recipients: [`billing@${domain}.example`],
    purchase_order: order,
  })

/** Payers by operator. */
export const demoPayers: Readonly<Record<string, PayerSettings>> = {
  zephyr: makePayer('Zephyr Mobility Inc.', 'zephyr', '400 Ferry Street\nPort Meridian', 'ZM-2210'),
  ternbikes: makePayer('Tern Bikes LLC', 'ternbikes', '12 Dockside Lane\nPort Meridian', ''),
  hopkite: makePayer('Hopkite Inc.', 'hopkite', '88 Market Street\nPort Meridian', 'HK-0077'),
  sandpiper: makePayer('Sandpiper Rides Co-op', 'sandpiper', '5 Boardwalk\nPort Meridian', ''),
  portcycle: makePayer('Port Cycle Public Bikes', 'portcycle', '1 Harbor Square\nPort Meridian', ''),
}

/** What happens to an invoice of the demo after it is issued. `days` counts from the day of issue. */
export interface InvoiceOutcome {
  /** `balance`: the open amount after disputes and credits. */
  payment?: { days: number; amount: 'balance' | 'half' }
  /** Disputes `percent` of the line with the highest parking fee, or of the highest line if there is none. */
  dispute?: {
    days: number
    percent: number
    reason: string
    /** `month` is the month of the invoice, YYYY-MM. */
    file?: { name: string; text: (month: string) => string }
    reply: string
    decision?: { decision: 'accepted' | 'declined'; text: string }
  }
  /** Credited in full and replaced by a new one. */
  replaced?: { days: number; reason: string }
}

/** Outcomes that differ from plain payment, by operator and number of months ago. */
const specialOutcomes: Readonly<Record<string, InvoiceOutcome>> = {
  'zephyr 1': { payment: { days: 14, amount: 'half' } },
  'zephyr 2': {
    payment: { days: 24, amount: 'balance' },
    dispute: {
      days: 9,
      percent: 18,
      reason:
        'Our records show fewer hours in Midtown: vehicles that our crew collected for repair were charged until the evening.',
      file: {
        name: 'collected-vehicles.csv',
        text: (month) =>
          `vehicle,collected,returned\nZ-1042,${month}-04 09:10,${month}-06 08:00\nZ-0877,${month}-11 10:25,${month}-12 07:30\n`,
      },
      reply: 'Thank you. We are comparing the list with the events in your feed.',
    },
  },
  'ternbikes 3': {},
  'sandpiper 1': {},
  'hopkite 4': {
    payment: { days: 40, amount: 'balance' },
    dispute: {
      days: 6,
      percent: 12,
      reason: 'Bicycles at the festival were parked in a corral that the city had assigned.',
      reply: 'The corral is within the district. We are checking the festival permit.',
      decision: { decision: 'accepted', text: 'The permit names the corral. These hours are credited.' },
    },
  },
  'sandpiper 6': {
    payment: { days: 34, amount: 'balance' },
    replaced: { days: 8, reason: 'Issued without the purchase order. Replaced by a new invoice.' },
  },
  'ternbikes 8': {
    payment: { days: 38, amount: 'balance' },
    dispute: {
      days: 11,
      percent: 30,
      reason: 'We count fewer parking events than the invoice.',
      reply: 'Please send the vehicle IDs so that we can compare individual events.',
      decision: {
        decision: 'declined',
        text: 'The events in the feed support the invoice. No list of vehicles was sent.',
      },
    },
  },
}

/** Returns the outcome of an operator's invoice for the month `monthsAgo` months before the current one. */
export function getInvoiceOutcome(operator: string, monthsAgo: number): InvoiceOutcome {
  const special = specialOutcomes[`${operator} ${monthsAgo}`]
  if (special) return special
  // Between 11 and 27 days after the issue, spread by operator and month, so that the newest invoices are
  // still open.
  return { payment: { days: 11 + ((operator.length * 5 + monthsAgo * 7) % 17), amount: 'balance' } }
}
