import fs from 'node:fs'
import net from 'node:net'
import path from 'node:path'
import nodemailer from 'nodemailer'
import { getErrorMessage } from '#contract/problem-text.ts'
import type { Config } from '#server/config.ts'
import { minFreeBytes } from '#server/stores/disk-full.ts'
import { openBlobStore } from '#server/stores/blobs/open-blob-store.ts'
import { readVolume } from '../health/volumes.ts'

/** Result of one check. */
export interface CheckResult {
  check: string
  /** `warning`: the server works, but not as it should, or may soon fail. */
  result: 'ok' | 'warning' | 'failed'
  detail: string
}

const toResult = (check: string, result: CheckResult['result'], detail: string): CheckResult => ({
  check,
  result,
  detail,
})
/** Used share of a disk above which there is a warning. */
const maxUsedShare = 0.8
/** Offsets of a few time zones, to detect outdated time zone data. */
const knownOffsets: readonly [zone: string, time: string, offset: string][] = [
  ['America/New_York', '2026-07-01T12:00:00Z', 'GMT-4'],
  ['America/New_York', '2026-12-01T12:00:00Z', 'GMT-5'],
  ['America/St_Johns', '2026-07-01T12:00:00Z', 'GMT-2:30'],
  ['Australia/Lord_Howe', '2026-01-01T12:00:00Z', 'GMT+11'],
  // No daylight saving time since 2022.
  ['America/Mexico_City', '2026-07-01T12:00:00Z', 'GMT-6'],
]
/** Time before the first release, so a clock with an earlier time is wrong. */
const firstReleaseMs = Date.UTC(2026, 0, 1)

/** Checks the version of Node, such as `v20.19.0`. */
export function checkNode(version: string): CheckResult {
  const [major = 0, minor = 0] = version.replace('v', '').split('.').map(Number)
  const isSupported = major > 20 || (major === 20 && minor >= 19)
  return toResult('node', isSupported ? 'ok' : 'failed', `Node ${version}; 20.19 or newer is needed`)
}

/** Checks the time zone data of Node against known offsets. */
export function checkTimeZones(): CheckResult {
  const wrongOffsets = knownOffsets.filter(([timeZone, time, offset]) => {
    const parts = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'shortOffset' }).formatToParts(
      new Date(time),
    )
    return parts.find(({ type }) => type === 'timeZoneName')?.value !== offset
  })
  const version = process.versions['tz'] ?? 'unknown'
  return wrongOffsets.length
    ? toResult(
        'time zones',
        'failed',
        `${wrongOffsets.map(([zone]) => zone).join(', ')} differ in data ${version}`,
      )
    : toResult('time zones', 'ok', `data ${version}`)
}

/** Checks that the clock is not before the first release. */
export function checkClock(now: Date): CheckResult {
  return now.getTime() < firstReleaseMs
    ? toResult('clock', 'failed', `the clock says ${now.toISOString()}`)
    : toResult('clock', 'ok', now.toISOString())
}

/** Checks the free space of the volume that contains a folder. */
export async function checkDisk(volume: string, folder: string): Promise<CheckResult> {
  const { free, total } = await readVolume(folder)
  if (free === null || total === null)
    return toResult(`disk: ${volume}`, 'warning', 'the system does not say how much is free')
  const usedShare = 1 - free / total
  const detail = `${(free / 1e9).toFixed(1)} GB of ${(total / 1e9).toFixed(1)} GB are free`
  if (free < minFreeBytes) return toResult(`disk: ${volume}`, 'failed', detail)
  return toResult(`disk: ${volume}`, usedShare > maxUsedShare ? 'warning' : 'ok', detail)
}

/** Checks whether files can be created in a folder, which is created if necessary. */
export function checkFolder(check: string, folder: string): CheckResult {
  try {
    fs.mkdirSync(folder, { recursive: true })
    const file = path.join(folder, '.doctor')
    fs.writeFileSync(file, '')
    fs.rmSync(file)
    return toResult(check, 'ok', folder)
  } catch (error) {
    return toResult(check, 'failed', getErrorMessage(error))
  }
}

/** Checks that other users of the machine cannot read the secret key. */
export function checkSecretKey({ secretKey, dataDir }: Pick<Config, 'secretKey' | 'dataDir'>): CheckResult {
  if (secretKey) return toResult('secret key', 'ok', 'from SECRET_KEY')
  const file = path.join(dataDir, 'secret.key')
  const mode = fs.statSync(file, { throwIfNoEntry: false })?.mode
  if (mode === undefined) return toResult('secret key', 'ok', 'made at the first start')
  return mode & 0o077
    ? toResult('secret key', 'warning', `${file} can be read by others: chmod 600`)
    : toResult('secret key', 'ok', `${file}; a copy belongs outside of this machine`)
}

/** Checks the blob store by storing and deleting a file. */
export async function checkBlobs(
  config: Pick<Config, 'blobUrl' | 'databaseUrl' | 'dataDir'>,
  now: () => Date,
): Promise<CheckResult> {
  try {
    const blobs = openBlobStore(config, now)
    await blobs.put('doctor/check', Buffer.from('check'))
    await blobs.deleteAll('doctor/')
    const isHiddenFromOthers = config.databaseUrl !== null && blobs.directory === config.dataDir
    return isHiddenFromOthers
      ? toResult('files', 'warning', 'they are in DATA_DIR, which other servers do not see: set BLOB_URL')
      : toResult('files', 'ok', blobs.name)
  } catch (error) {
    return toResult('files', 'failed', getErrorMessage(error))
  }
}

/** Checks whether the server could listen on its port. Only useful while it does not run. */
export const checkPort = ({ port, host }: Pick<Config, 'port' | 'host'>): Promise<CheckResult> =>
  new Promise((resolve) => {
    const server = net.createServer()
    server.once('error', (error) => resolve(toResult('port', 'failed', getErrorMessage(error))))
    server.listen(port, host, () =>
      server.close(() => resolve(toResult('port', 'ok', `${host}:${port} is free`))),
    )
  })

const mailTimeoutMs = 8000

/** Checks the mail server by signing in, without sending anything. */
export async function checkMail({ smtpUrl }: Pick<Config, 'smtpUrl'>): Promise<CheckResult> {
  if (!smtpUrl) return toResult('mail', 'warning', 'no SMTP_URL: mail is written to the log')
  const { host } = new URL(smtpUrl)
  const transport = nodemailer.createTransport({
    url: smtpUrl,
    connectionTimeout: mailTimeoutMs,
    greetingTimeout: mailTimeoutMs,
    socketTimeout: mailTimeoutMs,
    dnsTimeout: mailTimeoutMs,
  })
  try {
    await transport.verify()
    return toResult('mail', 'ok', host)
  } catch (error) {
    // Only the code is shown, because the mail server's message may contain user and password.
    return toResult('mail', 'failed', `${host}: ${(error as NodeJS.ErrnoException).code ?? 'refused'}`)
  } finally {
    transport.close()
  }
}
