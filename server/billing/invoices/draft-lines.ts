import type { BillingSettings } from '#contract/billing-settings.ts'
import type { FeeLine, Fees } from '#contract/fees.ts'
import type { InvoiceLine } from '#contract/invoices.ts'
import { localDay, startOfMonth } from '#contract/period.ts'
import type { Region } from '#contract/regions.ts'
import { Problem } from '#server/http/problem.ts'
import type { Scope } from '#server/stores/scope.ts'
import { findAppliedCharges } from '../charges/read-charges.ts'
import { readFees, addCharges } from '../charges/fees-with-charges.ts'
import type { FeeQuestion, FeeSource } from '../fee-source.ts'
import {
  computeChargedBefore,
  type EarlierDocuments,
  type EarlierInvoice,
  listEarlierDocuments,
  toRevisionKey,
} from './earlier-invoices.ts'
import { toMinorLines } from './invoice-store.ts'
import { formatAmount, computeTotals, type InvoiceTotals, sumMinor, toMinorUnits } from './taxes.ts'
import type { Store } from '#server/stores/state.ts'

export interface DraftLines extends InvoiceTotals {
  lines: InvoiceLine[]
  method_version: number
  /** When its fees were derived; null if some days are still being derived. */
  as_of: Date | null
}

interface LineContext {
  store: Store
  fees: FeeSource
  scope: Scope
  region: Region
  settings: BillingSettings
}

/** Finds the tax code of a fee: that of its charge if the rate still exists, otherwise by policy type. */
function findTaxCode(
  { tax_codes: codes, tax_rates: rates }: BillingSettings,
  { tax_code: chargeTaxCode, policy_type: type }: Pick<FeeLine, 'tax_code' | 'policy_type'>,
): string | null {
  if (chargeTaxCode && rates.some(({ code }) => code === chargeTaxCode)) return chargeTaxCode
  return codes[type ?? ''] ?? codes['default'] ?? null
}

/** Converts fees to invoice lines. Lines with days without data are estimates once they are confirmed. */
export const toInvoiceLines = (fees: Fees, settings: BillingSettings, isConfirmed: boolean): InvoiceLine[] =>
  fees.lines.map((fee, index) => ({
    ...fee,
    line: index + 1,
    kind: 'fee',
    tax_code: findTaxCode(settings, fee),
    is_estimate: isConfirmed && fee.days_without_data.length > 0,
    original: null,
    charged_before: null,
  }))

/**
 * Returns the amount with which current fees are compared to compute an adjustment. A credit may have
 * corrected the same error as new facts do. Fees that fell are therefore compared with what is left after
 * credits, so that they are not reduced twice; fees that rose with all that was charged, so that a credit is
 * not charged again. Fees in between need no adjustment: they are compared with themselves.
 * @param due The current fees.
 */
export function getComparedAmount(due: bigint, { charged, left }: { charged: bigint; left: bigint }): bigint {
  const lower = left < charged ? left : charged
  const higher = left < charged ? charged : left
  if (due < lower) return lower
  return due > higher ? higher : due
}

/**
 * Finds the current amount to compare each adjustment line with; null for other lines. It differs from
 * `charged_before` if another invoice or a credit note changed the same fees in the meantime.
 */
export async function findChargedBefore(
  store: Store,
  question: FeeQuestion,
  lines: readonly InvoiceLine[],
  currency: string,
): Promise<(string | null)[]> {
  if (!lines.some(({ kind }) => kind === 'adjustment')) return lines.map(() => null)
  const issued = await listEarlierDocuments(store, question, currency)
  return lines.map((line) => {
    const invoice = issued.invoices.find((candidate) => candidate.invoice_id === line.original?.invoice_id)
    if (line.kind !== 'adjustment' || !invoice) return null
    const due = sumMinor(
      [line.amount, line.charged_before ?? '0'].map((text) => toMinorUnits(text, currency) ?? 0n),
    )
    return formatAmount(
      getComparedAmount(due, computeChargedBefore(invoice, toRevisionKey(line), issued, currency)),
      currency,
    )
  })
}

/** Fees of a revision that differ from what an earlier invoice charged for it. */
interface Difference {
  invoice: EarlierInvoice
  /** Any line of the revision. */
  sample: FeeLine
  /** Current fees minus `charged`, in minor units. */
  amount: bigint
  charged: bigint
  settlesEstimate: boolean
}

