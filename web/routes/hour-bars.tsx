import { useTranslation } from 'react-i18next'
import { formatInteger } from '#web/kit/format.ts'
import styles from './hour-bars.module.css'

interface Hour {
  hour: number
  trips: number
  trips_with_way: number
}

const clock = (hour: number): string => `${String(hour).padStart(2, '0')}:00`

/** Trips by hour of their start; the darker part has a way. The same numbers stand in a table for those who do not see it. */
export function HourBars({ hours }: { hours: readonly Hour[] }) {
  const { t } = useTranslation()
  const most = Math.max(1, ...hours.map(({ trips }) => trips))
  return (
    <div>
      <svg
        className={styles['bars']}
        viewBox={`0 0 ${hours.length} 1`}
        preserveAspectRatio="none"
        aria-hidden="true"
      >
        {hours.map(({ hour, trips, trips_with_way: ways }) => (
          <g key={hour}>
            <rect
              className={styles['all']}
              x={hour + 0.1}
              width={0.8}
              y={1 - trips / most}
              height={trips / most}
            />
            <rect
              className={styles['ways']}
              x={hour + 0.1}
              width={0.8}
              y={1 - ways / most}
              height={ways / most}
            />
          </g>
        ))}
      </svg>
      <div className={styles['axis']} aria-hidden="true">
        {[0, 6, 12, 18, 24].map((hour) => (
          <span key={hour}>{hour}</span>
        ))}
      </div>
      <table className="only-read">
        <caption>{t('routes:statistics.byHour')}</caption>
        <thead>
          <tr>
            <th scope="col">{t('routes:statistics.hour')}</th>
            <th scope="col">{t('routes:statistics.trips')}</th>
            <th scope="col">{t('routes:statistics.ways')}</th>
          </tr>
        </thead>
        <tbody>
          {hours.map(({ hour, trips, trips_with_way: ways }) => (
            <tr key={hour}>
              <th scope="row">{clock(hour)}</th>
              <td>{formatInteger(trips)}</td>
              <td>{formatInteger(ways)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
