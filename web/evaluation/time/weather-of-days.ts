import type { WeatherDay } from '#contract/weather.ts'

export interface WeatherOfDays {
  /** mm, or inches where the region is not metric; by bucket, null where not known. */
  rain: (number | null)[]
  /** Highest of the day: °C or °F. */
  warmest: (number | null)[]
  rainUnit: 'mm' | 'in'
  heatUnit: '°C' | '°F'
  /** Who says so. */
  sources: string[]
  isEmpty: boolean
}

const perInch = 25.4

/** Weather by day in the order of an axis, in the region's units. */
export function weatherOfDays(
  days: readonly string[],
  weather: readonly WeatherDay[],
  isMetric: boolean,
): WeatherOfDays {
  const byDay = new Map(weather.map((each) => [each.day, each]))
  const known = days.flatMap((day) => byDay.get(day) ?? [])
  const read = (
    of: (day: WeatherDay) => number | null,
    convert: (value: number) => number,
  ): (number | null)[] =>
    days.map((day) => {
      const found = byDay.get(day)
      const value = found ? of(found) : null
      return value === null ? null : isMetric ? value : convert(value)
    })
  return {
    rain: read(
      (day) => day.precipitation_mm,
      (mm) => mm / perInch,
    ),
    warmest: read(
      (day) => day.temperature_max_c ?? day.temperature_mean_c,
      (celsius) => (celsius * 9) / 5 + 32,
    ),
    rainUnit: isMetric ? 'mm' : 'in',
    heatUnit: isMetric ? '°C' : '°F',
    sources: [...new Set(known.map(({ place, source }) => place || source))].toSorted(),
    isEmpty: known.length === 0,
  }
}
