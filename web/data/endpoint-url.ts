import type { RequestInput, Endpoint } from '#contract/endpoint.ts'

type RequiredProps<A> = { [K in keyof A as undefined extends A[K] ? never : K]: A[K] }
type OptionalProps<A> = { [K in keyof A as undefined extends A[K] ? K : never]?: A[K] }

/** Input of a call: required and optional parts of the request as declared by the endpoint. */
export type EndpointInput<E extends Endpoint> = RequiredProps<RequestInput<E>> &
  OptionalProps<RequestInput<E>>

interface UntypedInput {
  params?: unknown
  query?: unknown
}

const listEntries = (values: unknown): [string, unknown][] =>
  typeof values === 'object' && values !== null ? Object.entries(values) : []

/**
 * Returns the URL of a request, with its path parameters and its query. Empty query values are omitted, objects
 * are sent as JSON.
 */
export function endpointUrl<E extends Endpoint>(endpoint: E, input: EndpointInput<E>): string {
  const { params, query } = input as UntypedInput
  const pathValues = new Map(listEntries(params))
  const path = endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(pathValues.get(name) ?? '')),
  )
  const search = new URLSearchParams(
    listEntries(query)
      .filter(([, value]) => value !== undefined && value !== null && value !== '')
      .map(([name, value]) => [name, typeof value === 'object' ? JSON.stringify(value) : String(value)]),
  )
  return `${getPrefix(endpoint)}${path}${search.size > 0 ? `?${search}` : ''}`
}

const getPrefix = (endpoint: Endpoint): string =>
  endpoint.prefixes.includes('/v2') ? '/v2' : (endpoint.prefixes[0] ?? '')
