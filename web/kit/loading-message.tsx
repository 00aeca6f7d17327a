import { Loader, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import styles from './loading-overlay.module.css'
import { useEffect, useState } from 'react'

type WaitStage = 'short' | 'processing' | 'long'

const processingAfterMs = 2000
const longAfterMs = 10_000

/** How long one has waited, in steps that deserve a word. */
function useWaitStage(isWaiting: boolean): WaitStage {
  const [waiting, setWaiting] = useState<WaitStage>('short')
  useEffect(() => {
    if (!isWaiting) return
    const timers = [
      setTimeout(() => setWaiting('processing'), processingAfterMs),
      setTimeout(() => setWaiting('long'), longAfterMs),
    ]
    return () => {
      for (const timer of timers) clearTimeout(timer)
      setWaiting('short')
    }
  }, [isWaiting])
  return waiting
}

interface Props {
  isLoading: boolean
  /** How far it is, where that is known: said at once. */
  progress?: string | null | undefined
  /** Why it may take long, where that is known: said in place of the usual text. */
  reason?: string | null | undefined
}

/** What is said while one waits: after two seconds that data is processing, after ten that it takes a while. Until then only to those who cannot see. */
export function LoadingMessage({ isLoading, progress, reason }: Props) {
  const { t } = useTranslation()
  const waiting = useWaitStage(isLoading)
  if (!isLoading) return null
  if (waiting === 'short' && !progress) return <span className="only-read">{t('kit:loading')}</span>
  return (
    <div className={styles['message']}>
      <Loader size="sm" aria-hidden="true" />
      <Text size="sm">{progress ?? reason ?? t(`kit:waiting.${waiting}`)}</Text>
    </div>
  )
}

/** Over what is loading: its parent must be positioned. What is below stays in sight, and can be used where the overlay says nothing yet. */
export function LoadingOverlay({ isLoading }: { isLoading: boolean }) {
  return (
    <div role="status" aria-live="polite" className={styles['overlay']}>
      <LoadingMessage isLoading={isLoading} />
    </div>
  )
}
