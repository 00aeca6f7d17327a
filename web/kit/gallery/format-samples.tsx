import { Fragment } from 'react'
import { useTranslation } from 'react-i18next'
import { formatDuration, formatSpan } from '../format-duration.ts'
import { formatMoney, formatDistance, formatNumber } from '../format.ts'
import { formatTimeRange } from '../time/time-of-day.ts'
import { GalleryPart } from './gallery-part.tsx'
import styles from './gallery.module.css'

/** Inputs beside their formatted values. */
export function FormatSamples() {
  const { t } = useTranslation()
  const rows: readonly [input: string, value: string][] = [
    ['40 s', formatDuration(40)],
    ['3599 s', formatDuration(3599)],
    ['5400 s', formatDuration(5400)],
    ['0 s', formatSpan(0)],
    ['93 900 s', formatSpan(93_900)],
    ['0.04', formatNumber(0.04)],
    ['null', formatNumber(null)],
    ['1204.5 USD', formatMoney(1204.5)],
    ['1204.5 EUR', formatMoney(1204.5, 'EUR')],
    ['2500 m', `${formatDistance(2500, true)} / ${formatDistance(2500, false)}`],
    ['06:00, 22:00', formatTimeRange({ hour: 6, minute: 0 }, { hour: 22, minute: 0 })],
    ['null, null', formatTimeRange(null, null)],
  ]
  return (
    <GalleryPart title={t('kit:gallery.formats')}>
      <dl className={styles['formats']}>
        {rows.map(([input, value]) => (
          <Fragment key={input}>
            <dt>{input}</dt>
            <dd>{value}</dd>
          </Fragment>
        ))}
      </dl>
    </GalleryPart>
  )
}
