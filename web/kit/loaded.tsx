import { Skeleton, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { FailedState, type DisplayableError } from './failed-state.tsx'
import { LoadingOverlay } from './loading-message.tsx'
import styles from './loaded.module.css'

/** An answer on its way: what TanStack Query gives, or anything of that form. */
export interface QueryState<T> {
  data: T | undefined
  error: DisplayableError | null
  isFetching: boolean
  refetch?: () => unknown
}

interface Props<T> {
  of: QueryState<T>
  /** Of the shape of what will come, so that nothing jumps. */
  skeleton?: ReactNode
  isEmpty?: (data: T) => boolean
  empty?: ReactNode
  /** Dims the old data while new data is fetched; off where it is fetched every second. */
  dim?: boolean
  children: (data: T) => ReactNode
}

/** The one place that shows loading, empty and failed; old data stays while it is fetched anew. */
export function Loaded<T>({ of, skeleton, isEmpty, empty, dim = true, children }: Props<T>) {
  const retry = of.refetch ? () => void of.refetch?.() : undefined

  if (of.data === undefined) {
    if (of.error) return <FailedState error={of.error} onRetry={retry} />
    return (
      <div className={styles['first']} aria-busy="true">
        <LoadingOverlay isLoading />
        {skeleton ?? (
          <Stack gap="sm">
            {[40, 40, 40].map((height, at) => (
              <Skeleton key={at} height={height} />
            ))}
          </Stack>
        )}
      </div>
    )
  }
  return (
    <div
      className={styles['kept']}
      data-dim={(dim && of.isFetching) || undefined}
      aria-busy={of.isFetching || undefined}
    >
      {of.error ? <FailedState error={of.error} onRetry={retry} /> : null}
      {isEmpty?.(of.data) ? empty : children(of.data)}
    </div>
  )
}
