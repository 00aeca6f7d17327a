import { useTranslation } from 'react-i18next'
import styles from './login-screen.module.css'

interface Props {
  code: string
  /** An id to quote to the administrators of the server. */
  id: string | null
}

/** Shows that a single sign-on failed, in the specification's words, with the code. */
export function SsoFault({ code, id }: Props) {
  const { t } = useTranslation()
  return (
    <div role="alert" className={styles['fault']}>
      <p className={styles['strong']}>{t('identity:error.title')}</p>
      <p className={styles['plain']}>
        {t(code === 'DOMAIN_UNKNOWN' ? 'identity:sso.noDomain' : 'identity:sso.failed')}
      </p>
      <p className={styles['code']}>{code}</p>
      {id ? <p className={styles['code']}>{t('kit:quote', { id })}</p> : null}
    </div>
  )
}
