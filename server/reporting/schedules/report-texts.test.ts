import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { measureKeys } from '#contract/metrics.ts'
import { formatChange, formatMeasure, formatUnitInTitle } from './measure-text.ts'
import { describeNewestData } from './report-mail.ts'
import { reportTexts } from './report-texts.ts'

test('A report names measures and vehicle types as the screens do', () => {
  const screens = JSON.parse(readFileSync('web/reporting/reporting.en.json', 'utf8')) as {
    measure: Record<string, { name: string }>
  }
  const { measures, keys } = reportTexts['en-US']
  const named = measureKeys.filter((key) => key !== 'parking_over_limit')
  expect(named.map((key) => measures[key].name)).toEqual(named.map((key) => screens.measure[key]?.name))
  expect([keys['bicycle'], keys['scooter_standing']]).toEqual(['Electric Bike', 'Standing Scooter'])
})

test('A report formats shares and changes by the language, and units in titles in parentheses', () => {
  expect(formatMeasure('utilization', 0.25, false, 'en-US')).toBe('25.0%')
  expect(formatMeasure('utilization', 0.25, false, 'es-US')).toBe('25.0 %')
  expect(formatChange(3, 2, 'en-US')).toBe('+50.0%')
  expect([
    formatUnitInTitle('distance_median', false, 'en-US'),
    formatUnitInTitle('trips', false, 'en-US'),
  ]).toEqual([' (mi)', ''])
})

test('A report says in the time of the region how recent the data is', () => {
  const content = { timezone: 'America/New_York', newestFact: '2026-11-26T04:59:59.000Z' }
  const text = (overrides: object) =>
    describeNewestData({ ...content, ...overrides } as Parameters<typeof describeNewestData>[0])
  expect(text({ language: 'en-US' }).replaceAll('\u202f', ' ')).toBe('Data up to Nov 25, 2026, 11:59 PM')
  expect(text({ language: 'es', newestFact: null })).toBe('Sin datos')
})
