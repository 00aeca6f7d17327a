import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cleanTimeText, parseTime } from './time-input.tsx'
import { formatTime } from './time-of-day.ts'

const read = (text: string, isHourOnly?: boolean): string | null => {
  const time = parseTime(text, isHourOnly)
  return time && formatTime(time)
}

describe('a typed time', () => {
  it.each(['', ' ', ':', '::'])('%j is null', (text) => expect(parseTime(text)).toBeNull())

  it.each([
    ['9', '09:00'],
    ['09', '09:00'],
    ['9:', '09:00'],
    [':30', '00:30'],
    ['9:5', '09:05'],
    ['9:30', '09:30'],
    ['930', '09:30'],
    ['0930', '09:30'],
    ['1230', '12:30'],
    ['12345', '03:45'],
    ['000', '00:00'],
  ])('%s is %s', (text, time) => expect(read(text)).toBe(time))

  it.each(['24:00', '2400', '24', '24:', '24:0'])('%s is valid', (text) =>
    expect(parseTime(text)).toEqual({ hour: 24, minute: 0 }),
  )

  it.each([
    ['25', '01:00'],
    ['24:30', '00:30'],
    ['48:00', '00:00'],
    ['9:75', '10:15'],
    ['23:60', '00:00'],
    ['23:75', '00:15'],
    ['99:99', '04:39'],
  ])('%s wraps around at midnight: %s', (text, time) => expect(read(text)).toBe(time))

  it.each([
    ['9:30', '09:00'],
    ['1230', '12:00'],
    ['24:30', '24:00'],
    ['9:75', '09:00'],
    ['25:10', '01:00'],
    ['7', '07:00'],
  ])('%s in whole hours is %s', (text, time) => expect(read(text, true)).toBe(time))
})

describe('any typed text', () => {
  const typed = fc.oneof(fc.string(), fc.stringMatching(/^[\d:]{0,6}$/)).map(cleanTimeText)

  it('is reduced to five digits and colons', () => {
    expect(cleanTimeText('9h30m')).toBe('930')
    expect(cleanTimeText('12:345')).toBe('12:34')
    fc.assert(fc.property(typed, (text) => /^[\d:]{0,5}$/.test(text)))
  })

  it('with a digit is a time of day in whole minutes, or whole hours if requested', () => {
    fc.assert(
      fc.property(typed, fc.boolean(), (text, isHourOnly) => {
        const time = parseTime(text, isHourOnly)
        expect(time === null).toBe(!/\d/.test(text))
        if (time === null) return
        const total = time.hour * 60 + time.minute
        expect(Number.isInteger(total) && total >= 0 && total <= 1440 && time.minute < 60).toBe(true)
        expect(isHourOnly ? time.minute : 0).toBe(0)
      }),
    )
  })

  it('survives a round trip as a time, with and without the colon', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1440 }), (minutes) => {
        const text = formatTime({ hour: Math.floor(minutes / 60), minute: minutes % 60 })
        expect([read(text), read(text.replace(':', ''))]).toEqual([text, text])
      }),
    )
  })
})
