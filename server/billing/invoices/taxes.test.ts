import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { TaxRate } from '#contract/billing-settings.ts'
import { formatAmount, computeCreditTotals, computeTotals, groupDigits, toMinorUnits } from './taxes.ts'

const makeRate = (overrides: Partial<TaxRate> = {}): TaxRate => ({
  code: 'A',
  name: 'Sales tax',
  rate: '7.5',
  is_inclusive: false,
  exemption_text: '',
  ...overrides,
})
const makeLines = (...amounts: bigint[]) => amounts.map((amount) => ({ amount, tax_code: 'A' }))

describe('amounts', () => {
  it.each([
    ['12.34', 'USD', 1234n],
    ['12.3400', 'USD', 1234n],
    ['-0.01', 'USD', -1n],
    ['12', 'JPY', 12n],
    ['1.005', 'KWD', 1005n],
    ['12.345', 'USD', null],
    ['0.5', 'JPY', null],
  ])('%s %s is %s minor units', (text, currency, minor) => expect(toMinorUnits(text, currency)).toBe(minor))
  it('amounts have the decimals of the currency', () => {
    expect([formatAmount(5n, 'USD'), formatAmount(-12n, 'JPY'), formatAmount(1005n, 'KWD')]).toEqual([
      '0.05',
      '-12',
      '1.005',
    ])
    expect([groupDigits('1234567.891'), groupDigits('-1234'), groupDigits('999.99')]).toEqual([
      '1,234,567.891',
      '-1,234',
      '999.99',
    ])
  })
})

describe('taxes', () => {
  it('taxes are rounded once per rate and not per line, halves away from zero', () => {
    // The tax on 3 × 0.20 at 7.5% is 0.045, rounded to 0.05. Rounded by line it would be 3 × 0.02.
    expect(computeTotals(makeLines(20n, 20n, 20n), [makeRate()], 'USD')).toMatchObject({
      net: 60n,
      tax: 5n,
      total: 65n,
    })
    expect(computeTotals(makeLines(-20n, -20n, -20n), [makeRate()], 'USD').tax).toBe(-5n)
  })
  it('taxes are added to prices, or contained in them', () => {
    expect(computeTotals(makeLines(10_000n), [makeRate({ rate: '19' })], 'EUR')).toMatchObject({
      tax: 1900n,
      total: 11_900n,
    })
    expect(computeTotals(makeLines(11_900n), [makeRate({ rate: '19', is_inclusive: true })], 'EUR')).toEqual({
      taxes: [{ ...makeRate({ rate: '19', is_inclusive: true }), net: '100.00', tax: '19.00' }],
      net: 10_000n,
      tax: 1900n,
      total: 11_900n,
    })
  })
  it('lines without a rate have no taxes, and exempt rates have taxes of 0', () => {
    const mixed = [{ amount: 500n, tax_code: null }, ...makeLines(1000n)]
    const exempt = makeRate({ rate: '0', exemption_text: 'Reverse charge' })
    expect(computeTotals(mixed, [exempt, makeRate({ code: 'B' })], 'USD')).toEqual({
      taxes: [{ ...exempt, net: '10.00', tax: '0.00' }],
      net: 1500n,
      tax: 0n,
      total: 1500n,
    })
  })
})

describe('credits', () => {
  it('in parts of any size add up to the invoice, and never exceed it on the way', () => {
    const amount = fc.bigInt({ min: 1n, max: 50_000n })
    fc.assert(
      fc.property(
        fc.array(amount, { minLength: 1, maxLength: 6 }),
        fc.boolean(),
        fc.constantFrom('7.5', '19', '0', '33.33'),
        (amounts, is_inclusive, percent) => {
          const invoiced = makeLines(...amounts)
          const invoice = computeTotals(invoiced, [makeRate({ rate: percent, is_inclusive })], 'USD')
          const creditNotes: {
            lines: ReturnType<typeof makeLines>
            taxes: typeof invoice.taxes
            total: bigint
          }[] = []
          for (const amount of amounts) {
            const credit = makeLines(-amount)
            const totals = computeCreditTotals(
              credit,
              { lines: invoiced, taxes: invoice.taxes, creditNotes },
              'USD',
            )
            creditNotes.push({ lines: credit, taxes: totals.taxes, total: totals.total })
            const left = creditNotes.reduce((sum, note) => sum + note.total, invoice.total)
            expect(left >= 0n).toBe(true)
          }
          expect(creditNotes.reduce((sum, note) => sum + note.total, invoice.total)).toBe(0n)
        },
      ),
    )
  })
})
