import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import type { Endpoint } from '#contract/endpoint.ts'
import type { Given } from './address-of.ts'
import type { ApiError } from './api-error.ts'
import { call } from './client.ts'
import { keyOf } from './query.ts'

interface Paged<T> {
  items: T[]
  total: number
  page: number
  size: number
}

type ItemOf<E extends Endpoint> = E['answer'] extends { _output: Paged<infer T> } ? T : never

export interface Pages<T> {
  /** The items of all pages so far; undefined until the first is here. */
  items: T[] | undefined
  total: number
  error: ApiError | null
  isFetching: boolean
  /** Fetches the next page unless there is none or it is on its way. */
  more: () => void
  refetch: () => unknown
}

/** A list of the server, page by page. */
export function usePages<E extends Endpoint>(endpoint: E, given: Given<E>): Pages<ItemOf<E>> {
  const answer = useInfiniteQuery({
    queryKey: [...keyOf(endpoint, given), 'pages'],
    initialPageParam: 1,
    queryFn: async ({ pageParam, signal }) => {
      const query = { ...(given as { query?: object }).query, page: pageParam }
      return (await call(endpoint, { ...given, query }, { signal })) as Paged<ItemOf<E>>
    },
    getNextPageParam: (last) => (last.page * last.size < last.total ? last.page + 1 : undefined),
    placeholderData: keepPreviousData,
  })
  return {
    items: answer.data?.pages.flatMap((page) => page.items),
    total: answer.data?.pages[0]?.total ?? 0,
    error: answer.error as ApiError | null,
    isFetching: answer.isFetching,
    more: () => void (answer.hasNextPage && !answer.isFetching && answer.fetchNextPage()),
    refetch: answer.refetch,
  }
}
