import { type JsonBounds, findJsonExcess } from '#server/http/json-excess.ts'
import { type Adapter, type AdapterFeed, type Read, UnreadableBody } from '../adapters/adapter.ts'
import { adapters } from '../adapters/list.ts'
import { ReadingThread } from './reading-thread.ts'

/** Bodies up to this many bytes are parsed on the main thread. */
const short = 512 * 1024
/** A short body with more than this takes long nevertheless. */
const simple: JsonBounds = { depth: 64, values: 60_000, fields: 2000, length: short }

/** A response as received. */
interface Answer {
  stream: string
  body: Uint8Array
  /** Ms since 1970. */
  received: number
}

const thread = new ReadingThread()

async function* readParts(
  adapter: Adapter,
  feed: AdapterFeed,
  { stream, body, received }: Answer,
): AsyncGenerator<Read> {
  const isLong = body.length > short || findJsonExcess(body, simple) !== null
  if (isLong && adapters.includes(adapter))
    yield* thread.read({ kind: adapter.kind, feed, stream, body, received })
  else yield adapter.read(feed, stream, body, received)
}

/**
 * Parses a response: short ones at once, long ones on a thread, part by part. Throws UnreadableBody, also if the adapter fails on
 * unexpected input; `onParseError` receives that error.
 */
export async function* readAnswer(
  adapter: Adapter,
  feed: AdapterFeed,
  answer: Answer,
  onParseError: (error: unknown) => void,
): AsyncGenerator<Read> {
  const parts = readParts(adapter, feed, answer)
  try {
    for (;;) {
      const next = await parts.next().catch((error: unknown) => {
        if (error instanceof UnreadableBody) throw error
        onParseError(error)
        throw new UnreadableBody('The response has another form than the standard.')
      })
      if (next.done) return
      yield next.value
    }
  } finally {
    await parts.return(undefined)
  }
}
