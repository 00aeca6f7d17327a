import { setPriority } from 'node:os'
import { serveWorker } from '#server/jobs/start-worker.ts'
import { type ArchivedFile, createArchive } from './blob-archive.ts'
import { type FileEntry, type Sealing, writeSealed } from './sealed-files.ts'

/** An archive that is to be written as a file of a backup. */
export interface SealedArchive {
  files: readonly ArchivedFile[]
  name: string
  sealing: Sealing
}

/** Nice value of the thread, so that calls of the server have priority. */
const niceValue = 10

serveWorker(({ files, name, sealing }: SealedArchive): Promise<FileEntry> => {
  // On Linux this sets the priority of the thread only; elsewhere it would be that of the whole process.
  if (process.platform === 'linux' && sealing.bytesPerSecond !== null) setPriority(niceValue)
  return writeSealed(createArchive(files), name, sealing)
})
