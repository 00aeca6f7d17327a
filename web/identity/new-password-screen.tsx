import { Button } from '@mantine/core'
import { useLocation, useRouter } from '@tanstack/react-router'
import { useState, useTransition } from 'react'
import { useTranslation } from 'react-i18next'
import { resetPassword } from '#web/data/session.ts'
import { getAuthErrorKey } from './auth-error-key.ts'
import { EntryField } from './entry-field.tsx'
import { type Fault, FaultNote } from './notes.tsx'
import { findNewPasswordFault, type NewPassword } from './new-password-fault.ts'
import { PasswordField } from './password-field.tsx'
import { forgetProvider } from './saved-provider.ts'
import { SignInCard } from './sign-in-card.tsx'
import styles from './login-screen.module.css'

/** `/login/new-password?token=…`: the target of links in mails and invitations. */
export function NewPasswordScreen() {
  const { t } = useTranslation()
  const router = useRouter()
  // The raw parameter: the router would parse a token of digits as a number.
  const token = new URLSearchParams(useLocation().searchStr).get('token') ?? ''
  const linkFault = { title: t('identity:error.passwordTitle'), text: t('identity:error.link') }
  const [typed, setTyped] = useState<NewPassword>({ password: '', repeat: '' })
  const [isSubmitted, setIsSubmitted] = useState(false)
  const [fault, setFault] = useState<(Fault & { isLinkInvalid: boolean }) | null>(
    token ? null : { ...linkFault, isLinkInvalid: true },
  )
  const [isSetting, startSetting] = useTransition()
  const fieldFault = isSubmitted ? findNewPasswordFault(typed) : null
  const submit = async () => {
    setIsSubmitted(true)
    setFault(null)
    if (findNewPasswordFault(typed)) return
    try {
      await resetPassword(token, typed.password)
      // A user who set a password will use it.
      forgetProvider()
      await router.navigate({ to: '/login', search: { said: 'newPassword' }, replace: true })
    } catch (error) {
      const key = getAuthErrorKey(error, 'password')
      setFault({ title: linkFault.title, text: t(`identity:error.${key}`), isLinkInvalid: key === 'link' })
    }
  }
  return (
    <SignInCard>
      <form
        className={styles['form']}
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          startSetting(submit)
        }}
      >
        <h2 className={styles['step']}>{t('identity:newPassword.title')}</h2>
        <FaultNote fault={fault} />
        {fault?.isLinkInvalid ? (
          <Button variant="default" component="a" href="/login">
            {t('identity:newPassword.askAgain')}
          </Button>
        ) : (
          <>
            <PasswordField
              label={t('identity:newPassword.password')}
              hint={t('identity:newPassword.hint')}
              name="new-password"
              autoComplete="new-password"
              value={typed.password}
              error={fieldFault?.field === 'password' ? t(`identity:${fieldFault.text}`) : null}
              onFill={(password) => setTyped({ ...typed, password })}
            />
            <EntryField
              type="password"
              label={t('identity:newPassword.repeat')}
              name="repeat"
              autoComplete="new-password"
              value={typed.repeat}
              error={fieldFault?.field === 'repeat' ? t(`identity:${fieldFault.text}`) : null}
              onFill={(repeat) => setTyped({ ...typed, repeat })}
            />
            <Button type="submit" fullWidth loading={isSetting}>
              {t('identity:newPassword.set')}
            </Button>
          </>
        )}
      </form>
    </SignInCard>
  )
}
