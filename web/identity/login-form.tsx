import { Button } from '@mantine/core'
import { useState, useTransition } from 'react'
import { useTranslation } from 'react-i18next'
import { type Challenge, requestPasswordReset, signIn } from '#web/data/session.ts'
import { getAuthErrorKey } from './auth-error-key.ts'
import { EntryField } from './entry-field.tsx'
import { type Fault, FaultNote, GoodNote } from './notes.tsx'
import { PasswordField } from './password-field.tsx'
import styles from './login-screen.module.css'

/** What the user has typed. */
export interface SignIn {
  email: string
  password: string
}

interface Props {
  filled: SignIn
  onFill: (filled: SignIn) => void
  /** The error of the last attempt. */
  fault: Fault | null
  onFault: (fault: Fault | null) => void
  /** Called if the password is correct and a second factor is required. */
  onChallenge: (challenge: Challenge) => void
  onEntered: () => void
}

/** E-mail and password, and the reset of a forgotten one. */
export function LoginForm({ filled, onFill, fault, onFault, onChallenge, onEntered }: Props) {
  const { t } = useTranslation()
  const [isSent, setIsSent] = useState(false)
  const [lacksEmail, setLacksEmail] = useState(false)
  const [isEntering, startEntering] = useTransition()
  const [isSending, startSending] = useTransition()
  const email = filled.email.trim()
  const fill = (changes: Partial<SignIn>) => {
    setLacksEmail(false)
    onFill({ ...filled, ...changes })
  }
  const enter = async () => {
    onFault(null)
    setIsSent(false)
    try {
      const challenge = await signIn(email, filled.password)
      if (challenge) onChallenge(challenge)
      else onEntered()
    } catch (error) {
      onFault({
        title: t('identity:error.title'),
        text: t(`identity:error.${getAuthErrorKey(error, 'login')}`),
      })
    }
  }
  const reset = async () => {
    onFault(null)
    setIsSent(false)
    if (!email) {
      setLacksEmail(true)
      document.querySelector<HTMLInputElement>('input[name=email]')?.focus()
      return
    }
    try {
      await requestPasswordReset(email)
      setIsSent(true)
    } catch (error) {
      onFault({
        title: t('identity:error.resetTitle'),
        text: t(`identity:error.${getAuthErrorKey(error, 'login')}`),
      })
    }
  }
  return (
    <form
      className={styles['form']}
      onSubmit={(event) => {
        event.preventDefault()
        startEntering(enter)
      }}
    >
      <FaultNote fault={fault} />
      {isSent ? <GoodNote title={t('identity:resetSent')}>{t('identity:resetSentText')}</GoodNote> : null}
      <EntryField
        label={t('identity:email')}
        type="email"
        name="email"
        autoComplete="username"
        required
        value={filled.email}
        error={lacksEmail ? t('identity:needsEmail') : null}
        onFill={(typed) => fill({ email: typed })}
      />
      <PasswordField
        label={t('identity:password')}
        name="password"
        autoComplete="current-password"
        required
        value={filled.password}
        onFill={(typed) => fill({ password: typed })}
      />
      <Button type="submit" fullWidth loading={isEntering}>
        {t('identity:login')}
      </Button>
      <Button variant="subtle" size="compact-sm" loading={isSending} onClick={() => startSending(reset)}>
        {t('identity:reset')}
      </Button>
    </form>
  )
}
