import { Button } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { FactorKind } from '#web/data/second-factor.ts'
import { focusWhenShown } from '../focus-when-shown.ts'
import { GoodNote } from '../notes.tsx'
import { EnrollPhone } from './enroll-phone.tsx'
import { EnrollTotp } from './enroll-totp.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'
import styles from './enrollment.module.css'

interface Props {
  kind: FactorKind
  /** Called when enrollment is complete and the user has seen the confirmation. */
  onDone: () => void
  /** Called when the user cancels before anything is enrolled. */
  onCancel: () => void
  /** Called after the first correct code. Recovery codes follow, which are shown only once. */
  onEnrolled?: () => void
}

type Step = { name: 'device' } | { name: 'codes'; codes: string[] } | { name: 'added' }

/** Enrolls one device. The user is reloaded only in `onDone`, so that the recovery codes do not disappear. */
export function EnrollFlow({ kind, onDone, onCancel, onEnrolled }: Props) {
  const { t } = useTranslation()
  const [step, setStep] = useState<Step>({ name: 'device' })
  const Device = kind === 'totp' ? EnrollTotp : EnrollPhone
  const handleEnrolled = (codes: string[] | null) => {
    onEnrolled?.()
    setStep(codes ? { name: 'codes', codes } : { name: 'added' })
  }
  if (step.name === 'device') return <Device onCancel={onCancel} onEnrolled={handleEnrolled} />
  if (step.name === 'codes')
    return <RecoveryCodes codes={step.codes} onConfirmed={() => setStep({ name: 'added' })} />
  return (
    <div className={styles['flow']}>
      <GoodNote title={t('account:enroll.added')}>{t(`account:enroll.addedText.${kind}`)}</GoodNote>
      <div className={styles['foot']}>
        <Button ref={focusWhenShown} onClick={onDone}>
          {t('account:enroll.continue')}
        </Button>
      </div>
    </div>
  )
}
