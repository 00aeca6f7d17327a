import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { SignInCard } from './sign-in-card.tsx'
import styles from './login-screen.module.css'

/** The type of the message that a popup sends to the window that opened it. */
const closedMessage = 'oauth2-login-close'

interface Opener {
  postMessage: (message: unknown, origin: string) => void
  /** A page that opens a popup may provide a callback instead of a listener. */
  onOauth2LoginClose?: (hash: string) => void
}

/** Passes the hash of a popup's address to its opener, if that is a page of this site. */
export function notifyOpener(
  opener: Opener | null,
  { hash, origin }: { hash: string; origin: string },
): void {
  if (!opener) return
  opener.postMessage({ type: closedMessage, hash }, origin)
  try {
    opener.onOauth2LoginClose?.(hash)
  } catch {
    // The opener is of another site: access is denied.
  }
}

/** `/oauth2/login/close`: passes the hash to the opener window and closes itself. */
export function ClosePopupScreen() {
  const { t } = useTranslation()
  useEffect(() => {
    notifyOpener(window.opener as Window | null, window.location)
    window.close()
  }, [])
  return (
    <SignInCard>
      <p className={styles['plain']}>{t('identity:sso.closed')}</p>
    </SignInCard>
  )
}
