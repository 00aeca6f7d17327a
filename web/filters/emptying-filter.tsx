import { Button } from '@mantine/core'
import { useQueries } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '#web/kit/empty-state.tsx'

/** A filter that leaves no results. */
interface EmptyingFilter<S> {
  /** Key of its label; null for all filters together. */
  label: string | null
  /** Change of the URL state that clears it. */
  clear: Partial<S>
}

interface Given<S, D> {
  /** Whether the filters leave nothing; nothing is requested otherwise. */
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

/** The first filter without which there are results, else all of them together; null if no filter is the cause. */
export function useEmptyingFilter<S extends object, D>({
  isEmpty,
  search,
  labels,
  query,
  hasResults,
}: Given<S, D>): EmptyingFilter<S> | null {
  const single = (Object.keys(labels) as (keyof S & string)[])
    .filter((key) => isEmpty && search[key] !== undefined)
    .map((key) => ({ label: labels[key] ?? null, clear: { [key]: undefined } as Partial<S> }))
  const together = {
    label: null,
    clear: Object.assign({}, ...single.map(({ clear }) => clear)) as Partial<S>,
  }
  const filters: EmptyingFilter<S>[] = single.length > 1 ? [...single, together] : single
  const answers = useQueries({ queries: filters.map(({ clear }) => query(clear)) })
  return (
    filters.find((_, index) => {
      const data = answers[index]?.data as D | undefined
      return data !== undefined && hasResults(data)
    }) ?? null
  )
}

interface Props<S> {
  filter: EmptyingFilter<S>
  change: (part: Partial<S>) => void
}

/** Says which filter leaves nothing, and clears it. */
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
