import { describe, expect, it } from 'vitest'
import { dayMs } from '#contract/period.ts'
import type { DayWeather } from '../daily-weather.ts'
import { dayNumber } from '../day-number.ts'
import { computeDayDemand } from './day-demand.ts'
import { rhythm } from './rhythm.ts'

const mild: DayWeather = { temperatureMax: 20, temperatureMin: 12, precipitation: 0 }
/** Computes the demand on a mild day by default. */
const computeFactor = (seed: number, day: number, weather: Partial<DayWeather> = {}) =>
  computeDayDemand(seed, day, { ...mild, ...weather })

const june = dayNumber('2026-06-01')
/** Compares a day with itself in other weather, because its random factor is the same. */
const compareWithMildDay = (weather: Partial<DayWeather>, day = june): number =>
  computeFactor(1, day, weather).factor / computeFactor(1, day).factor

describe('computeDayDemand', () => {
  it.each([
    ['a shower', { precipitation: 1 }, 0.823],
    ['a wet day', { precipitation: 10 }, 0.67],
    ['a flood', { precipitation: 80 }, 0.34],
    ['a cold day', { temperatureMax: 4 }, 0.82],
    ['a bitter day', { temperatureMax: -20 }, 0.5],
    ['a hot day', { temperatureMax: 36 }, 0.88],
    ['a heat wave', { temperatureMax: 50 }, 0.7],
    ['a cool day', { temperatureMax: 8 }, 1],
    ['a warm day', { temperatureMax: 33 }, 1],
    ['cold rain', { temperatureMax: 4, precipitation: 10 }, 0.82 * 0.67],
  ])('demand is lower on %s', (_, weather, share) => {
    expect(compareWithMildDay(weather)).toBeCloseTo(share, 9)
  })

  it('decreases with rain and cold, but never to zero', () => {
    const rain = Array.from({ length: 60 }, (_, mm) => compareWithMildDay({ precipitation: mm }))
    expect(rain).toEqual(rain.toSorted((a, b) => b - a))
    const cold = Array.from({ length: 40 }, (_, degrees) =>
      compareWithMildDay({ temperatureMax: 20 - degrees }),
    )
    expect(cold).toEqual(cold.toSorted((a, b) => b - a))
    expect(Math.min(...rain, ...cold)).toBeGreaterThan(0.3)
  })

  it('each day has its weekday, including days before 1970', () => {
    const isWeekend = (date: string): boolean => computeFactor(1, dayNumber(date)).isWeekend
    expect(['2026-06-05', '2026-06-06', '2026-06-07', '2026-06-08'].map(isWeekend)).toEqual([
      false,
      true,
      true,
      false,
    ])
    expect(['1969-12-26', '1969-12-27', '1969-12-28'].map(isWeekend)).toEqual([false, true, true])
  })

  it('each day has its month', () => {
    expect(
      ['2026-01-31', '2026-02-01', '2024-02-29', '2026-12-31'].map(
        (date) => computeFactor(1, dayNumber(date)).month,
      ),
    ).toEqual([1, 2, 2, 12])
  })

  it('changes gradually from month to month', () => {
    const weekdayAway = Array.from({ length: 365 }, (_, i) => {
      const { factor } = computeFactor(1, june + i)
      return factor / rhythm.dayOfWeek[(new Date((june + i) * dayMs).getUTCDay() + 6) % 7]!
    })
    // The random factor varies by a tenth; the rest is the season.
    weekdayAway
      .slice(1)
      .forEach((factor, i) => expect(Math.abs(factor / weekdayAway[i]! - 1)).toBeLessThan(0.13))
    const mean = (from: number): number =>
      weekdayAway.slice(from, from + 28).reduce((sum, factor) => sum + factor, 0) / 28
    expect(mean(30) / mean(220)).toBeGreaterThan(1.6)
  })

  it('varies randomly by 5% at most, depending on the seed', () => {
    const shares = Array.from(
      { length: 200 },
      (_, seed) => computeFactor(seed, june).factor / (rhythm.dayOfWeek[0]! * rhythm.month[5]!),
    )
    expect(Math.min(...shares)).toBeGreaterThanOrEqual(0.95)
    expect(Math.max(...shares)).toBeLessThanOrEqual(1.05)
    expect(new Set(shares).size).toBeGreaterThan(190)
  })
})
