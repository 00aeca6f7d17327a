import { useTranslation } from 'react-i18next'
import { languages, speak, type Language } from '#web/i18n/start-i18n.ts'
import { mailAddress, support } from '#web/shell/support.ts'
import styles from './login-screen.module.css'

/** Below the form: the terms, whom to ask for a demo, the language. */
export function LoginLinks() {
  const { t, i18n } = useTranslation()
  return (
    <footer className={styles['links']}>
      <a className={styles['link']} href="/terms">
        {t('identity:terms')}
      </a>
      <a
        className={styles['link']}
        href={mailAddress(support.email(), t('identity:demoMail.subject'), t('identity:demoMail.body'))}
      >
        {t('identity:requestDemo')}
      </a>
      <select
        className={styles['language']}
        aria-label={t('identity:language')}
        value={i18n.language}
        onChange={(event) => void speak(event.currentTarget.value as Language)}
      >
        {Object.entries(languages).map(([key, name]) => (
          <option key={key} value={key} lang={key}>
            {name}
          </option>
        ))}
      </select>
    </footer>
  )
}
