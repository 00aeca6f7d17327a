import { dayMs } from '#contract/period.ts'
import { hashNumbers, salts } from './hash-numbers.ts'
import { computeSmoothNoise } from './smooth-noise.ts'

/** The weather of one local day. */
export interface DayWeather {
  /** Degrees Celsius. */
  temperatureMax: number
  temperatureMin: number
  /** Millimeters. */
  precipitation: number
}

/** Generates a day's weather (days since 1970-01-01) in a mild coastal climate, with spells and rain. */
export function makeDailyWeather(seed: number, day: number): DayWeather {
  const date = new Date(day * dayMs)
  const dayOfYear = (date.getTime() - Date.UTC(date.getUTCFullYear(), 0, 1)) / dayMs
  // Coldest around January 24.
  const season = -Math.cos(((dayOfYear - 23) / 365.25) * 2 * Math.PI)
  const spell =
    4.5 * computeSmoothNoise(seed + salts.longSpell, day / 5.3, 0.5) +
    2.5 * computeSmoothNoise(seed + salts.shortSpell, day / 2.1, 0.5)
  const wetness =
    0.75 * computeSmoothNoise(seed + salts.wetness, day / 2.6, 0.5) +
    0.45 * (hashNumbers(seed, day, 74) / 2147483648 - 1)
  const precipitation = wetness > 0.28 ? Math.round(10 * (0.4 + 105 * (wetness - 0.28) ** 1.6)) / 10 : 0
  const mean = 15.5 + 10.5 * season + spell - (precipitation > 0 ? 1.2 : 0)
  const spread =
    (precipitation > 2 ? 3 : 4.6) + 1.4 * computeSmoothNoise(seed + salts.temperatureSpread, day / 1.7, 0.5)
  return { temperatureMax: round(mean + spread), temperatureMin: round(mean - spread), precipitation }
}

function round(degrees: number): number {
  return Math.round(degrees * 10) / 10
}
