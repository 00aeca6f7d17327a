import { useTranslation } from 'react-i18next'
import { formatWhole } from '#web/kit/format.ts'
import styles from './parts.module.css'

/** What the points of a map stand for, and how many of all are drawn. */
export function PointLegend({ shown, total, hasUncertain }: { shown: number; total: number; hasUncertain: boolean }) {
  const { t } = useTranslation()
  return (
    <ul className={styles['points']}>
      <li><span className={styles['dot']} data-kind="violation" aria-hidden="true" />{t('compliance:points.violation')}</li>
      {hasUncertain ? <li><span className={styles['dot']} data-kind="uncertain" aria-hidden="true" />{t('compliance:points.uncertain')}</li> : null}
      <li className={styles['legendUnit']}>{shown < total ? t('compliance:points.some', { shown: formatWhole(shown), total: formatWhole(total) }) : t('compliance:points.all', { count: total, shown: formatWhole(total) })}</li>
    </ul>
  )
}
