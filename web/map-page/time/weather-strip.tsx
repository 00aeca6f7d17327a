import { useMemo, useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'
import type { Region } from '#contract/regions.ts'
import { listWeather, type WeatherDay } from '#contract/weather.ts'
import { SparkBars } from '#web/kit/spark-bars.tsx'
import { useEndpointQuery } from '#web/data/query.ts'
import { formatNumber } from '#web/kit/format.ts'
import { Sparkline } from '#web/kit/sparkline.tsx'
import type { Period } from '#web/filters/period.ts'
import type { AxisPlaying } from './axis-playing.ts'
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
  const byDay = new Map(weather.map((each) => [each.day, each]))
  const shownDays = days.flatMap((day) => byDay.get(day) ?? [])
  const readDays = (
    getValue: (day: WeatherDay) => number | null,
    convert: (value: number) => number,
  ): (number | null)[] =>
    days.map((day) => {
      const weatherDay = byDay.get(day)
      const value = weatherDay ? getValue(weatherDay) : null
      return value === null ? null : isMetric ? value : convert(value)
    })
  return {
    rain: readDays(
      (day) => day.precipitation_mm,
      (mm) => mm / mmPerInch,
    ),
    warmest: readDays(
      (day) => day.temperature_max_c ?? day.temperature_mean_c,
      (celsius) => (celsius * 9) / 5 + 32,
    ),
    rainUnit: isMetric ? 'mm' : 'in',
    heatUnit: isMetric ? '°C' : '°F',
    sources: [...new Set(shownDays.map(({ place, source }) => place || source))].toSorted(),
    isEmpty: shownDays.length === 0,
  }
}

interface Props {
  region: Region
  period: Period
  playing: AxisPlaying
}

/** Rain as bars and the day's highest temperature as a line, under the days of an axis. */
export function WeatherStrip({ region, period, playing }: Props) {
  const { t } = useTranslation()
  const { playback, head } = playing
  const bucket = useSyncExternalStore(head.subscribe, head.read)
  const { data, error } = useEndpointQuery(listWeather, {
    params: { region_id: region.regionId },
    query: period,
  })
  const weather = useMemo(
    () => (data ? getWeatherByDay(playback.buckets, data.items, region.isMetric) : null),
    [data, playback, region.isMetric],
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
  const [rain, warmest] = [weather.rain[bucket] ?? null, weather.warmest[bucket] ?? null]
  return (
    <div className={styles['strip']} data-strip="weather">
      <p className={styles['text']}>
        <span>
          {[
            t('evaluation:time.temperature', {
              value: formatNumber(warmest),
              unit: warmest === null ? '' : weather.heatUnit,
            }),
            t('evaluation:time.rain', {
              value: formatNumber(rain, 2),
              unit: rain === null ? '' : weather.rainUnit,
            }),
          ].join(' · ')}
        </span>
        <span>{t('evaluation:time.weatherFrom', { source: weather.sources.join(', ') })}</span>
      </p>
      <div className={styles['drawing']}>
        <SparkBars bars={weather.rain} tone="rain" height={24} />
        <Sparkline values={weather.warmest} height={24} className={styles['line']} />
      </div>
    </div>
  )
}
