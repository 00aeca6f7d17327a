import { Button } from '@mantine/core'
import { useState, useTransition } from 'react'
import { useTranslation } from 'react-i18next'
import { getAuthErrorCode } from '#web/data/auth-call.ts'
import { changePassword } from '#web/data/session.ts'
import { sessionEnd } from '#web/data/signals.ts'
import { getAuthErrorKey } from '../auth-error-key.ts'
import { EntryField } from '../entry-field.tsx'
import { type Fault, FaultNote } from '../notes.tsx'
import { focusWhenShown } from '../focus-when-shown.ts'
import { findNewPasswordFault } from '../new-password-fault.ts'
import { PasswordField } from '../password-field.tsx'
import styles from './profile.module.css'

interface Props {
  onDone: () => void
  onCancel: () => void
}

/** Changes the password, which ends all other sessions. */
export function ChangePasswordForm({ onDone, onCancel }: Props) {
  const { t } = useTranslation()
  const [typed, setTyped] = useState({ current: '', password: '', repeat: '' })
  const [isSubmitted, setIsSubmitted] = useState(false)
  const [fault, setFault] = useState<Fault | null>(null)
  const [isChanging, startChanging] = useTransition()
  const fieldFault = isSubmitted ? findNewPasswordFault(typed) : null
  const change = async () => {
    setIsSubmitted(true)
    setFault(null)
    if (!typed.current || findNewPasswordFault(typed)) return
    try {
      await changePassword(typed.current, typed.password)
      onDone()
    } catch (error) {
      if (getAuthErrorCode(error) === 'UNAUTHORIZED') return sessionEnd.write({ reason: 'expired' })
      setFault({
        title: t('identity:error.passwordTitle'),
        text: t(`identity:error.${getAuthErrorKey(error, 'password')}`),
      })
    }
  }
  const findFieldError = (field: 'password' | 'repeat') =>
    fieldFault?.field === field ? t(`identity:${fieldFault.text}`) : null
  return (
    <form
      className={styles['form']}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        startChanging(change)
      }}
    >
      <FaultNote fault={fault} />
      <p className={styles['quiet']}>{t('account:password.othersEnd')}</p>
      <PasswordField
        ref={focusWhenShown}
        label={t('account:password.current')}
        name="current-password"
        autoComplete="current-password"
        value={typed.current}
        error={isSubmitted && !typed.current ? t('account:password.currentRequired') : null}
        onFill={(current) => setTyped({ ...typed, current })}
      />
      <PasswordField
        label={t('identity:newPassword.password')}
        hint={t('identity:newPassword.hint')}
        name="new-password"
        autoComplete="new-password"
        value={typed.password}
        error={findFieldError('password')}
        onFill={(password) => setTyped({ ...typed, password })}
      />
      <EntryField
        type="password"
        label={t('identity:newPassword.repeat')}
        name="repeat"
        autoComplete="new-password"
        value={typed.repeat}
        error={findFieldError('repeat')}
        onFill={(repeat) => setTyped({ ...typed, repeat })}
      />
      <div className={styles['foot']}>
        <Button variant="default" onClick={onCancel}>
          {t('kit:cancel')}
        </Button>
        <Button type="submit" loading={isChanging}>
          {t('account:password.change')}
        </Button>
      </div>
    </form>
  )
}
