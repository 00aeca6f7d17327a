import type { IncomingMessage } from 'node:http'
import type { Readable, Transform } from 'node:stream'
import zlib from 'node:zlib'

const unpackers: Readonly<Record<string, () => Transform>> = {
  gzip: zlib.createGunzip,
  'x-gzip': zlib.createGunzip,
  deflate: zlib.createInflate,
  br: zlib.createBrotliDecompress,
}

/** The body of an answer as it was before it was packed for travel; null where it was packed in a way that is not known. */
export function unpackAnswer(answer: IncomingMessage): Readable | null {
  const encoding = (answer.headers['content-encoding'] ?? 'identity').trim().toLowerCase()
  if (encoding === 'identity' || encoding === '') return answer
  const unpacker = unpackers[encoding]?.()
  if (!unpacker) return null
  // What breaks the travel breaks the unpacking: else its reader would wait for ever.
  answer
    .once('error', (error) => unpacker.destroy(error))
    .once('aborted', () => unpacker.destroy(new Error('The answer was cut off')))
  return answer.pipe(unpacker)
}
