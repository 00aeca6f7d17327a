import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { SignInCard } from './sign-in-card.tsx'
import { tellOpener } from './tell-opener.ts'
import styles from './login-screen.module.css'

/** `/oauth2/login/close`: calls back into the opener window with the hash, and closes itself. */
export function ClosePopupScreen() {
  const { t } = useTranslation()
  useEffect(() => {
    tellOpener(window.opener as Window | null, window.location)
    window.close()
  }, [])
  return (
    <SignInCard>
      <p className={styles['plain']}>{t('identity:sso.closed')}</p>
    </SignInCard>
  )
}
