import fs from 'node:fs/promises'

/** PostgreSQL's disk_full and ClickHouse's NOT_ENOUGH_SPACE. */
const diskFullCodes: readonly unknown[] = ['ENOSPC', 'EDQUOT', '53100', 243]
const diskFullPattern = /ENOSPC|no space left on device|not_enough_space|disk quota exceeded/i

/** Whether an error of a store or of a file was caused by a full disk. */
export function isDiskFull(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return (
    diskFullCodes.includes((error as { code?: unknown }).code) ||
    diskFullPattern.test(error.message) ||
    isDiskFull(error.cause)
  )
}

/** With fewer free bytes the stores cannot be written to: PostgreSQL's log grows by 16 MB at a time. */
export const minFreeBytes = 32 * 1024 * 1024

/** Free bytes of the disk that holds a folder; null where the system does not report them. */
export const freeBytes = (folder: string): Promise<number | null> =>
  fs.statfs(folder).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => null,
  )

/** Returns the check of the disk that `/health` reports; changes are logged. */
export function watchDisk(
  folder: string,
  log: (line: string, details: Record<string, unknown>) => void,
  free: (folder: string) => Promise<number | null> = freeBytes,
): () => Promise<'ok' | 'full'> {
  let last: 'ok' | 'full' = 'ok'
  return async () => {
    const bytes = await free(folder)
    const now = bytes !== null && bytes < minFreeBytes ? 'full' : 'ok'
    if (now !== last) log('disk', { state: now, bytes })
    last = now
    return now
  }
}
