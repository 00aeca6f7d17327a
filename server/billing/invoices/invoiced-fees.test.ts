import { describe, expect, it } from 'vitest'
import type { TaxRate } from '#contract/billing-settings.ts'
import type { InvoiceLine } from '#contract/invoices.ts'
import { createRandom } from '../../../test/city/random.ts'
import { Rational } from '../rational.ts'
import { type IssuedDocument, splitAmount, sumInvoiced } from './invoiced-fees.ts'
import { formatAmount, computeCreditTotals, computeTotals, sumMinor } from './taxes.ts'

const runs = Number(process.env['INVOICED_RUNS'] ?? 200)
const currency = 'USD'

const line = (overrides: Partial<InvoiceLine>): InvoiceLine => ({
  line: 1,
  kind: 'fee',
  policy_uuid: null,
  constant_policy_uuid: null,
  policy_name: 'Permit',
  policy_type: null,
  description: '',
  start_date: '2026-01-01',
  end_date: '2026-01-31',
  quantity: '1',
  unit: '',
  unit_price: null,
  amount: '0.00',
  days_without_data: [],
  tax_code: null,
  is_estimate: false,
  original: null,
  charged_before: null,
  ...overrides,
})

describe('an amount that is split by weights', () => {
  it('assigns what is left after rounding to the largest remainders', () => {
    expect(splitAmount(761n, [7750n, -100n, 2500n])).toEqual([581n, -7n, 187n])
    expect(splitAmount(100n, [1n, 1n, 1n])).toEqual([34n, 33n, 33n])
    expect(splitAmount(5n, [10n, -10n])).toEqual([5n, 0n])
    expect(splitAmount(-100n, [-1n, -1n, -1n])).toEqual([-33n, -33n, -34n])
  })

  it('adds up, and each part is within one unit of its exact share', () => {
    const random = createRandom(11)
    for (let run = 0; run < runs; run++) {
      const weights = Array.from({ length: 1 + Math.floor(random() * 6) }, () =>
        BigInt(Math.round((random() - 0.2) * 100_000)),
      )
      const amount = BigInt(Math.round((random() - 0.3) * 1_000_000))
      const parts = splitAmount(amount, weights)
      const sum = sumMinor(weights)
      expect(sumMinor(parts)).toBe(amount)
      const errors = parts.map((part, index) =>
        sum === 0n
          ? 0
          : new Rational(part)
              .minus(new Rational(amount * (weights[index] ?? 0n), sum))
              .compare(new Rational(1n)),
      )
      expect(errors.every((error) => error <= 0)).toBe(true)
    }
  })
})

const rates: TaxRate[] = [
  { code: 'A', name: 'Added', rate: '7.5', is_inclusive: false, exemption_text: '' },
  { code: 'B', name: 'Contained', rate: '19', is_inclusive: true, exemption_text: '' },
]

interface Book {
  documents: IssuedDocument[]
  paid: Map<string, bigint>
  totals: Map<string, bigint>
}

/** Returns random invoices with adjustments and some credit notes, paid in part, in full or too much. */
function makeRandomBook(random: () => number): Book {
  const book: Book = { documents: [], paid: new Map(), totals: new Map() }
  const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)] as T
  const addTaxes = (lines: readonly InvoiceLine[]) =>
    lines.map((line) => ({ tax_code: line.tax_code, amount: Rational.of(line.amount).rounded(2) }))
  for (let at = 0; at < 1 + random() * 6; at++) {
    const lines = Array.from({ length: 1 + Math.floor(random() * 7) }, (_, index) =>
      line({
        line: index + 1,
        policy_name: pick(['Trips', 'Parking', 'Permit']),
        start_date: pick(['2026-01-01', '2026-01-14', '2026-02-01']),
        tax_code: pick(['A', 'B', null]),
        amount: formatAmount(BigInt(Math.round((random() - 0.15) * 1_000_000)), currency),
      }),
    )
    const totals = computeTotals(addTaxes(lines), rates, currency)
    const id = `invoice ${at}`
    const operator = pick(['lark', 'heron'])
    const document = { operator, currency, original_id: null, invoice_id: id, lines, taxes: totals.taxes }
    book.documents.push(document)
    let total = totals.total
    if (random() < 0.5) {
      const credited = lines
        .filter(() => random() < 0.6)
        .map((line) => ({ ...line, amount: formatAmount(-Rational.of(line.amount).rounded(2), currency) }))
      const credit = computeCreditTotals(
        addTaxes(credited),
        { lines: addTaxes(lines), taxes: totals.taxes, creditNotes: [] },
        currency,
      )
      total += credit.total
      book.documents.push({
        ...document,
        invoice_id: `note ${at}`,
        original_id: id,
        lines: credited,
        taxes: credit.taxes,
      })
    }
    book.totals.set(id, total)
    if (total > 0n) book.paid.set(id, (total * BigInt(Math.round(random() * 120))) / 100n)
  }
  return book
}

