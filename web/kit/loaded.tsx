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
  query: QueryState<T>
  /** Placeholder in the layout of the data, to avoid layout shifts. */
  skeleton?: ReactNode
  isEmpty?: (data: T) => boolean
  empty?: ReactNode
  /** Dims the old data while fetching; turn off for frequent refetches. */
  dim?: boolean
  children: (data: T) => ReactNode
}

/** Shows the states loading, empty and failed of a query; old data remains visible during a refetch. */
export function Loaded<T>({ query, skeleton, isEmpty, empty, dim = true, children }: Props<T>) {
  const retry = query.refetch ? () => void query.refetch?.() : undefined
  if (query.data === undefined) {
    if (query.error) return <FailedState error={query.error} onRetry={retry} />
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
      data-dim={(dim && query.isFetching) || undefined}
      aria-busy={query.isFetching || undefined}
    >
      {query.error ? <FailedState error={query.error} onRetry={retry} /> : null}
      <StaleRows value={dim && query.isFetching}>
        {isEmpty?.(query.data) ? empty : children(query.data)}
      </StaleRows>
    </div>
  )
}
