import { type Config, readProcessConfig } from '../../server/config.ts'
import { sendCommand } from '../../server/operations/control/control-server.ts'
import { DirectoryInUse, lockDirectory } from '../../server/stores/lock-directory.ts'

/** Runs a command on the server that has the data directory open, or else in this process under a lock. */
export async function runOnServerOrLocally<Result>(
  command: string,
  input: unknown,
  parse: (response: unknown) => Result,
  runLocally: (config: Config) => Promise<Result>,
): Promise<Result> {
  const config = readProcessConfig()
  let unlock: () => void
  try {
    unlock = lockDirectory(config.dataDir)
  } catch (error) {
    if (!(error instanceof DirectoryInUse)) throw error
    return parse(await sendCommand(config.dataDir, command, input))
  }
  try {
    return await runLocally(config)
  } finally {
    unlock()
  }
}

/** Runs `work` while the data directory is locked. Throws if a server uses it. */
export async function withLock<Result>(dataDir: string, work: () => Promise<Result>): Promise<Result> {
  const unlock = lockDirectory(dataDir)
  try {
    return await work()
  } finally {
    unlock()
  }
}
