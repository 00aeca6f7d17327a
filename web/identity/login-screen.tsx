import { Title } from '@mantine/core'
import { useRouter, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Mark } from '#web/kit/mark.tsx'
import { DemoSignIns } from './demo-sign-ins.tsx'
import { LoginForm } from './login-form.tsx'
import { safeOrigin } from './safe-origin.ts'
import styles from './login-screen.module.css'

export function LoginScreen() {
  const { t } = useTranslation()
  const router = useRouter()
  const { origin } = useSearch({ strict: false }) as { origin?: string }
  const [filled, setFilled] = useState({ email: '', password: '' })

  return (
    <main className={styles['page']}>
      <div className={styles['card']}>
        <div className={styles['brand']}>
          <Mark size={40} />
          <div>
            <Title order={1}>{t('identity:title')}</Title>
            <p className={styles['line']}>{t('identity:line')}</p>
          </div>
        </div>
        <LoginForm filled={filled} onFill={setFilled} onEntered={() => router.history.push(safeOrigin(origin))} />
        <DemoSignIns onPick={setFilled} />
      </div>
    </main>
  )
}
