import { useTranslation } from 'react-i18next'
import styles from './parts.module.css'

/** Marks a deleted policy, which remains visible for past days. */
export function DeletedMark() {
  const { t } = useTranslation()
  return <span className={styles['deleted']}>{t('policies:state.deleted')}</span>
}
