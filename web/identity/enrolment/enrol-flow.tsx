import { Button } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { FactorKind } from '#web/data/second-factor.ts'
import { focusWhenShown } from '../focus-when-shown.ts'
import { GoodNote } from '../notes.tsx'
import { EnrolPhone } from './enrol-phone.tsx'
import { EnrolTotp } from './enrol-totp.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'
import styles from './enrolment.module.css'

interface Props {
  kind: FactorKind
  /** Enrollment is complete, and the user has seen the confirmation. */
  onDone: () => void
  /** Canceled before anything was enrolled. */
  onCancel: () => void
  /** Called after the first correct code: what follows is shown only once, and must not be closed by accident. */
  onEnrolled?: () => void
}

type Step = { at: 'device' } | { at: 'codes'; codes: string[] } | { at: 'added' }

/** Enrolls one device. Recovery codes and confirmation are shown before other components know about the new factor, so that nothing replaces them. */
export function EnrolFlow({ kind, onDone, onCancel, onEnrolled }: Props) {
  const { t } = useTranslation()
  const [step, setStep] = useState<Step>({ at: 'device' })
  const Device = kind === 'totp' ? EnrolTotp : EnrolPhone

  const enrolled = (codes: string[] | null) => {
    onEnrolled?.()
    setStep(codes ? { at: 'codes', codes } : { at: 'added' })
  }

  if (step.at === 'device') return <Device onCancel={onCancel} onEnrolled={enrolled} />
  if (step.at === 'codes')
    return <RecoveryCodes codes={step.codes} onConfirmed={() => setStep({ at: 'added' })} />
  return (
    <div className={styles['flow']}>
      <GoodNote title={t('account:enrol.added')}>{t(`account:enrol.addedText.${kind}`)}</GoodNote>
      <div className={styles['foot']}>
        <Button ref={focusWhenShown} onClick={onDone}>
          {t('account:enrol.goOn')}
        </Button>
      </div>
    </div>
  )
}
