import { resolve } from 'node:path'
import type { Rolldown } from 'vite'

/** Returns the build's information about a module. */
type GetModuleInfo = (
  id: string,
) => { importedIds: readonly string[]; dynamicallyImportedIds: readonly string[] } | null

const LOGIN = ['identity/login-screen']
/** Pages that links in emails lead to. They load as little as the sign-in page. */
const LINKED = ['users/onboarding-screen', 'identity/new-password-screen']
/** The screens around every page of a signed-in user. */
const FRAME = [
  'shell/shell',
  'shell/region-gate',
  'shell/index-screens',
  'shell/screen-frame',
  'identity/identity-gate',
]
const MAP_ENGINES = /[\\/](maplibre-gl|@deck\.gl|@luma\.gl|@math\.gl|terra-draw)[\\/]/

/** Finds a module and all its static imports, including indirect ones. */
function findStaticImports(id: string, getInfo: GetModuleInfo): Set<string> {
  const modules = new Set([id])
  // A set's iteration includes the elements that are added meanwhile.
  for (const module of modules) for (const next of getInfo(module)?.importedIds ?? []) modules.add(next)
  return modules
}

const countUses = (screens: readonly Set<string>[], id: string): number =>
  screens.filter((modules) => modules.has(id)).length

/**
 * Returns a function that names the chunk of a module; null leaves it to the build. The sign-in page loads
 * only what it needs, and only pages with a map load the map engine.
 */
export function createChunkNamer(root: string, getInfo: GetModuleInfo): (id: string) => string | null {
  const screen = (name: string): string => resolve(root, `web/${name}.tsx`)
  const union = (names: readonly string[]): Set<string> =>
    new Set(names.flatMap((name) => [...findStaticImports(screen(name), getInfo)]))
  const [inLogin, inLinked, inFrame] = [union(LOGIN), union(LINKED), union(FRAME)]
  const screens = (getInfo(resolve(root, 'web/screens.tsx'))?.dynamicallyImportedIds ?? []).map((id) =>
    findStaticImports(id, getInfo),
  )
  const isMap = (modules: Set<string>): boolean => [...modules].some((id) => MAP_ENGINES.test(id))
  const [maps, others] = [screens.filter(isMap), screens.filter((module) => !isMap(module))]
  return (id) => {
    if (inLogin.has(id)) return 'sign-in'
    if (inLinked.has(id)) return 'linked'
    if (inFrame.has(id)) return 'frame'
    if (MAP_ENGINES.test(id)) return null
    const [mapUses, otherUses] = [countUses(maps, id), countUses(others, id)]
    if (otherUses > 0) return otherUses + mapUses > 3 ? 'common' : null
    return mapUses > 2 ? 'maps' : null
  }
}

/** Groups for rolldown's `codeSplitting`. By default, shared code is split into a hundred small files. */
export function webChunks(root: string): Rolldown.CodeSplittingGroup[] {
  let chunkName: ReturnType<typeof createChunkNamer> | null = null
  return [
    { name: 'first', tags: ['$initial'], priority: 1 },
    {
      debugName: 'parts',
      name: (id, context) =>
        (chunkName ??= createChunkNamer(root, (module) => context.getModuleInfo(module)))(id),
      includeDependenciesRecursively: false,
    },
  ]
}
