import { useTranslation } from 'react-i18next'
import { Mark } from '#web/kit/mark.tsx'
import { TermsText } from './terms-text.tsx'
import styles from './terms.module.css'

/** `/terms`: the terms of service, public. */
export function TermsScreen() {
  const { t } = useTranslation()
  return (
    <main className={styles['page']}>
      <div className={styles['sheet']}>
        <div className={styles['head']}>
          <Mark size={40} />
          <h1>{t('identity:terms')}</h1>
        </div>
        <TermsText order={2} />
        <a className={styles['back']} href="/login">
          {t('terms:back')}
        </a>
      </div>
    </main>
  )
}
