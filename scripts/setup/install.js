import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT, run } from './children.js'
import { printProgress, secondsSince } from './print-progress.js'

/** Contains the hash of the package-lock.json that is installed. */
const MARK_FILE = join(ROOT, 'node_modules/.publicway-lock')

/** Runs `npm ci` unless node_modules matches package-lock.json. */
export async function install() {
  const hash = hashLockfile()
  if (existsSync(MARK_FILE) && readFileSync(MARK_FILE, 'utf8') === hash) return
  if (isInstalled()) return writeFileSync(MARK_FILE, hash)

  printProgress('installing packages (npm ci; about a minute the first time)')
  const begin = performance.now()
  // Development packages too, so that `npm start` and `npm test` use the same tree and neither has to install
  // again.
  const code = await run('npm', ['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'])
  if (code !== 0) throw new Error(`npm ci failed with code ${code}; see its output above`)
  writeFileSync(MARK_FILE, hash)
  printProgress(`packages installed in ${secondsSince(begin)}`)
}

function hashLockfile() {
  return createHash('sha256')
    .update(readFileSync(join(ROOT, 'package-lock.json')))
    .digest('hex')
}

/** Returns whether npm's own record of node_modules matches package-lock.json, as after a manual `npm ci`. */
function isInstalled() {
  const recordFile = join(ROOT, 'node_modules/.package-lock.json')
  if (!existsSync(recordFile)) return false
  const installed = JSON.parse(readFileSync(recordFile, 'utf8')).packages
  const wanted = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')).packages
  return Object.entries(wanted).every(
    ([path, { version, optional }]) =>
      path === '' || installed[path]?.version === version || (optional && !installed[path]),
  )
}
