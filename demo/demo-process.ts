import { fork } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import type { Config } from '#server/config.ts'
import { LayerMembership } from '#server/geography/membership/layer-membership.ts'
import { openAuth } from '#server/identity/auth.ts'
import { openBackground } from '#server/jobs/background.ts'
import type { Log } from '#server/jobs/log.ts'
import { lockDirectory } from '#server/stores/lock-directory.ts'
import { openFacts } from '#server/stores/open-facts.ts'
import { openSecretBox } from '#server/stores/secret-box.ts'
import { openState } from '#server/stores/state.ts'
import { type FirstRun, makeDemo, startDemoTrips } from './first-run.ts'

// The demo city is created by a separate process, which then exits. Otherwise the memory that the stores and
// the heap allocate for two million trips would remain allocated in the server.

/** Command line argument with which the server creates the demo city instead of serving. */
export const demoProcessArgument = 'make-demo-city'

/** Returns a file that exists once the demo city is complete, so that no store is opened to check this. */
const getMarkerFile = ({ dataDir }: Pick<Config, 'dataDir'>): string => path.join(dataDir, 'demo-city-made')

/**
 * Creates the demo city in a separate process unless it is complete. Returns null if the server can open the
 * stores, otherwise the code with which it must exit: 0 after a signal, another after a failure that was printed.
 * `onProgress` receives each line that the process prints. An incomplete city is created again at the next start.
 */
export async function ensureDemoCity(
  config: Config,
  { urls, credentials }: FirstRun['operators'],
  printLine: (line: string) => void,
  onProgress: (line: string) => void,
): Promise<number | null> {
  if (fs.existsSync(getMarkerFile(config))) return null
  const child = fork(process.argv[1] ?? '', [demoProcessArgument], { stdio: 'inherit' })
  child.send({ urls, credentials })
  child.on('message', (line: string) => onProgress(line))
  let isStopping = false
  const stop = (): void => {
    isStopping = true
    printLine('Stopping …')
    // Both stores survive a kill.
    child.kill('SIGKILL')
  }
  const signals = ['SIGTERM', 'SIGINT'] as const
  for (const signal of signals) process.on(signal, stop)
  const code = await new Promise<number>((resolve) =>
    child.once('exit', (exitCode) => resolve(exitCode ?? 1)),
  )
  for (const signal of signals) process.off(signal, stop)
  if (isStopping) return 0
  return code || null
}

/** Creates the demo city in this process, which `ensureDemoCity` of the server started. */
export async function runDemoProcess(config: Config, print: (line: string) => void, log: Log): Promise<void> {
  const printLine = (line: string): void => {
    print(line)
    process.send?.(line)
  }
  // If the server has exited, the next one needs the data directory.
  process.once('disconnect', () => process.kill(process.pid, 'SIGKILL'))
  const unlock = lockDirectory(config.dataDir)
  const operators = await new Promise<FirstRun['operators']>((resolve) => process.once('message', resolve))
  const at = new Date()
  const chunks = startDemoTrips(at)
  const [state, facts] = await Promise.all([openState(config), openFacts(config)])
  const secretBox = openSecretBox(config)
  const silent = { send: () => Promise.resolve() }
  const auth = await openAuth({
    state,
    config,
    secretBox,
    mail: silent,
    sms: silent,
    background: openBackground(log),
    log,
    now: () => new Date(),
  })
  const membership = new LayerMembership(state, facts)
  await makeDemo({ state, facts, auth, membership }, { secretBox, operators, printLine, at, chunks })
  await facts.close()
  await state.close()
  fs.writeFileSync(getMarkerFile(config), '')
  unlock()
  process.exit(0)
}
