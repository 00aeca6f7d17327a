import { describe, expect, it } from 'vitest'
import { readSign } from '../signs/read-sign.ts'
import { readHours } from './read-hours.ts'
import { readAmount, readRuleText, readStay } from './read-rule-text.ts'

const daily = (from: string, to: string) => ({ time_of_day_start: from, time_of_day_end: to })
const weekdays = { days_of_week: ['mon', 'tue', 'wed', 'thu', 'fri'] }

describe('hours in words', () => {
  it.each([
    ['8 AM - 10 PM', [daily('08:00', '22:00')]],
    ['9AM-4PM-6PM-10PM', [daily('09:00', '16:00'), daily('18:00', '22:00')]],
    ['5PM-MIDNIGHT', [daily('17:00', '24:00')]],
    ['10PM-3AM TH-SAT', [{ days_of_week: ['thu', 'fri', 'sat'], ...daily('22:00', '03:00') }]],
    ['8AM-6PM EXCEPT SAT & SUN', [{ ...weekdays, ...daily('08:00', '18:00') }]],
    [
      '2ND & 4TH THURSDAY 8AM-12NOON',
      [{ days_of_week: ['thu'], weeks_of_month: [2, 4], ...daily('08:00', '12:00') }],
    ],
    ['7AM-4PM SCHOOL DAYS', [{ designated_period: 'school days', ...daily('07:00', '16:00') }]],
    [
      'MON – FRI 8AM - 3PM & 7PM-8PM, SAT 8AM–8PM',
      [
        { ...weekdays, ...daily('08:00', '15:00') },
        { ...weekdays, ...daily('19:00', '20:00') },
        { days_of_week: ['sat'], ...daily('08:00', '20:00') },
      ],
    ],
    ['ANYTIME', []],
  ])('“%s” are read', (text, spans) => {
    expect(readHours(text)).toEqual(spans)
  })

  it.each([
    '6 AM - 10 PM-M-S',
    '8-6PM',
    'ask inside',
    '8AM',
    '25:00-26:00',
    '13PM-2PM',
    'MON 8AM-6PM, TUE',
    '2 HR MAX, 24 HOURS',
    '',
  ])('“%s” are not certain', (text) => {
    expect(readHours(text)).toBeNull()
  })
})

describe('rules in words', () => {
  it('reads a rule only if every word is understood', () => {
    expect(readRuleText('30 Min Max $1.25 HR 10am-8pm Mon-Sat (Mobile Pay) (NFC)')).toEqual({
      maxStayMinutes: 30,
      ratePerHour: 125,
      spans: [{ days_of_week: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat'], ...daily('10:00', '20:00') }],
    })
    for (const text of [
      'Sunday Mode',
      '15 Min Max $1.25 7am-7pm Daily',
      '2 Hour Max $1.25 HR 8am-4pm Mon-Fri 4pm-6pm TOW AWAY 8am-6pm Sat',
    ])
      expect(readRuleText(text)).toBeNull()
  })

  it('reads single numbers as amounts and stays', () => {
    expect([' $1.50', '  $.50', '2', '1.75 / 3.00', '######', '$'].map(readAmount)).toEqual([
      150,
      50,
      200,
      null,
      null,
      null,
    ])
    expect(['120', '360180', '2 / 12'].map((text) => readStay(text, 'minute'))).toEqual([120, null, null])
    expect(readStay('0.5', 'hour')).toBe(30)
  })
})

describe('signs', () => {
  it('state one or several rules with their hours', () => {
    expect(readSign('TOW ZONE NO STOPPING 7AM-9:30AM 4PM-6PM NO PARKING ANYTIME')).toEqual([
      {
        priority: 37,
        rules: [{ activity: 'no stopping' }],
        time_spans: [daily('07:00', '09:30'), daily('16:00', '18:00')],
      },
      { priority: 3, rules: [{ activity: 'no parking' }] },
    ])
    expect(readSign('WEDNESDAYS 12:01AM-7AM', 'Street Cleaning')).toEqual([
      {
        priority: 37,
        rules: [{ activity: 'no parking' }],
        time_spans: [{ days_of_week: ['wed'], ...daily('00:01', '07:00') }],
      },
    ])
    for (const text of [
      'TOW ZONE SPECIAL SIGN',
      'PARK BOSTON',
      'NO PARKING TOW ZONE VALET ZONE TIME/DAYS',
      '',
    ])
      expect(readSign(text)).toBeNull()
  })
})
