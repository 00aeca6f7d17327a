import type { TFunction } from 'i18next'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { Region } from '#contract/regions.ts'
import { listWeather, type WeatherDay } from '#contract/weather.ts'
import { SparkBars } from '#web/kit/spark-bars.tsx'
import { useEndpointQuery } from '#web/data/query.ts'
import { formatInteger, formatNumber } from '#web/kit/format.ts'
import { Sparkline } from '#web/kit/sparkline.tsx'
import type { Period } from '#web/filters/period.ts'
import { AddDataHint } from './add-data-hint.tsx'
import styles from './strip.module.css'

interface WeatherByDay {
  /** Rain of each day in mm or inches; null if unknown. */
  rain: (number | null)[]
  /** Highest temperature of the day in °C or °F. */
  warmest: (number | null)[]
  rainUnit: 'mm' | 'in'
  heatUnit: '°C' | '°F'
  /** Weather stations, or the feeds of those without a name. */
  sources: string[]
  isEmpty: boolean
}

const mmPerInch = 25.4

/** Weather by day in the order of an axis, in the region's units. */
export function getWeatherByDay(
  days: readonly string[],
  weather: readonly WeatherDay[],
  isMetric: boolean,
): WeatherByDay {
  const byDay = new Map(weather.map((dayWeather) => [dayWeather.day, dayWeather]))
  const shownDays = days.flatMap((day) => byDay.get(day) ?? [])
  const toDailyValues = (
    getValue: (day: WeatherDay) => number | null,
    toUsUnit: (value: number) => number,
  ): (number | null)[] =>
    days.map((day) => {
      const weatherDay = byDay.get(day)
      const value = weatherDay ? getValue(weatherDay) : null
      return value === null || isMetric ? value : toUsUnit(value)
    })
  return {
    rain: toDailyValues(
      (day) => day.precipitation_mm,
      (mm) => mm / mmPerInch,
    ),
    warmest: toDailyValues(
      (day) => day.temperature_max_c ?? day.temperature_mean_c,
      (celsius) => (celsius * 9) / 5 + 32,
    ),
    rainUnit: isMetric ? 'mm' : 'in',
    heatUnit: isMetric ? '°C' : '°F',
    sources: [...new Set(shownDays.map(({ place, source }) => place || source))].toSorted(),
    isEmpty: shownDays.length === 0,
  }
}

/** Rainy days, total rain and the range of the highest temperatures, as text. */
export function weatherSummary(t: TFunction, weather: WeatherByDay): string {
  const rain = weather.rain.filter((value) => value !== null)
  const warmest = weather.warmest.filter((value) => value !== null)
  const totalRain = rain.reduce((sum, value) => sum + value, 0)
  return [
    rain.length
      ? t('evaluation:byDay.rain', {
          count: rain.length,
          rainy: formatInteger(rain.filter((value) => value > 0).length),
          known: formatInteger(rain.length),
          total: formatNumber(totalRain, 1),
          unit: weather.rainUnit,
        })
      : null,
    warmest.length
      ? t('evaluation:byDay.highs', {
          low: formatInteger(Math.round(Math.min(...warmest))),
          high: formatInteger(Math.round(Math.max(...warmest))),
          unit: weather.heatUnit,
        })
      : null,
  ]
    .filter(Boolean)
    .join(' · ')
}

function formatWeather(t: TFunction, weather: WeatherByDay, index: number): string {
  const rain = weather.rain[index] ?? null
  const warmest = weather.warmest[index] ?? null
  return [
    t('evaluation:time.temperature', {
      value: formatNumber(warmest),
      unit: warmest === null ? '' : weather.heatUnit,
    }),
    t('evaluation:time.rain', { value: formatNumber(rain, 2), unit: rain === null ? '' : weather.rainUnit }),
  ].join(' · ')
}

/** The days of a strip below the map, and the current one; null if the map shows all of them. */
export interface StripProps {
  region: Region
  period: Period
  days: readonly string[]
  /** Index of the current day. */
  current: number | null
}

/** Rain of each day as bars and its highest temperature as a line. */
export function WeatherStrip({ region, period, days, current }: StripProps) {
  const { t } = useTranslation()
  const { data, error } = useEndpointQuery(listWeather, {
    params: { region_id: region.regionId },
    query: period,
  })
  const weather = useMemo(
    () => (data ? getWeatherByDay(days, data.items, region.isMetric) : null),
    [data, days, region.isMetric],
  )
  if (error)
    return (
      <p className={styles['text']} role="alert">
        {error.message}
      </p>
    )
  if (!weather) return <p className={styles['text']}>{t('evaluation:time.loading')}</p>
  if (weather.isEmpty)
    return (
      <p className={styles['text']}>
        <span>
          {t('evaluation:time.noWeather')} <AddDataHint regionId={region.regionId} extra="weather" />
        </span>
      </p>
    )
  return (
    <div className={styles['strip']} data-strip="weather">
      <p className={styles['text']}>
        <span>{current === null ? weatherSummary(t, weather) : formatWeather(t, weather, current)}</span>
        <span>{t('evaluation:time.weatherFrom', { source: weather.sources.join(', ') })}</span>
      </p>
      <div className={styles['drawing']}>
        <SparkBars bars={weather.rain} tone="rain" height={24} />
        <Sparkline values={weather.warmest} height={24} className={styles['line']} />
      </div>
    </div>
  )
}
