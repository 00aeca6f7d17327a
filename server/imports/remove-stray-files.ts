import fs from 'node:fs/promises'
import path from 'node:path'
import { systemScope } from '#server/identity/scope.ts'
import type { BlobStore } from '#server/stores/blobs/blob-store.ts'
import type { State } from '#server/stores/state.ts'
import { receivingFolder } from './receive-trip-file.ts'
import { tripUploadsRoot } from './trip-uploads.ts'

/** An upload is stored with its import soon after its file is: other servers may be between the two. */
const graceMs = 3600_000

interface StrayFiles {
  state: State
  blobs: BlobStore
  dataDir: string
  /** No other server has the stores open. */
  isAlone: boolean
}

/** Removes uploads that no import needs: those of a process that stopped while receiving or before removing them. Must run before any upload. */
export async function removeStrayFiles(
  { state, blobs, dataDir, isAlone }: StrayFiles,
  at: Date,
): Promise<number> {
  await fs.rm(receivingFolder(dataDir), { recursive: true, force: true })
  const keys: string[] = []
  for await (const { key, modified } of blobs.list(tripUploadsRoot))
    if (isAlone || at.getTime() - modified.getTime() > graceMs) keys.push(key)
  if (!keys.length) return 0
  // By name: older versions stored paths of their server.
  const needed = new Set(
    (
      await state
        .as(systemScope)
        .selectFrom('import')
        .select('file_path')
        .where('status', '!=', 'done')
        .execute()
    ).map((row) => path.basename(row.file_path)),
  )
  const stray = keys.filter((key) => !needed.has(path.basename(key).replace(/\.stations$/, '')))
  for (const key of stray) await blobs.delete(key)
  return stray.length
}
