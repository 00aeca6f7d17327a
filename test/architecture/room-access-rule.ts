import { foundation, top } from './rooms.ts'
import { importRule } from './rule.ts'
import { getTopFolder, getRoom } from './source-file.ts'

/** What a room shows to the others: its files and those of its folders, but its routes, its jobs and its queries. */
const publicFiles = /^server\/[^/]+\/(?!(?:.+\/)?queries\/)(?:.+\/)?(?!routes\.ts$)[^/]+(?<!-job\.ts)$/

export const roomAccessRule = importRule(
  '3',
  "across rooms: use cases, rules/, measures.ts, scope.ts; never another room's routes.ts or queries/",
  (file, target) => {
    if (target === undefined || getTopFolder(file.path) !== 'server' || getTopFolder(target) !== 'server')
      return undefined
    const [from, to] = [getRoom(file.path), getRoom(target)]
    if (from === to) return undefined
    // The app mounts every room's routes, the schedule lists every room's jobs.
    if (top.includes(from) || foundation.includes(to) || top.includes(to)) return undefined
    return publicFiles.test(target) ? undefined : `${from} imports ${target}`
  },
)
