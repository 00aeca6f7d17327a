import { randomUUID } from 'node:crypto'
import { boundaryBytesLimit } from '#contract/boundary-files.ts'
import type { NodeReadable } from '#contract/endpoint.ts'
import { Problem } from '#server/http/problem.ts'
import { runInWorker, warmWorker } from '#server/jobs/run-in-worker.ts'
import { type BlobStore, readBlob } from '#server/stores/blobs/blob-store.ts'
import type { BoundaryReading, ReadingResult } from './boundary-content.ts'

async function readAll(body: NodeReadable): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of body) {
    bytes += chunk.length
    if (bytes > boundaryBytesLimit)
      throw new Problem(
        'too_large',
        `The file is larger than ${boundaryBytesLimit / 1024 / 1024} MB. Simplify the borders or send it in parts.`,
      )
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

const worker = new URL('./read-boundaries-worker.ts', import.meta.url)

/** Starts the worker thread in advance, so that the first upload does not wait for it. */
export const warmBoundaryReader = (): void => warmWorker(worker)

/** Reads and repairs a boundary file on a thread. @throws Problem with a message for planners. */
export async function readBoundaryFile(fileName: string, body: NodeReadable): Promise<BoundaryReading> {
  const result = await runInWorker<ReadingResult>(worker, { fileName, bytes: await readAll(body) })
  if ('problem' in result) throw new Problem('validation_error', result.problem)
  return result.reading
}

const uploadFolder = 'boundary-uploads/'
const makeReadingKey = (regionId: string, id: string): string => `${uploadFolder}${regionId}.${id}.json`

/** Stores a reading, and deletes readings older than a day. Returns its id. */
export async function storeReading(
  blobs: BlobStore,
  regionId: string,
  reading: BoundaryReading,
  at: Date,
): Promise<string> {
  const id = randomUUID()
  for await (const { key, modified } of blobs.list(uploadFolder))
    if (at.getTime() - modified.getTime() > 24 * 3600_000) await blobs.delete(key)
  await blobs.put(makeReadingKey(regionId, id), Buffer.from(JSON.stringify(reading)))
  return id
}

export async function loadReading(blobs: BlobStore, regionId: string, id: string): Promise<BoundaryReading> {
  const bytes = await readBlob(blobs, makeReadingKey(regionId, id))
  if (!bytes)
    throw new Problem(
      'not_found',
      'The preview of this file is gone (previews are stored for a day). Upload the file again.',
    )
  return JSON.parse(bytes.toString('utf8')) as BoundaryReading
}
