import { readFileSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Plugin } from 'vite'

type Index = ReadonlyMap<string, { name: string; file: string }>

/** What an index file of a library hands on: name -> the file that has it, and its name there. */
export function readIndex(text: string, folder: string): Index {
  const found = new Map<string, { name: string; file: string }>()
  for (const [, names = '', from = ''] of text.matchAll(
    /(?:import|export) \{([^}]*)\} from ["'](\.[^"']+)["']/g,
  ))
    for (const each of names.split(',')) {
      const [name = '', as = name] = each.trim().split(' as ')
      found.set(as, { name, file: join(folder, from) })
    }
  return found
}

/** A file's imports from libraries (library -> its index) as imports of the files that they lead to. Types are gone after the build anyway. */
export function importDirectly(code: string, indexes: ReadonlyMap<string, Index>): string {
  return code.replaceAll(/import \{([^}]*)\} from '([^']+)'/g, (whole, names: string, library: string) => {
    const index = indexes.get(library)
    if (!index) return whole
    return names
      .split(',')
      .map((each) => each.trim())
      .filter((each) => each !== '' && !each.startsWith('type '))
      .map((each) => {
        const [name = '', as = name] = each.split(' as ')
        const found = index.get(name)
        if (!found) throw new Error(`${library} has no ${name} in its index file`)
        return `import { ${found.name} as ${as} } from '${found.file}'`
      })
      .join('; ')
  })
}

/** Vite plugin: has the web app's files import each part of a library from where it is. By way of one index file everybody would seem to need all of it. `libraries`: name -> its index file. */
export function directImports(libraries: Readonly<Record<string, string>>): Plugin {
  let indexes: ReadonlyMap<string, Index> = new Map()
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
