import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { aptInstall } from '../../scripts/setup/apt-install.js'
import { atExit, capture, start, stop } from '../../scripts/setup/children.js'
import { findCommand, isExecutable } from '../../scripts/setup/find-command.js'
import { freePorts } from './free-ports.js'
import { waitUntil } from './wait-until.js'

// Data of tests need not survive a crash.
const SETTINGS = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off', 'max_connections=50']

/** Starts an empty PostgreSQL server. Returns its URL. */
export async function startPostgres() {
  const programs = findPrograms() ?? ((await aptInstall('postgresql')) ? findPrograms() : undefined)
  if (!programs) throw new Error('there is no PostgreSQL on this machine')
  const user = await unprivilegedUser()
  const folder = mkdtempSync(join(tmpdir(), 'publicway-postgres-'))
  atExit(() => rmSync(folder, { recursive: true, force: true }))
  if (user.uid !== undefined) chownSync(folder, user.uid, user.gid)

  const data = join(folder, 'data')
  const setup = ['-D', data, '-U', 'postgres', '--auth=trust', '--encoding=UTF8', '--locale=C', '--no-sync']
  const made = await capture(join(programs, 'initdb'), setup, { cwd: folder, ...user })
  if (made.code !== 0) throw new Error(`initdb failed: ${made.output.split('\n').at(-1)}`)

  const [port] = await freePorts(1)
  const options = [
    `port=${port}`,
    'listen_addresses=127.0.0.1',
    `unix_socket_directories=${folder}`,
    ...SETTINGS,
  ]
  const engine = start(
    join(programs, 'postgres'),
    ['-D', data, ...options.flatMap((option) => ['-c', option])],
    { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'], ...user },
  )
  const isReady = async () =>
    (await capture(join(programs, 'pg_isready'), ['-h', '127.0.0.1', '-p', String(port)])).code === 0
  await waitUntil(isReady, engine, 30)
  return { url: `postgres://postgres@127.0.0.1:${port}/postgres`, stop: () => stop(engine, 'SIGINT') }
}

/** Finds the newest version. Debian installs versions side by side and outside of PATH. */
function findPrograms() {
  const debian = '/usr/lib/postgresql'
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : []
  const folders = versions.map((version) => join(debian, version, 'bin'))
  const inPath = findCommand('initdb')
  if (inPath) folders.push(join(inPath, '..'))
  return folders.find(
    (folder) => isExecutable(join(folder, 'initdb')) && isExecutable(join(folder, 'postgres')),
  )
}

/** PostgreSQL refuses to run as root. */
async function unprivilegedUser() {
  if (process.getuid() !== 0) return {}
  for (const name of ['postgres', 'nobody']) {
    const uid = await capture('id', ['-u', name])
    const gid = await capture('id', ['-g', name])
    if (uid.code === 0 && gid.code === 0) return { uid: Number(uid.output), gid: Number(gid.output) }
  }
  throw new Error('this is root, and there is no other user to run PostgreSQL as')
}
