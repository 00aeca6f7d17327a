import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { daysBetween } from '#contract/period.ts'
import { amount, pricing } from '../../test/billing/charge-arbitraries.ts'
import {
  add,
  limitLines,
  roundToCents,
  type Fraction,
  toFraction,
  money,
  type PlainLine,
  priceLines,
  makePricedLines,
  multiply,
} from '../../test/billing/plain-charges.ts'
import { chargeCase } from './charge-case.ts'

const runs = Number(process.env['CHARGE_RUNS'] ?? 15)

const periods = [
  ['America/New_York', '2026-10-30', '2026-11-03'],
  ['Asia/Kolkata', '2028-02-27', '2028-03-01'],
] as const

/** A reported quantity with up to three decimals. */
const quantity = fc.integer({ min: 0, max: 2_000_000 }).map((thousandths) => String(thousandths / 1000))

describe('charges of reported quantities equal plain fractions', () => {
  it('for devices, percentages of revenue and fixed amounts, by revision, with limits of parts and of the invoice', () => {
    const limits = fc
      .record({ minimum: fc.option(amount), maximum: fc.option(amount) })
      .map(({ minimum, maximum }) => ({
        minimum,
        maximum: maximum !== null && Number(maximum) >= Number(minimum ?? 0) ? maximum : null,
      }))
    const tariffs = fc.record({
      period: fc.constantFrom(...periods),
      quantities: fc.record({ devices: quantity, revenue: quantity }),
      pricing,
      isDiscount: fc.boolean(),
      percent: fc.integer({ min: 0, max: 4000 }).map((fortieths) => String(fortieths / 40)),
      above: quantity,
      fee: amount,
      limitsOfParts: fc.tuple(limits, limits, limits),
      limitsOfInvoice: limits,
      starts: fc.integer({ min: -1, max: 6 }),
    })
    fc.assert(
      fc.property(tariffs, (tariffCase) => {
        const { quantities, pricing: terms, isDiscount, percent, above, fee, limitsOfParts } = tariffCase
        const [timezone, first, last] = tariffCase.period
        const days = daysBetween(first, last)
        // The first day on which the amount applies may be after the period.
        const start_date = days[tariffCase.starts] ?? (tariffCase.starts < 0 ? null : '2030-01-01')
        const negateLine = (line: PlainLine): PlainLine => ({
          ...line,
          unit_price: `-${line.unit_price}`,
          amount: `-${line.amount}`,
        })
        // Tiers may have equal prices.
        const soldByPrice = new Map<string, Fraction>()
        for (const [price, sold] of priceLines(toFraction(quantities.devices), terms))
          soldByPrice.set(price, add(soldByPrice.get(price) ?? toFraction('0'), sold))
        const devices = makePricedLines('devices', soldByPrice)
        const base = toFraction(quantities.revenue)
        const amountAbove = add(base, multiply(toFraction(above), [-1n, 1n]))
        const share: PlainLine = {
          unit: 'USD',
          unit_price: null,
          amount: money(
            amountAbove[0] < 0n
              ? 0n
              : roundToCents(multiply(multiply(amountAbove, toFraction(percent)), [1n, 100n])),
          ),
        }
        const isInPeriod = start_date === null || days.includes(start_date)
        const lines = [
          isDiscount ? devices.map(negateLine) : devices,
          [share],
          isInPeriod ? [{ unit: '', unit_price: null, amount: money(roundToCents(toFraction(fee))) }] : [],
        ].flatMap((partLines, index) => {
          const { minimum, maximum } = limitsOfParts[index as 0 | 1 | 2]
          return limitLines(partLines, minimum, maximum)
        })
        const { minimum, maximum } = tariffCase.limitsOfInvoice
        const { lines: actual } = chargeCase(
          {
            timezone,
            currency: 'USD',
            period: { start_date: first, end_date: last },
            tariff: {
              ...tariffCase.limitsOfInvoice,
              parts: [
                { kind: 'quantity', name: 'Devices', quantity: 'devices', is_discount: isDiscount, ...terms },
                { kind: 'revenue', name: 'Revenue', quantity: 'revenue', percent, above },
                { kind: 'fixed', name: 'Permit', amount: fee, start_date },
              ].map((part, index) => ({ ...part, ...limitsOfParts[index as 0 | 1 | 2] })),
            },
            facts: { quantities },
          },
          'case',
        ) as { lines: PlainLine[] }
        const listAmounts = (lines: readonly PlainLine[]): string[] =>
          lines
            .map((line) => line.amount)
            .filter((text) => !/^-?0\.00$/.test(text))
            .toSorted()
        expect(listAmounts(actual)).toEqual(listAmounts(limitLines(lines, minimum, maximum)))
      }),
      { numRuns: runs * 5 },
    )
  })
})
