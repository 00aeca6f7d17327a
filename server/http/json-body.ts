import { type Readable, Transform } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type JsonBounds, jsonExcess } from './json-excess.ts'
import { Problem } from './problem.ts'

const megabyte = 1024 * 1024

/** Bytes of a body of a caller who is not known yet: legacy calls bring their token in it. */
export const unknownCallerBody = 64 * 1024
/** Bytes of a body of an ordinary call. */
export const usualBody = megabyte
/** Bytes of a body of a call that is declared with `longBody`. Larger documents are uploaded as files, which are streamed. */
export const longBody = 32 * megabyte

/**
 * What a body may hold. Each value costs about 0.1 µs to parse, so an ordinary body blocks the server for some 10 ms and the longest
 * for 0.25 s; parsing it in a worker thread would cost the same again to copy the values back.
 */
const usualBounds: JsonBounds = { depth: 64, values: 100_000, fields: 10_000, length: usualBody }
const longBounds: JsonBounds = { ...usualBounds, values: 2_000_000 }

/** Whether a request announces a body. */
export const hasBody = ({ headers }: Pick<FastifyRequest, 'headers'>): boolean =>
  (headers['content-length'] !== undefined && headers['content-length'] !== '0') || headers['transfer-encoding'] !== undefined

/** Ends the connection of a refused request with its answer, unless what is still to come of its body is short: that is read and dropped. */
export function leaveBody(request: FastifyRequest, reply: FastifyReply): void {
  if (!(Number(request.headers['content-length']) <= unknownCallerBody)) reply.header('connection', 'close')
}

const tooLarge = (limit: number): Problem =>
  new Problem('too_large', `The body is larger than the ${limit / 1024} KB that are read before the caller is known. Send the token in the Authorization header.`)

/** A body that fails as soon as it is longer than the limit. */
export function limitBody(request: FastifyRequest, reply: FastifyReply, payload: Readable, limit: number): Readable {
  if (Number(request.headers['content-length'] ?? 0) > limit) {
    leaveBody(request, reply)
    throw tooLarge(limit)
  }
  let received = 0
  const bounded = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      received += chunk.length
      if (received > limit) done(tooLarge(limit))
      else done(null, chunk)
    },
  })
  payload.once('error', (error) => bounded.destroy(error))
  return payload.pipe(bounded)
}

/** Bounds what JSON bodies may hold before they are parsed. Text is no body of any call: it is not read. */
export function boundJsonBodies(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeContentTypeParser(['application/json', 'text/plain'])
  app.addContentTypeParser('text/plain', (_request, payload, done) => done(null, payload))
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body: Buffer, done) => {
    const isLong = body.length > usualBody
    const parsed = async (): Promise<unknown> => {
      const excess = jsonExcess(body, isLong ? longBounds : usualBounds)
      if (excess) throw new Problem('validation_error', `body: ${excess}.`, [{ path: 'body', message: `${excess}.` }])
      // Others are answered between the two passes over a long body.
      if (isLong) await setImmediate()
      return new Promise((resolve, reject) => parse(request, body.toString('utf8'), (error, value) => (error ? reject(error) : resolve(value))))
    }
    parsed().then((value) => done(null, value), done)
  })
}
