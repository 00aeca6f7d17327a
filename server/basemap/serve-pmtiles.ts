import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { sendProblem } from '#server/http/errors.ts'
import { createProblemBody } from '#server/http/problem.ts'
import { BasemapFileError } from './basemap-file-error.ts'
import type { PmtilesFile } from './pmtiles-file.ts'

/** A range of bytes, both ends included. */
interface ByteRange {
  first: number
  last: number
}

/**
 * Parses the bytes requested by a `Range` header, limited to the file and to `maxBytes`, because a server may
 * send less than requested. Null if the header is not a single range of bytes within the file.
 */
export function parseByteRange(header: string, size: number, maxBytes: number): ByteRange | null {
  const [, from = '', until = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header.trim()) ?? []
  // `bytes=-500` requests the last 500 bytes.
  const isSuffix = from === ''
  if (isSuffix && (until === '' || Number(until) === 0)) return null
  const first = isSuffix ? Math.max(0, size - Number(until)) : Number(from)
  const requestedLast = isSuffix || until === '' ? size - 1 : Number(until)
  const last = Math.min(requestedLast, size - 1, first + maxBytes - 1)
  return first > last ? null : { first, last }
}

/** The URL path of the tile file. */
export const pmtilesPath = '/basemap/tiles.pmtiles'

/** The largest response in bytes. Directories and tiles are far smaller. */
const maxRangeBytes = 4 * 1024 * 1024

/**
 * Serves the tile file in ranges: maps read a few kilobytes at a time from a file of many gigabytes. Requires no
 * sign-in, because public maps use it too.
 */
export function servePmtiles(app: FastifyInstance, file: PmtilesFile): void {
  app.get(pmtilesPath, { exposeHeadRoute: false }, async (request, reply) => {
    try {
      return await sendRange(file, request, reply)
    } catch (error) {
      if (error instanceof BasemapFileError)
        return sendProblem(
          reply,
          createProblemBody('service_unavailable', `The basemap file cannot be read: ${error.message}.`),
        )
      throw error
    }
  })
}

/** Sends the requested range of bytes, or the entire file. */
async function sendRange(
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
    // `If-Range`: if the file was replaced, the client must not combine old parts with new ones.
    const rangeHeader =
      headers['if-range'] === undefined || headers['if-range'] === etag ? headers.range : undefined
    if (rangeHeader === undefined)
      return sendProblem(
        reply.removeHeader('etag'),
        createProblemBody(
          'bad_request',
          'The file is sent in parts: use a Range header, such as Range: bytes=0-16383.',
        ),
      )
    const range = parseByteRange(rangeHeader, size, maxRangeBytes)
    if (!range)
      return reply
        .code(416)
        .headers({ 'content-range': `bytes */${size}`, 'content-type': 'application/json' })
        .send(createProblemBody('bad_request', 'The requested range is outside the file.'))
    const bytes = Buffer.alloc(range.last - range.first + 1)
    const { bytesRead } = await handle.read(bytes, 0, bytes.length, range.first)
    if (bytesRead < bytes.length) throw new BasemapFileError('it became shorter while it was read')
    return reply.code(206).header('content-range', `bytes ${range.first}-${range.last}/${size}`).send(bytes)
  } finally {
    await handle.close()
  }
}
