import { useMutation, useQueryClient, type UseMutationResult } from '@tanstack/react-query'
import type { EndpointOutput, Endpoint } from '#contract/endpoint.ts'
import type { EndpointInput } from './endpoint-url.ts'
import type { ApiError } from './api-error.ts'
import { call } from './client.ts'
import { endpointQueryKey } from './query.ts'

/** Mutates through an endpoint, then invalidates the queries of `invalidates`. */
export function useEndpointMutation<E extends Endpoint>(
  endpoint: E,
  invalidates: readonly Endpoint[] = [],
): UseMutationResult<EndpointOutput<E>, ApiError, EndpointInput<E>> {
  const client = useQueryClient()
  return useMutation<EndpointOutput<E>, ApiError, EndpointInput<E>>({
    mutationFn: (input) => call(endpoint, input),
    onSuccess: () =>
      Promise.all(
        invalidates.map((invalidated) =>
          client.invalidateQueries({ queryKey: endpointQueryKey(invalidated) }),
        ),
      ),
  })
}
