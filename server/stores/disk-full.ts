import fs from 'node:fs/promises'

/** PostgreSQL's disk_full and ClickHouse's NOT_ENOUGH_SPACE. */
const diskFullCodes: readonly unknown[] = ['ENOSPC', 'EDQUOT', '53100', 243]
const diskFullPattern = /ENOSPC|no space left on device|not_enough_space|disk quota exceeded/i

/** Returns whether an error of a store or of a file was caused by a full disk. */
export function isDiskFull(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return (
    diskFullCodes.includes((error as { code?: unknown }).code) ||
    diskFullPattern.test(error.message) ||
    isDiskFull(error.cause)
  )
}

/** Below this, writes to the stores may fail: PostgreSQL's write-ahead log grows by 16 MB at a time. */
export const minFreeBytes = 32 * 1024 * 1024

/** Returns the free bytes on the disk of a folder; null if the system does not report them. */
export const readFreeBytes = (folder: string): Promise<number | null> =>
  fs.statfs(folder).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => null,
  )

/** Returns a function that checks the disk, for `/health`, and logs changes of its state. */
export function watchDisk(
  folder: string,
  log: (line: string, details: Record<string, unknown>) => void,
  readFree: (folder: string) => Promise<number | null> = readFreeBytes,
): () => Promise<'ok' | 'full'> {
  let lastState: 'ok' | 'full' = 'ok'
  return async () => {
    const bytes = await readFree(folder)
    const state = bytes !== null && bytes < minFreeBytes ? 'full' : 'ok'
    if (state !== lastState) log('disk', { state, bytes })
    lastState = state
    return state
  }
}
