import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { sendProblem } from '#server/http/errors.ts'
import { problemBody } from '#server/http/problem.ts'
import { BasemapFileError } from './basemap-file-error.ts'
import type { PmtilesFile } from './pmtiles-file.ts'

/** Bytes of a file, both ends included. */
interface ByteRange {
  first: number
  last: number
}

/**
 * The part of a file that a `Range` header asks for, cut to the file and to `most` bytes: a server may send less than was asked.
 * Null where there is none such: no single range of bytes, or behind the end.
 */
export function byteRange(header: string, size: number, most: number): ByteRange | null {
  const [, from = '', until = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header.trim()) ?? []
  if (from === '' && (until === '' || Number(until) === 0)) return null
  const first = from === '' ? Math.max(0, size - Number(until)) : Number(from)
  const last = Math.min(from === '' || until === '' ? size - 1 : Number(until), size - 1, first + most - 1)
  return first > last ? null : { first, last }
}

/** Where the file of tiles is asked for. */
export const pmtilesPath = '/basemap/tiles.pmtiles'

/** Bytes of one answer: directories and tiles are far smaller. */
const most = 4 * 1024 * 1024

/** Serves the one file in parts: what a map asks for is a few kilobytes of perhaps many gigabytes. Without a sign-in, as the public map has it too. */
export function servePmtiles(app: FastifyInstance, file: PmtilesFile): void {
  app.get(pmtilesPath, { exposeHeadRoute: false }, async (request, reply) => {
    try {
      return await sendPart(file, request, reply)
    } catch (error) {
      if (error instanceof BasemapFileError)
        return sendProblem(
          reply,
          problemBody('service_unavailable', `The basemap's file cannot be read: ${error.message}.`),
        )
      throw error
    }
  })
}

async function sendPart(
  file: PmtilesFile,
  { headers }: FastifyRequest,
  reply: FastifyReply,
): Promise<unknown> {
  const { handle, size, etag } = await file.open()
  try {
    reply.headers({
      etag,
      'accept-ranges': 'bytes',
      'cache-control': 'public, max-age=3600',
      'content-type': 'application/vnd.pmtiles',
    })
    if (headers['if-none-match'] === etag) return reply.code(304).send()
    // A part of another file than the one that is there now would be no part of anything.
    const wanted =
      headers['if-range'] === undefined || headers['if-range'] === etag ? headers.range : undefined
    if (wanted === undefined)
      return sendProblem(
        reply.removeHeader('etag'),
        problemBody(
          'bad_request',
          'The file is sent in parts: ask with a Range header, such as Range: bytes=0-16383.',
        ),
      )
    const range = byteRange(wanted, size, most)
    if (!range)
      return reply
        .code(416)
        .headers({ 'content-range': `bytes */${size}`, 'content-type': 'application/json' })
        .send(problemBody('bad_request', 'There is no such part of the file.'))
    const bytes = Buffer.alloc(range.last - range.first + 1)
    const { bytesRead } = await handle.read(bytes, 0, bytes.length, range.first)
    if (bytesRead < bytes.length) throw new BasemapFileError('it became shorter while it was read')
    return reply.code(206).header('content-range', `bytes ${range.first}-${range.last}/${size}`).send(bytes)
  } finally {
    await handle.close()
  }
}
