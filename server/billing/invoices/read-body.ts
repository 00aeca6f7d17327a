import type { NodeReadable } from '#contract/endpoint.ts'
import { Problem } from '#server/http/problem.ts'

/** Reads a body. @throws Problem if it is empty or exceeds `maxBytes`. */
export async function readBody(
  body: NodeReadable,
  maxBytes: number,
  tooLargeMessage: string,
): Promise<Buffer> {
  const parts: Uint8Array[] = []
  let bytes = 0
  for await (const part of body) {
    bytes += part.length
    if (bytes > maxBytes) throw new Problem('too_large', tooLargeMessage)
    parts.push(part)
  }
  if (!bytes)
    throw new Problem('validation_error', 'The file is empty.', [
      { path: 'body', message: 'The file is empty.' },
    ])
  return Buffer.concat(parts)
}
