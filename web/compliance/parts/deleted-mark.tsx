import { useTranslation } from 'react-i18next'
import styles from './parts.module.css'

/** Said of a policy that was deleted: what it asked on past days is still told. */
export function DeletedMark() {
  const { t } = useTranslation()
  return <span className={styles['deleted']}>{t('policies:state.deleted')}</span>
}
