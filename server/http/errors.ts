import type { Log } from '#server/jobs/log.ts'
import { FactError } from '#server/stores/engine.ts'
import { isDiskFull } from '#server/stores/disk-full.ts'
import { Busy, Problem, problemBody } from './problem.ts'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { ProblemBody } from '#contract/problem.ts'

/** ClickHouse's codes for a question that hit its bounds. */
const limitMessages: Record<number, string> = {
  159: 'The question took longer than its time limit. Ask for a shorter period or fewer shapes.',
  241: 'The question needed more memory than its limit. Ask for a shorter period or fewer shapes.',
}

interface HttpLike {
  statusCode?: number
  code?: string
}

/** What breaks off when the other side of a connection leaves. */
const disconnectCodes = ['ECONNRESET', 'EPIPE', 'ERR_STREAM_PREMATURE_CLOSE', 'ABORT_ERR']

/** Whether an error is what a call ends with when its client leaves: nothing to log. */
export const isClientDisconnect = (error: unknown): boolean =>
  error instanceof FactError ||
  disconnectCodes.includes(String((error as HttpLike | null)?.code)) ||
  (error instanceof Error && error.name === 'AbortError')

/** The answer to a call that the full disk stopped; logged under its id. */
export function diskFullBody(log: Log, error: string) {
  const body = problemBody(
    'insufficient_storage',
    'The disk of the server is full, so this was not stored. Try again later, and quote the id to those who run the server.',
  )
  log('disk full', { id: body.id, error })
  return body
}

/** Turns any error into what the asker may read; the unknown is logged under its id and hidden. */
export function toProblemBody(error: unknown, log: Log) {
  if (error instanceof Busy)
    return { ...problemBody(error.code, error.message), retry_after: error.retryAfter }
  if (error instanceof Problem) return problemBody(error.code, error.message, error.issues, error.current)
  if (error instanceof FactError && error.code && limitMessages[error.code])
    return problemBody('service_unavailable', limitMessages[error.code] ?? '')
  const { statusCode, code } = (error ?? {}) as HttpLike
  const message = error instanceof Error ? error.message : String(error)
  if (statusCode === 413 || code === 'FST_ERR_CTP_BODY_TOO_LARGE')
    return problemBody('too_large', 'The body is larger than this call takes.')
  if (statusCode === 429) return problemBody('too_many_requests', message)
  if (statusCode && statusCode >= 400 && statusCode < 500) return problemBody('bad_request', message)
  if (isDiskFull(error)) return diskFullBody(log, message)
  const body = problemBody(
    'internal_server_error',
    'Something went wrong on the server. It has been logged; quote the id to those who run it.',
  )
  log('error', { id: body.id, error: error instanceof Error ? (error.stack ?? message) : message })
  return body
}

/** An error as it travels; nobody keeps it. */
export function sendProblem(reply: FastifyReply, body: ProblemBody): FastifyReply {
  if (body.retry_after !== undefined) reply.header('retry-after', String(body.retry_after))
  return reply.code(body.status).header('cache-control', 'no-store').type('application/json').send(body)
}

/** Answers what any route throws. To be called before routes are added: those that stand already would tell their errors as they are. */
export function installErrorHandler(app: FastifyInstance, log: Log): void {
  app.setErrorHandler((error, _request, reply) => sendProblem(reply, toProblemBody(error, log)))
}
