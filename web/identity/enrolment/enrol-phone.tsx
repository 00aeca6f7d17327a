import { Button } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { finishPhone, startPhone } from '#web/data/second-factor.ts'
import { EntryField } from '../entry-field.tsx'
import { focusWhenShown } from '../focus-when-shown.ts'
import { MultiFactorFault } from '../notes.tsx'
import { useFactorAct } from '../session/use-factor-act.ts'
import { CodeForm } from './code-form.tsx'
import styles from './enrolment.module.css'

/** A phone number in the form of the API: without separators, with a plus. Null without a country code, or if it is invalid. */
export function normalizePhone(typed: string): string | null {
  const number = typed.replace(/[\s().\-/\u00a0\u2010-\u2015]/g, '').replace(/^(?=\d)/, '+')
  return /^\+[1-9]\d{7,14}$/.test(number) ? number : null
}

interface Props {
  onEnrolled: (recoveryCodes: string[] | null) => void
  onCancel: () => void
}

/** Asks for the phone number, then for the code that was sent to it. */
export function EnrolPhone({ onEnrolled, onCancel }: Props) {
  const { t } = useTranslation()
  const { run, fault, setFault, isPending } = useFactorAct('enroll')
  const [typed, setTyped] = useState('')
  const [wrong, setWrong] = useState<'required' | 'country' | null>(null)
  const [sentTo, setSentTo] = useState<string | null>(null)

  const send = () => {
    const number = normalizePhone(typed)
    setWrong(typed.trim() ? (number ? null : 'country') : 'required')
    if (!number) return
    setTyped(number)
    void run(async () => setSentTo((await startPhone(number)).phoneNumber))
  }
  const change = () => {
    setSentTo(null)
    setFault(null)
  }

  return (
    <div className={styles['flow']}>
      <MultiFactorFault text={fault} />
      {sentTo ? (
        <>
          <p className={styles['text']} role="status">
            {t('account:enrol.phone.sent', { phone: sentTo })}
          </p>
          <CodeForm
            label={t('identity:challenge.otp.label')}
            isPending={isPending}
            onCode={(code) => void run(async () => onEnrolled((await finishPhone(code)).recoveryCodes))}
          >
            <Button variant="default" onClick={change}>
              {t('account:enrol.phone.change')}
            </Button>
          </CodeForm>
        </>
      ) : (
        <form
          className={styles['flow']}
          noValidate
          onSubmit={(event) => {
            event.preventDefault()
            send()
          }}
        >
          <EntryField
            ref={focusWhenShown}
            label={t('account:enrol.phone.label')}
            hint={t('account:enrol.phone.hint')}
            type="tel"
            autoComplete="tel"
            maxLength={40}
            value={typed}
            error={wrong ? t(`account:enrol.phone.${wrong}`) : null}
            onFill={(text) => {
              setTyped(text)
              setWrong(null)
            }}
          />
          <div className={styles['foot']}>
            <Button variant="default" onClick={onCancel}>
              {t('account:enrol.back')}
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
