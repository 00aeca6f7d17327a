import i18next from 'i18next'
import { beforeAll, describe, expect, it } from 'vitest'
import kit from '../kit.widgets.en.json' with { type: 'json' }
import { formatTimeRange, formatTime } from './time-of-day.ts'

beforeAll(() => i18next.init({ lng: 'en-US', resources: { 'en-US': { kit } } }))

describe('a time', () => {
  it('has two digits for hour and minute', () => {
    expect(formatTime({ hour: 9, minute: 5 })).toBe('09:05')
    expect(formatTime({ hour: 24, minute: 0 })).toBe('24:00')
    expect(formatTime({ hour: 0, minute: 60 })).toBe('00:60')
  })
  it('out of bounds is refused', () => {
    for (const hour of [-1, 25, Number.NaN])
      expect(() => formatTime({ hour, minute: 0 })).toThrow('Hour must be between 0 and 24')
    for (const minute of [-1, 61, Number.NaN])
      expect(() => formatTime({ hour: 0, minute })).toThrow('Minute must be between 0 and 60')
  })
})

describe('hours of a day', () => {
  const [six, ten] = [
    { hour: 6, minute: 0 },
    { hour: 22, minute: 30 },
  ]
  it('without bounds are the whole day', () => expect(formatTimeRange(null, null)).toBe('All Day'))
  it('show the bounds that are set', () => {
    expect(formatTimeRange(six, ten)).toBe('06:00 – 22:30')
    expect(formatTimeRange(six, null)).toBe('From 06:00')
    expect(formatTimeRange(null, ten)).toBe('Until 22:30')
  })
})
