import fs from 'node:fs'
import path from 'node:path'

/** How often the lock of a dead process is removed, as another process may take it at the same time. */
const maxAttempts = 4

/** Another process owns the data directory. */
export class DirectoryInUse extends Error {
  override name = 'DirectoryInUse'
}

/** Returns whether a process exists. `EPERM`: it belongs to another user. */
const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** Reads when a process started (kernel ticks; '' if unknown), which distinguishes it from one that reuses its id. */
const readStartTime = (pid: number): string => {
  try {
    return fs.readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ')[19] ?? ''
  } catch {
    return ''
  }
}

/**
 * Locks the data directory for this process; PGlite itself would admit a second one and lose rows. Returns
 * the function that releases it.
 * @throws DirectoryInUse while the owner is alive; the lock of a dead owner is taken over.
 */
export function lockDirectory(directory: string): () => void {
  fs.mkdirSync(directory, { recursive: true })
  const file = path.join(directory, 'owner.lock')
  const ownLock = `${process.pid} ${readStartTime(process.pid)}`
  for (let attempt = 0; ; attempt++) {
    try {
      fs.writeFileSync(file, ownLock, { flag: 'wx' })
      break
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || attempt >= maxAttempts) throw error
      const [pid, startTime] = fs.readFileSync(file, 'utf8').split(' ')
      if (
        pid &&
        Number(pid) !== process.pid &&
        isAlive(Number(pid)) &&
        readStartTime(Number(pid)) === (startTime ?? '')
      )
        throw new DirectoryInUse(
          `The data directory ${directory} is in use by process ${pid}. Stop that one first, or set DATA_DIR to another folder.`,
        )
      if (pid && Number(pid) === process.pid && readStartTime(process.pid) === (startTime ?? ''))
        throw new DirectoryInUse(`The data directory ${directory} is already open in this process.`)
      fs.rmSync(file, { force: true })
    }
  }
  return () => fs.rmSync(file, { force: true })
}
