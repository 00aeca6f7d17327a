import type { ReactNode } from 'react'
import { FailedState, type DisplayableError } from '#web/kit/failed-state.tsx'
import { LoadingMessage } from '#web/kit/loading-message.tsx'
import styles from './map-notice.module.css'

interface Props {
  isWaiting: boolean
  /** How far it is, where that is known. */
  progress?: string | null | undefined
  reason?: string | null | undefined
  error: DisplayableError | null
  onRetry: () => void
  /** Said where there is nothing to show. */
  empty: ReactNode
}

/** What is said over the map: that it takes a while, that it failed, or that there is nothing. */
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
