import i18next from 'i18next'
import { beforeAll, describe, expect, it } from 'vitest'
import kit from '../kit.widgets.en.json' with { type: 'json' }
import {
  formatClockRange,
  formatTimeRange,
  formatClock,
  formatHourOfDay,
  formatTimeOfDay,
} from './time-of-day.ts'

beforeAll(() => i18next.init({ lng: 'en-US', resources: { 'en-US': { kit } } }))

describe('a time', () => {
  it('has two digits for hour and minute', () => {
    expect(formatClock({ hour: 9, minute: 5 })).toBe('09:05')
    expect(formatClock({ hour: 24, minute: 0 })).toBe('24:00')
    expect(formatClock({ hour: 0, minute: 60 })).toBe('00:60')
  })
  it('throws if it is out of bounds', () => {
    for (const hour of [-1, 25, Number.NaN])
      expect(() => formatClock({ hour, minute: 0 })).toThrow('Hour must be between 0 and 24')
    for (const minute of [-1, 61, Number.NaN])
      expect(() => formatClock({ hour: 0, minute })).toThrow('Minute must be between 0 and 60')
  })
})

describe('hours of a day', () => {
  const [six, ten] = [
    { hour: 6, minute: 0 },
    { hour: 22, minute: 30 },
  ]
  it('without bounds are the whole day', () => expect(formatTimeRange(null, null)).toBe('All Day'))
  it('show the bounds that are set', () => {
    expect(formatTimeRange(six, ten)).toBe('6:00 AM – 10:30 PM')
    expect(formatTimeRange(six, null)).toBe('From 6:00 AM')
    expect(formatTimeRange(null, ten)).toBe('Until 10:30 PM')
  })
})

describe('times in the format of the language', () => {
  const times = () =>
    [0, 9, 12, 24].map((hour) => [formatTimeOfDay({ hour, minute: 0 }), formatHourOfDay(hour)])
  it('have AM and PM in English', () => {
    expect(times()).toEqual([
      ['12:00 AM', '12 AM'],
      ['9:00 AM', '9 AM'],
      ['12:00 PM', '12 PM'],
      ['12:00 AM', '12 AM'],
    ])
    expect(formatClockRange('08:30', '18:00:00')).toBe('8:30 AM–6:00 PM')
  })
  it('count to 24 in Spanish', async () => {
    await i18next.changeLanguage('es-US-u-hc-h23')
    expect(times()).toEqual([
      ['00:00', '00'],
      ['09:00', '09'],
      ['12:00', '12'],
      ['24:00', '24'],
    ])
    expect(formatClockRange('08:30', '18:00:00')).toBe('08:30–18:00')
    await i18next.changeLanguage('en-US')
  })
})
