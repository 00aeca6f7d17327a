import { LoadingMessage } from './loading-message.tsx'
import styles from './loading-overlay.module.css'

/** Over what is loading: its parent must be positioned. What is below stays in sight, and can be used where the overlay says nothing yet. */
export function LoadingOverlay({ isLoading }: { isLoading: boolean }) {
  return (
    <div role="status" aria-live="polite" className={styles['overlay']}>
      <LoadingMessage isLoading={isLoading} />
    </div>
  )
}
