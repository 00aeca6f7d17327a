import { describe, expect, it } from 'vitest'
import { makeDailyWeather } from './daily-weather.ts'
import { dayNumber } from './day-number.ts'

const first = dayNumber('2026-01-01')
const year = Array.from({ length: 365 }, (_, i) => makeDailyWeather(1, first + i))
const computeMean = (values: number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length
const filterMonth = (index: number): typeof year =>
  year.slice(Math.round(index * 30.4), Math.round((index + 1) * 30.4))

describe('makeDailyWeather', () => {
  it('weather is deterministic for a seed and differs between seeds', () => {
    expect(makeDailyWeather(1, first + 40)).toEqual(year[40])
    expect(Array.from({ length: 30 }, (_, i) => makeDailyWeather(2, first + i))).not.toEqual(
      year.slice(0, 30),
    )
  })

  it('July is warm and January cold', () => {
    expect(computeMean(filterMonth(6).map(({ temperatureMax }) => temperatureMax))).toBeGreaterThan(26)
    expect(computeMean(filterMonth(0).map(({ temperatureMax }) => temperatureMax))).toBeLessThan(14)
  })

  it('each day’s minimum is below its maximum, within plausible bounds', () => {
    for (const { temperatureMin, temperatureMax } of year) {
      expect(temperatureMin).toBeLessThan(temperatureMax)
      expect(temperatureMin).toBeGreaterThan(-16)
      expect(temperatureMax).toBeLessThan(43)
    }
  })

  it('rain falls on 18 to 42% of the days and 600 to 1700 mm a year', () => {
    const wet = year.filter(({ precipitation }) => precipitation > 0)
    expect(wet.length / 365).toBeGreaterThan(0.18)
    expect(wet.length / 365).toBeLessThan(0.42)
    const total = wet.reduce((sum, { precipitation }) => sum + precipitation, 0)
    expect(total).toBeGreaterThan(600)
    expect(total).toBeLessThan(1700)
  })
})
