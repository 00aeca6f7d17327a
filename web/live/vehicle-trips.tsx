import { useTranslation } from 'react-i18next'
import type { VehicleDay } from '#contract/vehicles.ts'
import { formatDuration } from '#web/kit/format-duration.ts'
import styles from './vehicle-card.module.css'
import { formatClock } from './zone-clock.ts'

interface Props {
  trips: VehicleDay['trips']
  timezone: string
  formatDistance: (meters: number) => string
}

const maxTrips = 5

/** The last few trips of the day, latest first. */
export function VehicleTrips({ trips, timezone, formatDistance: distanceText }: Props) {
  const { t } = useTranslation()
  if (trips.length === 0) return <p className={styles['quiet']}>{t('live:card.noTrips')}</p>
  return (
    <ul className={styles['trips']}>
      {trips
        .toReversed()
        .slice(0, maxTrips)
        .map(({ trip_id, start, end, distance_m, duration_s }) => (
          <li key={trip_id}>
            <span>
              {end === null
                ? t('live:card.underway', { start: formatClock(start, timezone) })
                : t('live:card.trip', {
                    start: formatClock(start, timezone),
                    end: formatClock(end, timezone),
                  })}
            </span>
            <span className={styles['quiet']}>
              {[
                duration_s === null ? null : formatDuration(duration_s),
                distance_m === null ? null : distanceText(distance_m),
              ]
                .filter(Boolean)
                .join(' · ')}
            </span>
          </li>
        ))}
    </ul>
  )
}
