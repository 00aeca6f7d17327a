import { type JsonBounds, findJsonExcess } from '#server/http/json-excess.ts'
import { type Adapter, type AdapterFeed, type ReadResult, UnreadableBody } from '../adapters/adapter.ts'
import { adapters } from '../adapters/list.ts'
import { ReadingThread } from './reading-thread.ts'

/** Larger bodies are parsed on the reading thread. */
const maxMainThreadBytes = 512 * 1024
/** Smaller bodies that exceed these limits are parsed on the reading thread too: they take as long. */
const mainThreadBounds: JsonBounds = { depth: 64, values: 60_000, fields: 2000, length: maxMainThreadBytes }

/** A response as received. */
interface ReceivedResponse {
  stream: string
  body: Uint8Array
  /** Milliseconds since 1970. */
  received: number
}

const thread = new ReadingThread()

/** Parses a response on this thread, or on the reading thread if it takes long. */
async function* readParts(
  adapter: Adapter,
  feed: AdapterFeed,
  { stream, body, received }: ReceivedResponse,
): AsyncGenerator<ReadResult> {
  const isLong = body.length > maxMainThreadBytes || findJsonExcess(body, mainThreadBounds) !== null
  // The thread can only use adapters of the list, which tests may replace.
  if (isLong && adapters.includes(adapter))
    yield* thread.read({ kind: adapter.kind, feed, stream, body, received })
  else yield adapter.read(feed, stream, body, received)
}

/**
 * Parses a response: a short one directly, a long one in parts on a thread. `onParseError` receives an
 * error of the adapter itself, which is caused by unexpected input and becomes an UnreadableBody.
 * @throws UnreadableBody.
 */
export async function* readResponse(
  adapter: Adapter,
  feed: AdapterFeed,
  response: ReceivedResponse,
  onParseError: (error: unknown) => void,
): AsyncGenerator<ReadResult> {
  const parts = readParts(adapter, feed, response)
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