/** Finds the differences of an earlier invoice, one for each revision. */
function findDifferences(
  invoice: EarlierInvoice,
  currentLines: readonly FeeLine[],
  issued: EarlierDocuments,
  currency: string,
): Difference[] {
  const invoicedFees = invoice.lines.filter(({ kind }) => kind === 'fee')
  const samples = new Map<string, FeeLine>()
  for (const line of [...invoicedFees, ...currentLines]) samples.set(toRevisionKey(line), line)
  return [...samples].flatMap(([revision, sample]): Difference[] => {
    const currentAmounts = currentLines
      .filter((line) => toRevisionKey(line) === revision)
      .map((line) => toMinorUnits(line.amount, currency) ?? 0n)
    const due = sumMinor(currentAmounts)
    const charged = getComparedAmount(due, computeChargedBefore(invoice, revision, issued, currency))
    if (due === charged) return []
    const settlesEstimate = invoicedFees.some((line) => toRevisionKey(line) === revision && line.is_estimate)
    return [{ invoice, sample, amount: due - charged, charged, settlesEstimate }]
  })
}

/** Returns the line that charges or credits a difference. The caller numbers it. */
const toAdjustmentLine = (
  { invoice, sample, amount, charged, settlesEstimate }: Difference,
  settings: BillingSettings,
  currency: string,
): InvoiceLine => ({
  policy_uuid: sample.policy_uuid,
  constant_policy_uuid: sample.constant_policy_uuid,
  charge_id: sample.charge_id ?? null,
  ...(sample.account_code ? { account_code: sample.account_code } : {}),
  policy_name: sample.policy_name,
  policy_type: sample.policy_type,
  description:
    (sample.policy_uuid ?? sample.charge_id)
      ? `Adjustment of invoice ${invoice.number}${settlesEstimate ? ', settles an estimate' : ''}`
      : sample.description,
  start_date: invoice.start_date,
  end_date: invoice.end_date,
  quantity: '1',
  unit: 'adjustment',
  unit_price: null,
  amount: formatAmount(amount, currency),
  days_without_data: [],
  line: 0,
  kind: 'adjustment',
  tax_code: findTaxCode(settings, sample),
  is_estimate: false,
  original: { invoice_id: invoice.invoice_id, number: invoice.number, line: null },
  charged_before: formatAmount(charged, currency),
})

/** Returns a line for each revision with current fees that differ from what an earlier invoice charged. */
async function makeAdjustmentLines(
  { store, fees, scope, region, settings }: LineContext,
  question: FeeQuestion,
): Promise<{ lines: InvoiceLine[]; areAllDaysDerived: boolean }> {
  const currency = region.currencyCode
  const months = settings.adjustment_months
  if (months === 0) return { lines: [], areAllDaysDerived: true }
  const firstDay = startOfMonth(localDay(new Date(question.now), region.timezone), months)
  const issued = await listEarlierDocuments(store, question, currency)
  const comparedInvoices = issued.invoices.filter((invoice) => invoice.end_date >= firstDay)
  const earlierFees = await fees.computeEarlierFees(
    scope,
    question,
    comparedInvoices.map(({ invoice_id, start_date, end_date }) => ({
      invoiceId: invoice_id,
      period: { start_date, end_date },
    })),
  )
  const lines: InvoiceLine[] = []
  for (const [index, invoice] of comparedInvoices.entries()) {
    const policyFees = earlierFees[index]
    if (policyFees?.currency !== currency) continue
    const period = { start_date: invoice.start_date, end_date: invoice.end_date }
    const { regionId, operator } = question
    const charges = await findAppliedCharges(store, { regionId, operator, currency, period, isDraft: true })
    const currentFees = addCharges({ ...policyFees, ...period }, charges)
    const differences = findDifferences(invoice, currentFees.lines, issued, currency)
    lines.push(...differences.map((difference) => toAdjustmentLine(difference, settings, currency)))
  }
  return { lines, areAllDaysDerived: earlierFees.every(({ as_of: asOf }) => asOf !== null) }
}

/** Computes lines of a draft. @param isConfirmed Whether amounts of days without data were confirmed. */
export async function computeLines(
  context: LineContext,
  question: FeeQuestion,
  isConfirmed: boolean,
): Promise<DraftLines> {
  const { region, settings } = context
  const { fees: periodFees } = await readFees(context, question)
  const currency = region.currencyCode
  if (periodFees.currency !== currency)
    throw new Problem('conflict', `The fees are in ${periodFees.currency}, but the region has ${currency}.`, [
      { path: 'currency', message: `The fees are in ${periodFees.currency}.` },
    ])
  const adjustments = await makeAdjustmentLines(context, question)
  const lines = [...toInvoiceLines(periodFees, settings, isConfirmed), ...adjustments.lines].map(
    (line, index) => ({ ...line, line: index + 1 }),
  )
  return {
    lines,
    ...computeTotals(toMinorLines(lines, currency), settings.tax_rates, currency),
    method_version: periodFees.method_version,
    as_of: periodFees.as_of !== null && adjustments.areAllDaysDerived ? new Date(periodFees.as_of) : null,
  }
}
