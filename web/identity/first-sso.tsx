import { Button } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { leavePage } from '#web/data/leave-page.ts'
import { startAddress } from '#web/data/single-sign-on.ts'
import styles from './login-screen.module.css'

/** The first single sign-on in this browser: the e-mail's domain tells the provider. */
export function FirstSso({ email, origin }: { email: string; origin: string }) {
  const { t } = useTranslation()
  const [asked, setAsked] = useState(false)
  const isEmail = /^\S+@\S+\.\S+$/.test(email.trim())

  const leave = () => {
    setAsked(true)
    if (isEmail) leavePage(startAddress({ login_hint: email.trim(), origin }))
    else document.querySelector<HTMLInputElement>('input[name=email]')?.focus()
  }

  return (
    <div className={styles['sso']}>
      <Button variant="default" fullWidth onClick={leave}>
        {t('identity:sso.first')}
      </Button>
      {asked && !isEmail ? (
        <p role="status" className={styles['note']}>
          {t('identity:sso.needsEmail')}
        </p>
      ) : null}
    </div>
  )
}
