import fs from 'node:fs'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Report } from './table.ts'

interface Chunk {
  file: string
  imports?: string[]
  isEntry?: boolean
}

const root = new URL('../dist/web/', import.meta.url).pathname

const screens = {
  'the sign-in page': 'login-screen.tsx',
  'the maps by shape': 'mode-screen.tsx',
  'the live map': 'live-map-screen.tsx',
  geographies: 'geographies-screen.tsx',
  'trip files': 'trip-files-screen.tsx',
}

/** Collects the files of the chunks `keys` and of all chunks that they import. */
function collectFiles(manifest: Readonly<Record<string, Chunk>>, keys: readonly string[]): Set<string> {
  const files = new Set<string>()
  const visit = (key: string): void => {
    const chunk = manifest[key]
    if (!chunk || files.has(chunk.file)) return
    files.add(chunk.file)
    chunk.imports?.forEach(visit)
  }
  keys.forEach(visit)
  return files
}

/** Reports the size of the gzipped JavaScript of the first pages, from the manifest of the built web app. */
export function benchPages(report: Report): Promise<void> {
  const file = path.join(root, '.vite', 'manifest.json')
  if (!fs.existsSync(file)) {
    report.log('The web app is not built: no sizes of pages')
    return Promise.resolve()
  }
  const manifest = JSON.parse(fs.readFileSync(file, 'utf8')) as Record<string, Chunk>
  const keys = Object.keys(manifest)
  const entries = keys.filter((key) => manifest[key]?.isEntry)
  for (const [name, screen] of Object.entries(screens)) {
    const scripts = [...collectFiles(manifest, [...entries, ...keys.filter((key) => key.endsWith(screen))])]
      .filter((file) => file.endsWith('.js'))
      .map((file) => gzipSync(fs.readFileSync(path.join(root, file))).length)
    report.add(`JavaScript of ${name}, gzipped`, 'kB', [scripts.reduce((sum, size) => sum + size, 0) / 1024])
  }
  return Promise.resolve()
}
