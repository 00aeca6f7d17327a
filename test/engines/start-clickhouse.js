import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { aptInstall } from '../../scripts/setup/apt-install.js'
import { ROOT, atExit, capture, start, stop } from '../../scripts/setup/children.js'
import { findCommand } from '../../scripts/setup/find-command.js'
import { freePorts } from './free-ports.js'
import { waitUntil } from './wait-until.js'

const SOURCE = join(ROOT, 'test/engines/clickhouse-listener.c')
const PROGRAM = join(ROOT, 'node_modules/.cache/engines/clickhouse-listener')

// `clickhouse local` listens while its query runs, so the last statement only waits.
const QUERY = `SYSTEM START LISTEN HTTP; SYSTEM START LISTEN TCP;
  SELECT sleepEachRow(3) FROM numbers(1000000) FORMAT Null
  SETTINGS max_block_size = 1, function_sleep_max_microseconds_per_block = 0`

/** Starts ClickHouse servers. Returns their HTTP URLs and native host:port pairs. */
export async function startClickHouse(count) {
  const library = findLibrary()
  await compile()
  const folder = mkdtempSync(join(tmpdir(), 'publicway-clickhouse-'))
  atExit(() => rmSync(folder, { recursive: true, force: true }))
  const ports = await freePorts(count * 2)
  return Promise.all(
    Array.from({ length: count }, (_, index) =>
      startOne(library, `${folder}/${index}`, ports.slice(index * 2)),
    ),
  )
}

async function startOne(library, path, [http, tcp]) {
  mkdirSync(path)
  const backups = join(path, 'backups')
  const config = join(path, 'config.xml')
  writeFileSync(
    config,
    `<clickhouse><backups><allowed_path>${backups}/</allowed_path></backups></clickhouse>`,
  )
  const args = [`--config-file=${config}`, `--path=${path}`, `--http_port=${http}`, `--tcp_port=${tcp}`]
  const engine = start(PROGRAM, [...args, '--listen_host=127.0.0.1', '--multiquery', `--query=${QUERY}`], {
    cwd: path,
    env: { ...process.env, LIBCHDB: library },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const url = `http://127.0.0.1:${http}`
  await waitUntil(async () => (await fetch(`${url}/ping`)).ok, engine, 60)
  return { url, native: `127.0.0.1:${tcp}`, backups, stop: () => stop(engine, 'SIGKILL') }
}

function findLibrary() {
  const folder = join(ROOT, 'node_modules/@chdb')
  const libraries = existsSync(folder)
    ? readdirSync(folder).map((name) => join(folder, name, 'libchdb.so'))
    : []
  const library = libraries.find((file) => existsSync(file))
  if (!library) throw new Error('there is no libchdb for this platform')
  return library
}

async function compile() {
  if (existsSync(PROGRAM) && statSync(PROGRAM).mtimeMs > statSync(SOURCE).mtimeMs) return
  const compiler =
    findCommand('cc', 'gcc', 'clang') ??
    ((await aptInstall('gcc', 'libc6-dev')) ? findCommand('gcc') : undefined)
  if (!compiler) throw new Error('there is no C compiler')
  mkdirSync(join(PROGRAM, '..'), { recursive: true })
  const libraries = process.platform === 'linux' ? ['-ldl'] : []
  const result = await capture(compiler, ['-O1', '-o', PROGRAM, SOURCE, ...libraries])
  if (result.code !== 0) throw new Error(`${compiler} cannot compile the listener: ${result.output}`)
}
