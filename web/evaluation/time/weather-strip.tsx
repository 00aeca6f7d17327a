import { useMemo, useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'
import type { Region } from '#contract/regions.ts'
import { listWeather } from '#contract/weather.ts'
import { AxisBars } from '#web/charts/axis-bars.tsx'
import { AxisLine } from '#web/charts/axis-line.tsx'
import { useAnswer } from '#web/data/query.ts'
import { formatNumber } from '#web/kit/format.ts'
import type { Period } from '../period-presets.ts'
import type { AxisPlaying } from './axis-playing.ts'
import styles from './strip.module.css'
import { weatherOfDays } from './weather-of-days.ts'

interface Props {
  region: Region
  period: Period
  playing: AxisPlaying
}

/** Rain as bars and the day's highest temperature as a line, under the days of an axis. */
export function WeatherStrip({ region, period, playing }: Props) {
  const { t } = useTranslation()
  const { playback, head } = playing
  const at = useSyncExternalStore(head.subscribe, head.read)
  const { data, error } = useAnswer(listWeather, { params: { region_id: region.regionId }, query: period })
  const weather = useMemo(
    () => (data ? weatherOfDays(playback.buckets, data.items, region.isMetric) : null),
    [data, playback, region.isMetric],
  )
  if (error)
    return (
      <p className={styles['text']} role="alert">
        {error.message}
      </p>
    )
  if (!weather) return <p className={styles['text']}>{t('evaluation:time.loading')}</p>
  if (weather.isEmpty) return <p className={styles['text']}>{t('evaluation:time.noWeather')}</p>
  const [rain, warmest] = [weather.rain[at] ?? null, weather.warmest[at] ?? null]
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
        <AxisBars values={weather.rain} tone="rain" height={24} />
        <AxisLine values={weather.warmest} height={24} />
      </div>
    </div>
  )
}
