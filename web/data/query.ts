import { QueryClient, useQuery, type UseQueryOptions, type UseQueryResult } from '@tanstack/react-query'
import type { Answer, Endpoint } from '#contract/endpoint.ts'
import type { Given } from './address-of.ts'
import { ApiError } from './api-error.ts'
import { call } from './client.ts'

const minutes = 60_000

/** What is being prepared is asked for again, for as long as somebody waits for it; of a busy server once, when it says so. */
const isAskedAgain = (failures: number, error: Error): boolean =>
  error instanceof ApiError && (error.isPreparing || (error.retryAfter !== null && failures === 0))
const retryDelay = (_: number, error: Error): number =>
  1000 * ((error instanceof ApiError ? error.retryAfter : null) ?? 1)

/** The cache of answers (2-map-and-data, section 9). */
export const newQueryClient = (): QueryClient =>
  new QueryClient({
    defaultOptions: {
      queries: {
        retry: isAskedAgain,
        retryDelay,
        refetchOnWindowFocus: false,
        staleTime: 10 * minutes,
        gcTime: 30 * minutes,
      },
      mutations: { retry: false },
    },
  })

/** Key of one answer; with no ask, of every answer of the endpoint. */
export const keyOf = (endpoint: Endpoint, given?: unknown): unknown[] => [
  endpoint.method,
  endpoint.path,
  ...(given === undefined ? [] : [given]),
]

/** Asks for an answer that is going to be needed: whoever needs it then takes the same. What fails is asked for again by whoever needs it. */
export const askAhead = <E extends Endpoint>(
  client: QueryClient,
  endpoint: E,
  given: Given<E>,
): Promise<void> =>
  client.prefetchQuery({
    queryKey: keyOf(endpoint, given),
    queryFn: ({ signal }) => call(endpoint, given, { signal }),
  })

type Options<E extends Endpoint> = Omit<UseQueryOptions<Answer<E>, ApiError>, 'queryKey' | 'queryFn'>

/** The answer of an endpoint, asked once and kept; the ask is aborted when nobody waits for it any more. */
export function useAnswer<E extends Endpoint>(
  endpoint: E,
  given: Given<E>,
  options: Options<E> = {},
): UseQueryResult<Answer<E>, ApiError> {
  return useQuery<Answer<E>, ApiError>({
    ...options,
    queryKey: keyOf(endpoint, given),
    queryFn: ({ signal }) => call(endpoint, given, { signal }),
  })
}
