import { useTranslation } from 'react-i18next'
import type { BasemapProblem } from '../scene-basemap.ts'
import styles from './basemap-notice.module.css'

/** Tells that the fallback basemap is drawn instead of the configured one. */
export function BasemapNotice({ reason, host }: BasemapProblem) {
  const { t } = useTranslation()
  return (
    <p role="status" className={styles['note']}>
      {t(`map:basemap.${reason}`, { host })} {t('map:basemap.instead')}
    </p>
  )
}
