import type { FastifyRequest } from 'fastify'
import { type Endpoint, isMedia } from '#contract/endpoint.ts'
import { Problem } from './problem.ts'

// Legacy calls under /apipy: POST with token, region_id and impersonated_user in the body, answered with a success
// flag (specification 1, section 7).

/** The fields of a JSON body; bytes, a stream or a text have none. */
export const fieldsOf = (body: unknown): Record<string, unknown> =>
  typeof body === 'object' && body !== null && Object.getPrototypeOf(body) === Object.prototype
    ? (body as Record<string, unknown>)
    : {}

/** A body can contain characters that no header can. Replacing them makes a token that nobody has. */
const asHeader = (text: string): string => text.replace(/[^\x21-\x7e]/gu, '?')

/** The headers of a request, with the token and the impersonated user of its body. */
export function legacyHeaders(headers: Headers, request: FastifyRequest): Headers {
  const { token, impersonated_user: user } = fieldsOf(request.body)
  if (typeof token === 'string' && token) headers.set('authorization', `Bearer ${asHeader(token)}`)
  if (typeof user === 'string' && user) headers.set('impersonated-user', asHeader(user))
  return headers
}

/** A field of a body as an address would carry it: lists with commas. */
function asQueryValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(String).join(',')
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : value
}

/** Query parameters of a legacy call, which may come in the body. Those of the address win. */
export function legacyQuery({ ask }: Endpoint, request: FastifyRequest): unknown {
  if (!ask.query) return request.query
  const fields = Object.entries(fieldsOf(request.body)).filter(([, value]) => value !== null)
  return {
    ...Object.fromEntries(fields.map(([name, value]) => [name, asQueryValue(value)])),
    ...(request.query as object),
  }
}

/** An answer with the success flag; a list becomes `data`. */
export const legacyAnswer = (answer: unknown): object =>
  Array.isArray(answer) ? { success: true, data: answer } : { success: true, ...(answer as object) }

/** Refuses a token that names nobody. Without any token or cookie, the caller is only asked to sign in. */
export function refuseBadToken(headers: Headers): void {
  if (headers.has('authorization')) throw new Problem('forbidden', 'Could not validate credentials')
}

/** Methods by which an endpoint is called: a GET also as POST, unless another endpoint has the same path. */
export function legacyMethods(endpoint: Endpoint, endpoints: readonly Endpoint[]): Endpoint['method'][] {
  const isTaken = endpoints.some(
    ({ method, path, prefixes }) =>
      method === 'POST' && path === endpoint.path && prefixes.includes('/apipy'),
  )
  return endpoint.method === 'GET' && !isTaken ? ['GET', 'POST'] : [endpoint.method]
}

/** Whether a body can carry a token: bytes cannot. */
export const canCarryToken = ({ ask }: Endpoint): boolean => !isMedia(ask.body)
