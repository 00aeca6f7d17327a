import { useTranslation } from 'react-i18next'
import styles from './login-screen.module.css'

/** An error and its heading, both translated. */
export interface Fault {
  title: string
  text: string
}

/** An error of a form, for screen readers too; nothing without one. */
export function FaultNote({ fault }: { fault: Fault | null }) {
  if (!fault) return null
  return (
    <div role="alert" className={styles['fault']}>
      <p className={styles['strong']}>{fault.title}</p>
      <p className={styles['plain']}>{fault.text}</p>
    </div>
  )
}

/** An error of a second factor, under the heading of the profile's flow. */
export function MultiFactorFault({ text }: { text: string | null }) {
  const { t } = useTranslation()
  return <FaultNote fault={text ? { title: t('account:factors.fault'), text } : null} />
}

/** A success message, in green; screen readers announce it. */
export function GoodNote({ title, children }: { title: string; children?: string }) {
  return (
    <div role="status" className={styles['good']}>
      <p className={styles['strong']}>{title}</p>
      {children ? <p className={styles['plain']}>{children}</p> : null}
    </div>
  )
}

const knownReasons = ['idle', 'tooOld', 'newPassword'] as const

/** Why the sign-in page is shown. Anybody can write a URL, so only known reasons are shown. */
export function ReasonNote({ reason }: { reason: unknown }) {
  const { t } = useTranslation()
  const knownReason = knownReasons.find((candidate) => candidate === reason)
  if (!knownReason) return null
  const text = t(`identity:signedOut.${knownReason}`)
  return knownReason === 'newPassword' ? (
    <GoodNote title={text} />
  ) : (
    <p role="status" className={styles['note']}>
      {text}
    </p>
  )
}
