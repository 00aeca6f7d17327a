import { readFileSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Plugin } from 'vite'

/** Exported name -> the file that defines it, and its name there. */
type ExportIndex = ReadonlyMap<string, { name: string; file: string }>

/** Reads the re-exports of a library's index file. */
export function readIndex(text: string, folder: string): ExportIndex {
  const index = new Map<string, { name: string; file: string }>()
  for (const [, names = '', from = ''] of text.matchAll(
    /(?:import|export) \{([^}]*)\} from ["'](\.[^"']+)["']/g,
  ))
    for (const specifier of names.split(',')) {
      const [name = '', exportedName = name] = specifier.trim().split(' as ')
      index.set(exportedName, { name, file: join(folder, from) })
    }
  return index
}

/**
 * Replaces a file's imports from libraries by imports of the files that define the names. Drops types, which
 * are erased by the build anyway.
 */
export function importDirectly(code: string, indexes: ReadonlyMap<string, ExportIndex>): string {
  return code.replaceAll(
    /import \{([^}]*)\} from '([^']+)'/g,
    (statement, names: string, library: string) => {
      const index = indexes.get(library)
      if (!index) return statement
      return names
        .split(',')
        .map((name) => name.trim())
        .filter((name) => name !== '' && !name.startsWith('type '))
        .map((specifier) => {
          const [exportedName = '', localName = exportedName] = specifier.split(' as ')
          const source = index.get(exportedName)
          if (!source) throw new Error(`${library} has no ${exportedName} in its index file`)
          return `import { ${source.name} as ${localName} } from '${source.file}'`
        })
        .join('; ')
    },
  )
}

/**
 * Creates a Vite plugin that lets the web app import each part of a library from its own file. Through the
 * library's index file, every chunk would seem to need the whole library. `libraries`: name -> path of its
 * index file.
 */
export function directImports(libraries: Readonly<Record<string, string>>): Plugin {
  let indexes: ReadonlyMap<string, ExportIndex> = new Map()
  return {
    name: 'direct-imports',
    enforce: 'pre',
    apply: 'build',
    configResolved({ root }) {
      indexes = new Map(
        Object.entries(libraries).map(([library, file]) => {
          const index = realpathSync(join(root, 'node_modules', library, file))
          return [library, readIndex(readFileSync(index, 'utf8'), dirname(index))]
        }),
      )
    },
    transform: (code, id) => (/\/web\/.*\.tsx?$/.test(id) ? importDirectly(code, indexes) : null),
  }
}
