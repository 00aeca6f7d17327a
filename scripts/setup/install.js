import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT, run } from './children.js'
import { say, secondsSince } from './say.js'

const MARK = join(ROOT, 'node_modules/.publicway-lock')

/** Runs `npm ci` unless node_modules is what package-lock.json asks for. */
export async function install() {
  const wanted = lockHash()
  if (existsSync(MARK) && readFileSync(MARK, 'utf8') === wanted) return
  if (installedByHand()) return writeFileSync(MARK, wanted)

  say('installing packages (npm ci; about a minute the first time)')
  const begin = performance.now()
  // Development packages too: one tree for `npm start` and `npm test`, so that neither makes the other install again.
  const code = await run('npm', ['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'])
  if (code !== 0) throw new Error(`npm ci failed with code ${code}; see its lines above`)
  writeFileSync(MARK, wanted)
  say(`packages installed in ${secondsSince(begin)}`)
}

function lockHash() {
  return createHash('sha256')
    .update(readFileSync(join(ROOT, 'package-lock.json')))
    .digest('hex')
}

/** npm notes what it installed; whoever ran npm themselves need not wait for a second installation. */
function installedByHand() {
  const note = join(ROOT, 'node_modules/.package-lock.json')
  if (!existsSync(note)) return false
  const installed = JSON.parse(readFileSync(note, 'utf8')).packages
  const wanted = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')).packages
  return Object.entries(wanted).every(
    ([path, { version, optional }]) =>
      path === '' || installed[path]?.version === version || (optional && !installed[path]),
  )
}
