import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { dayNumber, dayFromNumber } from '#contract/period.ts'
import { type DateOrder, readClock, readDate, readDateTime } from './read-time.ts'

const anyDay = fc.integer({ min: dayNumber('1990-01-01'), max: dayNumber('2099-12-31') })

describe('readDate', () => {
  it('reads every day in every order, with and without leading zeros', () => {
    fc.assert(
      fc.property(
        anyDay,
        fc.constantFrom<DateOrder>('ymd', 'mdy', 'dmy'),
        fc.constantFrom('-', '/', '.'),
        fc.boolean(),
        fc.boolean(),
        (dayIndex, order, separator, isUnpadded, hasShortYear) => {
          const [year = '', month = '', date = ''] = dayFromNumber(dayIndex).split('-')
          const write = (text: string): string => (isUnpadded ? String(Number(text)) : text)
          expect(readDate([year, write(month), write(date)].join(separator), order)).toBe(dayIndex)
          if (order === 'ymd') return
          const lastYear = hasShortYear && year.startsWith('20') ? year.slice(2) : year
          expect(
            readDate(
              [...(order === 'mdy' ? [month, date] : [date, month]).map(write), lastYear].join(separator),
              order,
            ),
          ).toBe(dayIndex)
        },
      ),
    )
  })

  it('reads leading years of two digits only if the order requires it', () => {
    expect(readDate('19-07-04', 'ymd')).toBe(dayNumber('2019-07-04'))
    expect(readDate('07/04/2019', 'ymd')).toBeNull()
    expect(readDate('7/4/19', 'ymd')).toBeNull()
  })

  it.each([
    '2023-02-29',
    '2023-02-30',
    '2023-13-01',
    '2023-00-10',
    '2023-04-31',
    '0000-01-01',
    '13/45/2020',
    '1/2',
    '',
    'today',
    '2023-1-1-1',
    '20230101',
    '1/1/202',
    '٢٠٢٣-٠١-٠١',
  ])('knows no day %j', (text) => {
    for (const order of ['ymd', 'mdy', 'dmy'] as const) expect(readDate(text, order)).toBeNull()
  })

  it('accepts February 29 only in leap years', () => {
    expect(readDate('2/29/2024', 'mdy')).toBe(dayNumber('2024-02-29'))
    expect(readDate('2000-02-29', 'ymd')).toBe(dayNumber('2000-02-29'))
    expect(readDate('1900-02-29', 'ymd')).toBeNull()
  })

  it('caches dates separately for each order', () => {
    expect(readDate('3/4/2024', 'mdy')).toBe(dayNumber('2024-03-04'))
    expect(readDate('3/4/2024', 'dmy')).toBe(dayNumber('2024-04-03'))
  })
})

describe('readClock', () => {
  it('reads every minute in 12 and 24 hours', () => {
    for (let minute = 0; minute < 1440; minute++) {
      const hour = Math.floor(minute / 60)
      const minuteText = String(minute % 60).padStart(2, '0')
      expect(readClock(`${hour}:${minuteText}`)).toBe(minute * 60)
      expect(readClock(`${String(hour).padStart(2, '0')}:${minuteText}:09.123`)).toBe(minute * 60 + 9)
      expect(readClock(`${hour % 12 || 12}:${minuteText} ${hour < 12 ? 'AM' : 'pm'}`)).toBe(minute * 60)
    }
  })
  it('reads the end of a day', () => expect(readClock('24:00')).toBe(86_400))
  it.each([
    '24:01',
    '25:00',
    '12:60',
    '12:00:60',
    '13:00 PM',
    '0:30 am',
    '12',
    '12:5',
    '',
    'noon',
    '-1:00',
    '24:00:01',
  ])('knows no time %j', (text) => expect(readClock(text)).toBeNull())
})

describe('readDateTime', () => {
  const localTime = { day: dayNumber('2019-06-05'), seconds: 8 * 3600 + 5 * 60 + 3 }
  it.each([
    '2019-06-05 08:05:03',
    '2019-06-05T08:05:03',
    '2019-06-05 08:05:03.4567',
    '2019-06-05  8:05:03 AM',
    '6/5/2019 8:05:03',
    '06/05/19 8:05:03 am',
  ])('reads %j as local time', (text) => expect(readDateTime(text, 'mdy')).toEqual(localTime))

  it.each([
    ['2019-06-05T08:05:03Z', '2019-06-05T08:05:03Z'],
    ['2019-06-05 08:05:03+00:00', '2019-06-05T08:05:03Z'],
    ['2019-06-05T08:05:03-0700', '2019-06-05T15:05:03Z'],
    ['2019-06-05 08:05:03.250 +05:45', '2019-06-05T02:20:03.250Z'],
    ['2019-06-05 08:05Z', '2019-06-05T08:05:00Z'],
    ['1559721903', '2019-06-05T08:05:03Z'],
    ['1559721903250', '2019-06-05T08:05:03.250Z'],
  ])('reads %j as an instant', (text, instant) =>
    expect(readDateTime(text, 'ymd')).toEqual({ ms: Date.parse(instant) }),
  )

  it.each([
    '',
    '2019-06-05',
    '08:05',
    '2019-06-31 08:05',
    '2019-02-30T10:00:00Z',
    '2019-02-30 10:00:00',
    '2019-06-05T25:00:00Z',
    '2019-06-05 08:05 CET',
    '155972190',
    'NaN',
    '2019-06-05T08:05:03+99',
  ])('reads nothing in %j', (text) => {
    expect(readDateTime(text, 'ymd')).toBeNull()
  })

  it('reads every instant from its ISO text', () => {
    fc.assert(
      fc.property(
        fc.date({ min: new Date('1990-01-01'), max: new Date('2099-12-31'), noInvalidDate: true }),
        (at) => {
          expect(readDateTime(at.toISOString(), 'dmy')).toEqual({ ms: at.getTime() })
        },
      ),
    )
  })

  it('never throws, whatever the text', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom(...'0123456789-/:. TZ+apm') })),
        (text) => {
          expect(() => [readDateTime(text, 'mdy'), readDate(text, 'dmy'), readClock(text)]).not.toThrow()
        },
      ),
      { numRuns: 2000 },
    )
  })
})
