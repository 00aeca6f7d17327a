import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ROOT } from './children.js'
import { listFilesUnder } from './build-web.js'
import { printProgress, secondsSince } from './print-progress.js'

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

/** Bundles programs (name -> source file), worker files and their packages into a few JavaScript files. */
async function bundle(programs, outDir) {
  const { build } = await import('vite')
  const workers = ['server', 'demo']
    .flatMap(listFilesUnder)
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
    // `import.meta.url` remains the address of the source file, so that files beside it (pages, worker threads) are
    // still found.
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
    // Bundles packages too, because finding and reading thousands of modules takes half a second; except
    // those with files beside their code.
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
 * Bundles programs (name -> source file) into a few plain JavaScript files, unless the sources have not
 * changed since the last build. Loaded one by one through the TypeScript loader, the server's thousand files
 * would add six seconds to its start. `label` names the build in messages.
 */
export async function buildPrograms(label, programs, outDir, moreSources = []) {
  const hash = createHash('sha256').update(ROOT)
  for (const file of [...SOURCES, ...moreSources].flatMap(listFilesUnder))
    hash
      .update(`${file}\0`)
      .update(readFileSync(join(ROOT, file)))
      .update('\0')
  const sources = hash.digest('hex')
  const markFile = join(outDir, '.sources')
  if (existsSync(markFile) && readFileSync(markFile, 'utf8') === sources) return

  printProgress(`building ${label}`)
  const begin = performance.now()
  await bundle(programs, outDir)
  writeFileSync(markFile, sources)
  printProgress(`${label} built in ${secondsSince(begin)}`)
}

/** Builds the program that `npm start` runs. */
export const buildServer = () => buildPrograms('the server', { main: 'server/main.ts' }, BUILT)
