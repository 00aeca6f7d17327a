import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { dayNumber, dayFromNumber } from '#contract/period.ts'
import { addEvidence, type DateEvidence, findAmbiguousColumn, determineOrder } from './date-orders.ts'
import { type DateOrder, readDate } from './read-time.ts'

const collectEvidence = (texts: readonly string[]): DateEvidence => {
  const evidence: DateEvidence = {}
  for (const text of texts) addEvidence(evidence, text)
  return evidence
}
const getOrder = (...texts: string[]) => determineOrder(collectEvidence(texts))

interface DateFormat {
  order: DateOrder
  separator: string
  isPadded: boolean
  hasShortYear: boolean
}

function formatDay(day: number, { order, separator, isPadded, hasShortYear }: DateFormat): string {
  const [year = '', month = '', date = ''] = dayFromNumber(day).split('-')
  const writeNumber = (text: string): string => (isPadded ? text : String(Number(text)))
  const parts = { ymd: [year, month, date], mdy: [month, date, year], dmy: [date, month, year] }[order]
  const writtenYear = hasShortYear ? year.slice(2) : year
  return parts.map((part) => (part === year ? writtenYear : writeNumber(part))).join(separator)
}

describe('the order of dates', () => {
  it('is correct or ambiguous, never wrong, for files of 1 to 400 rows in every order', () => {
    let settledCount = 0
    const day = fc.integer({ min: dayNumber('2001-01-01'), max: dayNumber('2099-12-31') })
    fc.assert(
      fc.property(
        fc.array(day, { minLength: 1, maxLength: 400 }),
        fc.constantFrom<DateOrder>('ymd', 'mdy', 'dmy'),
        fc.constantFrom('-', '/', '.'),
        fc.boolean(),
        fc.boolean(),
        (days, order, separator, isPadded, hasShortYear) => {
          const format = {
            order,
            separator,
            isPadded: isPadded || (hasShortYear && order === 'ymd'),
            hasShortYear,
          }
          const texts = days.map((day) => formatDay(day, format))
          const result = getOrder(...texts)
          const isSettled = 'order' in result
          if (isSettled) settledCount++
          const orders = isSettled ? [result.order] : result.orders
          expect(
            orders.some((order) => texts.every((text, index) => readDate(text, order) === days[index])),
          ).toBe(true)
        },
      ),
      { numRuns: 300 },
    )
    expect(settledCount).toBeGreaterThan(50)
  })

  it('is determined by one date that no other order can read, at any position', () => {
    expect(getOrder('01/02/2026', '13/02/2026 10:00')).toEqual({ order: 'dmy' })
    expect(getOrder('1/2/2026 8:00', '2/13/2026 8:00', '3/4/2026 9:00')).toEqual({ order: 'mdy' })
    expect(getOrder(...Array.from({ length: 400 }, () => '01/02/2026'), '31.12.2026')).toEqual({
      order: 'dmy',
    })
    expect(getOrder('7/1/19', '7/31/19')).toEqual({ order: 'mdy' })
  })

  it('does not matter if all orders read the same day or there is no date', () => {
    expect(getOrder('2026-01-02', '', '1/1/2026', 'yesterday', '41.49')).toHaveProperty('order')
    expect(getOrder()).toHaveProperty('order')
  })

  it('is ambiguous if two orders read different days or no order reads all dates', () => {
    expect(getOrder('2026-01-02', '03/04/2026')).toEqual({ orders: ['mdy', 'dmy'], example: '03/04/2026' })
    expect(getOrder('13/02/2026', '02/13/2026')).toMatchObject({ orders: ['ymd', 'mdy', 'dmy'] })
    expect(getOrder('01/02/03')).toEqual({ orders: ['ymd', 'mdy', 'dmy'], example: '01/02/03' })
  })

  it('is determined separately for each column', () => {
    const dates = { start: collectEvidence(['13/02/2026']), end: collectEvidence(['03/04/2026']) }
    expect(findAmbiguousColumn(dates, ['start', 'other'], null)).toBeNull()
    expect(findAmbiguousColumn(dates, ['start', 'end'], null)).toMatchObject({ column: 'end' })
    expect(findAmbiguousColumn(dates, ['start', 'end'], 'dmy')).toBeNull()
    expect(findAmbiguousColumn(dates, ['start', 'end'], 'ymd')).toMatchObject({ column: 'end' })
  })
})
