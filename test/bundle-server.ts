import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'vite'

const root = path.join(path.dirname(fileURLToPath(import.meta.url)), '..')
/** Within the packages' folder, so that they are found from there. */
const outDir = path.join(root, 'node_modules/.cache/test-server')

/** Programs that tests start as processes of their own. */
const programs = { main: 'server/main.ts', pull: 'test/feeds/pull-process.ts' } as const

/** Puts each program's sources into one plain JavaScript file: read one by one through the loader of TypeScript they take a process three times as long to start. Answers the folder. */
export async function bundleServer(): Promise<string> {
  await build({
    root, configFile: false, publicDir: false, logLevel: 'error',
    // What lies beside a source file (pages, worker threads) is still found there.
    plugins: [{ name: 'own-addresses', enforce: 'pre', transform: (code, id) => (code.includes('import.meta.url') ? code.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(id).href)) : null) }],
    build: { ssr: true, target: 'node20', minify: false, outDir, emptyOutDir: true, rolldownOptions: { input: Object.fromEntries(Object.entries(programs).map(([name, file]) => [name, path.join(root, file)])) } },
  })
  return outDir
}
