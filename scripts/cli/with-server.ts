import { type Config, configOfProcess } from '../../server/config.ts'
import { sendCommand } from '../../server/operations/control/control-server.ts'
import { DirectoryInUse, lockDirectory } from '../../server/stores/lock-directory.ts'

/**
 * Runs a command by the server that owns the data directory, which has the stores open, or in this process if there
 * is none.
 */
export async function byServerOrAlone<Result>(
  command: string,
  input: unknown,
  read: (answer: unknown) => Result,
  alone: (config: Config) => Promise<Result>,
): Promise<Result> {
  const config = configOfProcess()
  let unlock: () => void
  try {
    unlock = lockDirectory(config.dataDir)
  } catch (error) {
    if (!(error instanceof DirectoryInUse)) throw error
    return read(await sendCommand(config.dataDir, command, input))
  }
  try {
    return await alone(config)
  } finally {
    unlock()
  }
}

/** Runs a command that needs the data directory for itself. */
export async function withLock<Result>(dataDir: string, work: () => Promise<Result>): Promise<Result> {
  const unlock = lockDirectory(dataDir)
  try {
    return await work()
  } finally {
    unlock()
  }
}
