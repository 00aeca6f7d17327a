import { useTranslation } from 'react-i18next'
import type { BasemapProblem } from '../scene-basemap.ts'
import styles from './basemap-notice.module.css'

/** Says that another ground is drawn than the one that was meant. */
export function BasemapNotice({ reason, host }: BasemapProblem) {
  const { t } = useTranslation()
  return (
    <p role="status" className={styles['note']}>
      {t(`map:basemap.${reason}`, { host })} {t('map:basemap.instead')}
    </p>
  )
}
