import type { NodeReadable } from '#contract/endpoint.ts'

/** A body or one of its lines is too long. */
export class TooLong extends Error {
  override name = 'TooLong'
  readonly what: 'body' | 'line'
  constructor(what: 'body' | 'line') {
    super(what)
    this.what = what
  }
}

const newline = 10

/** The lines of a stream, without empty ones; at most one is held in memory. */
export async function* readLines(
  body: NodeReadable,
  most: { bytes: number; lineBytes: number },
): AsyncGenerator<string> {
  let parts: Uint8Array[] = []
  let held = 0
  let bytes = 0
  const line = (end: Uint8Array): string => {
    const text = Buffer.concat([...parts, end]).toString('utf8')
    parts = []
    held = 0
    return text
  }
  for await (const part of body) {
    bytes += part.length
    if (bytes > most.bytes) throw new TooLong('body')
    let from = 0
    for (let at = part.indexOf(newline); at !== -1; at = part.indexOf(newline, from)) {
      if (held + at - from > most.lineBytes) throw new TooLong('line')
      const text = line(part.subarray(from, at))
      if (text.trim()) yield text
      from = at + 1
    }
    if (from === part.length) continue
    parts.push(part.subarray(from))
    held += part.length - from
    if (held > most.lineBytes) throw new TooLong('line')
  }
  const text = line(new Uint8Array())
  if (text.trim()) yield text
}
