import { maxHeaderSize, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { ProblemBody } from '#contract/problem.ts'
import type { FastifyInstance } from 'fastify'
import { sendProblem } from './errors.ts'
import { createProblemBody } from './problem.ts'

/** Responses to specific error codes of Node's HTTP parser. */
const bodiesByErrorCode: Readonly<Record<string, () => ProblemBody>> = {
  HPE_HEADER_OVERFLOW: () =>
    createProblemBody(
      'headers_too_large',
      `The address and headers of the request are larger than ${maxHeaderSize / 1024} KB.`,
    ),
  ERR_HTTP_REQUEST_TIMEOUT: () =>
    createProblemBody('request_timeout', 'The headers of the request did not come in time.'),
}

const createMalformedBody = (reason: string | undefined): ProblemBody =>
  createProblemBody('bad_request', `The request is not valid HTTP${reason ? `: ${reason}` : ''}.`)

/** Responds to a request that Node could not parse, and closes its connection. */
export function respondToMalformedRequest(
  error: NodeJS.ErrnoException & { reason?: string },
  socket: Socket,
): void {
  // Node's internal field with the response in progress, into which no second response may be written.
  const { _httpMessage: responseInProgress } = socket as Socket & { _httpMessage?: ServerResponse | null }
  if (error.code === 'ECONNRESET' || !socket.writable || responseInProgress?.headersSent)
    return void socket.destroy()
  const body = bodiesByErrorCode[error.code ?? '']?.() ?? createMalformedBody(error.reason)
  const text = JSON.stringify(body)
  socket.end(
    [
      `HTTP/1.1 ${body.status} ${STATUS_CODES[body.status]}`,
      'content-type: application/json; charset=utf-8',
      'cache-control: no-store',
      'x-content-type-options: nosniff',
      `content-length: ${Buffer.byteLength(text)}`,
      'connection: close',
      '',
      text,
    ].join('\r\n'),
  )
}

/** Responds with a Problem to requests that Node would reject: without a host or with an unknown `Expect`. */
export function refuseUnusualRequests(app: FastifyInstance): void {
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response))
  app.addHook('onRequest', async ({ raw }, reply) => {
    if (raw.httpVersion === '1.1' && raw.headers.host === undefined)
      return sendProblem(reply, createProblemBody('bad_request', 'The request names no host.'))
  })
}
