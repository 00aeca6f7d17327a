import { createHash } from 'node:crypto'
import { existsSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT, runTool } from './children.js'
import { say, secondsSince } from './say.js'

const BUILT = join(ROOT, 'dist/web')
const MARK = join(BUILT, '.sources')
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

/** Builds the web app into dist/web unless it was built from these very sources. */
export async function buildWeb() {
  const sources = sourcesHash()
  if (existsSync(MARK) && readFileSync(MARK, 'utf8') === sources) return

  say('building the web app')
  const begin = performance.now()
  const code = await runTool('vite', ['build', '--logLevel', 'warn', '--outDir', BUILT, '--emptyOutDir'], {
    env: { ...process.env, NODE_ENV: 'production' },
  })
  if (code !== 0)
    throw new Error(`the web app cannot be built (vite ended with code ${code}); see its lines above`)
  writeFileSync(MARK, sources)
  say(`web app built in ${secondsSince(begin)}`)
}

/** By content, not by time: git sets file times as it likes. */
function sourcesHash() {
  const hash = createHash('sha256')
  for (const file of SOURCES.flatMap(filesUnder))
    hash
      .update(`${file}\0`)
      .update(readFileSync(join(ROOT, file)))
      .update('\0')
  return hash.digest('hex')
}

/** Files under a path of the repository, without tests, in order. */
export function filesUnder(path) {
  const full = join(ROOT, path)
  if (!existsSync(full)) return []
  if (statSync(full).isFile()) return [path]
  return readdirSync(full)
    .flatMap((name) => filesUnder(`${path}/${name}`))
    .sort()
    .filter((file) => !/\.test\.tsx?$/.test(file))
}
