import { describe, expect, it } from 'vitest'
import { deriveStatus, getDisputedAmount, getOpenAmount, type StatusInput } from './invoice-status.ts'
import { findNumber, readPaymentFile } from './import-payments.ts'
import { formatNumber } from './number-series.ts'

const today = '2026-03-15'
const makeFacts = (overrides: Partial<StatusInput> = {}): StatusInput => ({
  kind: 'invoice',
  status: 'issued',
  total: 1000n,
  credited: 0n,
  paid: 0n,
  disputed: 0n,
  dueDate: today,
  isSent: false,
  isWithdrawn: false,
  ...overrides,
})

describe('the status', () => {
  it.each([
    ['draft', { status: 'draft' }],
    ['approved', { status: 'approved', dueDate: null }],
    ['issued', {}],
    ['sent', { isSent: true }],
    ['partly_paid', { paid: 1n, isSent: true }],
    ['paid', { paid: 1000n, dueDate: '2026-01-01' }],
    ['paid', { paid: 900n, credited: 100n }],
    ['paid', { paid: 1100n }],
    ['credited', { credited: 1000n }],
    // An adjustment of 300 took back what the credit note had left.
    ['credited', { credited: 700n, paid: 300n, isWithdrawn: true }],
    ['overdue', { credited: 700n, isWithdrawn: true, dueDate: '2026-03-14' }],
    ['overdue', { dueDate: '2026-03-14' }],
    ['overdue', { dueDate: '2026-03-14', disputed: 300n }],
    ['disputed', { disputed: 300n }],
    // The entire open amount is in dispute, so nothing is overdue.
    ['disputed', { dueDate: '2026-03-14', disputed: 1000n }],
    ['sent', { kind: 'credit_note', total: -500n, isSent: true, dueDate: '2026-01-01' }],
  ] as const)('the status is %s', (status, overrides) =>
    expect(deriveStatus(makeFacts(overrides), today)).toBe(status),
  )

  it('computes the open amount, which is negative if overpaid', () => {
    expect(getOpenAmount(makeFacts({ paid: 1200n }))).toBe(-200n)
    expect(getOpenAmount(makeFacts({ status: 'approved' }))).toBe(0n)
    expect(getDisputedAmount(makeFacts({ paid: 900n, disputed: 300n }))).toBe(100n)
    expect(getDisputedAmount(makeFacts({ paid: 1000n, disputed: 300n }))).toBe(0n)
  })
})

describe('numbers', () => {
  it('numbers follow their format', () => {
    const parts = { region: 'alder', day: '2026-03-15', seq: 42n }
    expect(formatNumber('{region}-{year}-{seq}', parts)).toBe('alder-2026-42')
    expect(formatNumber('INV/{year}{month}/{seq:5}', parts)).toBe('INV/202603/00042')
  })
  it.each([
    ['Payment of alder-2026-1, thanks', 'alder-2026-1'],
    ['alder-2026-12', 'alder-2026-12'],
    ['alder-2026-123', 'none'],
    ['x-alder-2026-1', 'none'],
    ['alder-2026-1.', 'alder-2026-1'],
    ['alder-2026-1 and alder-2026-12', 'several'],
    ['', 'none'],
  ])('finds invoice numbers in %j', (reference, expected) =>
    expect(findNumber(reference, ['alder-2026-1', 'alder-2026-12'])).toBe(expected),
  )
})

describe('a file of payments', () => {
  it('accepts columns in any order, and skips empty lines', () => {
    expect(
      readPaymentFile('\uFEFFReference,Date,Amount\r\n"a, b",2026-01-01, 5.00\r\n\r\nc,2026-01-02,6\r\n'),
    ).toEqual([
      { row: 2, date: '2026-01-01', amount: '5.00', reference: 'a, b' },
      { row: 4, date: '2026-01-02', amount: '6', reference: 'c' },
    ])
  })
  it('refuses a file of payments without a required column', () => {
    expect(() => readPaymentFile('date,amount\n2026-01-01,5')).toThrow('no column reference')
  })
})
