import { describe, expect, it, test } from 'vitest'
import { PaymentMapping } from '#contract/curb-payments.ts'
import { readAmount } from './read-amount.ts'
import { PaymentReader } from './read-payment.ts'

const reading = {
  vendor: 'V',
  timezone: 'America/New_York',
  currency: 'USD',
  currencyDigits: 2,
  key: 'k',
  now: Date.UTC(2026, 0, 1),
}

/** Reads one row of named values. */
function readRow(row: Record<string, string>, overrides: Partial<PaymentMapping> = {}) {
  const header = Object.keys(row)
  const columns = Object.fromEntries(header.map((name) => [name, name]))
  const mapping = PaymentMapping.parse({ columns, date_order: 'mdy', ...overrides })
  const { payment, amount, findings } = new PaymentReader({ ...reading, header, mapping }).read(
    Object.values(row),
  )
  const toIso = (ms: number | null | undefined): string | null =>
    ms == null ? null : new Date(ms).toISOString()
  return {
    payment,
    amount,
    paid: toIso(payment?.paidTime),
    start: toIso(payment?.startTime),
    end: toIso(payment?.endTime),
    codes: findings.map(({ code, effect }) => `${effect} ${code}`),
  }
}
const baseRow = { location: 'A1', paid_time: '06/01/2024 14:05', amount: '1.50' }

describe('amounts', () => {
  it.each([
    ['1.5', 150],
    ['$1,234.50', 123_450],
    ['1.234,50 €', 123_450],
    ['USD 2', 200],
    ['2,75', 275],
    ['1,500', 150_000],
    ['($0.75)', -75],
    ['-0.75', -75],
    ['0.75-', -75],
    ['1.005', 101],
    ['  3  ', 300],
    ['.25', 25],
  ])('reads %s', (text, minor) => expect(readAmount(text, 2, 'major')).toBe(minor))
  it.each(['', 'free', '1.2.3', '12,34,56', '1,23,456', '$'])('refuses %s', (text) =>
    expect(readAmount(text, 2, 'major')).toBeNull(),
  )
  it('reads amounts in cents, and currencies without cents', () => {
    expect(readAmount('125', 2, 'minor')).toBe(125)
    expect(readAmount('¥300', 0, 'major')).toBe(300)
  })
})

describe('amounts with a currency', () => {
  it('sets aside other currencies than that of the region', () => {
    const listCodes = (amount: string) => readRow({ ...baseRow, amount }).codes
    for (const amount of ['$2', 'USD 2', '2.00', '(2)']) expect(listCodes(amount)).toEqual([])
    for (const amount of ['€2.00', 'EUR 2', '2 CAD', '£2'])
      expect(listCodes(amount)).toEqual(['set_aside bad_amount'])
  })
})

describe('times of payments', () => {
  it.each([
    ['06/01/2024 14:05', '2024-06-01T18:05:00.000Z'],
    ['6/1/24 2:05 PM', '2024-06-01T18:05:00.000Z'],
    ['2024-06-01T14:05:30', '2024-06-01T18:05:30.000Z'],
    ['2024-06-01 14:05:00-07:00', '2024-06-01T21:05:00.000Z'],
    ['2024-06-01T14:05:00Z', '2024-06-01T14:05:00.000Z'],
    ['01-Jun-2024 2:05 p.m.', '2024-06-01T18:05:00.000Z'],
    ['Jun 1, 2024 14:05', '2024-06-01T18:05:00.000Z'],
    ['20240601 14:05:00', '2024-06-01T18:05:00.000Z'],
    ['1717265100', '2024-06-01T18:05:00.000Z'],
  ])('reads %s', (text, paid) =>
    expect(readRow({ ...baseRow, paid_time: text })).toMatchObject({ paid, codes: [] }),
  )

  it.each([
    '13/45/2024 14:05',
    '06/31/2024 10:00',
    'yesterday',
    '06/01/2024',
    '25/12/2023 10:00',
    '06/01/2024 25:10',
  ])('sets %s aside', (text) =>
    expect(readRow({ ...baseRow, paid_time: text })).toMatchObject({
      payment: null,
      amount: 150,
      codes: ['set_aside bad_time'],
    }),
  )

  it('moves a time that the clock skipped, and uses the first of a time that it showed twice', () => {
    expect(readRow({ ...baseRow, paid_time: '03/10/2024 02:30' })).toMatchObject({
      paid: '2024-03-10T07:30:00.000Z',
      codes: ['note skipped_time'],
    })
    expect(readRow({ ...baseRow, paid_time: '11/03/2024 01:30' })).toMatchObject({
      paid: '2024-11-03T05:30:00.000Z',
      codes: ['note repeated_hour'],
    })
  })

  it('uses the second of a repeated hour if the end and the duration match it', () => {
    const row = { ...baseRow, paid_time: '11/03/2024 01:30', end_time: '11/03/2024 02:30', duration: '60' }
    expect(readRow(row)).toMatchObject({ paid: '2024-11-03T06:30:00.000Z', codes: [] })
  })

  const noAmPm = { paid_time: '06/01/2024', paid_clock: '02:05:10', amount: '1', location: 'A' }
  it('decides about AM or PM by the end and duration, and sets the row aside otherwise', () => {
    expect(
      readRow({ ...noAmPm, end_time: '06/01/2024 03:05:10 PM', duration: '60' }, { clock: '12' }),
    ).toMatchObject({ paid: '2024-06-01T18:05:10.000Z', codes: [] })
    expect(
      readRow({ ...noAmPm, end_time: '06/01/2024 03:05:10 PM', duration: '45' }, { clock: '12' }),
    ).toMatchObject({ payment: null, codes: ['set_aside uncertain_time'] })
    expect(readRow(noAmPm, { clock: '12' })).toMatchObject({ codes: ['set_aside uncertain_time'] })
    expect(readRow(noAmPm, { clock: '24' })).toMatchObject({ paid: '2024-06-01T06:05:10.000Z', codes: [] })
  })

  it('retains the amount of rows with unusable times', () => {
    const stay = { location: 'A', start_time: '06/01/2024 10:00', end_time: '', amount: '2' }
    expect(readRow({ ...stay, end_time: '06/01/2024 09:00' })).toMatchObject({
      amount: 200,
      end: null,
      codes: ['note negative_duration'],
      payment: { kind: 'counted', amount: 200 },
    })
    expect(readRow({ ...stay, end_time: '07/12/2024 10:01' })).toMatchObject({
      end: null,
      codes: ['note too_long'],
    })
    expect(readRow({ ...stay, end_time: '07/11/2024 10:00' })).toMatchObject({
      end: '2024-07-11T14:00:00.000Z',
      codes: [],
    })
    expect(readRow({ ...stay, duration: '-30' })).toMatchObject({
      end: null,
      codes: ['note negative_duration'],
    })
    expect(readRow({ ...stay, duration: 'long' })).toMatchObject({ end: null, codes: ['note bad_duration'] })
  })

  it('uses the start if the time of payment cannot be read, and leaves out times that are far away', () => {
    const row = { ...baseRow, start_time: '06/01/2024 14:00', duration: '30' }
    expect(readRow({ ...row, paid_time: 'n/k' })).toMatchObject({
      paid: '2024-06-01T18:00:00.000Z',
      codes: ['note bad_time'],
    })
    expect(readRow({ ...row, start_time: '06/05/2024 14:00' })).toMatchObject({
      start: '2024-06-05T18:00:00.000Z',
      codes: ['note times_far_apart'],
    })
    expect(readRow({ ...row, start_time: '06/01/2190 14:00' })).toMatchObject({
      start: null,
      codes: ['note times_far_apart'],
      payment: { kind: 'counted', amount: 150 },
    })
  })

  it('sets aside payments in the future', () =>
    expect(readRow({ ...baseRow, paid_time: '01/03/2026 10:00' }).codes).toEqual(['set_aside future_time']))
})

