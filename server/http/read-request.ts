import { Readable } from 'node:stream'
import type { z } from 'zod'
import { type Endpoint, isMedia, type NodeReadable } from '#contract/endpoint.ts'
import { findJsonError } from './find-json-error.ts'
import { Problem } from './problem.ts'

const maxListedIssues = 5

/** Parses a part of a request; `partName` begins the paths of issues. @throws Problem `validation_error`. */
function parsePart(schema: z.ZodType | undefined, value: unknown, partName: string): unknown {
  if (!schema) return undefined
  const result = schema.safeParse(value)
  if (result.success) return result.data
  const issues = result.error.issues.map((issue) => ({
    path: [partName, ...issue.path].join('.'),
    message: issue.message,
  }))
  const messages = issues.slice(0, maxListedIssues).map(({ path, message }) => `${path}: ${message}`)
  throw new Problem('validation_error', messages.join('; '), issues)
}

/** Names of the fields with the first and last day of a period. */
const periodFields = [
  ['start_date', 'end_date'],
  ['startDate', 'endDate'],
] as const

/** Throws if a period ends before it starts. Days (YYYY-MM-DD) are compared as strings. */
function requireDaysInOrder(fields: unknown, partName: string): void {
  if (typeof fields !== 'object' || fields === null) return
  for (const [start, end] of periodFields) {
    const { [start]: first, [end]: last } = fields as Record<string, unknown>
    if (typeof first !== 'string' || typeof last !== 'string' || first <= last) continue
    const message = `The period ends before it starts: ${last} is before ${first}.`
    const path = `${partName}.${end}`
    throw new Problem('validation_error', `${path}: ${message}`, [{ path, message }])
  }
}

/**
 * Returns the body as a stream.
 * @throws Problem if it has another content type, so that Fastify has parsed it, or is missing.
 */
function requireFile(body: unknown, { media }: { media: string }): NodeReadable {
  if (body instanceof Readable) return body
  throw new Problem(
    'bad_request',
    `Send the file as the body of the request, with the content type ${media}.`,
  )
}

/**
 * Validates params, query and body against the endpoint's schemas.
 * @throws Problem that names the invalid fields, also if a period ends before it starts.
 */
export function readRequest(
  endpoint: Endpoint,
  request: { params: unknown; query: unknown; body: unknown },
): { params: unknown; query: unknown; body: unknown } {
  const { request: schema } = endpoint
  const error =
    findJsonError(request.params, 'path') ??
    findJsonError(request.query, 'query') ??
    (schema.body && !isMedia(schema.body) ? findJsonError(request.body, 'body') : null)
  if (error) throw new Problem('validation_error', `${error.path}: ${error.message}`, [error])
  const params = parsePart(schema.params, request.params, 'path')
  const query = parsePart(schema.query, request.query ?? {}, 'query')
  const body = isMedia(schema.body)
    ? requireFile(request.body, schema.body)
    : parsePart(schema.body, request.body, 'body')
  requireDaysInOrder(query, 'query')
  // Bodies that are stored have their own validation; a policy draft, for example, may be invalid.
  if (endpoint.reads && !isMedia(schema.body)) requireDaysInOrder(body, 'body')
  return { params, query, body }
}
