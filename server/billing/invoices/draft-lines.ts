import type { BillingSettings } from '#contract/billing-settings.ts'
import type { FeeLine, Fees } from '#contract/fees.ts'
import type { InvoiceLine } from '#contract/invoices.ts'
import { localDay, startOfMonth } from '#contract/period.ts'
import type { Region } from '#contract/regions.ts'
import { Problem } from '#server/http/problem.ts'
import type { Scope } from '#server/stores/scope.ts'
import { readFees } from '../charges/fees-with-charges.ts'
import type { FeeQuestion, FeeSource } from '../fee-source.ts'
import { findBalances, type InvoiceRow, type InvoiceStore, linesOf, minorLines } from './invoice-store.ts'
import { amountText, computeTotals, type InvoiceTotals, sumMinor, toMinorUnits } from './taxes.ts'

/** Lines of a draft, computed. */
export interface DraftLines extends InvoiceTotals {
  lines: InvoiceLine[]
  method_version: number
  as_of: Date | null
}

interface LineContext {
  store: InvoiceStore
  fees: FeeSource
  scope: Scope
  region: Region
  settings: BillingSettings
}

/** What adjustments compare: fees of one revision of a policy, or of one charge that is not from a policy. */
const revisionOf = ({
  policy_uuid: policy,
  charge_id: charge,
  description,
}: Pick<FeeLine, 'policy_uuid' | 'charge_id' | 'description'>): string =>
  policy ?? charge ?? `charge ${description}`

const taxCodeOf = ({ tax_codes: codes }: BillingSettings, policyType: string | null): string | null =>
  codes[policyType ?? ''] ?? codes['default'] ?? null

/** Fees as lines of an invoice. Days without data are estimates once somebody confirmed them. */
export const feeLines = (fees: Fees, settings: BillingSettings, isConfirmed: boolean): InvoiceLine[] =>
  fees.lines.map((fee, at) => ({
    ...fee,
    line: at + 1,
    kind: 'fee',
    tax_code: taxCodeOf(settings, fee.policy_type),
    is_estimate: isConfirmed && fee.days_without_data.length > 0,
    original: null,
    charged_before: null,
  }))

/** An issued invoice with its lines. */
type EarlierInvoice = Pick<InvoiceRow, 'invoice_id' | 'start_date' | 'end_date'> & {
  number: string
  lines: InvoiceLine[]
}

/** Issued invoices of an operator that were not credited in full, oldest first. */
async function listEarlier(
  store: InvoiceStore,
  { regionId, operator }: FeeQuestion,
  currency: string,
): Promise<EarlierInvoice[]> {
  const rows = await store
    .selectFrom('invoice')
    .select(['invoice_id', 'start_date', 'end_date', 'number', 'total', 'lines'])
    .where('region_id', '=', regionId)
    .where('operator', '=', operator)
    .where('kind', '=', 'invoice')
    .where('status', '=', 'issued')
    .where('currency', '=', currency)
    .orderBy('start_date')
    .orderBy('invoice_id')
    .execute()
  const balances = await findBalances(store, regionId)
  return rows.flatMap(({ number, total, ...row }) => {
    const credited = balances.get(row.invoice_id)?.credited ?? 0n
    const isReplaced = credited > 0n && credited >= BigInt(total)
    return number === null || isReplaced ? [] : [{ ...row, number, lines: linesOf(row) }]
  })
}

/** What was charged for a revision of an invoice, by the invoice and by adjustments of later ones. */
function chargedBefore(
  invoice: EarlierInvoice,
  revision: string,
  issued: readonly EarlierInvoice[],
  currency: string,
): bigint {
  const lines = issued.flatMap((each) =>
    each.lines.filter(
      (line) =>
        revisionOf(line) === revision &&
        (line.kind === 'fee'
          ? each.invoice_id === invoice.invoice_id
          : line.original?.invoice_id === invoice.invoice_id),
    ),
  )
  return sumMinor(minorLines(lines, currency).map(({ amount }) => amount))
}

