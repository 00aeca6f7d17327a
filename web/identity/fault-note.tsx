import styles from './login-screen.module.css'
import { useTranslation } from 'react-i18next'

/** An error and its heading, both translated. */
export interface Fault {
  title: string
  text: string
}

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
