import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { type AppliedCharge, ChargeFields } from '#contract/charges.ts'
import type { FeeLine } from '#contract/fees.ts'
import { dayFromNumber, dayNumber } from '#contract/period.ts'
import { Rational, sumRationals } from '../rational.ts'
import { makeChargeLines } from './charge-lines.ts'

const charge = (
  overrides: object,
  quantities: AppliedCharge['quantities'] = [],
  name = 'Charge',
): AppliedCharge => ({
  ...ChargeFields.parse({ name, start_date: '2026-01-01', ...overrides }),
  charge_id: '00000000-0000-4000-8000-000000000001',
  currency: 'USD',
  quantities,
})
const makeFee = (amount: string): FeeLine => ({
  policy_uuid: '00000000-0000-4000-8000-000000000002',
  constant_policy_uuid: null,
  policy_name: 'Trips',
  policy_type: 'trip_fees',
  description: 'Trips',
  start_date: '2026-03-01',
  end_date: '2026-03-31',
  quantity: '1',
  unit: 'trips',
  unit_price: amount,
  amount,
  days_without_data: [],
})
const march = { start_date: '2026-03-01', end_date: '2026-03-31' }
const makeLines = (charges: AppliedCharge[], fees: FeeLine[] = [], period = march, currency = 'USD') =>
  makeChargeLines(fees, charges, { currency, period })
const listLines = (...args: Parameters<typeof makeLines>) =>
  makeLines(...args).map(({ description, quantity, unit, unit_price, amount }) =>
    [description, quantity, unit, unit_price, amount].join(' '),
  )
const month = (value: string, is_estimate = false, day = '2026-03-01') => ({ month: day, value, is_estimate })

describe('charges of published schedules', () => {
  it.each([
    ['JUMP', 36_613, 1000, '116713.32'],
    ['Lime', 54_920, 1000, '135020.32'],
    ['Spin', 54_920, 2000, '210020.32'],
    ['Scoot', 54_920, 1500, '172520.32'],
  ])('San Francisco, %s', (_name, program, devices, total) => {
    const once = { frequency: 'once', start_date: '2026-03-15' }
    const lines = makeLines([
      charge({ ...once, kind: 'fixed', amount: 5100.32 }),
      charge({ ...once, kind: 'fixed', amount: program }),
      charge({ ...once, kind: 'device', amount: 75, permitted_quantity: devices }),
    ])
    expect(sumRationals(lines.map(({ amount }) => Rational.of(amount))).text(2)).toBe(total)
    expect(new Set(lines.map(({ start_date: day }) => day))).toEqual(new Set(['2026-03-15']))
  })
  it('New York: a percentage of revenue above a limit', () =>
    expect(
      listLines([
        charge(
          { kind: 'revenue', percent: 5, above: 30_000_000, quantity: 'riders' },
          [month('34200000')],
          'Riders',
        ),
      ]),
    ).toEqual(['Riders 4200000 USD 0.05 210000.00']))
})

describe('a charge is due', () => {
  const countDays = (overrides: object, period: typeof march) =>
    makeLines([charge({ kind: 'fixed', amount: 10, ...overrides })], [], period).map(
      ({ start_date: day }) => day,
    )
  it('once, on its first day', () => {
    expect(countDays({ frequency: 'once', start_date: '2026-03-31' }, march)).toEqual(['2026-03-31'])
    expect(countDays({ frequency: 'once', start_date: '2026-02-28' }, march)).toEqual([])
  })
  it('yearly, on its anniversaries until it ends', () => {
    const years = { start_date: '2024-02-01', end_date: '2028-12-31' }
    expect(
      countDays({ frequency: 'yearly', start_date: '2024-02-29', end_date: '2027-12-31' }, years),
    ).toEqual(['2024-02-29', '2025-02-28', '2026-02-28', '2027-02-28'])
    expect(
      countDays({ frequency: 'yearly', start_date: '2026-03-01' }, { ...march, start_date: '2026-03-02' }),
    ).toEqual([])
  })
})

it('a price per month is prorated by the days in effect, and months of any periods add up', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 800 }),
      fc.integer({ min: 0, max: 400 }),
      fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 12 }),
      (first, length, periods) => {
        const base = dayNumber('2027-11-03')
        const [start, end] = [base + first, base + first + length]
        const monthlyCharge = charge({
          kind: 'fixed',
          amount: 100,
          start_date: dayFromNumber(start),
          end_date: dayFromNumber(end),
        })
        let at = base
        let total = Rational.of(0)
        for (const days of periods) {
          const period = { start_date: dayFromNumber(at), end_date: dayFromNumber(at + days - 1) }
          at += days
          for (const line of makeLines([monthlyCharge], [], period))
            total = total.plus(Rational.of(line.quantity))
        }
        // Computed day by day, each day as a fraction of its month.
        let plain = Rational.of(0)
        for (let day = base; day < at; day++) {
          if (day < start || day > end) continue
          const date = new Date(Date.parse(dayFromNumber(day)))
          const daysInMonth = new Date(
            Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0),
          ).getUTCDate()
          plain = plain.plus(new Rational(1n, BigInt(daysInMonth)))
        }
        expect(total.minus(plain).text(7)).toBe('0')
      },
    ),
    { numRuns: Number(process.env['CHARGE_RUNS'] ?? 60) },
  )
})

