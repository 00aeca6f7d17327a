import { fork } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { getErrorMessage } from '#contract/problem-text.ts'
import { withTemporaryDatabase } from '#server/stores/state.ts'
import { BackupError, type Verification, writeVerification } from './manifest.ts'
import { findDifferingTables, type RestoreReport, restoreBackup, type StoreServers } from './restore.ts'

/** Command-line argument with which the server's program verifies a backup instead of serving. */
export const verifyArgument = 'verify-backup'

interface VerifyOptions {
  folder: string
  /** Data directory of the server, in which the backup is temporarily restored. */
  dataDir: string
  /** Servers of the backed-up stores. The backup is restored into temporary databases of them. */
  servers?: StoreServers
  passphrase: string | null
  now: () => Date
}

/** The maximum number of differing tables that are named. */
const maxExamples = 5

/** Describes which tables of a restored backup differ; null if none do. `restored` is -1 without a table. */
export function describeDifferences(report: Pick<RestoreReport, 'tables'>): string | null {
  const differentTables = findDifferingTables(report)
  if (!differentTables.length) return null
  const examples = differentTables
    .slice(0, maxExamples)
    .map(({ store, table, expected: [min, max], restored }) => {
      const expected = min === max ? String(min) : `${min} to ${max}`
      return `${store}.${table} has ${restored < 0 ? 'no table' : `${restored} rows`} instead of ${expected}`
    })
    .join('; ')
  return `${differentTables.length} tables differ: ${examples}.`
}

const temporaryFolderPrefix = 'verify-'

/**
 * Restores a backup into a temporary folder, compares the number of rows of all tables, and stores the result
 * beside the backup. Must run in a process without open embedded stores, because a process can open only one
 * fact store.
 */
export async function verifyBackup({
  folder,
  dataDir,
  servers,
  passphrase,
  now,
}: VerifyOptions): Promise<Verification & { report: RestoreReport | null }> {
  await removeLeftovers(dataDir)
  const temporaryFolder = path.join(dataDir, temporaryFolderPrefix + path.basename(folder))
  let report: RestoreReport | null = null
  let problem: string | null = null
  try {
    const databaseUrl = servers?.databaseUrl ?? null
    const restore = (temporaryUrl: string | null): Promise<RestoreReport> =>
      restoreBackup({
        folder,
        dataDir: temporaryFolder,
        ...(servers ? { servers: { ...servers, databaseUrl: temporaryUrl } } : {}),
        passphrase,
        isTrial: true,
      })
    report = databaseUrl === null ? await restore(null) : await withTemporaryDatabase(databaseUrl, restore)
    problem = describeDifferences(report)
  } catch (error) {
    problem = getErrorMessage(error)
  } finally {
    await fs.promises.rm(temporaryFolder, { recursive: true, force: true })
  }
  const verification = { at: now().toISOString(), problem }
  await writeVerification(folder, verification)
  return { ...verification, report }
}

/** Removes the temporary folders of interrupted verifications. */
async function removeLeftovers(dataDir: string): Promise<void> {
  for (const name of await fs.promises.readdir(dataDir).catch(() => []))
    if (name.startsWith(temporaryFolderPrefix))
      await fs.promises.rm(path.join(dataDir, name), { recursive: true, force: true })
}

/**
 * Verifies a backup in a child process, because this process has the stores open. Resolves when the result is
 * stored. @throws BackupError if the child ends otherwise, such as by a signal.
 */
export async function verifyInChild(folder: string, signal: AbortSignal): Promise<void> {
  const child = fork(process.argv[1] ?? '', [verifyArgument, folder], { stdio: 'inherit', signal })
  const exitCode = await new Promise<number | string>((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code, endSignal) => resolve(code ?? endSignal ?? 'unknown'))
  })
  // Code 1: the verification found a problem, which is stored.
  if (exitCode !== 0 && exitCode !== 1)
    throw new BackupError(`The check of the backup was ended (${exitCode}).`)
}
