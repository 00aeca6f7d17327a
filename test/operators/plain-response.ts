import { gunzipSync } from 'node:zlib'
import type { LightMyRequestResponse } from 'fastify'

/** Names of fields that differ between two identical requests: times, durations, versions of facts and ages. */
const volatileFields = new Set([
  'milliseconds',
  'took_ms',
  'as_of',
  'pending_days',
  'at',
  'time',
  'v',
  'freshness_minutes',
  'since',
  'seen',
  'newest_record',
  'last_success',
  'id',
  'to_time',
])
const origins = ['facts', 'cache', 'cubes']
/** Whether the `value` of an object is the age of a feed or of several feeds. */
const isAge = (value: object): boolean =>
  ('figure' in value && value.figure === 'freshness') ||
  ('part' in value && ['ok', 'late', 'failing', 'never', 'paused'].includes(String(value.part)))

function simplify(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(simplify)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, field]) =>
      key === 'value' && isAge(value)
        ? []
        : volatileFields.has(key) && typeof field !== 'object'
          ? []
          : key === 'from' && origins.includes(String(field))
            ? []
            : [[key, volatileFields.has(key) ? [] : simplify(field)]],
    ),
  )
}

const isGzip = (bytes: Buffer): boolean => bytes[0] === 0x1f && bytes[1] === 0x8b

/** Status and decompressed body of a response without the fields that differ between two identical requests. */
export function simplifyResponse(response: LightMyRequestResponse): {
  status: number
  body: unknown
  text: string
} {
  const bytes = isGzip(response.rawPayload) ? gunzipSync(response.rawPayload) : response.rawPayload
  const text = bytes.toString('latin1')
  const isJson = /json/.test(String(response.headers['content-type']))
  return {
    status: response.statusCode,
    body: isJson ? simplify(JSON.parse(bytes.toString('utf8'))) : text,
    text,
  }
}
