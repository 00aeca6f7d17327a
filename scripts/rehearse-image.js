// Runs the steps of the Dockerfile in an empty folder without Docker: node scripts/rehearse-image.js
// [--install | --packages=FOLDER] Uses the packages of this checkout or of FOLDER; --install runs the
// Dockerfile's npm ci instead, which needs a network.
import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { atExit, capture, waitForExit, ROOT, start } from './setup/children.js'
import { readDockerfile } from './setup/read-dockerfile.js'
import { printProgress } from './setup/print-progress.js'

const isInstalling = process.argv.includes('--install')
const packages =
  process.argv.find((word) => word.startsWith('--packages='))?.slice('--packages='.length) ??
  join(ROOT, 'node_modules')
/** The ids of the base image's user `node`. */
const user = process.getuid() === 0 ? { uid: 1000, gid: 1000 } : {}

const root = mkdtempSync(join(tmpdir(), 'publicway-image-'))
atExit(() => rmSync(root, { recursive: true, force: true }))
chmodSync(root, 0o755)
// The same folder in all stages, as in the image, because built files contain its path.
const app = join(root, 'app')
const stages = readDockerfile(readFileSync(join(ROOT, 'Dockerfile'), 'utf8'))
const getFolder = (stage) => join(root, `stage-${stage}`)

function runStep(line) {
  if (/^npm ci\b/.test(line) && !isInstalling) return symlinkSync(packages, join(app, 'node_modules'))
  const { status } = spawnSync('sh', ['-c', line], { cwd: app, stdio: 'inherit' })
  if (status !== 0) throw new Error(`the step failed: ${line}`)
}

function copyStep({ from, sources, target }) {
  if (from !== null)
    for (const source of sources) {
      const name = source.replace('/app/', '')
      const file = join(getFolder(from), name)
      const to = sources.length > 1 || target.endsWith('/') ? join(app, name) : join(app, target)
      if (name === 'node_modules') symlinkSync(isInstalling ? file : packages, to)
      else cpSync(file, to, { recursive: true })
    }
  else if (sources[0] === '.') {
    const { stdout } = spawnSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
      cwd: ROOT,
    })
    for (const file of String(stdout).split('\0').filter(Boolean)) {
      if (/^(test|bench)\//.test(file)) continue
      mkdirSync(dirname(join(app, file)), { recursive: true })
      cpSync(join(ROOT, file), join(app, file))
    }
  } else for (const source of sources) cpSync(join(ROOT, source), join(app, source))
}

const freePort = () =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address()
      server.close(() => resolve(port))
    })
  })

for (const [index, stage] of stages.entries()) {
  printProgress(`stage ${stage.name}`)
  mkdirSync(app)
  const isLast = index === stages.length - 1
  for (const { copy, run } of stage.steps) {
    if (copy) copyStep(copy)
    // The last stage's RUN steps create files outside of the application.
    else if (run && !isLast) runStep(run)
  }
  if (!isLast) renameSync(app, getFolder(stage.name))
}

const { environment, healthcheck, command } = stages.at(-1)
const data = join(root, 'data')
mkdirSync(data)
if (user.uid) chownSync(data, user.uid, user.gid)
const env = {
  PATH: process.env.PATH,
  HOME: data,
  ...environment,
  DATA_DIR: data,
  HOST: '127.0.0.1',
  PORT: String(await freePort()),
}
printProgress('starting the server of the image')
const server = start(process.execPath, command.slice(1), { cwd: app, env, ...user })
const exit = waitForExit(server)
let isHealthy = false
for (let tries = 0; tries < 120 && !isHealthy && server.exitCode === null; tries++) {
  await new Promise((resolve) => setTimeout(resolve, 1000))
  const check = await capture(process.execPath, healthcheck.slice(1), { cwd: app, env, ...user })
  const ready = await fetch(`http://127.0.0.1:${env.PORT}/readyz`).catch(() => null)
  isHealthy = check.code === 0 && ready?.ok === true
}
if (!isHealthy) throw new Error('the server of the image is not ready')
const page = await (await fetch(`http://127.0.0.1:${env.PORT}/`)).text()
if (!page.includes('<div id="root"')) throw new Error('the image has no web app')
for (const name of ['doctor', 'backup', 'verify']) {
  const args = ['--import', 'tsx', 'scripts/publicway.ts', name, '--json']
  const { code, output } = await capture(process.execPath, args, { cwd: app, env, ...user })
  printProgress(`publicway ${name}: code ${code}`)
  if (code !== 0) throw new Error(output)
}
server.kill('SIGTERM')
const code = await exit
printProgress(`the server ended with code ${code}`)
process.exit(code)
