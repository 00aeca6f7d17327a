import fs from 'node:fs/promises'
import path from 'node:path'
import { systemScope } from '#server/identity/scope.ts'
import type { BlobStore } from '#server/stores/blobs/blob-store.ts'
import type { State } from '#server/stores/state.ts'
import { getReceivingFolder } from './receive-trip-file.ts'
import { tripUploadsRoot } from './trip-uploads.ts'

/** Newer files are not removed, because another server may have stored the file but not its import yet. */
const graceMs = 3600_000

interface StrayFiles {
  state: State
  blobs: BlobStore
  dataDir: string
  /** Whether no other server uses the stores. */
  isAlone: boolean
}

/** Removes files of stopped processes and returns their number. Must run before any upload. */
export async function removeStrayFiles(
  { state, blobs, dataDir, isAlone }: StrayFiles,
  at: Date,
): Promise<number> {
  await fs.rm(getReceivingFolder(dataDir), { recursive: true, force: true })
  const keys: string[] = []
  for await (const { key, modified } of blobs.list(tripUploadsRoot))
    if (isAlone || at.getTime() - modified.getTime() > graceMs) keys.push(key)
  if (!keys.length) return 0
  // Compared by name, because older versions stored paths of their server.
  const rows = await state
    .as(systemScope)
    .selectFrom('import')
    .select('file_path')
    .where('status', '!=', 'done')
    .execute()
  const neededNames = new Set(rows.map((row) => path.basename(row.file_path)))
  const strayKeys = keys.filter((key) => !neededNames.has(path.basename(key).replace(/\.stations$/, '')))
  for (const key of strayKeys) await blobs.delete(key)
  return strayKeys.length
}
