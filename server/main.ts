import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { getErrorMessage } from '#contract/problem-text.ts'
import type * as firstRun from '../demo/first-run.ts'
import { type App, openApp } from './app.ts'
import { type Config, readProcessConfig, SettingError } from './config.ts'
import { warmBoundaryReader } from './geography/boundary-files/boundary-uploads.ts'
import { openStartingPage } from './http/starting-page.ts'
import { createFirstUser } from './identity/create-first-user.ts'
import { createLog } from './jobs/write-log.ts'
import { BackupError } from './operations/backup/manifest.ts'
import { getStoreServers } from './operations/backup/restore.ts'
import { verifyArgument, verifyBackup } from './operations/backup/verify.ts'
import { UpgradeRefused } from './operations/upgrade/migration-plan.ts'
import { removeStrayFiles } from './imports/remove-stray-files.ts'
import { DirectoryInUse, lockDirectory } from './stores/lock-directory.ts'
import { PreReleaseData } from './stores/migrations/migrations.ts'
import { openSecretBox, type SecretBox } from './stores/secret-box.ts'

const log = createLog(
  (text) => console.error(text),
  () => new Date(),
)
const print = (line: string): void => console.log(line)
const webRoot = path.join(path.dirname(fileURLToPath(import.meta.url)), '..', 'dist', 'web')

/**
 * The process is killed this long after shutdown began. The documentation promises ten seconds; the rest is a
 * reserve, because timers of a busy machine are late.
 */
const shutdownMs = 8000
/** Delay of warming up the boundary reader's worker, so that the server is ready for calls earlier. */
const warmUpDelayMs = 10_000

/** Verifies a backup in this child process of the server, which has its stores open. Exits with 1 on a problem. */
async function verifyInThisProcess(config: Config, folder: string): Promise<void> {
  // If the server ends, the result is of no use.
  process.once('disconnect', () => process.kill(process.pid, 'SIGKILL'))
  const { dataDir, backups } = config
  const { passphrase } = backups
  const servers = getStoreServers(config)
  const { problem } = await verifyBackup({ folder, dataDir, servers, passphrase, now: () => new Date() })
  process.exit(problem === null ? 0 : 1)
}

async function main(): Promise<void> {
  const config = readProcessConfig()
  if (process.argv[2] === verifyArgument) return verifyInThisProcess(config, process.argv[3] ?? '')
  const demoProcess = config.demo ? await import('../demo/demo-process.ts') : null
  if (demoProcess && process.argv[2] === demoProcess.demoProcessArgument)
    return demoProcess.runDemoProcess(config, print, log)
  const startingPage = await openStartingPage(config.host, config.port)
  const demo = config.demo ? await import('../demo/first-run.ts') : null
  const operators = demo ? await demo.openOperators((line) => log(line)) : null
  const exitCode =
    demoProcess && operators
      ? await demoProcess.ensureDemoCity(config, operators, print, startingPage.show)
      : null
  if (exitCode !== null) process.exit(exitCode)
  const unlock = lockDirectory(config.dataDir)
  startingPage.show('Opening the stores.')
  print(`Opening the stores in ${config.dataDir} …`)
  const app = await openApp(config, webRoot, log, {
    signIns: demo?.shownSignIns.map(({ email, password, role }) => ({ email, password, role })) ?? [],
    ownOrigins: operators?.origins ?? [],
  })
  await app.startup.step('stray files', () => removeUnneededFiles(app, config))
  stopOnSignal({ app, operators, unlock, drainSeconds: config.drainSeconds })
  const secretBox = openSecretBox(config)
  if (demo && operators)
    await app.startup.step('demo city', () => demo.makeDemo(app, { secretBox, operators, printLine: print }))
  const firstUser = await createFirstUser({ ...app, config }, new Date())
  await startingPage.close()
  await app.startup.step('HTTP server', () => app.http.listen({ port: config.port, host: config.host }))
  await app.operations.listen()
  app.startup.ready()
  if (demo && operators)
    await demo.connectOperators(app, { secretBox, operators, ...getPushUrls(config), at: new Date() })
  app.jobs.start()
  setTimeout(warmBoundaryReader, warmUpDelayMs).unref()
  print(`\nPublicway is at http://${isAnyAddress(config.host) ? 'localhost' : config.host}:${config.port}`)
  for (const { email, password, role } of demo?.shownSignIns ?? [])
    print(`  ${role.padEnd(14)} ${email}  ${password}`)
  if (demo) void finishDemo(demo, app, { secretBox, config })
  if (firstUser)
    print(
      `  First administrator: ${firstUser.email}. Choose a password, once, before ${firstUser.expires}:\n  ${firstUser.link}`,
    )
}

/** Removes files that no import needs, and logs their number. */
async function removeUnneededFiles({ state, blobs }: App, { dataDir, databaseUrl }: Config): Promise<void> {
  const stray = await removeStrayFiles({ state, blobs, dataDir, isAlone: databaseUrl === null }, new Date())
  if (stray) log('imports', { stray })
}

interface RunningServer {
  app: App
  operators: { close(): Promise<unknown> } | null
  /** Unlocks the data directory. */
  unlock: () => void
  drainSeconds: number
}

function stopOnSignal({ app, operators, unlock, drainSeconds }: RunningServer): void {
  let isStopping = false
  const stop = async (): Promise<void> => {
    if (isStopping) return
    isStopping = true
    print('Stopping …')
    // The server still serves calls while proxies notice that it is not ready and send their calls elsewhere.
    app.operations.readiness.drain()
    await wait(drainSeconds * 1000)
    setTimeout(() => {
      unlock()
      print('Stopping takes too long: the process ends now. The next start resumes where it stopped.')
      // A normal exit would wait for the threads of the fact store; both stores survive a kill.
      process.kill(process.pid, 'SIGKILL')
    }, shutdownMs).unref()
    await operators?.close()
    await app.close()
    unlock()
    process.exit(0)
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop())
}

const isAnyAddress = (host: string): boolean => host === '0.0.0.0' || host === '::'

/** Returns the addresses on this machine to which the demo's operators push. */
function getPushUrls({ host, port }: Config): { agencyUrl: string; curbUrl: string } {
  const urlHost = host.includes(':') ? `[${host}]` : host
  const localHost = isAnyAddress(host) ? '127.0.0.1' : urlHost
  return {
    agencyUrl: `http://${localHost}:${port}/mds/agency`,
    curbUrl: `http://${localHost}:${port}/cds/events`,
  }
}

/** Adds what takes longer than the start to the demo city. */
async function finishDemo(
  demo: typeof firstRun,
  app: App,
  { secretBox, config }: { secretBox: SecretBox; config: Config },
): Promise<void> {
  const { dataDir, publicUrl } = config
  try {
    await demo.addRoutesAndCurbHistory(app, { secretBox, printLine: print })
    await Promise.all([
      demo.addCurbPricing(app, { dataDir, log, printLine: print }),
      demo.addInvoices(app, { secretBox, publicUrl, log, printLine: print }),
    ])
  } catch (error) {
    log('The routes, curb or invoices of the demo could not be created; the next start resumes them.', {
      error: getErrorMessage(error),
    })
  }
}

main().catch((error: unknown) => {
  const isExpected =
    error instanceof SettingError ||
    error instanceof DirectoryInUse ||
    error instanceof PreReleaseData ||
    error instanceof UpgradeRefused ||
    error instanceof BackupError ||
    (error as NodeJS.ErrnoException).code === 'EADDRINUSE'
  console.error(isExpected ? (error as Error).message : error)
  process.exit(isExpected ? 2 : 1)
})
