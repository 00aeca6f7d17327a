import i18next from 'i18next'
import { beforeAll, describe, expect, it } from 'vitest'
import { dayNumber, dayFromNumber } from '#contract/period.ts'
import evaluation from '#web/evaluation/evaluation.en.json' with { type: 'json' }
import { bucketName, getTicks } from './bucket-name.ts'

beforeAll(() => i18next.init({ lng: 'en-US', resources: { 'en-US': { evaluation } } }))
const days = (from: string, count: number) =>
  Array.from({ length: count }, (_, index) => dayFromNumber(dayNumber(from) + index))

it('bucketName formats hours and days', () => {
  expect(bucketName(i18next.t, 'en-US', 'hour_of_day', '7')).toBe('7:00 AM to 8:00 AM')
  expect(bucketName(i18next.t, 'en-US', 'day', '2026-03-02')).toBe('Mon, Mar 2, 2026')
  expect(bucketName(i18next.t, 'en-US', 'day', undefined)).toBe('')
})

describe('getTicks', () => {
  it('labels every sixth hour', () =>
    expect(
      getTicks(
        'hour_of_day',
        Array.from({ length: 24 }, (_, hour) => String(hour)),
        'en-US',
      ).map(({ index, text }) => `${index} ${text}`),
    ).toEqual(['0 12 AM', '6 6 AM', '12 12 PM', '18 6 PM']))
  it('labels the first days of months, or some days of a short period', () => {
    expect(getTicks('day', days('2026-01-20', 100), 'en-US').map(({ text }) => text)).toEqual([
      'Feb',
      'Mar',
      'Apr',
    ])
    expect(getTicks('day', days('2026-01-20', 3), 'en-US').map(({ text }) => text)).toEqual([
      'Jan 20',
      'Jan 21',
      'Jan 22',
    ])
    expect(getTicks('day', days('2020-01-01', 1800), 'en-US').length).toBeLessThanOrEqual(12)
  })
})
