import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback, useMemo } from 'react'

/** A screen's state in the address bar. `change` makes a step that Back undoes; `adjust` does not. */
export interface SearchState<S> {
  search: S
  change: (part: Partial<S>) => void
  adjust: (part: Partial<S>) => void
}

/** Reads the address bar with the screen's reader, and writes through it, so that defaults never stand there. */
export function useSearchState<S extends object>(read: (search: Record<string, unknown>) => S): SearchState<S> {
  const raw: object = useSearch({ strict: false })
  const navigate = useNavigate()
  const search = useMemo(() => read({ ...raw }), [read, raw])
  const write = useCallback(
    (part: Partial<S>, replace: boolean) => void navigate({ to: '.', search: (before: object) => read({ ...before, ...part }), replace, resetScroll: false } as never),
    [navigate, read],
  )
  const change = useCallback((part: Partial<S>) => write(part, false), [write])
  const adjust = useCallback((part: Partial<S>) => write(part, true), [write])
  return { search, change, adjust }
}
