import { createHash } from 'node:crypto'
import { existsSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT, runTool } from './children.js'
import { printProgress, secondsSince } from './print-progress.js'

const BUILT = join(ROOT, 'dist/web')
/** Contains the hash of the sources of the built web app. */
const MARK_FILE = join(BUILT, '.sources')
const SOURCES = [
  'web',
  'contract',
  'index.html',
  'vite.config.ts',
  'scripts/build',
  'tsconfig.base.json',
  'package.json',
  'package-lock.json',
]

/** Builds the web app into dist/web, unless its sources have not changed since the last build. */
export async function buildWeb() {
  const sources = hashSources()
  if (existsSync(MARK_FILE) && readFileSync(MARK_FILE, 'utf8') === sources) return

  printProgress('building the web app')
  const begin = performance.now()
  const code = await runTool('vite', ['build', '--logLevel', 'warn', '--outDir', BUILT, '--emptyOutDir'], {
    env: { ...process.env, NODE_ENV: 'production' },
  })
  if (code !== 0)
    throw new Error(`the web app cannot be built (vite ended with code ${code}); see its output above`)
  writeFileSync(MARK_FILE, sources)
  printProgress(`web app built in ${secondsSince(begin)}`)
}

/** Hashes the contents of the sources. File times are of no use: git changes them on a checkout. */
function hashSources() {
  const hash = createHash('sha256')
  for (const file of SOURCES.flatMap(listFilesUnder))
    hash
      .update(`${file}\0`)
      .update(readFileSync(join(ROOT, file)))
      .update('\0')
  return hash.digest('hex')
}

/** Lists the files under a path of the repository, without tests, in a stable order. */
export function listFilesUnder(path) {
  const full = join(ROOT, path)
  if (!existsSync(full)) return []
  if (statSync(full).isFile()) return [path]
  return readdirSync(full)
    .flatMap((name) => listFilesUnder(`${path}/${name}`))
    .sort()
    .filter((file) => !/\.test\.tsx?$/.test(file))
}
