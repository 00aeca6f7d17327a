import { Loader, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useEffect, useId, useState, useSyncExternalStore } from 'react'
import styles from './loading-overlay.module.css'

type WaitStage = 'short' | 'processing' | 'long'

const processingAfterMs = 2000
const longAfterMs = 10_000

/** Returns how long the user has been waiting; each stage has its message. */
function useWaitStage(isWaiting: boolean): WaitStage {
  const [stage, setStage] = useState<WaitStage>('short')
  useEffect(() => {
    if (!isWaiting) return
    const timers = [
      setTimeout(() => setStage('processing'), processingAfterMs),
      setTimeout(() => setStage('long'), longAfterMs),
    ]
    return () => {
      for (const timer of timers) clearTimeout(timer)
      setStage('short')
    }
  }, [isWaiting])
  return stage
}

/** Ids of the components of the page that want to show a message, oldest first. */
let waitingIds: readonly string[] = []
const listeners = new Set<() => void>()
const setWaitingIds = (next: readonly string[]): void => {
  waitingIds = next
  for (const listener of listeners) listener()
}
const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Returns whether this component is the one that shows a message: the first of several waiting ones. */
function useIsFirst(hasMessage: boolean): boolean {
  const id = useId()
  useEffect(() => {
    if (!hasMessage) return
    setWaitingIds([...waitingIds, id])
    return () => setWaitingIds(waitingIds.filter((other) => other !== id))
  }, [hasMessage, id])
  const firstId = useSyncExternalStore(subscribe, () => waitingIds[0])
  return firstId === id
}

interface Props {
  isLoading: boolean
  /** Progress of the computation, shown at once if known. */
  progress?: string | null | undefined
  /** Reason why loading may take long; replaces the default text. */
  reason?: string | null | undefined
}

/** Message while waiting: for screen readers, and visible after two seconds; after ten another one. */
export function LoadingMessage({ isLoading, progress, reason }: Props) {
  const { t } = useTranslation()
  const stage = useWaitStage(isLoading)
  const hasMessage = isLoading && (stage !== 'short' || Boolean(progress))
  const isFirst = useIsFirst(hasMessage)
  if (!isLoading) return null
  if (!hasMessage || !isFirst) return <span className="visually-hidden">{t('kit:loading')}</span>
  return (
    <div className={styles['message']}>
      <Loader size="sm" aria-hidden="true" />
      <Text size="sm">{progress ?? reason ?? t(`kit:waiting.${stage}`)}</Text>
    </div>
  )
}

/** Overlay of loading content in a positioned parent. Content below is usable until the message appears. */
export function LoadingOverlay({ isLoading }: { isLoading: boolean }) {
  return (
    <div role="status" aria-live="polite" className={styles['overlay']}>
      <LoadingMessage isLoading={isLoading} />
    </div>
  )
}
