import { Button, Skeleton } from '@mantine/core'
import { useEffect, useEffectEvent, useRef, useState, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { encode } from 'uqr'
import { finishTotp, startTotp, type TotpEnrollment } from '#web/data/second-factor.ts'
import { MultiFactorFault } from '../notes.tsx'
import { useFactorAction } from '../session/use-factor-action.ts'
import { CodeForm } from './code-form.tsx'
import styles from './enrollment.module.css'

/** A QR code as an SVG path of its dark modules; `size` is in modules, including the quiet zone. */
export function createQrPath(text: string): { size: number; path: string } {
  const { size, data } = encode(text, { ecc: 'M', border: 4 })
  const path = data
    .flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : [])))
    .join('')
  return { size, path }
}

/** Dark on white in both color schemes: many readers accept nothing else. */
function QrCode({ text, label }: { text: string; label: string }) {
  const { size, path } = useMemo(() => createQrPath(text), [text])
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
  /** Called with recovery codes if it is the first factor, otherwise with null. */
  onEnrolled: (recoveryCodes: string[] | null) => void
  onCancel: () => void
}

/** Returns the key in groups of four, for reading. */
const groupKey = (key: string): string => key.replace(/(.{4})(?=.)/g, '$1 ')

/** Enrolls an authenticator app: shows its key, and verifies a first code. */
export function EnrollTotp({ onEnrolled, onCancel }: Props) {
  const { t } = useTranslation()
  const { run, fault, isPending } = useFactorAction('enroll')
  const [enrollment, setEnrollment] = useState<TotpEnrollment | null>(null)
  const hasStarted = useRef(false)
  const startOnce = useEffectEvent(() => {
    // Strict mode runs effects twice, and a second key would invalidate the first.
    if (hasStarted.current) return
    hasStarted.current = true
    void run(async () => setEnrollment(await startTotp()))
  })
  useEffect(() => startOnce(), [])
  const backButton = (
    <Button variant="default" onClick={onCancel}>
      {t('account:enroll.back')}
    </Button>
  )
  return (
    <div className={styles['flow']}>
      <MultiFactorFault text={fault} />
      {enrollment ? (
        <>
          <p className={styles['text']}>{t('account:enroll.totp.scan')}</p>
          <div className={styles['scan']}>
            <QrCode text={enrollment.uri} label={t('account:enroll.totp.qr')} />
            <div>
              <p className={styles['quiet']}>{t('account:enroll.totp.key')}</p>
              <p className={styles['key']}>{groupKey(enrollment.key)}</p>
            </div>
          </div>
          <CodeForm
            label={t('identity:challenge.totp.label')}
            isPending={isPending}
            onCode={(code) =>
              void run(async () => {
                await finishTotp(code)
                onEnrolled(enrollment.recoveryCodes)
              })
            }
          >
            {backButton}
          </CodeForm>
        </>
      ) : fault ? (
        <div className={styles['foot']}>
          {backButton}
          <Button onClick={() => void run(async () => setEnrollment(await startTotp()))} loading={isPending}>
            {t('kit:retry')}
          </Button>
        </div>
      ) : (
        <Skeleton height={200} />
      )}
    </div>
  )
}
