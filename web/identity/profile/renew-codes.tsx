import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { renewRecoveryCodes } from '#web/data/second-factor.ts'
import { DialogFoot } from '#web/kit/dialog-foot.tsx'
import { RecoveryCodes } from '../enrollment/recovery-codes.tsx'
import { MultiFactorFault } from '../notes.tsx'
import { useFactorAction } from '../session/use-factor-action.ts'
import styles from './profile.module.css'

interface Props {
  /** Called when the new codes are shown, which happens only once. */
  onShown: () => void
  onDone: () => void
  onCancel: () => void
}

/** Replaces the recovery codes. */
export function RenewCodes({ onShown, onDone, onCancel }: Props) {
  const { t } = useTranslation()
  const { run, fault, isPending } = useFactorAction(null)
  const [codes, setCodes] = useState<string[] | null>(null)
  const renew = () =>
    run(async () => {
      const { recoveryCodes } = await renewRecoveryCodes()
      onShown()
      setCodes(recoveryCodes)
    })
  if (codes) return <RecoveryCodes codes={codes} onConfirmed={onDone} />
  return (
    <div className={styles['form']}>
      <MultiFactorFault text={fault} />
      <p className={styles['text']}>{t('account:codes.renewText')}</p>
      <DialogFoot
        action={t('account:codes.renew')}
        isPending={isPending}
        onCancel={onCancel}
        onAction={() => void renew()}
      />
    </div>
  )
}
