import type { ReactNode } from 'react'
import { FailedState, type DisplayableError } from '#web/kit/failed-state.tsx'
import { LoadingMessage } from '#web/kit/loading-message.tsx'
import styles from './map-notice.module.css'

interface Props {
  isWaiting: boolean
  /** Progress of the computation, if known. */
  progress?: string | null | undefined
  reason?: string | null | undefined
  error: DisplayableError | null
  onRetry: () => void
  /** Shown if there is no data. */
  empty: ReactNode
}

/** A message over the map: loading, failed, or without data. */
export function MapNotice({ isWaiting, progress, reason, error, onRetry, empty }: Props) {
  return (
    <>
      <div role="status" aria-live="polite">
        <LoadingMessage isLoading={isWaiting} progress={progress} reason={reason} />
      </div>
      {!isWaiting && error ? (
        <div className={styles['box']}>
          <FailedState error={error} onRetry={onRetry} />
        </div>
      ) : null}
      {!isWaiting && !error && empty ? <div className={styles['box']}>{empty}</div> : null}
    </>
  )
}
