import { foundation, top } from './rooms.ts'
import { importRule } from './rule.ts'
import { getTopFolder, getRoom } from './source-file.ts'

/** The files of a room that other rooms may import: all except routes, jobs and queries. */
const publicFiles = /^server\/[^/]+\/(?!(?:.+\/)?queries\/)(?:.+\/)?(?!routes\.ts$)[^/]+(?<!-job\.ts)$/

export const roomAccessRule = importRule(
  '3',
  "across rooms: use cases, rules/, measures.ts, scope.ts; never another room's routes.ts or queries/",
  (file, target) => {
    if (target === undefined || getTopFolder(file.path) !== 'server' || getTopFolder(target) !== 'server')
      return undefined
    const [from, to] = [getRoom(file.path), getRoom(target)]
    if (from === to) return undefined
    // The app mounts the routes of all rooms, and the schedule lists the jobs of all rooms.
    if (top.includes(from) || foundation.includes(to) || top.includes(to)) return undefined
    return publicFiles.test(target) ? undefined : `${from} imports ${target}`
  },
)
