import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ROOT } from './children.js'
import { filesUnder } from './build-web.js'
import { say, secondsSince } from './say.js'

const BUILT = join(ROOT, 'dist/server')
const SOURCES = [
  'server',
  'contract',
  'demo',
  'scripts/setup/build-server.js',
  'package.json',
  'package-lock.json',
]

/** The program that `npm start` runs. */
export const SERVER = join(BUILT, 'main.js')

/** Bundles each program (name -> source file), every worker file and their packages into a few plain JavaScript files. */
async function bundle(programs, outDir) {
  const { build } = await import('vite')
  const workers = ['server', 'demo']
    .flatMap(filesUnder)
    .filter((file) => file.endsWith('-worker.ts') && !file.startsWith('server/jobs'))
    .map((file) => [file.replace(/\.ts$/, ''), file])
  const input = Object.fromEntries(
    [...Object.entries(programs), ...workers].map(([name, file]) => [name, join(ROOT, file)]),
  )
  await build({
    root: ROOT,
    configFile: false,
    publicDir: false,
    logLevel: 'error',
    define: { BUILT_SERVER: JSON.stringify(`${pathToFileURL(outDir).href}/`) },
    // What is beside a source file (pages, worker threads) is still found there.
    plugins: [
      {
        name: 'own-addresses',
        enforce: 'pre',
        transform: (code, id) =>
          code.includes('import.meta.url')
            ? code.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(id).href))
            : null,
      },
    ],
    // Packages too, but those with files beside their code: finding and reading thousands of modules takes half a second.
    ssr: { noExternal: true, external: ['chdb', '@electric-sql/pglite', 'pdfmake'] },
    build: {
      ssr: true,
      target: 'node20',
      minify: false,
      outDir,
      emptyOutDir: true,
      rolldownOptions: { input },
    },
  })
}

/**
 * Puts the sources of programs into few plain JavaScript files, unless they were made of these very sources. Read one by one through
 * the loader of TypeScript, the server's thousand files take six seconds of a start.
 */
export async function buildPrograms(what, programs, outDir, moreSources = []) {
  const hash = createHash('sha256').update(ROOT)
  for (const file of [...SOURCES, ...moreSources].flatMap(filesUnder))
    hash
      .update(`${file}\0`)
      .update(readFileSync(join(ROOT, file)))
      .update('\0')
  const sources = hash.digest('hex')
  const mark = join(outDir, '.sources')
  if (existsSync(mark) && readFileSync(mark, 'utf8') === sources) return

  say(`building ${what}`)
  const begin = performance.now()
  await bundle(programs, outDir)
  writeFileSync(mark, sources)
  say(`${what} built in ${secondsSince(begin)}`)
}

/** Builds the program that `npm start` runs. */
export const buildServer = () => buildPrograms('the server', { main: 'server/main.ts' }, BUILT)
