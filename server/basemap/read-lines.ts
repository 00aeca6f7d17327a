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

const newlineByte = 10

/** Yields the non-empty lines of a stream, buffering one line at a time. @throws TooLongError */
export async function* readLines(
  body: NodeReadable,
  { maxBytes, maxLineBytes }: { maxBytes: number; maxLineBytes: number },
): AsyncGenerator<string> {
  /** The start of the current line, from earlier chunks. */
  let lineParts: Uint8Array[] = []
  let lineBytes = 0
  let totalBytes = 0
  const endLine = (lastPart: Uint8Array): string => {
    const line = Buffer.concat([...lineParts, lastPart]).toString('utf8')
    lineParts = []
    lineBytes = 0
    return line
  }
  for await (const chunk of body) {
    totalBytes += chunk.length
    if (totalBytes > maxBytes) throw new TooLongError('body')
    let from = 0
    for (let end = chunk.indexOf(newlineByte); end !== -1; end = chunk.indexOf(newlineByte, from)) {
      if (lineBytes + end - from > maxLineBytes) throw new TooLongError('line')
      const line = endLine(chunk.subarray(from, end))
      if (line.trim()) yield line
      from = end + 1
    }
    if (from === chunk.length) continue
    lineParts.push(chunk.subarray(from))
    lineBytes += chunk.length - from
    if (lineBytes > maxLineBytes) throw new TooLongError('line')
  }
  const lastLine = endLine(new Uint8Array())
  if (lastLine.trim()) yield lastLine
}