describe('reported quantities', () => {
  const device = { kind: 'device', amount: 1.5, quantity: 'devices' }
  it('charges reported quantities by month, prorated by days', () =>
    expect(listLines([charge({ ...device, start_date: '2026-03-17' }, [month('310')])])).toEqual([
      'Charge 150 device-months 1.5 225.00',
    ]))
  it('reported quantities that are missing or estimated are marked as days without data', () => {
    const [missing] = makeLines([charge(device)])
    expect([missing?.amount, missing?.days_without_data.length]).toEqual(['0.00', 31])
    const [estimated] = makeLines([charge(device, [month('2', true)])])
    expect([estimated?.amount, estimated?.days_without_data.length]).toEqual(['3.00', 31])
    expect(makeLines([charge(device, [month('2')])])[0]?.days_without_data).toEqual([])
  })
  it('charges reported revenue once, with the last day of the month', () => {
    const share = charge({ kind: 'revenue', percent: 2.5, quantity: 'revenue' }, [month('1000.10')])
    expect(listLines([share], [], { start_date: '2026-03-01', end_date: '2026-03-30' })).toEqual([])
    expect(listLines([share], [], { start_date: '2026-03-31', end_date: '2026-03-31' })).toEqual([
      'Charge 1000.1 USD 0.025 25.00',
    ])
    expect(
      listLines([{ ...share, end_date: '2026-03-30' }], [], {
        start_date: '2026-03-01',
        end_date: '2026-03-30',
      }),
    ).toEqual(['Charge 1000.1 USD 0.025 25.00'])
  })
})

describe('a charge that depends on the other lines', () => {
  const discount = charge({ kind: 'discount', percent: 12.5 }, [], 'Equity program')
  it('a discount applies to all other lines, rounded once', () =>
    expect(listLines([discount, charge({ kind: 'fixed', amount: 1 })], [makeFee('9.01')])).toEqual([
      'Charge 1 months 1 1.00',
      'Equity program 10.01 USD -0.125 -1.25',
    ]))
  it('a discount is at most the total of the other lines', () =>
    expect(listLines([charge({ kind: 'discount', amount: 20 })], [makeFee('9.01')])).toEqual([
      'Charge 1 discounts -9.01 -9.01',
    ]))
  it('a minimum or maximum of the invoice applies after discounts', () => {
    const minimum = charge({ kind: 'minimum', amount: 500 }, [], 'Invoice')
    const maximum = charge({ kind: 'maximum', amount: 8 }, [], 'Invoice')
    expect(listLines([minimum, discount], [makeFee('100.00')])).toEqual([
      'Equity program 100 USD -0.125 -12.50',
      'Invoice: minimum 1  412.5 412.50',
    ])
    expect(listLines([maximum], [makeFee('10.00')])).toEqual(['Invoice: maximum 1  -2 -2.00'])
    expect(listLines([maximum], [makeFee('8.00')])).toEqual([])
  })
  it('applies to invoices that begin while it is in effect', () =>
    expect(listLines([{ ...discount, start_date: '2026-03-02' }], [makeFee('9.01')])).toEqual([]))
})

test('A charge has amounts with the decimals of the currency', () =>
  expect(
    listLines([charge({ kind: 'fixed', amount: 1000, start_date: '2026-03-21' })], [], march, 'JPY'),
  ).toEqual(['Charge 0.35483871 months 1000 355']))

it.each([
  ['no amount', { kind: 'fixed' }, ['amount']],
  ['no percentage', { kind: 'revenue', quantity: 'revenue' }, ['percent']],
  ['no quantity', { kind: 'device', amount: 1 }, ['quantity']],
  ['both', { kind: 'discount', amount: 1, percent: 1 }, ['percent']],
  ['neither', { kind: 'discount' }, ['percent']],
  ['a reversed time', { kind: 'fixed', amount: 1, end_date: '2025-12-31' }, ['end_date']],
  ['a negative amount', { kind: 'fixed', amount: -1 }, ['amount']],
  ['an absurd amount', { kind: 'fixed', amount: 1e12 }, ['amount']],
  ['too many decimals', { kind: 'device', amount: 0.1234567, quantity: 'devices' }, ['amount']],
  ['more than all', { kind: 'discount', percent: 101 }, ['percent']],
  ['no name', { kind: 'fixed', amount: 1, name: ' ' }, ['name']],
])('a charge with %s names the field', (_name, fields, paths) => {
  const parsed = ChargeFields.safeParse({ name: 'Fee', start_date: '2026-01-01', ...fields })
  expect(parsed.error?.issues.map(({ path }) => path.join('.'))).toEqual(paths)
})
