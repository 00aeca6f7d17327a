import type { NodeReadable } from '#contract/endpoint.ts'

/** A body or one of its lines exceeds its limit. */
export class TooLongError extends Error {
  override name = 'TooLongError'
  readonly part: 'body' | 'line'
  constructor(part: 'body' | 'line') {
    super(`The ${part} is too long.`)
    this.part = part
  }
}

const newline = 10

/** Yields the non-empty lines of a stream, buffering one line at a time. @throws TooLongError. */
export async function* readLines(
  body: NodeReadable,
  limits: { bytes: number; lineBytes: number },
): AsyncGenerator<string> {
  let parts: Uint8Array[] = []
  let partsBytes = 0
  let bytes = 0
  const takeLine = (end: Uint8Array): string => {
    const text = Buffer.concat([...parts, end]).toString('utf8')
    parts = []
    partsBytes = 0
    return text
  }
  for await (const chunk of body) {
    bytes += chunk.length
    if (bytes > limits.bytes) throw new TooLongError('body')
    let from = 0
    for (let index = chunk.indexOf(newline); index !== -1; index = chunk.indexOf(newline, from)) {
      if (partsBytes + index - from > limits.lineBytes) throw new TooLongError('line')
      const text = takeLine(chunk.subarray(from, index))
      if (text.trim()) yield text
      from = index + 1
    }
    if (from === chunk.length) continue
    parts.push(chunk.subarray(from))
    partsBytes += chunk.length - from
    if (partsBytes > limits.lineBytes) throw new TooLongError('line')
  }
  const text = takeLine(new Uint8Array())
  if (text.trim()) yield text
}
