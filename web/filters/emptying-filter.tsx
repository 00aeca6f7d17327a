import { Button } from '@mantine/core'
import { useQueries } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '#web/kit/empty-state.tsx'

/** A filter that excludes all results. */
interface EmptyingFilter<S> {
  /** Key of its label; null for all filters together. */
  label: string | null
  /** Change of the URL state that clears the filter. */
  clear: Partial<S>
}

interface EmptyingFilterInput<S, D> {
  /** Whether there are no results; otherwise nothing is requested. */
  isEmpty: boolean
  search: S
  /** Keys of the labels of filters by their URL parameter, in the order of the panel. */
  labels: Partial<Record<keyof S & string, string>>
  /** The request with some filters cleared. */
  query: (clear: Partial<S>) => {
    queryKey: readonly unknown[]
    queryFn: (context: { signal: AbortSignal }) => Promise<D>
  }
  hasResults: (data: D) => boolean
}

/** Finds the first filter that excludes all results, else all filters combined; null if that has none. */
export function useEmptyingFilter<S extends object, D>({
  isEmpty,
  search,
  labels,
  query,
  hasResults,
}: EmptyingFilterInput<S, D>): EmptyingFilter<S> | null {
  const singleFilters = (Object.keys(labels) as (keyof S & string)[])
    .filter((key) => isEmpty && search[key] !== undefined)
    .map((key) => ({ label: labels[key] ?? null, clear: { [key]: undefined } as Partial<S> }))
  const allCombined = {
    label: null,
    clear: Object.assign({}, ...singleFilters.map(({ clear }) => clear)) as Partial<S>,
  }
  const filters: EmptyingFilter<S>[] =
    singleFilters.length > 1 ? [...singleFilters, allCombined] : singleFilters
  const results = useQueries({ queries: filters.map(({ clear }) => query(clear)) })
  return (
    filters.find((_, index) => {
      const data = results[index]?.data as D | undefined
      return data !== undefined && hasResults(data)
    }) ?? null
  )
}

interface Props<S> {
  filter: EmptyingFilter<S>
  change: (changes: Partial<S>) => void
}

/** Names the filter that excludes all results, with a button that clears it. */
export function EmptiedByFilter<S>({ filter: { label, clear }, change }: Props<S>) {
  const { t } = useTranslation()
  return (
    <EmptyState
      title={t('filters:emptied.title')}
      action={
        <Button onClick={() => change(clear)}>
          {label === null ? t('filters:emptied.clearAll') : t('filters:emptied.clear', { filter: t(label) })}
        </Button>
      }
    >
      {label === null ? t('filters:emptied.together') : t('filters:emptied.filter', { filter: t(label) })}
    </EmptyState>
  )
}
