import { useTranslation } from 'react-i18next'
import { formatWhole } from '#web/kit/format.ts'
import type { PublicRow } from './public-rows.ts'
import styles from './route-card.module.css'

/** What the pointer's card says of a segment of the public map; of a hidden one, only that it is hidden. */
export function PublicRouteCard({ row, least }: { row: PublicRow | undefined; least: number }) {
  const { t } = useTranslation()
  if (!row)
    return (
      <div className={styles['card']}>
        <span className={styles['quiet']}>{t('routes:public.few', { least: formatWhole(least) })}</span>
      </div>
    )
  return (
    <div className={styles['card']}>
      <strong>{row.street || t('routes:unnamed')}</strong>
      <span>{t('routes:card.trips', { count: row.trips, shown: formatWhole(row.trips) })}</span>
    </div>
  )
}
