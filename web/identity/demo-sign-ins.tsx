import { UnstyledButton } from '@mantine/core'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { findDemo, type Demo } from '#web/data/session.ts'
import type { SignIn } from './login-form.tsx'
import styles from './login-screen.module.css'

/** With the demo city on: its users, each one click away. Otherwise nothing. */
export function DemoSignIns({ onPick }: { onPick: (filled: SignIn) => void }) {
  const { t } = useTranslation()
  const [demo, setDemo] = useState<Demo | null>(null)
  useEffect(() => {
    // Without an answer there is nothing to offer; the form says itself when the server is away.
    findDemo().then(setDemo, () => setDemo(null))
  }, [])
  if (!demo) return null
  return (
    <section className={styles['demo']} aria-label={t('identity:demo.title')}>
      <p className={styles['strong']}>{t('identity:demo.title')}</p>
      <p className={styles['line']}>{t('identity:demo.text')}</p>
      <div className={styles['picks']}>
        {demo.sign_ins.map(({ email, password, role }) => (
          <UnstyledButton
            key={email}
            className={styles['pick'] ?? ''}
            onClick={() => onPick({ email, password })}
          >
            <span>{email}</span>
            <span className={styles['quiet']}>{role}</span>
          </UnstyledButton>
        ))}
      </div>
    </section>
  )
}
