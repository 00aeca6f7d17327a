import { PassThrough, type Readable, Transform } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { sendProblem } from './errors.ts'
import { type JsonBounds, findJsonExcess } from './json-excess.ts'
import { Problem, createProblemBody } from './problem.ts'

const megabyte = 1024 * 1024
/** Maximum bytes of a body read before the caller is known: legacy calls have their token in the body. */
export const unknownCallerBodyBytes = 64 * 1024
/** Maximum bytes of the body of an ordinary call. */
export const defaultBodyBytes = megabyte
/** Maximum bytes of an endpoint with `longBody`. Larger documents are uploaded as streamed files. */
export const longBodyBytes = 32 * megabyte

/**
 * Limits of the content of a JSON body. Parsing takes about 0.1 µs per value, so an ordinary body blocks the
 * thread for at most 10 ms and the longest for 0.25 s. A worker thread would not help, because copying the
 * values back takes as long.
 */
const defaultBounds: JsonBounds = { depth: 64, values: 100_000, fields: 10_000, length: defaultBodyBytes }
const longBounds: JsonBounds = { ...defaultBounds, values: 2_000_000 }

/** Returns whether the headers of a request announce a body. */
export const hasBody = ({ headers }: Pick<FastifyRequest, 'headers'>): boolean =>
  (headers['content-length'] !== undefined && headers['content-length'] !== '0') ||
  headers['transfer-encoding'] !== undefined

const createTooLargeProblem = (limit: number): Problem =>
  new Problem(
    'too_large',
    `The body is larger than the ${limit / 1024} KB that are read before the caller is known. Send the token in the Authorization header.`,
  )

/** Pipes a body into a stream. A failure of the stream does not destroy the request. */
function pipeTo(stream: Transform, payload: Readable): Transform {
  payload.once('error', (error) => stream.destroy(error))
  return payload.pipe(stream)
}

/** Wraps a body in a stream that fails when it exceeds the limit (bytes). */
export function limitBody(request: FastifyRequest, payload: Readable, limit: number): Readable {
  if (Number(request.headers['content-length'] ?? 0) > limit) throw createTooLargeProblem(limit)
  let received = 0
  const limitedStream = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      received += chunk.length
      if (received > limit) done(createTooLargeProblem(limit))
      else done(null, chunk)
    },
  })
  return pipeTo(limitedStream, payload)
}

/** Checks the limits of JSON bodies before they are parsed. Text, which no endpoint accepts, is not read. */
export function boundJsonBodies(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeContentTypeParser(['application/json', 'text/plain'])
  app.addContentTypeParser('text/plain', (_request, payload, done) => done(null, payload))
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body: Buffer, done) => {
    const isLong = body.length > defaultBodyBytes
    const checkAndParse = async (): Promise<unknown> => {
      const excess = findJsonExcess(body, isLong ? longBounds : defaultBounds)
      if (excess)
        throw new Problem('validation_error', `body: ${excess}.`, [{ path: 'body', message: `${excess}.` }])
      // Lets other calls run between the two passes over a long body.
      if (isLong) await setImmediate()
      return new Promise((resolve, reject) =>
        parse(request, body.toString('utf8'), (error, value) => (error ? reject(error) : resolve(value))),
      )
    }
    checkAndParse().then((value) => done(null, value), done)
  })
}

/** Returns whether a body is a file. Files are streamed without a time limit: their sender is known. */
const isFile = (contentType: string | undefined): boolean =>
  contentType?.startsWith('application/octet-stream') === true

/** Limits the time of receiving bodies other than files. Slow ones would occupy connections and memory. */
export function limitSlowBodies(app: FastifyInstance, seconds: number): void {
  app.addHook('onRequest', (request, reply, done) => {
    if (hasBody(request) && !isFile(request.headers['content-type'])) {
      const timer = setTimeout(() => {
        if (request.raw.complete || reply.sent) return
        void sendProblem(
          reply,
          createProblemBody('request_timeout', `The body did not come within ${seconds} s.`),
        )
      }, seconds * 1000).unref()
      request.raw.once('end', () => clearTimeout(timer)).once('close', () => clearTimeout(timer))
    }
    done()
  })
}

/** Maximum bytes and seconds for discarding the body of a refused request. */
const dropLimits = { bytes: 128 * megabyte, seconds: 30 }

/** Discards the rest of a request after its response is sent, within limits. */
function dropBody({ raw }: FastifyRequest): void {
  let bytes = 0
  const disconnect = (): void => void raw.destroy()
  const timer = setTimeout(disconnect, dropLimits.seconds * 1000).unref()
  raw.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes > dropLimits.bytes) disconnect()
  })
  raw.once('end', () => clearTimeout(timer)).once('close', () => clearTimeout(timer))
  // A reader that is still piped would pause the request.
  raw.unpipe().resume()
}

/**
 * Discards bodies of refused requests, so that clients can read the reason: most send the complete body before
 * they read the response, and would only see a broken connection if the server closed it meanwhile. If the
 * body is too long to be discarded, the connection is closed.
 */
export function dropRefusedBodies(app: FastifyInstance): void {
  app.addHook('onSend', async (request: FastifyRequest, reply: FastifyReply) => {
    if (!hasBody(request) || request.raw.complete || request.raw.readableEnded) return
    if (Number(request.headers['content-length']) > dropLimits.bytes) reply.header('connection', 'close')
    else {
      reply.removeHeader('connection')
      dropBody(request)
    }
  })
  app.addContentTypeParser('application/octet-stream', (_request, payload, done) =>
    done(null, pipeTo(new PassThrough(), payload)),
  )
}
