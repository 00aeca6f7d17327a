import type { WeatherFigure, WeatherKind } from '#contract/weather.ts'

/** A day as a feed or a file tells it; a figure that is absent is not known. */
export interface DayWeather {
  /** Local day, YYYY-MM-DD. */
  day: string
  kind: WeatherKind
  /** The station or the service. */
  place: string
  /** Tells stations of one file apart; '' where there is one only. */
  station: string
  figures: Partial<Record<WeatherFigure, number>>
}
