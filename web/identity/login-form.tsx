import { Button, PasswordInput, TextInput } from '@mantine/core'
import { useState, useTransition } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError } from '#web/data/api-error.ts'
import { signIn } from '#web/data/session.ts'
import { loginErrorKey } from './login-error-key.ts'
import styles from './login-screen.module.css'

export interface SignIn {
  email: string
  password: string
}

interface Props {
  filled: SignIn
  onFill: (filled: SignIn) => void
  onEntered: () => void
}

export function LoginForm({ filled, onFill, onEntered }: Props) {
  const { t } = useTranslation()
  const [asksReset, setAsksReset] = useState(false)
  const [error, setError] = useState<ApiError | null>(null)
  const [isPending, startEntering] = useTransition()

  const enter = async () => {
    setError(null)
    try {
      await signIn(filled.email.trim(), filled.password)
      onEntered()
    } catch (caught) {
      if (!(caught instanceof ApiError)) throw caught
      setError(caught)
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
      {error ? (
        <div role="alert" className={styles['fault']}>
          <p className={styles['strong']}>{t('identity:error.title')}</p>
          <p className={styles['plain']}>{t(`identity:error.${loginErrorKey(error)}`)}</p>
        </div>
      ) : null}
      <TextInput label={t('identity:email')} type="email" name="email" autoComplete="username" required value={filled.email} onChange={(event) => onFill({ ...filled, email: event.currentTarget.value })} />
      <PasswordInput
        label={t('identity:password')} name="password" autoComplete="current-password" required value={filled.password}
        visibilityToggleButtonProps={{ 'aria-label': t('identity:show'), tabIndex: 0 }} onChange={(event) => onFill({ ...filled, password: event.currentTarget.value })}
      />
      <Button type="submit" fullWidth loading={isPending}>{t('identity:login')}</Button>
      <Button variant="subtle" size="compact-sm" aria-expanded={asksReset} onClick={() => setAsksReset(!asksReset)}>{t('identity:reset')}</Button>
      {asksReset ? <p role="status" className={styles['note']}>{t('identity:resetNote')}</p> : null}
    </form>
  )
}
