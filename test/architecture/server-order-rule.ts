import { serverRooms } from './rooms.ts'
import { importRule, type Rule } from './rule.ts'
import { topFolderOf, roomOf } from './source-file.ts'

const text = 'a room of the server imports earlier rooms only'

const order = importRule('2', text, (file, target) => {
  if (target === undefined || topFolderOf(file.path) !== 'server' || topFolderOf(target) !== 'server')
    return undefined
  const from = serverRooms.indexOf(roomOf(file.path))
  const to = serverRooms.indexOf(roomOf(target))
  return from !== -1 && to > from ? `${roomOf(file.path)} imports ${target}` : undefined
})

/** A room nobody knows has no place in the order. */
export const serverOrderRule: Rule = {
  ...order,
  check: (files) => [
    ...files
      .filter(
        (file) =>
          topFolderOf(file.path) === 'server' &&
          !serverRooms.includes(roomOf(file.path)) &&
          !file.path.endsWith('.d.ts'),
      )
      .map((file) => ({ path: file.path, line: 1, text: `there is no room ${roomOf(file.path)}` })),
    ...order.check(files),
  ],
}
