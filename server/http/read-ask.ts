import type { z } from 'zod'
import { type Endpoint, isMedia } from '#contract/endpoint.ts'
import { Problem } from './problem.ts'

function parse(shape: z.ZodType | undefined, value: unknown, where: string): unknown {
  if (!shape) return undefined
  const result = shape.safeParse(value)
  if (result.success) return result.data
  const issues = result.error.issues.map((issue) => ({ path: [where, ...issue.path].join('.'), message: issue.message }))
  throw new Problem('validation_error', issues.slice(0, 5).map((issue) => `${issue.path}: ${issue.message}`).join('; '), issues)
}

/** Where in a value the character U+0000 stands, which no store takes as text; null where nowhere. */
function placeOfNul(value: unknown, path: string): string | null {
  if (typeof value === 'string') return value.includes('\0') ? path : null
  if (typeof value !== 'object' || value === null) return null
  for (const [key, part] of Object.entries(value)) {
    const place = key.includes('\0') ? path : placeOfNul(part, `${path}.${key}`)
    if (place) return place
  }
  return null
}

/** Checks params, query and body against the endpoint; throws a validation Problem that names each place. */
export function readAsk(endpoint: Endpoint, given: { params: unknown; query: unknown; body: unknown }): { params: unknown; query: unknown; body: unknown } {
  const { ask } = endpoint
  const place = placeOfNul(given.params, 'path') ?? placeOfNul(given.query, 'query') ?? (isMedia(ask.body) ? null : placeOfNul(given.body, 'body'))
  if (place) throw new Problem('validation_error', `${place}: holds the character U+0000, which is no text.`, [{ path: place, message: 'Holds the character U+0000' }])
  return {
    params: parse(ask.params, given.params, 'path'),
    query: parse(ask.query, given.query ?? {}, 'query'),
    body: isMedia(ask.body) ? given.body : parse(ask.body, given.body, 'body'),
  }
}
