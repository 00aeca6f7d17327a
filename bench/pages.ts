import fs from 'node:fs'
import path from 'node:path'
import { gzipSync } from 'node:zlib'

interface Chunk {
  file: string
  imports?: string[]
  isEntry?: boolean
}

const root = path.join(
  import.meta.dirname ?? path.dirname(new URL(import.meta.url).pathname),
  '..',
  'dist',
  'web',
)

function filesFrom(manifest: Record<string, Chunk>, keys: readonly string[]): Set<string> {
  const files = new Set<string>()
  const visit = (key: string): void => {
    const chunk = manifest[key]
    if (!chunk || files.has(chunk.file)) return
    files.add(chunk.file)
    for (const next of chunk.imports ?? []) visit(next)
  }
  for (const key of keys) visit(key)
  return files
}

/** JavaScript of the first pages, gzipped kB, out of the build's manifest; null where nothing is built. */
export async function benchPages() {
  const file = path.join(root, '.vite', 'manifest.json')
  if (!fs.existsSync(file)) return null
  const manifest = JSON.parse(fs.readFileSync(file, 'utf8')) as Record<string, Chunk>
  const entries = Object.keys(manifest).filter((key) => manifest[key]?.isEntry)
  const size = (screen: string): number => {
    const keys = Object.keys(manifest).filter((key) => key.endsWith(screen))
    const files = [...filesFrom(manifest, [...entries, ...keys])].filter((name) => name.endsWith('.js'))
    return (
      Math.round(
        files.reduce((sum, name) => sum + gzipSync(fs.readFileSync(path.join(root, name))).length, 0) / 102.4,
      ) / 10
    )
  }
  return {
    login_js_kb: size('login-screen.tsx'),
    shape_map_js_kb: size('mode-screen.tsx'),
    live_map_js_kb: size('live-map-screen.tsx'),
    geographies_js_kb: size('geographies-screen.tsx'),
    trip_files_js_kb: size('trip-files-screen.tsx'),
  }
}
