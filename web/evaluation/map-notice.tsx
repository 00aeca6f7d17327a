import { Loader, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { ReactNode } from 'react'
import { FailedState, type Failing } from '#web/kit/failed-state.tsx'
import styles from './map-notice.module.css'
import { useWaiting } from './use-waiting.ts'

interface Props {
  isWaiting: boolean
  error: Failing | null
  onRetry: () => void
  /** Said where there is nothing to show. */
  empty: ReactNode
}

/** What is said over the map: that it takes a while, that it failed, or that there is nothing. */
export function MapNotice({ isWaiting, error, onRetry, empty }: Props) {
  const { t } = useTranslation()
  const waiting = useWaiting(isWaiting)
  return (
    <>
      <div role="status" aria-live="polite">
        {isWaiting && waiting !== 'short' ? (
          <div className={styles['box']} data-row>
            <Loader size="sm" aria-hidden="true" />
            <Text size="sm">{t(`evaluation:waiting.${waiting}`)}</Text>
          </div>
        ) : null}
      </div>
      {!isWaiting && error ? <div className={styles['box']}><FailedState error={error} onRetry={onRetry} /></div> : null}
      {!isWaiting && !error && empty ? <div className={styles['box']}>{empty}</div> : null}
    </>
  )
}
