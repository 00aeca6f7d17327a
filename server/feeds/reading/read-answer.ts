import { type JsonBounds, findJsonExcess } from '#server/http/json-excess.ts'
import { type Adapter, type FeedAsked, type Read, UnreadableBody } from '#server/ingest/adapters/adapter.ts'
import { adapters } from '#server/ingest/adapters/list.ts'
import { ReadingThread } from './reading-thread.ts'

/** Bytes up to which an answer is read at once. */
const short = 512 * 1024
/** An answer that is short but holds more than this takes long nevertheless. */
const simple: JsonBounds = { depth: 64, values: 60_000, fields: 2000, length: short }

/** An answer as it came. */
interface Answer {
  stream: string
  body: Uint8Array
  /** Ms since 1970. */
  received: number
}

const thread = new ReadingThread()

async function* readParts(
  adapter: Adapter,
  asked: FeedAsked,
  { stream, body, received }: Answer,
): AsyncGenerator<Read> {
  const isLong = body.length > short || findJsonExcess(body, simple) !== null
  if (isLong && adapters.includes(adapter))
    yield* thread.read({ kind: adapter.kind, asked, stream, body, received })
  else yield adapter.read(asked, stream, body, received)
}

/**
 * Reads an answer: a short one at once, a long one on a thread of its own, part by part. Throws UnreadableBody, also where the adapter
 * stumbles over what it did not expect; `stumbled` is told of that.
 */
export async function* readAnswer(
  adapter: Adapter,
  asked: FeedAsked,
  answer: Answer,
  onParseError: (error: unknown) => void,
): AsyncGenerator<Read> {
  const parts = readParts(adapter, asked, answer)
  try {
    for (;;) {
      const next = await parts.next().catch((error: unknown) => {
        if (error instanceof UnreadableBody) throw error
        onParseError(error)
        throw new UnreadableBody('The answer has another form than the standard.')
      })
      if (next.done) return
      yield next.value
    }
  } finally {
    await parts.return(undefined)
  }
}
