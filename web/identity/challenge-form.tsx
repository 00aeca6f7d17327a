import { Button } from '@mantine/core'
import { useRef, useState, useTransition } from 'react'
import { useTranslation } from 'react-i18next'
import { getAuthErrorCode } from '#web/data/auth-call.ts'
import { type ChallengeMethod, passChallenge, sendChallengeCode } from '#web/data/second-factor.ts'
import { getAuthErrorKey } from './auth-error-key.ts'
import { type Fault, FaultNote } from './notes.tsx'
import { focusWhenShown } from './focus-when-shown.ts'
import styles from './login-screen.module.css'
import { CodeField } from './code-field.tsx'
import { EntryField } from './entry-field.tsx'

interface Props {
  methods: readonly ChallengeMethod[]
  phoneHint: string | null
  onEntered: () => void
  /** Goes back to the password step, with an error to show there or null. */
  onBack: (fault: Fault | null) => void
}

/** Error codes that end the challenge: the user must enter the password again. */
const challengeEndCodes = [
  'CHALLENGE_EXPIRED',
  'TOO_MANY_ATTEMPTS',
  'INVALID_TWO_FACTOR_COOKIE',
  'ACCOUNT_TEMPORARILY_LOCKED',
]

/** The step after the password: a code from the app or a text message (on request), or a recovery code. */
export function ChallengeForm({ methods, phoneHint, onEntered, onBack }: Props) {
  const { t } = useTranslation()
  const [method, setMethod] = useState<ChallengeMethod>(methods[0] ?? 'recovery')
  const [code, setCode] = useState('')
  const [isMissing, setIsMissing] = useState(false)
  const [isSent, setIsSent] = useState(false)
  const [fault, setFault] = useState<Fault | null>(null)
  const [isVerifying, startVerifying] = useTransition()
  const [isSending, startSending] = useTransition()
  const form = useRef<HTMLFormElement>(null)
  const canType = method !== 'otp' || isSent
  const toFault = (error: unknown, step: 'challenge' | 'send'): Fault => ({
    title: t('identity:error.mfaTitle'),
    text: t(`identity:error.${getAuthErrorKey(error, step)}`),
  })
  const selectMethod = (next: ChallengeMethod) => {
    setMethod(next)
    setCode('')
    setFault(null)
    setIsMissing(false)
  }
  const sendCode = async () => {
    setFault(null)
    try {
      await sendChallengeCode()
      setIsSent(true)
    } catch (error) {
      if (getAuthErrorCode(error) === 'CHALLENGE_EXPIRED') onBack(toFault(error, 'send'))
      else setFault(toFault(error, 'send'))
    }
  }
  const verify = async () => {
    setFault(null)
    setIsMissing(!code.trim())
    if (!code.trim()) return
    try {
      await passChallenge(method, code.trim())
      onEntered()
    } catch (error) {
      if (challengeEndCodes.includes(getAuthErrorCode(error) ?? ''))
        return onBack(toFault(error, 'challenge'))
      setFault(toFault(error, 'challenge'))
      setCode('')
      form.current?.querySelector('input')?.focus()
    }
  }
  return (
    <form
      ref={form}
      className={styles['form']}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        startVerifying(verify)
      }}
    >
      <h2 className={styles['step']}>{t('identity:challenge.title')}</h2>
      <FaultNote fault={fault} />
      <p className={styles['plain']}>{t(`identity:challenge.${method}.text`, { phone: phoneHint ?? '' })}</p>
      {method === 'otp' && isSent ? (
        <p role="status" className={styles['note']}>
          {t('identity:challenge.otp.sent')}
        </p>
      ) : null}
      {canType ? (
        <>
          <ChallengeField
            key={method}
            method={method}
            code={code}
            isMissing={isMissing}
            onFill={(typed) => {
              setCode(typed)
              setIsMissing(false)
            }}
          />
          <Button type="submit" fullWidth loading={isVerifying}>
            {t('identity:challenge.verify')}
          </Button>
        </>
      ) : null}
      {method === 'otp' ? (
        <Button
          key={String(isSent)}
          ref={isSent ? null : focusWhenShown}
          variant={isSent ? 'default' : 'filled'}
          fullWidth
          loading={isSending}
          onClick={() => startSending(sendCode)}
        >
          {t(isSent ? 'identity:challenge.otp.again' : 'identity:challenge.otp.send')}
        </Button>
      ) : null}
      <div className={styles['others']}>
        {methods
          .filter((other) => other !== method)
          .map((other) => (
            <Button key={other} variant="subtle" size="compact-sm" onClick={() => selectMethod(other)}>
              {t(`identity:challenge.${other}.use`)}
            </Button>
          ))}
        <Button variant="subtle" size="compact-sm" onClick={() => onBack(null)}>
          {t('identity:challenge.back')}
        </Button>
      </div>
    </form>
  )
}

interface FieldProps {
  method: ChallengeMethod
  code: string
  isMissing: boolean
  onFill: (code: string) => void
}

/** The field for the code: digits only, except for recovery codes, which contain letters too. */
function ChallengeField({ method, code, isMissing, onFill }: FieldProps) {
  const { t } = useTranslation()
  const Field = method === 'recovery' ? EntryField : CodeField
  const inputProps =
    method === 'recovery'
      ? { autoComplete: 'off', autoCapitalize: 'off', spellCheck: false, maxLength: 40 }
      : {}
  return (
    <Field
      {...inputProps}
      ref={focusWhenShown}
      label={t(`identity:challenge.${method}.label`)}
      value={code}
      error={isMissing ? t('identity:challenge.required') : null}
      onFill={onFill}
    />
  )
}
