import { useTranslation } from 'react-i18next'
import type { RouteStatistics } from '#contract/routes.ts'
import { formatDistance, formatPercent, formatInteger } from '#web/kit/format.ts'
import { formatDuration } from '#web/kit/format-duration.ts'
import { HourBars } from './hour-bars.tsx'
import styles from './routes-statistics.module.css'

interface Props {
  statistics: RouteStatistics
  isMetric: boolean
  onSelect: (id: string) => void
}

/** Statistics of the matching trips, including how many are on no street of the map. */
export function RoutesStatistics({ statistics, isMetric, onSelect }: Props) {
  const { t } = useTranslation()
  const {
    trips,
    trips_with_way: routedTrips,
    trips_matched: matchedTrips,
    distance_m: distance,
    duration_s: duration,
  } = statistics
  const figures = [
    ['trips', formatInteger(trips)],
    [
      'ways',
      t('routes:statistics.of', {
        shown: formatInteger(routedTrips),
        share: formatPercent(trips ? routedTrips / trips : null),
      }),
    ],
    ['without', formatInteger(trips - routedTrips)],
    [
      'matched',
      t('routes:statistics.of', {
        shown: formatInteger(matchedTrips),
        share: formatPercent(statistics.matched_share),
      }),
    ],
    ['length', formatDistance(statistics.ways_length_m, isMetric)],
    [
      'distance',
      t('routes:statistics.medianMean', {
        median: formatDistance(distance.median, isMetric),
        mean: formatDistance(distance.mean, isMetric),
      }),
    ],
    [
      'duration',
      t('routes:statistics.medianMean', {
        median: formatDuration(duration.median),
        mean: formatDuration(duration.mean),
      }),
    ],
  ] as const
  return (
    <section className={styles['box']} aria-labelledby="routes-statistics">
      <h3 id="routes-statistics" className={styles['title']}>
        {t('routes:statistics.title')}
      </h3>
      <dl className={styles['figures']}>
        {figures.map(([key, value]) => (
          <div key={key}>
            <dt>{t(`routes:statistics.${key}`)}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <h4 className={styles['part']}>{t('routes:statistics.byHour')}</h4>
      <HourBars hours={statistics.by_hour} />
      {statistics.busiest.length > 0 ? (
        <>
          <h4 className={styles['part']}>{t('routes:statistics.busiest')}</h4>
          <ol className={styles['busiest']}>
            {statistics.busiest.map(
              ({ segment_id: id, street, cross_streets: [first, second], trips: count }) => (
                <li key={id}>
                  <button type="button" className={styles['street']} onClick={() => onSelect(id)}>
                    {t(`routes:segment.${second ? 'between' : first ? 'near' : 'alone'}`, {
                      street: street || t('routes:unnamed'),
                      first,
                      second,
                    })}
                  </button>
                  <span>{formatInteger(count)}</span>
                </li>
              ),
            )}
          </ol>
        </>
      ) : null}
    </section>
  )
}
