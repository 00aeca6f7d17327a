import { useEffect, useEffectEvent, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { EnrolledFactor } from '#contract/identity.ts'
import { unenrollFirstFactor } from '#web/data/second-factor.ts'
import { DialogFoot } from '#web/kit/dialog-foot.tsx'
import { MultiFactorFault } from '../notes.tsx'
import { useFactorAction } from '../session/use-factor-action.ts'
import { forgetPendingAction } from '../session/pending-actions.ts'
import styles from './profile.module.css'

interface Props {
  factors: readonly EnrolledFactor[]
  /** Whether the user confirmed already, before signing in again. */
  isAgreed: boolean
  onDone: () => Promise<void>
  onCancel: () => void
}

/** Removes the factor that was enrolled first, and only that. */
export function RemoveFactor({ factors, isAgreed, onDone, onCancel }: Props) {
  const { t } = useTranslation()
  const { run, fault, isPending } = useFactorAction('unenroll')
  const hasStarted = useRef(false)
  const [firstFactor, ...otherFactors] = factors
  const remove = () =>
    run(async () => {
      forgetPendingAction('unenroll')
      await unenrollFirstFactor()
      await onDone()
    })
  const resume = useEffectEvent(() => {
    if (!isAgreed || hasStarted.current) return
    // Strict mode runs effects twice, and a second request would remove the next factor.
    hasStarted.current = true
    void remove()
  })
  useEffect(() => resume(), [])
  if (!firstFactor) return null
  const name =
    firstFactor.kind === 'totp'
      ? t('account:kind.totp')
      : t('account:factors.phone', { phone: firstFactor.displayName })
  return (
    <div className={styles['form']}>
      <MultiFactorFault text={fault} />
      <p className={styles['text']}>{t('account:factors.onlyFirst', { name })}</p>
      <p className={styles['quiet']}>
        {t(otherFactors.length > 0 ? 'account:factors.othersStay' : 'account:factors.last')}
      </p>
      <DialogFoot
        action={t('account:factors.removeIt')}
        isPending={isPending}
        isDanger
        onCancel={onCancel}
        onAction={() => void remove()}
      />
    </div>
  )
}
