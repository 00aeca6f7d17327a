import { warmBoundaryReader } from './geography/boundary-uploads.ts'
import type { Config } from './config.ts'
import type { Log } from './jobs/log.ts'
import { removeStrayFiles } from './ingest/remove-stray-files.ts'
import { resumeImports } from './ingest/import-queue.ts'
import type { Runner } from './jobs/runner.ts'
import type { State } from './stores/state.ts'

/** Warming up a worker is delayed until the server is ready for calls. */
const warmUpDelayMs = 10_000

/**
 * Resumes interrupted work at start and starts the timers of all scheduled work. Returns the function that
 * stops them.
 */
export async function startSchedule(
  state: State,
  runner: Runner,
  config: Config,
  log: Log,
): Promise<() => void> {
  const stray = await removeStrayFiles(state, config.dataDir)
  if (stray) log('imports', { stray })
  const resumed = await resumeImports(state, runner, new Date())
  if (resumed) log('imports', { resumed })
  setTimeout(warmBoundaryReader, warmUpDelayMs).unref()
  const timers = [
    setInterval(
      () =>
        void resumeImports(state, runner, new Date()).catch((error: unknown) =>
          log('resume imports', { error: String(error) }),
        ),
      30_000,
    ),
  ]
  return () => timers.forEach((timer) => clearInterval(timer))
}
