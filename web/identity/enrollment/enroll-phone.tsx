import { Button } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { finishPhone, startPhone } from '#web/data/second-factor.ts'
import { EntryField } from '../entry-field.tsx'
import { focusWhenShown } from '../focus-when-shown.ts'
import { MultiFactorFault } from '../notes.tsx'
import { useFactorAction } from '../session/use-factor-action.ts'
import { CodeForm } from './code-form.tsx'
import styles from './enrollment.module.css'

/** Converts a phone number to `+15551234567`; null if it is invalid or has no country code. */
export function normalizePhone(typed: string): string | null {
  const number = typed.replace(/[\s().\-/\u00a0\u2010-\u2015]/g, '').replace(/^(?=\d)/, '+')
  return /^\+[1-9]\d{7,14}$/.test(number) ? number : null
}

interface Props {
  onEnrolled: (recoveryCodes: string[] | null) => void
  onCancel: () => void
}

/** Asks for the phone number, then for the code that was sent to it. */
export function EnrollPhone({ onEnrolled, onCancel }: Props) {
  const { t } = useTranslation()
  const { run, fault, setFault, isPending } = useFactorAction('enroll')
  const [typed, setTyped] = useState('')
  const [fieldError, setFieldError] = useState<'required' | 'country' | null>(null)
  const [sentNumber, setSentNumber] = useState<string | null>(null)
  const sendCode = () => {
    const number = normalizePhone(typed)
    setFieldError(typed.trim() ? (number ? null : 'country') : 'required')
    if (!number) return
    setTyped(number)
    void run(async () => setSentNumber((await startPhone(number)).phoneNumber))
  }
  const change = () => {
    setSentNumber(null)
    setFault(null)
  }
  return (
    <div className={styles['flow']}>
      <MultiFactorFault text={fault} />
      {sentNumber ? (
        <>
          <p className={styles['text']} role="status">
            {t('account:enroll.phone.sent', { phone: sentNumber })}
          </p>
          <CodeForm
            label={t('identity:challenge.otp.label')}
            isPending={isPending}
            onCode={(code) => void run(async () => onEnrolled((await finishPhone(code)).recoveryCodes))}
          >
            <Button variant="default" onClick={change}>
              {t('account:enroll.phone.change')}
            </Button>
          </CodeForm>
        </>
      ) : (
        <form
          className={styles['flow']}
          noValidate
          onSubmit={(event) => {
            event.preventDefault()
            sendCode()
          }}
        >
          <EntryField
            ref={focusWhenShown}
            label={t('account:enroll.phone.label')}
            hint={t('account:enroll.phone.hint')}
            type="tel"
            autoComplete="tel"
            maxLength={40}
            value={typed}
            error={fieldError ? t(`account:enroll.phone.${fieldError}`) : null}
            onFill={(text) => {
              setTyped(text)
              setFieldError(null)
            }}
          />
          <div className={styles['foot']}>
            <Button variant="default" onClick={onCancel}>
              {t('account:enroll.back')}
            </Button>
            <Button type="submit" loading={isPending}>
              {t('identity:challenge.otp.send')}
            </Button>
          </div>
        </form>
      )}
    </div>
  )
}
