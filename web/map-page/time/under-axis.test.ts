import { expect, it } from 'vitest'
import type { WeatherDay } from '#contract/weather.ts'
import { countIssuesByDay } from './issues-strip.tsx'
import { getWeatherByDay } from './weather-strip.tsx'

const weatherDay = (day: string, overrides: Partial<WeatherDay> = {}): WeatherDay => ({
  day,
  precipitation_mm: 25.4,
  snowfall_mm: null,
  snow_depth_mm: null,
  temperature_max_c: 20,
  temperature_min_c: 10,
  temperature_mean_c: 15,
  wind_max_kmh: null,
  kind: 'measured',
  place: 'Harbour station',
  source: 'files',
  ...overrides,
})
const days = ['2026-03-01', '2026-03-02', '2026-03-03']

it('getWeatherByDay returns weather in the order of the axis, in the units of the region', () => {
  const weather = [
    weatherDay('2026-03-03', { temperature_max_c: null, precipitation_mm: null }),
    weatherDay('2026-03-01'),
    weatherDay('2026-04-01', { place: 'Elsewhere' }),
  ]
  expect(getWeatherByDay(days, weather, true)).toEqual({
    rain: [25.4, null, null],
    warmest: [20, null, 15],
    rainUnit: 'mm',
    heatUnit: '°C',
    sources: ['Harbour station'],
    isEmpty: false,
  })
  expect(getWeatherByDay(days, weather, false)).toMatchObject({
    rain: [1, null, null],
    warmest: [68, null, 59],
    rainUnit: 'in',
    heatUnit: '°F',
  })
  expect(getWeatherByDay(days, [], true).isEmpty).toBe(true)
})

it('countIssuesByDay counts by local day', () => {
  const issues = [
    '2026-03-02T03:00:00Z',
    '2026-03-02T12:00:00Z',
    '2026-03-03T01:00:00Z',
    '2026-05-01T00:00:00Z',
  ].map((requested_time) => ({ requested_time }))
  expect(countIssuesByDay(days, issues, 'America/New_York')).toEqual([1, 2, 0])
  expect(countIssuesByDay(days, issues, 'UTC')).toEqual([0, 2, 1])
})
