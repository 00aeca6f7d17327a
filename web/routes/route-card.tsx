import { useTranslation } from 'react-i18next'
import { formatWhole } from '#web/kit/format.ts'
import { headingText } from './heading-text.ts'
import type { RouteRow } from './route-row.ts'
import styles from './route-card.module.css'

/** What the pointer's card says of a segment: its street, its trips, and those of each direction. */
export function RouteCard({ row }: { row: RouteRow | undefined }) {
  const { t } = useTranslation()
  if (!row)
    return (
      <div className={styles['card']}>
        <span className={styles['quiet']}>{t('routes:card.none')}</span>
      </div>
    )
  return (
    <div className={styles['card']}>
      <strong>{row.street || t('routes:unnamed')}</strong>
      <span>{t('routes:card.trips', { count: row.trips, shown: formatWhole(row.trips) })}</span>
      <span className={styles['quiet']}>
        {t('routes:card.each', {
          one: headingText(t, row.heading, true),
          forward: formatWhole(row.forward),
          other: headingText(t, row.heading, false),
          backward: formatWhole(row.backward),
        })}
      </span>
    </div>
  )
}
