import { QueryClient, useQuery, type UseQueryOptions, type UseQueryResult } from '@tanstack/react-query'
import type { EndpointOutput, Endpoint } from '#contract/endpoint.ts'
import type { EndpointInput } from './endpoint-url.ts'
import { ApiError } from './api-error.ts'
import { call } from './client.ts'

const minuteMs = 60_000

/** What is being prepared is asked for again, for as long as somebody waits for it; of a busy server once, when it says so. */
const shouldRetry = (failures: number, error: Error): boolean =>
  error instanceof ApiError && (error.isPreparing || (error.retryAfter !== null && failures === 0))
const retryDelay = (_: number, error: Error): number =>
  1000 * ((error instanceof ApiError ? error.retryAfter : null) ?? 1)

/** The cache of answers (2-map-and-data, section 9). */
export const createQueryClient = (): QueryClient =>
  new QueryClient({
    defaultOptions: {
      queries: {
        retry: shouldRetry,
        retryDelay,
        refetchOnWindowFocus: false,
        staleTime: 10 * minuteMs,
        gcTime: 30 * minuteMs,
      },
      mutations: { retry: false },
    },
  })

/** Key of one answer; with no ask, of every answer of the endpoint. */
export const endpointQueryKey = (endpoint: Endpoint, input?: unknown): unknown[] => [
  endpoint.method,
  endpoint.path,
  ...(input === undefined ? [] : [input]),
]

/** Asks for an answer that is going to be needed: whoever needs it then takes the same. What fails is asked for again by whoever needs it. */
export const prefetch = <E extends Endpoint>(
  client: QueryClient,
  endpoint: E,
  input: EndpointInput<E>,
): Promise<void> =>
  client.prefetchQuery({
    queryKey: endpointQueryKey(endpoint, input),
    queryFn: ({ signal }) => call(endpoint, input, { signal }),
  })

type EndpointQueryOptions<E extends Endpoint> = Omit<
  UseQueryOptions<EndpointOutput<E>, ApiError>,
  'queryKey' | 'queryFn'
>

/** The answer of an endpoint, asked once and kept; the ask is aborted when nobody waits for it any more. */
export function useEndpointQuery<E extends Endpoint>(
  endpoint: E,
  input: EndpointInput<E>,
  options: EndpointQueryOptions<E> = {},
): UseQueryResult<EndpointOutput<E>, ApiError> {
  return useQuery<EndpointOutput<E>, ApiError>({
    ...options,
    queryKey: endpointQueryKey(endpoint, input),
    queryFn: ({ signal }) => call(endpoint, input, { signal }),
  })
}
