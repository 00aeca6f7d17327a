import type { WeatherFigure, WeatherKind } from '#contract/weather.ts'

/** The weather of a day as a feed or file reports it. Absent figures are unknown. */
export interface DayWeather {
  /** Local day, YYYY-MM-DD. */
  day: string
  kind: WeatherKind
  /** Name of the station or service. */
  place: string
  /** Distinguishes the stations of one file; '' if there is only one. */
  station: string
  figures: Partial<Record<WeatherFigure, number>>
}
