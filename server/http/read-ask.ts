import type { z } from 'zod'
import { type Endpoint, isMedia } from '#contract/endpoint.ts'
import { findJsonFault } from './find-json-fault.ts'
import { Problem } from './problem.ts'

function parse(shape: z.ZodType | undefined, value: unknown, where: string): unknown {
  if (!shape) return undefined
  const result = shape.safeParse(value)
  if (result.success) return result.data
  const issues = result.error.issues.map((issue) => ({ path: [where, ...issue.path].join('.'), message: issue.message }))
  throw new Problem('validation_error', issues.slice(0, 5).map((issue) => `${issue.path}: ${issue.message}`).join('; '), issues)
}

/** Checks params, query and body against the endpoint; throws a validation Problem that names each place. */
export function readAsk(endpoint: Endpoint, given: { params: unknown; query: unknown; body: unknown }): { params: unknown; query: unknown; body: unknown } {
  const { ask } = endpoint
  const fault = findJsonFault(given.params, 'path') ?? findJsonFault(given.query, 'query') ?? (ask.body && !isMedia(ask.body) ? findJsonFault(given.body, 'body') : null)
  if (fault) throw new Problem('validation_error', `${fault.path}: ${fault.message}`, [fault])
  return {
    params: parse(ask.params, given.params, 'path'),
    query: parse(ask.query, given.query ?? {}, 'query'),
    body: isMedia(ask.body) ? given.body : parse(ask.body, given.body, 'body'),
  }
}
