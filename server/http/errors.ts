import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Log } from '#server/jobs/log.ts'
import { FactError } from '#server/stores/engine.ts'
import { isDiskFull } from '#server/stores/disk-full.ts'
import { isStoreUnreachable } from '#server/stores/store-unreachable.ts'
import { getErrorMessage } from '#contract/problem-text.ts'
import type { ProblemBody } from '#contract/problem.ts'
import { Busy, Problem, createProblemBody } from './problem.ts'

/** ClickHouse's TIMEOUT_EXCEEDED. */
const timeLimitCode = 159
/** ClickHouse's MEMORY_LIMIT_EXCEEDED. */
const memoryLimitCode = 241

/** Messages for queries that exceed a limit, by error code. */
const limitMessages: Record<number, string> = {
  [timeLimitCode]: 'This took longer than its time limit. Choose a shorter period or fewer areas.',
  [memoryLimitCode]: 'This needed more memory than its limit. Choose a shorter period or fewer areas.',
}

/** Seconds after which to retry a call that could not reach a store. */
const storeRetrySeconds = 30

interface HttpLike {
  statusCode?: number
  code?: string
}

/** Error codes of connections that the client has closed. */
const disconnectCodes = ['ECONNRESET', 'EPIPE', 'ERR_STREAM_PREMATURE_CLOSE', 'ABORT_ERR']

/** Returns whether an error only results from a client's disconnect, so that it need not be logged. */
export const isClientDisconnect = (error: unknown): boolean =>
  error instanceof FactError ||
  disconnectCodes.includes(String((error as HttpLike | null)?.code)) ||
  (error instanceof Error && error.name === 'AbortError')

/** Creates the response to a call that failed because the disk is full. Logs the error under its id. */
export function createDiskFullBody(log: Log, error: string) {
  const body = createProblemBody(
    'insufficient_storage',
    'The disk of the server is full, so this was not stored. Try again later, and quote the id to those who run the server.',
  )
  log('disk full', { id: body.id, error })
  return body
}

/** Converts an error to the body of a response. Unexpected errors are logged under the id, not disclosed. */
export function toProblemBody(error: unknown, log: Log) {
  if (error instanceof Busy)
    return { ...createProblemBody(error.code, error.message), retry_after: error.retryAfter }
  if (error instanceof Problem)
    return createProblemBody(error.code, error.message, error.issues, error.current)
  // Queries that are aborted by AbortSignal.timeout throw a TimeoutError.
  const isTimeout = error instanceof Error && error.name === 'TimeoutError'
  const factErrorCode = error instanceof FactError ? error.code : null
  const limitCode = isTimeout ? timeLimitCode : factErrorCode
  if (limitCode && limitMessages[limitCode])
    return createProblemBody('service_unavailable', limitMessages[limitCode] ?? '')
  const { statusCode, code } = (error ?? {}) as HttpLike
  const message = getErrorMessage(error)
  if (statusCode === 413 || code === 'FST_ERR_CTP_BODY_TOO_LARGE')
    return createProblemBody('too_large', 'The body is larger than this call takes.')
  if (statusCode === 429) return createProblemBody('too_many_requests', message)
  if (statusCode && statusCode >= 400 && statusCode < 500) return createProblemBody('bad_request', message)
  if (isDiskFull(error)) return createDiskFullBody(log, message)
  if (isStoreUnreachable(error)) {
    const unreachable = createProblemBody(
      'service_unavailable',
      'The database of the server cannot be reached. Nothing was stored; try again in a minute.',
    )
    log('store cannot be reached', { id: unreachable.id, error: message })
    return { ...unreachable, retry_after: storeRetrySeconds }
  }
  const body = createProblemBody(
    'internal_server_error',
    'Something went wrong on the server. It has been logged; quote the id to those who run it.',
  )
  log('error', { id: body.id, error: error instanceof Error ? (error.stack ?? message) : message })
  return body
}

/** Sends an error, which must not be cached. */
export function sendProblem(reply: FastifyReply, body: ProblemBody): FastifyReply {
  if (body.retry_after !== undefined) reply.header('retry-after', String(body.retry_after))
  return reply.code(body.status).header('cache-control', 'no-store').type('application/json').send(body)
}

/** Handles errors of all routes. Call it before routes are added, or they would expose their errors. */
export function installErrorHandler(app: FastifyInstance, log: Log): void {
  app.setErrorHandler((error, _request, reply) => sendProblem(reply, toProblemBody(error, log)))
}
