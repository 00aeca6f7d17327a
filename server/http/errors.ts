import type { Log } from '#server/jobs/log.ts'
import { FactError } from '#server/stores/engine.ts'
import { Problem, problemBody } from './problem.ts'

/** ClickHouse's codes for a question that hit its bounds. */
const bounds: Record<number, string> = {
  159: 'The question took longer than its time limit. Ask for a shorter period or fewer shapes.',
  241: 'The question needed more memory than its limit. Ask for a shorter period or fewer shapes.',
}

interface HttpLike {
  statusCode?: number
  code?: string
}

/** Turns any error into what the asker may read; the unknown is logged under its id and hidden. */
export function bodyOfError(error: unknown, log: Log) {
  if (error instanceof Problem) return problemBody(error.code, error.message, error.issues, error.current)
  if (error instanceof FactError && error.code && bounds[error.code]) return problemBody('service_unavailable', bounds[error.code] ?? '')
  const { statusCode, code } = (error ?? {}) as HttpLike
  const message = error instanceof Error ? error.message : String(error)
  if (statusCode === 413 || code === 'FST_ERR_CTP_BODY_TOO_LARGE') return problemBody('too_large', 'The body is larger than this call takes.')
  if (statusCode === 429) return problemBody('too_many_requests', message)
  if (statusCode && statusCode >= 400 && statusCode < 500) return problemBody('bad_request', message)
  const body = problemBody('internal_server_error', 'Something went wrong on the server. It has been logged; quote the id to those who run it.')
  log('error', { id: body.id, error: error instanceof Error ? (error.stack ?? message) : message })
  return body
}
