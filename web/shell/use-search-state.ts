import { useDebouncedCallback } from '@mantine/hooks'
import { useNavigate, useRouter, useSearch } from '@tanstack/react-router'
import { useCallback, useEffect, useMemo } from 'react'

/** Search parameter for the feature under the pointer. */
const hoverKey = 'hover'
/** Debounce of pointer moves, because browsers limit the number of URL changes. */
const hoverDebounceMs = 150

/**
 * Returns a function that writes the feature under the pointer to the URL without a history entry; null
 * removes it. The parameter is removed when the map opens (it may come from a shared URL) and when it closes.
 */
export function useHoverParam(): (id: string | null) => void {
  const navigate = useNavigate()
  const router = useRouter()
  const write = useCallback(
    (id: string | null) => {
      const current = (router.latestLocation.search as Record<string, unknown>)[hoverKey]
      // The router parses an id of digits as a number.
      if ((current === undefined ? null : String(current)) === id) return
      void navigate({
        to: '.',
        search: (previous: object) => ({ ...previous, [hoverKey]: id ?? undefined }),
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

/** State of a screen in the URL. `push` (called `change`) adds a history entry, `replace` (`adjust`) not. */
export interface SearchState<S> {
  search: S
  push: (changes: Partial<S>) => void
  replace: (changes: Partial<S>) => void
}

/** Parses the URL with the parser of the screen, and writes through it, so that defaults are never written. */
export function useSearchState<S extends object>(
  parse: (search: Record<string, unknown>) => S,
): SearchState<S> {
  const allParams: object = useSearch({ strict: false })
  const navigate = useNavigate()
  const { [hoverKey]: _hover, ...otherParams } = allParams as Record<string, unknown>
  const serialized = JSON.stringify(otherParams)
  // Stable identity while nothing but the hover parameter changes, so that the screen does not re-render.
  const search = useMemo(() => parse(JSON.parse(serialized) as Record<string, unknown>), [parse, serialized])
  const write = useCallback(
    (changes: Partial<S>, replace: boolean) =>
      void navigate({
        to: '.',
        search: (previous: object) => parse({ ...previous, ...changes }),
        replace,
        resetScroll: false,
      } as never),
    [navigate, parse],
  )
  const push = useCallback((changes: Partial<S>) => write(changes, false), [write])
  const replace = useCallback((changes: Partial<S>) => write(changes, true), [write])
  return { search, push, replace }
}
