import { Button, Skeleton } from '@mantine/core'
import { useEffect, useEffectEvent, useRef, useState, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { finishTotp, startTotp, type TotpEnrollment } from '#web/data/second-factor.ts'
import { MultiFactorFault } from '../notes.tsx'
import { useFactorAct } from '../session/use-factor-act.ts'
import { CodeForm } from './code-form.tsx'
import styles from './enrolment.module.css'
import { encode } from 'uqr'

/** A QR code as a path: the size in modules, with the required quiet zone, and the path of the dark ones. */
export function qrPath(text: string): { size: number; path: string } {
  const { size, data } = encode(text, { ecc: 'M', border: 4 })
  const path = data
    .flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : [])))
    .join('')
  return { size, path }
}

/** Dark on white in both color schemes: many readers accept nothing else. */
function QrCode({ text, label }: { text: string; label: string }) {
  const { size, path } = useMemo(() => qrPath(text), [text])
  return (
    <svg
      className={styles['qr']}
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label={label}
      shapeRendering="crispEdges"
    >
      <rect width={size} height={size} className={styles['light']} />
      <path d={path} className={styles['dark']} />
    </svg>
  )
}

interface Props {
  /** With recovery codes if it is the first factor. */
  onEnrolled: (recoveryCodes: string[] | null) => void
  onCancel: () => void
}

/** The key in groups of four, for reading. */
const spaced = (key: string): string => key.replace(/(.{4})(?=.)/g, '$1 ')

export function EnrolTotp({ onEnrolled, onCancel }: Props) {
  const { t } = useTranslation()
  const { run, fault, isPending } = useFactorAct('enroll')
  const [started, setStarted] = useState<TotpEnrollment | null>(null)
  const hasBegun = useRef(false)

  const begin = useEffectEvent(() => {
    // Once, however often the effect runs: a second key would invalidate the first one.
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
