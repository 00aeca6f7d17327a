import { describe, expect, it } from 'vitest'
import type { InvoiceLine } from '#contract/invoices.ts'
import { Problem } from '#server/http/problem.ts'
import { compareFigures, type FigureRow, matchFigures, moveFigures, readFigures } from './compare-count.ts'

const makeLine = (number: number, overrides: Partial<InvoiceLine>): InvoiceLine => ({
  line: number,
  kind: 'fee',
  policy_uuid: null,
  constant_policy_uuid: null,
  policy_name: 'Parking',
  policy_type: 'parking_fees',
  description: '',
  start_date: '2026-01-01',
  end_date: '2026-01-31',
  quantity: '1',
  unit: 'hours',
  unit_price: null,
  amount: '0.00',
  days_without_data: [],
  tax_code: null,
  is_estimate: false,
  original: null,
  charged_before: null,
  ...overrides,
})

const lines = [
  makeLine(1, {
    policy_name: 'Trip fee',
    description: 'Trip fee',
    unit: 'trips',
    quantity: '800',
    amount: '120.00',
  }),
  makeLine(2, { description: 'By day', quantity: '10.666666667', amount: '21.33' }),
  makeLine(3, { description: 'By night', quantity: '4.5', amount: '4.50' }),
  makeLine(4, { description: 'Maximum per vehicle and day', unit: '', quantity: '1', amount: '-1.00' }),
  makeLine(5, {
    kind: 'adjustment',
    description: 'Adjustment of invoice A-1',
    unit: 'adjustment',
    amount: '2.00',
  }),
]
const makeRow = (number: number, fee: string, quantity = '', amount = ''): FigureRow => ({
  row: number,
  fee,
  quantity,
  amount,
})

/** Returns the messages of the Problem that is thrown. */
function listReasons(rows: readonly FigureRow[], currency = 'USD'): string[] {
  try {
    matchFigures(lines, rows, currency)
  } catch (error) {
    if (error instanceof Problem)
      return (error.issues ?? []).map(({ path, message }) => `${path}: ${message}`)
    throw error
  }
  return []
}
const compare = (rows: readonly FigureRow[]) =>
  compareFigures(lines, matchFigures(lines, rows, 'USD'), 'USD').map((figure) => [
    figure.row,
    figure.lines.join(),
    figure.difference.quantity,
    figure.difference.amount,
    figure.is_equal,
  ])

describe('figures of an operator', () => {
  it('figures of an operator follow their lines when a draft is recomputed', () => {
    const figures = matchFigures(lines, [makeRow(2, '1', '800', ''), makeRow(3, '2', '10', '')], 'USD')
    // The first line was removed, and a new one was inserted before the others.
    const again = [makeLine(1, { description: 'New' }), ...lines.slice(1)].map((previous, index) => ({
      ...previous,
      line: index + 1,
      quantity: index === 1 ? '10' : previous.quantity,
    }))
    const [removed, moved] = moveFigures(lines, again, figures)
    expect([removed?.lines, moved?.lines]).toEqual([[], [2]])
    const compared = compareFigures(again, [removed!, moved!], 'USD')
    expect(compared.filter(({ row }) => row !== null).map((figure) => [figure.row, figure.is_equal])).toEqual(
      [
        [2, false],
        [3, true],
      ],
    )
  })

  it('compares an operator’s figures line by line, and lists lines without a figure', () => {
    expect(
      compare([
        makeRow(2, ' trip  FEE ', '790', '118.5'),
        makeRow(3, '2', '10.67', '21.33'),
        makeRow(4, 'parking: By night', '', '4.00'),
      ]),
    ).toEqual([
      [2, '1', '-10', '-1.50', false],
      // 10.666666667 hours are compared as 10.67, with the operator's number of decimals.
      [3, '2', '0.00', '0.00', true],
      [4, '3', null, '-0.50', false],
      [null, '4', null, null, false],
      [null, '5', null, null, false],
    ])
  })

  it('figures of an operator for a policy are compared with all of its fees, and not with adjustments', () => {
    expect(compare([makeRow(2, 'Parking', '', '24.83')]).filter(([number]) => number !== null)).toEqual([
      [2, '2,3,4', null, '0.00', true],
    ])
  })

  it('figures of an operator that cannot be compared are refused with row and reason, and nothing is stored', () => {
    expect(
      listReasons([
        makeRow(2, 'Scooters', '1', '1'),
        makeRow(3, '1', 'many', '1,50'),
        makeRow(4, 'Trip fee', '800', '120.001'),
        makeRow(5, '', '1'),
        makeRow(6, '5'),
        makeRow(7, 'Parking', '15', '20'),
        makeRow(8, '=1+1', '1e3'),
      ]),
    ).toEqual([
      "body.rows.0.fee: Row 2: There is no fee, line or policy 'Scooters' on this invoice.",
      "body.rows.1.quantity: Row 3: The quantity 'many' is not a decimal number such as 1234.5.",
      "body.rows.1.amount: Row 3: The amount '1,50' is not a decimal number such as 1234.50.",
      'body.rows.2.fee: Row 4: Line 1 is counted in row 3 already.',
      "body.rows.2.amount: Row 4: The amount '120.001' has more digits than USD.",
      'body.rows.3.fee: Row 5: It names no fee, line or policy.',
      'body.rows.4.amount: Row 6: It has neither a quantity nor an amount.',
      'body.rows.5.quantity: Row 7: Its lines have different units. Count each line, or leave the quantity empty.',
      "body.rows.6.fee: Row 8: There is no fee, line or policy '=1+1' on this invoice.",
      "body.rows.6.quantity: Row 8: The quantity '1e3' is not a decimal number such as 1234.5.",
    ])
    expect(listReasons([makeRow(2, '1', '', '120.0')], 'JPY')).toEqual([])
  })
})

describe('a file of figures', () => {
  it('accepts columns in any order, and numbers rows by their line in the file', () => {
    expect(
      readFigures([
        [' Amount', 'POLICY', 'note'],
        ['24.83', 'Parking', 'x'],
        ['', '', ''],
        ['1', 'Trip fee', ''],
      ]),
    ).toEqual([makeRow(2, 'Parking', '', '24.83'), makeRow(4, 'Trip fee', '', '1')])
  })

  it.each([
    [[], 'no column fee'],
    [[['fee', 'sum']], 'neither a column quantity'],
    [
      [
        ['fee', 'amount'],
        ['', ''],
      ],
      'no rows',
    ],
  ])('refuses a file of figures with a reason: %j', (data, reason) => {
    expect(() => readFigures(data)).toThrow(reason)
  })
})
