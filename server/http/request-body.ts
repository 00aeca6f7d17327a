import { PassThrough, type Readable, Transform } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { sendProblem } from './errors.ts'
import { type JsonBounds, findJsonExcess } from './json-excess.ts'
import { Problem, problemBody } from './problem.ts'

const megabyte = 1024 * 1024

/** Bytes of a body of a caller who is not known yet: legacy calls bring their token in it. */
export const unknownCallerBodyBytes = 64 * 1024
/** Bytes of a body of an ordinary call. */
export const defaultBodyBytes = megabyte
/** Bytes of a body of a call that is declared with `longBodyBytes`. Larger documents are uploaded as files, which are streamed. */
export const longBodyBytes = 32 * megabyte

/**
 * What a body may hold. Each value costs about 0.1 µs to parse, so an ordinary body blocks the server for some 10 ms and the longest
 * for 0.25 s; parsing it in a worker thread would cost the same again to copy the values back.
 */
const defaultBounds: JsonBounds = { depth: 64, values: 100_000, fields: 10_000, length: defaultBodyBytes }
const longBounds: JsonBounds = { ...defaultBounds, values: 2_000_000 }

/** Whether a request announces a body. */
export const hasBody = ({ headers }: Pick<FastifyRequest, 'headers'>): boolean =>
  (headers['content-length'] !== undefined && headers['content-length'] !== '0') ||
  headers['transfer-encoding'] !== undefined

const tooLarge = (limit: number): Problem =>
  new Problem(
    'too_large',
    `The body is larger than the ${limit / 1024} KB that are read before the caller is known. Send the token in the Authorization header.`,
  )

/** Pipes a body into a stream that may give up on it: the request itself lives until it is answered. */
function passTo(stream: Transform, payload: Readable): Transform {
  payload.once('error', (error) => stream.destroy(error))
  return payload.pipe(stream)
}

/** A body that fails as soon as it is longer than the limit. */
export function limitBody(request: FastifyRequest, payload: Readable, limit: number): Readable {
  if (Number(request.headers['content-length'] ?? 0) > limit) throw tooLarge(limit)
  let received = 0
  const bounded = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      received += chunk.length
      if (received > limit) done(tooLarge(limit))
      else done(null, chunk)
    },
  })
  return passTo(bounded, payload)
}

/** Bounds what JSON bodies may hold before they are parsed. Text is no body of any call: it is not read. */
export function boundJsonBodies(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeContentTypeParser(['application/json', 'text/plain'])
  app.addContentTypeParser('text/plain', (_request, payload, done) => done(null, payload))
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body: Buffer, done) => {
    const isLong = body.length > defaultBodyBytes
    const parsed = async (): Promise<unknown> => {
      const excess = findJsonExcess(body, isLong ? longBounds : defaultBounds)
      if (excess)
        throw new Problem('validation_error', `body: ${excess}.`, [{ path: 'body', message: `${excess}.` }])
      // Others are answered between the two passes over a long body.
      if (isLong) await setImmediate()
      return new Promise((resolve, reject) =>
        parse(request, body.toString('utf8'), (error, value) => (error ? reject(error) : resolve(value))),
      )
    }
    parsed().then((value) => done(null, value), done)
  })
}

/** Files travel as streams at their own speed; who sends them is known. */
const isFile = (contentType: string | undefined): boolean =>
  contentType?.startsWith('application/octet-stream') === true

/** Who sends a body other than a file has so many seconds for it: slow bodies would hold connections and memory forever. */
export function limitSlowBodies(app: FastifyInstance, seconds: number): void {
  app.addHook('onRequest', (request, reply, done) => {
    if (hasBody(request) && !isFile(request.headers['content-type'])) {
      const late = setTimeout(() => {
        if (request.raw.complete || reply.sent) return
        void sendProblem(reply, problemBody('request_timeout', `The body did not come within ${seconds} s.`))
      }, seconds * 1000).unref()
      request.raw.once('end', () => clearTimeout(late)).once('close', () => clearTimeout(late))
    }
    done()
  })
}

/** Bytes of a refused body that are read and dropped, and seconds that they may take. */
const dropLimits = { bytes: 128 * megabyte, seconds: 30 }

/** Reads the rest of a request that is answered already, within bounds. */
function dropBody({ raw }: FastifyRequest): void {
  let bytes = 0
  const cut = (): void => void raw.destroy()
  const late = setTimeout(cut, dropLimits.seconds * 1000).unref()
  raw.on('data', (part: Buffer) => {
    bytes += part.length
    if (bytes > dropLimits.bytes) cut()
  })
  raw.once('end', () => clearTimeout(late)).once('close', () => clearTimeout(late))
  // What a reader that gave up has left would pause it again.
  raw.unpipe().resume()
}

/**
 * Lets clients read why their request is refused: most of them send the whole body before they read the answer, and see a broken
 * connection where the server closes it meanwhile. A body that is too long to be read is left, and its connection closed.
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
    done(null, passTo(new PassThrough(), payload)),
  )
}
