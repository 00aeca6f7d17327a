import { Skeleton, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { StaleRows } from './download-button.tsx'
import { FailedState, type DisplayableError } from './failed-state.tsx'
import { LoadingOverlay } from './loading-message.tsx'
import styles from './loaded.module.css'

/** State of a query, as in TanStack Query. */
export interface QueryState<T> {
  data: T | undefined
  error: DisplayableError | null
  isFetching: boolean
  refetch?: () => unknown
}

interface Props<T> {
  of: QueryState<T>
  /** Placeholder in the layout of the data, to avoid layout shifts. */
  skeleton?: ReactNode
  isEmpty?: (data: T) => boolean
  empty?: ReactNode
  /** Dims the old data while fetching; turn off for frequent refetches. */
  dim?: boolean
  children: (data: T) => ReactNode
}

/** Shows the states loading, empty and failed of a query; old data remains visible during a refetch. */
export function Loaded<T>({ of, skeleton, isEmpty, empty, dim = true, children }: Props<T>) {
  const retry = of.refetch ? () => void of.refetch?.() : undefined

  if (of.data === undefined) {
    if (of.error) return <FailedState error={of.error} onRetry={retry} />
    return (
      <div className={styles['first']} aria-busy="true">
        <LoadingOverlay isLoading />
        {skeleton ?? (
          <Stack gap="sm">
            {[40, 40, 40].map((height, index) => (
              <Skeleton key={index} height={height} />
            ))}
          </Stack>
        )}
      </div>
    )
  }
  return (
    <div
      className={styles['content']}
      data-dim={(dim && of.isFetching) || undefined}
      aria-busy={of.isFetching || undefined}
    >
      {of.error ? <FailedState error={of.error} onRetry={retry} /> : null}
      <StaleRows value={dim && of.isFetching}>{isEmpty?.(of.data) ? empty : children(of.data)}</StaleRows>
    </div>
  )
}
