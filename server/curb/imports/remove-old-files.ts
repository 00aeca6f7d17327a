import fs from 'node:fs'
import path from 'node:path'
import { systemScope } from '#server/identity/scope.ts'
import type { State } from '#server/stores/state.ts'
import { curbFilesFolder, removeCurbFiles, type StoredFile } from './curb-files.ts'

const dayMs = 86_400_000
/** Files of imports that nobody published are removed after this time. */
const retainedDays = 30
/** A file without an import may belong to one that is being received. */
const orphanDays = 1

/**
 * Removes files of imports that are older than their retention, and files that no import has. An import that still waited for a mapping
 * or another file has failed then; one that is staged can still be published from its rows.
 */
export async function removeOldCurbFiles(state: Pick<State, 'as'>, dataDir: string, at: Date): Promise<void> {
  const store = state.as(systemScope)
  const imports = await store
    .selectFrom('curb_import')
    .select(['import_id', 'files', 'status', 'created_time'])
    .where('status', '!=', 'staging')
    .execute()
  const known = new Set<string>()
  const staging = await store
    .selectFrom('curb_import')
    .select('files')
    .where('status', '=', 'staging')
    .execute()
  for (const { files } of staging)
    for (const file of files as StoredFile[]) known.add(path.basename(file.path))
  for (const { import_id: id, files: stored, status, created_time: created } of imports) {
    const files = stored as StoredFile[]
    if (!files.length) continue
    if (created.getTime() >= at.getTime() - retainedDays * dayMs) {
      for (const file of files) known.add(path.basename(file.path))
      continue
    }
    await removeCurbFiles(files)
    await store
      .updateTable('curb_import')
      .set({
        files: '[]',
        ...(status === 'waiting'
          ? { status: 'failed', problem: `Its file was removed after ${retainedDays} days. Send it again.` }
          : {}),
      })
      .where('import_id', '=', id)
      .execute()
  }
  await removeOrphans(curbFilesFolder(dataDir), known, at)
}

async function removeOrphans(folder: string, known: ReadonlySet<string>, at: Date): Promise<void> {
  const names = await fs.promises.readdir(folder).catch(() => [])
  for (const name of names) {
    if (known.has(name)) continue
    const file = path.join(folder, name)
    const found = await fs.promises.stat(file).catch(() => null)
    if (found && found.mtimeMs < at.getTime() - orphanDays * dayMs)
      await fs.promises.rm(file, { force: true })
  }
}
