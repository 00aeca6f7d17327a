import i18next from 'i18next'
import { beforeAll, describe, expect, it } from 'vitest'
import { loadRoomTexts, startI18n } from '#web/i18n/start-i18n.ts'
import { formatDistrictField, formatHourRange, formatResolutionTime, getTypeName } from './issue-text.ts'

beforeAll(async () => {
  await startI18n()
  await loadRoomTexts()
})

describe('a resolution time in words', () => {
  it.each([
    ['24', 'Within 1 day'],
    ['12', 'Within 12 hours'],
    ['24-72', '1 day to 3 days'],
    ['1-36', '1 hour to 36 hours'],
    ['168-', 'More than 7 days'],
    ['1-', 'More than 1 hour'],
  ])('%s is %s', (text, words) => {
    expect(formatHourRange(i18next.t, text)).toBe(words)
  })

  it.each([
    [30, '1 day 6 hrs'],
    [0.5, '30 mins'],
    [0, '0 mins'],
    [null, 'n/a'],
  ] as const)('%s hours are %s', (hours, words) => {
    expect(formatResolutionTime(hours)).toBe(words)
  })
})

it('formats the name of a district field', () => {
  expect(['council_district', 'zip', 'Ward', '__'].map(formatDistrictField)).toEqual([
    'Council district',
    'Zip',
    'Ward',
    '',
  ])
})

it('shows the code of a type without a name', () => {
  expect(getTypeName({ service_name: '', service_code: '006' })).toBe('006')
  expect(getTypeName({ service_name: 'Potholes', service_code: '006' })).toBe('Potholes')
})
