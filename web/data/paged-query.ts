import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import type { Endpoint } from '#contract/endpoint.ts'
import type { EndpointInput } from './endpoint-url.ts'
import type { ApiError } from './api-error.ts'
import { call } from './client.ts'
import { endpointQueryKey } from './query.ts'

/** A page of a list; `total` counts the items of all pages. */
export interface ListResponse<T> {
  items: T[]
  total: number
  page: number
  size: number
}

/** Item of a list endpoint. */
export type ItemOf<E extends Endpoint> = E['response'] extends { _output: ListResponse<infer T> } ? T : never

export interface PagedQuery<T> {
  /** Items of all pages so far; undefined until the first has loaded. */
  items: T[] | undefined
  total: number
  error: ApiError | null
  isFetching: boolean
  /** Fetches the next page unless there is none or a request is in progress. */
  fetchMore: () => void
  refetch: () => unknown
}

/** Loads a list from the server page by page. */
export function usePagedQuery<E extends Endpoint>(
  endpoint: E,
  input: EndpointInput<E>,
): PagedQuery<ItemOf<E>> {
  const result = useInfiniteQuery({
    queryKey: [...endpointQueryKey(endpoint, input), 'pages'],
    initialPageParam: 1,
    queryFn: async ({ pageParam, signal }) => {
      const query = { ...(input as { query?: object }).query, page: pageParam }
      return (await call(endpoint, { ...input, query }, { signal })) as ListResponse<ItemOf<E>>
    },
    getNextPageParam: ({ page, size, total }) => (page * size < total ? page + 1 : undefined),
    placeholderData: keepPreviousData,
  })
  return {
    items: result.data?.pages.flatMap((page) => page.items),
    total: result.data?.pages[0]?.total ?? 0,
    error: result.error as ApiError | null,
    isFetching: result.isFetching,
    fetchMore: () => void (result.hasNextPage && !result.isFetching && result.fetchNextPage()),
    refetch: result.refetch,
  }
}
