import type { FastifyInstance, FastifyReply } from 'fastify'
import type { ProblemBody } from '#contract/problem.ts'
import type { Log } from '#server/jobs/log.ts'
import { bodyOfError } from './errors.ts'

/** An error as it travels; nobody keeps it. */
export function sendProblem(reply: FastifyReply, body: ProblemBody): FastifyReply {
  if (body.retry_after !== undefined) reply.header('retry-after', String(body.retry_after))
  return reply.code(body.status).header('cache-control', 'no-store').type('application/json').send(body)
}

/** Answers what any route throws. To be called before routes are added: those that stand already would tell their errors as they are. */
export function answerErrors(app: FastifyInstance, log: Log): void {
  app.setErrorHandler((error, _request, reply) => sendProblem(reply, bodyOfError(error, log)))
}
