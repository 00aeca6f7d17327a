import type { FastifyRequest } from 'fastify'
import { type Endpoint, isMedia } from '#contract/endpoint.ts'
import { Problem } from './problem.ts'

// Legacy calls under /apipy: the POST body has token, region_id, impersonated_user, and responses success.

/** Returns the fields of a body that is a JSON object; none for bytes, streams and strings. */
export const toFields = (body: unknown): Record<string, unknown> =>
  typeof body === 'object' && body !== null && Object.getPrototypeOf(body) === Object.prototype
    ? (body as Record<string, unknown>)
    : {}

/** Replaces characters that are invalid in headers. A token with such characters becomes an invalid token. */
const toHeaderValue = (text: string): string => text.replace(/[^\x21-\x7e]/gu, '?')

/** Adds the token and the impersonated user in the body to the headers. */
export function readLegacyHeaders(headers: Headers, request: FastifyRequest): Headers {
  const { token, impersonated_user: user } = toFields(request.body)
  if (typeof token === 'string' && token) headers.set('authorization', `Bearer ${toHeaderValue(token)}`)
  if (typeof user === 'string' && user) headers.set('impersonated-user', toHeaderValue(user))
  return headers
}

/** Returns a field of a body as a query parameter; lists are joined with commas. */
function toQueryValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(String).join(',')
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : value
}

/** Reads the query parameters of a legacy call, from its URL and body; those of the URL take precedence. */
export function readLegacyQuery({ request: schema }: Endpoint, request: FastifyRequest): unknown {
  if (!schema.query) return request.query
  const fields = Object.entries(toFields(request.body)).filter(([, value]) => value !== null)
  return {
    ...Object.fromEntries(fields.map(([name, value]) => [name, toQueryValue(value)])),
    ...(request.query as object),
  }
}

/** Adds the success flag to a response. A list becomes the field `data`. */
export const toLegacyResponse = (value: unknown): object =>
  Array.isArray(value) ? { success: true, data: value } : { success: true, ...(value as object) }

/** Throws the Problem `forbidden` for calls with a token but no viewer. Calls without one get 401 elsewhere. */
export function refuseBadToken(headers: Headers): void {
  if (headers.has('authorization')) throw new Problem('forbidden', 'Could not validate credentials')
}

/** Lists an endpoint's methods. GET is also available as POST, unless another endpoint uses the latter. */
export function listLegacyMethods(endpoint: Endpoint, endpoints: readonly Endpoint[]): Endpoint['method'][] {
  const isTaken = endpoints.some(
    ({ method, path, prefixes }) =>
      method === 'POST' && path === endpoint.path && prefixes.includes('/apipy'),
  )
  return endpoint.method === 'GET' && !isTaken ? ['GET', 'POST'] : [endpoint.method]
}

/** Returns whether the body of an endpoint can contain a token; files cannot. */
export const canCarryToken = ({ request }: Endpoint): boolean => !isMedia(request.body)
