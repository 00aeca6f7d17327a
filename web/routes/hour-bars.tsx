import { useTranslation } from 'react-i18next'
import { formatInteger } from '#web/kit/format.ts'
import { SparkBars } from '#web/kit/spark-bars.tsx'
import { formatHourOfDay, formatTimeOfDay } from '#web/kit/time/time-of-day.ts'
import styles from './routes-statistics.module.css'

interface Hour {
  hour: number
  trips: number
  trips_with_way: number
}

/** Trips by starting hour; the darker part of a bar has a known route. */
export function HourBars({ hours }: { hours: readonly Hour[] }) {
  const { t } = useTranslation()
  const texts = hours.map(({ hour, trips, trips_with_way: routes }) =>
    t('routes:statistics.ofHour', {
      hour: formatTimeOfDay({ hour, minute: 0 }),
      trips: formatInteger(trips),
      routes: formatInteger(routes),
    }),
  )
  return (
    <div>
      <SparkBars
        bars={hours.map(({ trips, trips_with_way: routes }) => ({ value: trips, part: routes }))}
        height={56}
        label={`${t('routes:statistics.byHour')}: ${texts.join('; ')}`}
      />
      <div className={styles['axis']} aria-hidden="true">
        {[0, 6, 12, 18, 24].map((hour) => (
          <span key={hour}>{formatHourOfDay(hour)}</span>
        ))}
      </div>
    </div>
  )
}