describe('the kind of a payment', () => {
  const words: PaymentMapping['words'] = [
    { column: 'status', value: 'Declined', meaning: 'declined' },
    { column: 'status', value: 'Refund', meaning: 'refund' },
    { column: 'payment_type', value: 'Diagn. Card', meaning: 'test' },
  ]
  const row = { ...baseRow, status: 'Approved', payment_type: 'Credit Card' }
  it.each([
    [{}, 'counted', 150],
    [{ amount: '0' }, 'zero', 0],
    [{ amount: '-1.50' }, 'refund', -150],
    [{ status: 'refund' }, 'refund', -150],
    [{ status: 'DECLINED ' }, 'declined', 150],
    [{ status: 'Declined', amount: '' }, 'declined', 0],
    [{ payment_type: 'Diagn. Card', status: 'Declined' }, 'test', 150],
  ])('%j is %s', (changes, kind, amount) =>
    expect(readRow({ ...row, ...changes }, { words })).toMatchObject({ payment: { kind, amount }, amount }),
  )

  it('rejects rows without a readable amount, and rows with fields that do not match the header', () => {
    expect(readRow({ ...row, amount: '' }).codes).toEqual(['set_aside missing_amount'])
    expect(readRow({ ...row, amount: 'Credit Card' }).codes).toEqual(['set_aside bad_amount'])
    const mapping = PaymentMapping.parse({ columns: { paid_time: 'a', amount: 'b' } })
    const reader = new PaymentReader({ ...reading, header: ['a', 'b'], mapping })
    expect(reader.read(['x', '1', '2']).findings.map(({ code }) => code)).toEqual(['not_a_record'])
    expect(reader.read(null).findings.map(({ code }) => code)).toEqual(['not_a_record'])
  })

  it('accepts a row without a location', () =>
    expect(readRow({ ...row, location: '' })).toMatchObject({
      payment: { locationId: '' },
      codes: ['note missing_location'],
    }))
})

test('A payment stores only a hash of a plate, which differs by region', () => {
  const header = ['paid_time', 'amount', 'plate', 'location']
  const mapping = PaymentMapping.parse({ columns: Object.fromEntries(header.map((name) => [name, name])) })
  const readLane = (key: string, plate: string): string =>
    new PaymentReader({ ...reading, key, header, mapping }).read(['2024-06-01 10:00', '1', plate, 'A'])
      .payment?.lane ?? ''
  expect(readLane('k', 'ABC-123')).toBe(readLane('k', 'abc 123'))
  expect(readLane('k', 'ABC-123')).not.toContain('ABC')
  expect(readLane('k', 'ABC123')).not.toBe(readLane('other', 'ABC123'))
  expect(readLane('k', 'N/A')).toBe('')
  const reader = new PaymentReader({ ...reading, header, mapping })
  expect(reader.formatSource(['2024-06-01 10:00', '1', 'ABC123', 'A'])).not.toContain('ABC123')
})
