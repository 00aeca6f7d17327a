import { setPriority } from 'node:os'
import { handleWork } from '#server/jobs/start-worker.ts'
import { archive, type ArchivedFile } from './blob-archive.ts'
import { type FileEntry, type Sealing, writeSealed } from './sealed-files.ts'

/** An archive of a backup that is to be written. */
export interface SealedArchive {
  files: readonly ArchivedFile[]
  name: string
  sealing: Sealing
}

/** Calls of the server go first. */
const niceValue = 10

handleWork(({ files, name, sealing }: SealedArchive): Promise<FileEntry> => {
  // Linux counts threads as processes here; elsewhere the whole server would yield.
  if (process.platform === 'linux' && sealing.bytesPerSecond !== null) setPriority(niceValue)
  return writeSealed(archive(files), name, sealing)
})
