import { minuteMs, dayMs } from '#contract/period.ts'
import { getErrorMessage } from '#contract/problem-text.ts'
import type { Backup } from '#contract/server-status.ts'
import type { Config } from '#server/config.ts'
import type { Job } from '#server/jobs/job.ts'
import type { Log } from '#server/jobs/log.ts'
import type { BlobStore } from '#server/stores/blobs/blob-store.ts'
import type { Facts } from '#server/stores/facts.ts'
import type { State } from '#server/stores/state.ts'
import { makeBackup } from './back-up.ts'
import { openCopies } from './copies.ts'
import {
  BackupError,
  findBaseName,
  listBackups,
  countRows,
  type StoredBackup,
  type Verification,
} from './manifest.ts'
import { verifyInChild } from './verify.ts'

interface BackupsOptions {
  state: State
  facts: Facts
  blobs: BlobStore
  config: Pick<Config, 'dataDir' | 'backups'>
  log: Log
  now: () => Date
  /** Called with the name of the job when a scheduled backup or check has failed. */
  onFailure?: (job: string) => Promise<void>
}

/** Interval at which the newest backup is checked. */
const verificationIntervalMs = 7 * dayMs
const hourSeconds = 3600

const getStartOfDay = (time: Date): Date => new Date(time.getFullYear(), time.getMonth(), time.getDate())

/** Converts a stored backup to its representation in the API and on the command line. */
export const presentBackup = ({ manifest, verification }: StoredBackup): Backup => ({
  name: manifest.name,
  started: manifest.started,
  ended: manifest.ended,
  bytes: manifest.files.reduce((sum, { bytes }) => sum + bytes, 0),
  rows: countRows(manifest),
  is_encrypted: manifest.is_encrypted,
  app_version: manifest.app_version,
  verified: verification?.at ?? null,
  verify_problem: verification?.problem ?? null,
})

/** Returns whether the daily backup is due. `hourOfDay`: in the machine's time zone; null: never. */
export const isBackupDue = (hourOfDay: number | null, newest: Date | null, at: Date): boolean =>
  hourOfDay !== null && at.getHours() >= hourOfDay && (newest === null || newest < getStartOfDay(at))

/** Returns whether an increment is due: `minutes` after the newest backup, if there is one. */
export const isIncrementDue = (minutes: number | null, newest: Date | null, at: Date): boolean =>
  minutes !== null && newest !== null && at.getTime() - newest.getTime() >= minutes * minuteMs

/** Makes and checks backups of a running server, one at a time. */
export class Backups {
  readonly #options: BackupsOptions
  #running: Promise<unknown> = Promise.resolve()
  #isBusy = false
  #lastProblem: string | null = null

  constructor(options: BackupsOptions) {
    this.#options = options
  }

  get lastProblem(): string | null {
    return this.#lastProblem
  }

  list(): Promise<StoredBackup[]> {
    return listBackups(this.#options.config.backups.directory)
  }

  /** Returns the times (seconds since 1970) of the newest backup and successful check; 0 without one. */
  async getTimes(): Promise<{ success: number; verified: number }> {
    const backups = await this.list()
    const verifiedMs = backups.flatMap(({ verification }) =>
      verification && verification.problem === null ? [Date.parse(verification.at)] : [],
    )
    const newestEnd = backups[0]?.manifest.ended
    return {
      success: newestEnd ? Date.parse(newestEnd) / 1000 : 0,
      verified: Math.max(0, ...verifiedMs) / 1000,
    }
  }

  make(isIncrement = false): Promise<StoredBackup> {
    const { state, facts, blobs, config, now } = this.#options
    return this.#runAlone(() =>
      makeBackup({
        state,
        facts,
        blobs,
        dataDir: config.dataDir,
        ...config.backups,
        copies: openCopies(config, now),
        isIncrement,
        isPaced: true,
        now,
      }),
    )
  }

  /** Checks the backup with a name, or the newest one if it is null. */
  async verify(name: string | null, signal: AbortSignal): Promise<Verification> {
    return this.#runAlone(async () => {
      const findBackup = async () =>
        (await this.list()).find(({ manifest }) => !name || manifest.name === name)
      const backup = await findBackup()
      if (!backup) throw new BackupError(name ? `There is no backup ${name}.` : 'There is no backup yet.')
      await verifyInChild(backup.folder, signal)
      const verification = (await findBackup())?.verification
      if (!verification || verification.at === backup.verification?.at)
        throw new BackupError('The check of the backup left no result.')
      if (verification.problem !== null) throw new BackupError(verification.problem)
      return verification
    })
  }

  /** Returns the jobs for scheduled backups and the weekly check. */
  jobs(): Job[] {
    const { config, log, now, facts } = this.#options
    const { isEmbedded } = facts.maintenance
    const { incrementMinutes } = config.backups
    return [
      {
        name: 'make-backup',
        description:
          'Makes the backup of the day and increments of it, and removes those that are no longer retained',
        every: { seconds: Math.min(hourSeconds, (incrementMinutes ?? 60) * 60), on: 'one server' },
        run: async () => {
          if (!isEmbedded && config.backups.factsTarget === null) return
          const backups = await this.list()
          const getStart = (backup: StoredBackup | undefined): Date | null =>
            backup ? new Date(backup.manifest.started) : null
          const newestFull = backups.find(({ manifest: { name } }) => findBaseName(name) === null)
          const isFullDue = isBackupDue(config.backups.hour, getStart(newestFull), now())
          if (!isFullDue && !isIncrementDue(incrementMinutes, getStart(backups[0]), now())) return
          const { manifest } = await this.#runReportingFailure('make-backup', () => this.make(!isFullDue))
          log('backup', { name: manifest.name, files: manifest.files.length })
        },
      },
      {
        name: 'verify-backup',
        description: 'Restores the newest backup into a temporary folder once a week, and compares it',
        every: { seconds: 6 * hourSeconds, on: 'one server' },
        run: async (stop) => {
          const [newest] = await this.list()
          const { verified } = await this.getTimes()
          if (config.backups.hour === null || !newest) return
          if (now().getTime() - verified * 1000 < verificationIntervalMs) return
          await this.#runReportingFailure('verify-backup', () => this.verify(newest.manifest.name, stop))
          log('backup verified', { name: newest.manifest.name })
        },
      },
    ]
  }

  /** Runs a scheduled backup or check and reports its failure (`onFailure`). */
  async #runReportingFailure<Result>(job: string, work: () => Promise<Result>): Promise<Result> {
    try {
      return await work()
    } catch (error) {
      await this.#options.onFailure?.(job)
      throw error
    }
  }

  /** Runs a backup or check. @throws BackupError if another one is running. */
  async #runAlone<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#isBusy)
      throw new BackupError('Another backup or check is running. Try again when it has ended.')
    this.#isBusy = true
    const run = work()
    this.#running = run.catch(() => undefined)
    try {
      const result = await run
      this.#lastProblem = null
      return result
    } catch (error) {
      this.#lastProblem = getErrorMessage(error)
      throw error
    } finally {
      this.#isBusy = false
    }
  }

  /** Resolves when the running backup or check has ended. */
  async settled(): Promise<void> {
    await this.#running
  }
}
