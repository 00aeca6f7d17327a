import { keepRaw } from '#server/feeds/raw/keep-raw.ts'
import type { RawPush } from './agency.ts'

/** More pushes of a feed do not come within a millisecond. */
const turns = 10_000

/** Keeps pushes among the raw input of their feeds. */
export function keepPushes(dataDir: string): (push: RawPush) => Promise<void> {
  let count = 0
  return ({ feedId, regionId, stream, version, url, received, body }) =>
    keepRaw(
      dataDir,
      { regionId, feedId },
      { url, status: 0, received, stream, piece: received, page: count++ % turns, version },
      body,
    )
}
