import { Button } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { FactorKind } from '#web/data/second-factor.ts'
import { focusWhenShown } from '../focus-when-shown.ts'
import { GoodNote } from '../good-note.tsx'
import { EnrolPhone } from './enrol-phone.tsx'
import { EnrolTotp } from './enrol-totp.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'
import styles from './enrolment.module.css'

interface Props {
  kind: FactorKind
  /** All is done, and the user has seen that it is. */
  onDone: () => void
  /** Before anything was enrolled. */
  onCancel: () => void
  /** From the first right code on: what is shown now is shown this once, and must not be closed by a slip. */
  onEnrolled?: () => void
}

type Step = { at: 'device' } | { at: 'codes'; codes: string[] } | { at: 'added' }

/** One device from its first code to the confirmation. The codes and the confirmation are shown before anybody else learns of the new factor, so that nothing takes them away. */
export function EnrolFlow({ kind, onDone, onCancel, onEnrolled }: Props) {
  const { t } = useTranslation()
  const [step, setStep] = useState<Step>({ at: 'device' })
  const Device = kind === 'totp' ? EnrolTotp : EnrolPhone

  const enrolled = (codes: string[] | null) => {
    onEnrolled?.()
    setStep(codes ? { at: 'codes', codes } : { at: 'added' })
  }

  if (step.at === 'device') return <Device onCancel={onCancel} onEnrolled={enrolled} />
  if (step.at === 'codes') return <RecoveryCodes codes={step.codes} onKept={() => setStep({ at: 'added' })} />
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
