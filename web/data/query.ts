import { QueryClient, useQuery, type UseQueryOptions, type UseQueryResult } from '@tanstack/react-query'
import type { EndpointOutput, Endpoint } from '#contract/endpoint.ts'
import type { EndpointInput } from './endpoint-url.ts'
import { ApiError } from './api-error.ts'
import { call } from './client.ts'

const minuteMs = 60_000

/** Whether to repeat a query: while its data is being prepared, and once if a busy server requests it. */
const shouldRetry = (failureCount: number, error: Error): boolean =>
  error instanceof ApiError && (error.isPreparing || (error.retryAfter !== null && failureCount === 0))
/** Returns the delay before a retry in ms: as the server requests, else a second. */
const getRetryDelay = (_: number, error: Error): number =>
  1000 * ((error instanceof ApiError ? error.retryAfter : null) ?? 1)

/** Creates the client of all queries, with their retries and cache times. */
export const createQueryClient = (): QueryClient =>
  new QueryClient({
    defaultOptions: {
      queries: {
        retry: shouldRetry,
        retryDelay: getRetryDelay,
        refetchOnWindowFocus: false,
        staleTime: 10 * minuteMs,
        gcTime: 30 * minuteMs,
      },
      mutations: { retry: false },
    },
  })

/** Returns the cache key of one request; without input, the prefix of all requests to the endpoint. */
export const endpointQueryKey = (endpoint: Endpoint, input?: unknown): unknown[] => [
  endpoint.method,
  endpoint.path,
  ...(input === undefined ? [] : [input]),
]

/** Returns a request to an endpoint as a query of the cache. */
export const endpointQuery = <E extends Endpoint>(endpoint: E, input: EndpointInput<E>) => ({
  queryKey: endpointQueryKey(endpoint, input),
  queryFn: ({ signal }: { signal: AbortSignal }) => call(endpoint, input, { signal }),
})

/** Loads data for later into the cache. A component that needs it repeats a failed request. */
export const prefetch = <E extends Endpoint>(
  client: QueryClient,
  endpoint: E,
  input: EndpointInput<E>,
): Promise<void> => client.prefetchQuery(endpointQuery(endpoint, input))

type EndpointQueryOptions<E extends Endpoint> = Omit<
  UseQueryOptions<EndpointOutput<E>, ApiError>,
  'queryKey' | 'queryFn'
>

/** Queries an endpoint through the cache; the request is aborted when no component needs it any more. */
export function useEndpointQuery<E extends Endpoint>(
  endpoint: E,
  input: EndpointInput<E>,
  options: EndpointQueryOptions<E> = {},
): UseQueryResult<EndpointOutput<E>, ApiError> {
  return useQuery<EndpointOutput<E>, ApiError>({ ...options, ...endpointQuery(endpoint, input) })
}
