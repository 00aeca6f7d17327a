import { Problem } from '#server/http/problem.ts'
import { UnreadableBody } from '#server/ingest/adapters/adapter.ts'
import type { Scope } from '#server/stores/scope.ts'
import { findSources } from './feed-source.ts'
import { adapterOf, type Feeds } from './feeds.ts'
import { findFeedRow } from './find-feeds.ts'
import { rawFiles, readRaw } from './raw/read-raw.ts'
import { leaveUnregistered } from './leave-unregistered.ts'
import { readAnswer } from './reading/read-answer.ts'
import { takeRead } from './take-read.ts'

interface Span {
  /** None: all. */
  streams: readonly string[]
  from: string
  until: string
}

interface Reread {
  files: number
  accepted: number
  setAside: number
  repeated: number
  unreadable: number
}

/** Reads what was kept of a feed and a span again, as if it had come now; what is stored already stays as it is. */
export async function rereadRaw(
  feeds: Feeds,
  scope: Scope,
  of: { region_id: string; feed_id: string },
  { streams, from, until }: Span,
  signal: AbortSignal,
): Promise<Reread> {
  const row = await findFeedRow(feeds.state, scope, of)
  const [source] = await findSources(feeds, [row.feed_id])
  if (!source) throw new Problem('not_found', 'There is no such feed.')
  const [first, last] = [Date.parse(from), Date.parse(until)]
  const so: Reread = { files: 0, accepted: 0, setAside: 0, repeated: 0, unreadable: 0 }
  for (const file of await rawFiles(feeds.dataDir, row.region_id, row.feed_id)) {
    if (signal.aborted) break
    const kept = await readRaw(file)
    if (!kept) {
      so.unreadable++
      continue
    }
    const { head, body } = kept
    if (head.piece < first || head.piece >= last || (streams.length > 0 && !streams.includes(head.stream)))
      continue
    // As its version read it: the feed may have another by now.
    const asked = { ...source.asked, version: head.version }
    const adapter = adapterOf(feeds.adapters, { kind: source.kind, version: head.version })
    so.files++
    try {
      if (!adapter) throw new UnreadableBody('This version cannot be read.')
      for await (const read of readAnswer(adapter, asked, { ...head, body }, () => undefined)) {
        const took = await takeRead(
          feeds,
          { ...source, asked },
          { ...read, records: await leaveUnregistered(feeds, source, read.records) },
          head,
        )
        so.accepted += took.accepted
        so.setAside += took.setAside
        so.repeated += took.repeated
      }
    } catch (error) {
      // What is no good now was none when it came.
      if (!(error instanceof UnreadableBody)) throw error
      so.unreadable++
    }
  }
  return so
}