/** What was charged before each adjustment line, as it is now: another invoice may have adjusted the same. */
export async function findChargedBefore(
  store: InvoiceStore,
  question: FeeQuestion,
  lines: readonly InvoiceLine[],
  currency: string,
): Promise<(string | null)[]> {
  if (!lines.some(({ kind }) => kind === 'adjustment')) return lines.map(() => null)
  const issued = await listEarlier(store, question, currency)
  return lines.map((line) => {
    const invoice = issued.find((each) => each.invoice_id === line.original?.invoice_id)
    return line.kind === 'adjustment' && invoice
      ? amountText(chargedBefore(invoice, revisionOf(line), issued, currency), currency)
      : null
  })
}

/** One line for each revision of which the fees of an earlier invoice are not what was charged. */
async function adjustmentLines(
  { store, fees, scope, region, settings }: LineContext,
  question: FeeQuestion,
): Promise<{ lines: InvoiceLine[]; isPrepared: boolean }> {
  const currency = region.currencyCode
  const months = settings.adjustment_months
  if (months === 0) return { lines: [], isPrepared: true }
  const since = startOfMonth(localDay(new Date(question.now), region.timezone), months)
  const issued = await listEarlier(store, question, currency)
  const lines: InvoiceLine[] = []
  let isPrepared = true
  for (const invoice of issued.filter((each) => each.end_date >= since)) {
    const { start_date, end_date, number } = invoice
    const { fees: now } = await readFees(store, fees, scope, {
      ...question,
      period: { start_date, end_date },
    })
    isPrepared &&= now.as_of !== null
    if (now.currency !== currency) continue
    const before = invoice.lines.filter(({ kind }) => kind === 'fee')
    const samples = new Map<string, FeeLine>()
    for (const line of [...before, ...now.lines]) samples.set(revisionOf(line), line)
    for (const [revision, sample] of samples) {
      const charged = chargedBefore(invoice, revision, issued, currency)
      const due = now.lines.filter((line) => revisionOf(line) === revision)
      const amount = sumMinor(due.map((line) => toMinorUnits(line.amount, currency) ?? 0n)) - charged
      if (amount === 0n) continue
      const settles = before.some((line) => revisionOf(line) === revision && line.is_estimate)
      lines.push({
        policy_uuid: sample.policy_uuid,
        constant_policy_uuid: sample.constant_policy_uuid,
        charge_id: sample.charge_id ?? null,
        policy_name: sample.policy_name,
        policy_type: sample.policy_type,
        description:
          (sample.policy_uuid ?? sample.charge_id)
            ? `Adjustment of invoice ${number}${settles ? ', settles an estimate' : ''}`
            : sample.description,
        start_date,
        end_date,
        quantity: '1',
        unit: 'adjustment',
        unit_price: null,
        amount: amountText(amount, currency),
        days_without_data: [],
        line: 0,
        kind: 'adjustment',
        tax_code: taxCodeOf(settings, sample.policy_type),
        is_estimate: false,
        original: { invoice_id: invoice.invoice_id, number, line: null },
        charged_before: amountText(charged, currency),
      })
    }
  }
  return { lines, isPrepared }
}

/** Computes the lines of a draft: fees of its period, and what changed in earlier invoices of the operator. */
export async function computeLines(
  context: LineContext,
  question: FeeQuestion,
  isConfirmed: boolean,
): Promise<DraftLines> {
  const { store, fees, scope, region, settings } = context
  const { fees: found } = await readFees(store, fees, scope, question)
  const currency = region.currencyCode
  if (found.currency !== currency)
    throw new Problem('conflict', `The fees are in ${found.currency}, but the region has ${currency}.`, [
      { path: 'currency', message: `The fees are in ${found.currency}.` },
    ])
  const adjustments = await adjustmentLines(context, question)
  const lines = [...feeLines(found, settings, isConfirmed), ...adjustments.lines].map((line, at) => ({
    ...line,
    line: at + 1,
  }))
  return {
    lines,
    ...computeTotals(minorLines(lines, currency), settings.tax_rates, currency),
    method_version: found.method_version,
    as_of: found.as_of !== null && adjustments.isPrepared ? new Date(found.as_of) : null,
  }
}
