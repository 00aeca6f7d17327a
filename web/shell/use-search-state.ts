import { useDebouncedCallback } from '@mantine/hooks'
import { useNavigate, useRouter, useSearch } from '@tanstack/react-router'
import { useCallback, useEffect, useMemo } from 'react'

/** The feature under the pointer (specification 1, section 2, Map behaviour). */
const hoverKey = 'hover'
/** The pointer must rest for so long: browsers allow few changes of the address in a short time. */
const hoverDebounceMs = 150

/**
 * Writes the feature under the pointer to the address bar, without a step that Back undoes; null removes it.
 * It is there only while the pointer is: one that came with a shared address is removed when the map opens, and
 * the last one when the map goes.
 */
export function useHoverParam(): (id: string | null) => void {
  const navigate = useNavigate()
  const router = useRouter()
  const write = useCallback(
    (id: string | null) => {
      const written = (router.latestLocation.search as Record<string, unknown>)[hoverKey]
      // An address holds an id of digits as a number.
      if ((written === undefined ? null : String(written)) === id) return
      void navigate({
        to: '.',
        search: (before: object) => ({ ...before, [hoverKey]: id ?? undefined }),
        replace: true,
        resetScroll: false,
      } as never)
    },
    [navigate, router],
  )
  useEffect(() => {
    write(null)
    return () => write(null)
  }, [write])
  return useDebouncedCallback(write, hoverDebounceMs)
}

/** A screen's state in the address bar. `change` makes a step that Back undoes; `adjust` does not. */
export interface SearchState<S> {
  search: S
  push: (part: Partial<S>) => void
  replace: (part: Partial<S>) => void
}

/** Reads the address bar with the screen's reader, and writes through it, so that defaults never stand there. */
export function useSearchState<S extends object>(
  read: (search: Record<string, unknown>) => S,
): SearchState<S> {
  const raw: object = useSearch({ strict: false })
  const navigate = useNavigate()
  const { [hoverKey]: _hover, ...own } = raw as Record<string, unknown>
  const text = JSON.stringify(own)
  // The same object as long as nothing of it changes: what is under the pointer draws no screen again.
  const search = useMemo(() => read(JSON.parse(text) as Record<string, unknown>), [read, text])
  const write = useCallback(
    (part: Partial<S>, replace: boolean) =>
      void navigate({
        to: '.',
        search: (before: object) => read({ ...before, ...part }),
        replace,
        resetScroll: false,
      } as never),
    [navigate, read],
  )
  const push = useCallback((part: Partial<S>) => write(part, false), [write])
  const adjust = useCallback((part: Partial<S>) => write(part, true), [write])
  return { search, push, replace: adjust }
}
