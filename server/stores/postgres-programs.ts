import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import fs from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

/** A program of PostgreSQL failed; the message includes the program's own. */
export class PostgresProgramError extends Error {
  override name = 'PostgresProgramError'
}

/** The last characters of a program's messages that an error contains. */
const maxProblemLength = 2000

const quoteValue = (value: string): string => `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`

/**
 * Runs a program with a connection to a database. The password is passed in a file that only this user can
 * read, because arguments of programs are visible to all users of the machine.
 */
async function runProgram(
  program: 'pg_dump' | 'pg_restore',
  args: readonly string[],
  url: string,
  { input, output }: { input?: Readable; output?: (stream: Readable) => Promise<unknown> },
): Promise<void> {
  const { hostname, port, username, password, pathname, searchParams } = new URL(url)
  const passFile = path.join(tmpdir(), `publicway-${randomUUID()}`)
  const escapedPassword = decodeURIComponent(password).replaceAll('\\', '\\\\').replaceAll(':', '\\:')
  await fs.promises.writeFile(passFile, `*:*:*:*:${escapedPassword}\n`, { mode: 0o600, flag: 'wx' })
  const connection = Object.entries({
    ...Object.fromEntries(searchParams),
    host: decodeURIComponent(hostname) || searchParams.get('host'),
    port,
    user: decodeURIComponent(username),
    dbname: decodeURIComponent(pathname.slice(1)),
    passfile: passFile,
  })
    .filter(([, value]) => value)
    .map(([name, value]) => `${name}=${quoteValue(String(value))}`)
    .join(' ')
  try {
    const child = spawn(program, [...args, '--no-password', '--dbname', connection], {
      stdio: [input ? 'pipe' : 'ignore', output ? 'pipe' : 'ignore', 'pipe'],
    })
    let problem = ''
    child.stderr?.on(
      'data',
      (text: Buffer) => (problem = (problem + text.toString()).slice(-maxProblemLength)),
    )
    const exit = new Promise<number>((resolve, reject) => {
      child.once('error', (error: NodeJS.ErrnoException) =>
        reject(
          error.code === 'ENOENT'
            ? new PostgresProgramError(
                `${program} is not installed on this machine. Install PostgreSQL's client programs (postgresql-client), of the version of the server or a newer one.`,
              )
            : error,
        ),
      )
      child.once('close', (code) => resolve(code ?? 1))
    })
    // A program that ends early closes its input; its message on stderr has the reason.
    const sending = input && child.stdin ? pipeline(input, child.stdin).catch(() => undefined) : undefined
    const receiving = output && child.stdout ? output(child.stdout) : undefined
    const [code] = await Promise.all([exit, sending, receiving])
    if (code !== 0) throw new PostgresProgramError(`${program} failed: ${problem.trim() || `code ${code}`}`)
  } finally {
    await fs.promises.rm(passFile, { force: true })
  }
}

/** Dumps a database in pg_dump's custom format, as of an exported snapshot. */
export const dumpDatabase = (
  url: string,
  snapshot: string,
  output: (stream: Readable) => Promise<unknown>,
): Promise<void> =>
  runProgram('pg_dump', ['--format=custom', '--no-owner', `--snapshot=${snapshot}`], url, { output })

/** Fills an empty database from a dump, all or nothing. */
export const restoreDatabase = (url: string, input: Readable): Promise<void> =>
  runProgram(
    'pg_restore',
    ['--no-owner', '--no-privileges', '--single-transaction', '--exit-on-error'],
    url,
    { input },
  )