describe('the amounts invoiced and paid by policy', () => {
  it('the amounts invoiced and paid by policy add up exactly to invoices less credit notes, and to payments', () => {
    const random = createRandom(12)
    for (let run = 0; run < runs; run++) {
      const { documents, paid, totals } = makeRandomBook(random)
      const sums = sumInvoiced(documents, (id) => paid.get(id) ?? 0n)
      for (const operator of ['lark', 'heron']) {
        const operatorSums = sums.filter((sum) => sum.operator === operator)
        const invoices = documents.filter(
          (document) => document.operator === operator && document.original_id === null,
        )
        const addAmounts = (amounts: ReadonlyMap<string, bigint>): bigint =>
          sumMinor(invoices.map(({ invoice_id: id }) => amounts.get(id) ?? 0n))
        expect(sumMinor(operatorSums.map(({ invoiced }) => invoiced))).toBe(addAmounts(totals))
        expect(sumMinor(operatorSums.map((sum) => sum.paid))).toBe(addAmounts(paid))
      }
    }
  })

  it('invoiced amounts equal the sum of the lines without taxes; a paid invoice has no open amount', () => {
    const random = createRandom(13)
    for (let run = 0; run < runs; run++) {
      const { documents } = makeRandomBook(random)
      const plain = documents
        .filter((document) => document.original_id === null)
        .map((document) => ({ ...document, taxes: [] }))
      const addLines = (lines: readonly InvoiceLine[]): bigint =>
        sumMinor(lines.map(({ amount }) => Rational.of(amount).rounded(2)))
      const getPaidAmount = (id: string): bigint => {
        const total = addLines(plain.find((invoice) => invoice.invoice_id === id)?.lines ?? [])
        return total > 0n ? total : 0n
      }
      const paidInvoices = plain.filter((invoice) => addLines(invoice.lines) > 0n)
      for (const { invoiced, paid } of sumInvoiced(paidInvoices, getPaidAmount)) expect(paid).toBe(invoiced)
      for (const sum of sumInvoiced(plain, () => 0n)) {
        const lines = plain
          .filter(({ operator }) => operator === sum.operator)
          .flatMap((invoice) => invoice.lines)
          .filter(
            (line) =>
              line.policy_name === sum.policy_name && line.start_date.slice(0, 7) === sum.month.slice(0, 7),
          )
        expect(sum.invoiced).toBe(addLines(lines))
      }
    }
  })

  it('the amounts invoiced and paid by policy include overpayments in the largest policy, also for an invoice that was credited in full', () => {
    const lines = [line({ amount: '10.00' }), line({ line: 2, policy_name: 'Trips', amount: '30.00' })]
    const invoice = { operator: 'lark', currency, original_id: null, invoice_id: 'a', lines, taxes: [] }
    const note = {
      ...invoice,
      invoice_id: 'n',
      original_id: 'a',
      lines: lines.map((line) => ({ ...line, amount: `-${line.amount}` })),
    }
    const summarize = (documents: IssuedDocument[], paid: bigint) =>
      sumInvoiced(documents, () => paid).map((sum) => [sum.policy_name, sum.invoiced, sum.paid])
    expect(summarize([invoice], 4500n)).toEqual([
      ['Permit', 1000n, 1000n],
      ['Trips', 3000n, 3500n],
    ])
    expect(summarize([invoice, note], 4500n)).toEqual([
      ['Permit', 0n, 0n],
      ['Trips', 0n, 4500n],
    ])
  })
})
