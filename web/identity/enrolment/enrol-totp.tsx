import { Button, Skeleton } from '@mantine/core'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { finishTotp, startTotp, type TotpStart } from '#web/data/second-factor.ts'
import { MultiFactorFault } from '../multi-factor-fault.tsx'
import { useFactorAct } from '../session/use-factor-act.ts'
import { CodeForm } from './code-form.tsx'
import { QrCode } from './qr-code.tsx'
import styles from './enrolment.module.css'

interface Props {
  /** With the recovery codes, where it is the first factor. */
  onEnrolled: (recoveryCodes: string[] | null) => void
  onCancel: () => void
}

/** The key in groups of four, as one reads it off. */
const spaced = (key: string): string => key.replace(/(.{4})(?=.)/g, '$1 ')

export function EnrolTotp({ onEnrolled, onCancel }: Props) {
  const { t } = useTranslation()
  const { run, fault, isPending } = useFactorAct('enroll')
  const [started, setStarted] = useState<TotpStart | null>(null)
  const hasBegun = useRef(false)

  const begin = useEffectEvent(() => {
    // Once, however often the effect runs: a second key would make the first one void.
    if (hasBegun.current) return
    hasBegun.current = true
    void run(async () => setStarted(await startTotp()))
  })
  useEffect(() => begin(), [])

  const back = (
    <Button variant="default" onClick={onCancel}>
      {t('account:enrol.back')}
    </Button>
  )
  return (
    <div className={styles['flow']}>
      <MultiFactorFault text={fault} />
      {started ? (
        <>
          <p className={styles['text']}>{t('account:enrol.totp.scan')}</p>
          <div className={styles['scan']}>
            <QrCode text={started.uri} label={t('account:enrol.totp.qr')} />
            <div>
              <p className={styles['quiet']}>{t('account:enrol.totp.key')}</p>
              <p className={styles['key']}>{spaced(started.key)}</p>
            </div>
          </div>
          <CodeForm
            label={t('identity:challenge.totp.label')}
            isPending={isPending}
            onCode={(code) =>
              void run(async () => {
                await finishTotp(code)
                onEnrolled(started.recoveryCodes)
              })
            }
          >
            {back}
          </CodeForm>
        </>
      ) : fault ? (
        <div className={styles['foot']}>
          {back}
          <Button onClick={() => void run(async () => setStarted(await startTotp()))} loading={isPending}>
            {t('kit:retry')}
          </Button>
        </div>
      ) : (
        <Skeleton height={200} />
      )}
    </div>
  )
}
