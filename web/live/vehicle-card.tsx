import { CloseButton, Skeleton } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { Operator } from '#contract/operators.ts'
import { getVehicleDay, type VehicleDay } from '#contract/vehicles.ts'
import { operatorName } from '#contract/operators.ts'
import { vehicleTypeName } from '#web/filters/vehicle-type-name.ts'
import { useEndpointQuery } from '#web/data/query.ts'
import { FailedState } from '#web/kit/failed-state.tsx'
import { formatDistance, formatInteger } from '#web/kit/format.ts'
import { DayBar } from './day-bar.tsx'
import styles from './vehicle-card.module.css'
import { factsOfDay, type VehicleFacts } from './vehicle-facts.ts'
import { formatNearTime } from './zone-clock.ts'
import { VehicleTrips } from './vehicle-trips.tsx'

interface Props {
  regionId: string
  timezone: string
  isMetric: boolean
  /** `operator:number`. */
  id: string
  /** From the live columns; null if the vehicle is not there. */
  facts: VehicleFacts | null
  operators: readonly Operator[]
  /** The current time, in ms since 1970. */
  at: number
  onClear: () => void
}

/** Latitude and longitude, as map services read them, to about a meter. */
const formatPosition = ([lon, lat]: readonly [number, number]): string =>
  `${lat.toFixed(5)}, ${lon.toFixed(5)}`

/** If a history lacks the newest event, it is requested again at this interval. */
const retryMs = 2000
/** Events older than this are not expected in the history any more. */
const maxDelayMs = 120_000

/** The selected vehicle: its current state, and its day so far. */
export function VehicleCard({ regionId, timezone, isMetric, id, facts, operators, at, onClear }: Props) {
  const { t } = useTranslation()
  const since = facts?.since
  // An event changes the state immediately, but the history only some seconds later.
  const isBehind = (vehicleDay: VehicleDay | undefined): boolean =>
    vehicleDay?.source === 'events' &&
    since !== undefined &&
    since > (vehicleDay.intervals.at(-1)?.from ?? 0) &&
    since > vehicleDay.day_start &&
    at - since < maxDelayMs
  const {
    data: day,
    error,
    refetch,
  } = useEndpointQuery(
    getVehicleDay,
    { params: { region_id: regionId, device_id: id } },
    { staleTime: 0, refetchInterval: ({ state }) => (isBehind(state.data) ? retryMs : false) },
  )
  const currentFacts = facts ?? (day ? factsOfDay(day) : null)
  const isGone = error?.status === 404 && !facts
  const figures = currentFacts
    ? [
        [t('live:card.since'), formatNearTime(currentFacts.since, timezone, at)],
        [t('live:card.seen'), formatNearTime(currentFacts.seen, timezone, at)],
        [
          t('live:card.battery'),
          currentFacts.battery === null
            ? t('live:card.none')
            : t('live:card.percent', { percent: formatInteger(currentFacts.battery) }),
        ],
        [t('live:card.type'), vehicleTypeName(currentFacts.vehicleType)],
        [t('live:card.place'), currentFacts.place ? formatPosition(currentFacts.place) : t('live:card.none')],
      ]
    : []
  return (
    <section className={styles['card']} aria-label={t('live:card.label')}>
      <header className={styles['head']}>
        <div className={styles['names']}>
          <h2 className={styles['name']}>{currentFacts?.vehicleId ?? id.slice(id.indexOf(':') + 1)}</h2>
          <p className={styles['operator']}>
            {operatorName(id.slice(0, id.indexOf(':')), operators)}
            {currentFacts ? ` · ${t(`live:stateShort.${currentFacts.state}`)}` : ''}
          </p>
        </div>
        <CloseButton size="sm" aria-label={t('live:card.clear')} onClick={onClear} />
      </header>
      <div className={styles['parts']}>
        <div>
          <dl className={styles['figures']}>
            {figures.map(([label, value]) => (
              <div key={label}>
                <dt>{label}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          </dl>
          {isGone ? <p className={styles['quiet']}>{t('live:card.removed')}</p> : null}
          {error && !isGone ? <FailedState error={error} onRetry={() => void refetch()} /> : null}
          {day?.source === 'gbfs' ? <p className={styles['quiet']}>{t('live:card.noHistory')}</p> : null}
          {day || error ? null : <Skeleton height={64} mt={8} />}
        </div>
        {day && day.source !== 'gbfs' ? (
          <div>
            <h3 className={styles['part']}>{t('live:card.today')}</h3>
            <DayBar day={day} timezone={timezone} at={at} />
            <h3 className={styles['part']}>{t('live:card.trips')}</h3>
            <VehicleTrips
              trips={day.trips}
              timezone={timezone}
              formatDistance={(meters) => formatDistance(meters, isMetric)}
            />
          </div>
        ) : null}
      </div>
    </section>
  )
}
