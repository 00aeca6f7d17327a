import { resolve } from 'node:path'
import type { Rolldown } from 'vite'

/** What the build knows of a module. */
type Info = (
  id: string,
) => { importedIds: readonly string[]; dynamicallyImportedIds: readonly string[] } | null

const LOGIN = ['identity/login-screen']
/** Pages that links in mails lead to: as light as the sign-in page. */
const LINKED = ['users/onboarding-screen', 'identity/new-password-screen']
/** What every page needs once somebody is signed in. */
const FRAME = [
  'shell/shell',
  'shell/region-gate',
  'shell/index-screens',
  'shell/screen-frame',
  'identity/identity-gate',
]
const MAP_ENGINES = /[\\/](maplibre-gl|@deck\.gl|@luma\.gl|@math\.gl|terra-draw)[\\/]/

/** A module and all that it needs at once. */
function closureOf(id: string, info: Info): Set<string> {
  const seen = new Set([id])
  for (const each of seen) for (const next of info(each)?.importedIds ?? []) seen.add(next)
  return seen
}

const count = (all: readonly Set<string>[], id: string): number => all.filter((each) => each.has(id)).length

/**
 * Tells of a module with which part of the app it is loaded; null: as the build finds best. The sign-in
 * page has what it needs and no more; nobody without a map loads the map engine.
 */
export function newParts(root: string, info: Info): (id: string) => string | null {
  const screen = (name: string): string => resolve(root, `web/${name}.tsx`)
  const union = (names: readonly string[]): Set<string> =>
    new Set(names.flatMap((name) => [...closureOf(screen(name), info)]))
  const [inLogin, inLinked, inFrame] = [union(LOGIN), union(LINKED), union(FRAME)]
  const screens = (info(resolve(root, 'web/screens.tsx'))?.dynamicallyImportedIds ?? []).map((id) =>
    closureOf(id, info),
  )
  const isMap = (of: Set<string>): boolean => [...of].some((id) => MAP_ENGINES.test(id))
  const [maps, others] = [screens.filter(isMap), screens.filter((each) => !isMap(each))]
  return (id) => {
    if (inLogin.has(id)) return 'sign-in'
    if (inLinked.has(id)) return 'linked'
    if (inFrame.has(id)) return 'frame'
    if (MAP_ENGINES.test(id)) return null
    const [ofMaps, ofOthers] = [count(maps, id), count(others, id)]
    if (ofOthers > 0) return ofOthers + ofMaps > 3 ? 'common' : null
    return ofMaps > 2 ? 'maps' : null
  }
}

/** Groups for rolldown's `codeSplitting`. Left to itself the build makes a hundred small files of what screens share, which come one after another. */
export function webParts(root: string): Rolldown.CodeSplittingGroup[] {
  let partOf: ReturnType<typeof newParts> | null = null
  return [
    { name: 'first', tags: ['$initial'], priority: 1 },
    {
      debugName: 'parts',
      name: (id, context) => (partOf ??= newParts(root, (each) => context.getModuleInfo(each)))(id),
      includeDependenciesRecursively: false,
    },
  ]
}
