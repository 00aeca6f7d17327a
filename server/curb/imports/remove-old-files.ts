import { dayMs } from '#contract/period.ts'
import { systemScope } from '#server/identity/scope.ts'
import type { BlobStore } from '#server/stores/blobs/blob-store.ts'
import type { State } from '#server/stores/state.ts'
import { removeCurbFiles, type StoredFile } from './curb-files.ts'

/** Files of imports are removed after this time, whether or not the import was published. */
const retainedDays = 30

/** Removes files older than their retention. Waiting imports fail; staged ones can still be published. */
export async function removeOldCurbFiles(
  { state, blobs }: { state: Pick<State, 'as'>; blobs: BlobStore },
  at: Date,
): Promise<void> {
  const store = state.as(systemScope)
  const imports = await store
    .selectFrom('curb_import')
    .select(['import_id', 'files', 'status'])
    .where('status', '!=', 'staging')
    .where('created_time', '<', new Date(at.getTime() - retainedDays * dayMs))
    .where('files', '!=', '[]')
    .execute()
  for (const { import_id: id, files, status } of imports) {
    await removeCurbFiles(blobs, files as StoredFile[])
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
}
