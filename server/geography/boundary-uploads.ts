import { randomUUID } from 'node:crypto'
import fs from 'node:fs/promises'
import path from 'node:path'
import { boundaryBytesLimit } from '#contract/geography.ts'
import type { NodeReadable } from '#contract/endpoint.ts'
import { Problem } from '#server/http/problem.ts'
import { runInWorker, warmWorker } from '#server/jobs/run-in-worker.ts'
import type { BoundaryReading, ReadingResult } from './boundary-reading.ts'

async function readAll(body: NodeReadable): Promise<Uint8Array> {
  const parts: Uint8Array[] = []
  let bytes = 0
  for await (const part of body) {
    bytes += part.length
    if (bytes > boundaryBytesLimit)
      throw new Problem(
        'too_large',
        `The file is larger than ${boundaryBytesLimit / 1024 / 1024} MB. Simplify the borders or send it in parts.`,
      )
    parts.push(part)
  }
  return Buffer.concat(parts)
}

const worker = new URL('./read-boundaries-worker.ts', import.meta.url)

/** Starts the thread that reads files, so that the first one does not wait for it. */
export const warmBoundaryReader = (): void => warmWorker(worker)

/** Reads, checks and repairs a boundary file; throws a Problem that a planner understands. */
export async function readBoundaryFile(fileName: string, body: NodeReadable): Promise<BoundaryReading> {
  const answer = await runInWorker<ReadingResult>(worker, { fileName, bytes: await readAll(body) })
  if ('problem' in answer) throw new Problem('validation_error', answer.problem)
  return answer.reading
}

const uploadFolder = (dataDir: string): string => path.join(dataDir, 'boundary-uploads')
const readingFile = (dataDir: string, regionId: string, id: string): string =>
  path.join(uploadFolder(dataDir), `${regionId}.${id}.json`)

/** Keeps a reading until a layer is made of it; those older than a day go. */
export async function storeReading(
  dataDir: string,
  regionId: string,
  reading: BoundaryReading,
  at: Date,
): Promise<string> {
  const id = randomUUID()
  await fs.mkdir(uploadFolder(dataDir), { recursive: true })
  for (const name of await fs.readdir(uploadFolder(dataDir))) {
    const old = path.join(uploadFolder(dataDir), name)
    if (at.getTime() - (await fs.stat(old)).mtimeMs > 24 * 3600_000) await fs.rm(old, { force: true })
  }
  await fs.writeFile(readingFile(dataDir, regionId, id), JSON.stringify(reading))
  return id
}

/** A kept reading of the region. */
export async function loadReading(dataDir: string, regionId: string, id: string): Promise<BoundaryReading> {
  try {
    return JSON.parse(await fs.readFile(readingFile(dataDir, regionId, id), 'utf8')) as BoundaryReading
  } catch {
    throw new Problem(
      'not_found',
      'The preview of this file is gone (they are kept for a day). Upload the file again.',
    )
  }
}
