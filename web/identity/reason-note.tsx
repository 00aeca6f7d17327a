import { useTranslation } from 'react-i18next'
import { GoodNote } from './good-note.tsx'
import styles from './login-screen.module.css'

const known = ['idle', 'tooOld', 'newPassword'] as const

/** Why the sign-in page is shown. Anybody can write a URL, so only known reasons are shown. */
export function ReasonNote({ said }: { said: unknown }) {
  const { t } = useTranslation()
  const reason = known.find((each) => each === said)
  if (!reason) return null
  const text = t(`identity:said.${reason}`)
  return reason === 'newPassword' ? (
    <GoodNote title={text} />
  ) : (
    <p role="status" className={styles['note']}>
      {text}
    </p>
  )
}
