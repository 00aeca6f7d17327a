import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { BlobStore } from '#server/stores/blobs/blob-store.ts'
import { type RawHead, getRawKey } from './raw-files.ts'

const gzipAsync = promisify(gzip)

/** Stores a response as received, compressed, after a line that describes it. */
export async function storeRaw(
  blobs: Pick<BlobStore, 'put'>,
  feed: { regionId: string; feedId: string },
  head: RawHead,
  body: Uint8Array,
): Promise<void> {
  const text = Buffer.concat([Buffer.from(`${JSON.stringify(head)}\n`), body])
  await blobs.put(getRawKey(feed, head), await gzipAsync(text, { level: 4 }))
}
