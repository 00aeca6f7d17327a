import { IconAlertTriangle } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { formatInteger } from '#web/kit/format.ts'
import type { FeedState } from './live-feed.ts'
import styles from './live-status.module.css'
import type { ShownVehicles } from './filter-vehicles.ts'
import { formatClock } from './zone-clock.ts'

interface Props {
  state: FeedState
  shown: ShownVehicles | null
  /** All vehicles, including those that do not match the filters. */
  total: number
  timezone: string
}

/** Whether the map is up to date: the time of the last change, or that the stream is interrupted. */
export function LiveStatus({ state: { kind, changed }, shown, total, timezone }: Props) {
  const { t } = useTranslation()
  const time = changed === null ? null : formatClock(changed, timezone, true)
  const isInterrupted = kind === 'interrupted' || (kind === 'failed' && time !== null)
  return (
    <div className={styles['status']} data-kind={kind}>
      <p className={styles['line']}>
        {kind === 'live' ? <span className={styles['dot']} aria-hidden="true" /> : null}
        {isInterrupted ? (
          <IconAlertTriangle size={16} aria-hidden="true" className={styles['warning'] ?? ''} />
        ) : null}
        <span role="status" className={styles['kind']}>
          {kind === 'live' || kind === 'loading' || time !== null ? t(`live:status.${kind}`, { time }) : ''}
        </span>
        {kind === 'live' ? (
          <span className={styles['quiet']}>
            {time === null ? t('live:status.quiet') : t('live:status.changed', { time })}
          </span>
        ) : null}
      </p>
      {shown ? (
        <p className={styles['counts']}>
          <strong data-shown={shown.handles.length}>
            {shown.handles.length === total
              ? t('live:shown', { count: total, shown: formatInteger(total) })
              : t('live:of', { shown: formatInteger(shown.handles.length), total: formatInteger(total) })}
          </strong>
          {shown.placeless > 0 ? (
            <span className={styles['placeless']}>
              {t('live:placeless', { count: shown.placeless, shown: formatInteger(shown.placeless) })}
            </span>
          ) : null}
        </p>
      ) : null}
    </div>
  )
}
