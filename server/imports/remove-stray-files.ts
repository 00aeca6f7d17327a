import fs from 'node:fs/promises'
import path from 'node:path'
import { systemScope } from '#server/identity/scope.ts'
import type { State } from '#server/stores/state.ts'
import { tripFilesIn } from './receive-trip-file.ts'

/** Removes uploads that no import needs: those of a process that stopped while receiving or before removing them. Must run before any upload. */
export async function removeStrayFiles(state: State, dataDir: string): Promise<number> {
  const folder = tripFilesIn(dataDir)
  const there = await fs.readdir(folder).catch(() => [])
  if (!there.length) return 0
  // By name: the data directory may have been moved.
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
  const stray = there.filter((name) => !needed.has(name.replace(/\.stations$/, '')))
  for (const name of stray) await fs.rm(path.join(folder, name), { force: true })
  return stray.length
}
