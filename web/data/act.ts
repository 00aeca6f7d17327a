import { useMutation, useQueryClient, type UseMutationResult } from '@tanstack/react-query'
import type { Answer, Endpoint } from '#contract/endpoint.ts'
import type { Given } from './address-of.ts'
import type { ApiError } from './api-error.ts'
import { call } from './client.ts'
import { keyOf } from './query.ts'

/** A call that changes something: afterwards the answers of `touches` are asked anew. */
export function useAct<E extends Endpoint>(
  endpoint: E,
  touches: readonly Endpoint[] = [],
): UseMutationResult<Answer<E>, ApiError, Given<E>> {
  const client = useQueryClient()
  return useMutation<Answer<E>, ApiError, Given<E>>({
    mutationFn: (given) => call(endpoint, given),
    onSuccess: () =>
      Promise.all(touches.map((touched) => client.invalidateQueries({ queryKey: keyOf(touched) }))),
  })
}
