import { dayMs } from '#contract/period.ts'
import { makeDailyWeather, type DayWeather } from '../daily-weather.ts'
import { hashToShare, salts } from '../hash-numbers.ts'
import { rhythm } from './rhythm.ts'

/** Demand of a local day. */
export interface DayDemand {
  /** Demand relative to a mild, dry weekday in spring. */
  factor: number
  isWeekend: boolean
  /** 1 to 12. */
  month: number
}

/** Computes the demand of a day (days since 1970-01-01) from weekday, season, weather and chance. */
export function computeDayDemand(
  seed: number,
  day: number,
  weather: Pick<DayWeather, 'temperatureMax' | 'precipitation'> = makeDailyWeather(seed, day),
): DayDemand {
  const date = new Date(day * dayMs)
  const month = date.getUTCMonth()
  const nextMonth = rhythm.month[(month + 1) % 12]!
  const shareOfMonth = (date.getUTCDate() - 1) / 31
  const weekday = (date.getUTCDay() + 6) % 7
  const { temperatureMax, precipitation } = weather
  // Rain reduces demand by 16% plus 1.7% per mm, to at least 34%. Cold below 8 °C reduces it by 4.5% per degree,
  // to at least 50%; heat above 33 °C by 4%, to at least 70%.
  const rain = precipitation === 0 ? 1 : Math.max(0.34, 0.84 - 0.017 * precipitation)
  const cold = temperatureMax < 8 ? Math.max(0.5, 1 - (8 - temperatureMax) * 0.045) : 1
  const heat = temperatureMax > 33 ? Math.max(0.7, 1 - (temperatureMax - 33) * 0.04) : 1
  const randomFactor = 0.95 + 0.1 * hashToShare(seed, day, salts.dayDemand)
  // Interpolates between the months, so that demand does not jump on the first of a month.
  const season = rhythm.month[month]! * (1 - shareOfMonth) + nextMonth * shareOfMonth
  return {
    factor: rhythm.dayOfWeek[weekday]! * season * rain * cold * heat * randomFactor,
    isWeekend: weekday > 4,
    month: month + 1,
  }
}
