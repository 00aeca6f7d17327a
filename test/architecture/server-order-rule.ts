import { serverRooms } from './rooms.ts'
import { importRule, type Rule } from './rule.ts'
import { getTopFolder, getRoom } from './source-file.ts'

const text = 'a room of the server imports earlier rooms only'

const order = importRule('2', text, (file, target) => {
  if (target === undefined || getTopFolder(file.path) !== 'server' || getTopFolder(target) !== 'server')
    return undefined
  const from = serverRooms.indexOf(getRoom(file.path))
  const to = serverRooms.indexOf(getRoom(target))
  return from !== -1 && to > from ? `${getRoom(file.path)} imports ${target}` : undefined
})

/** A room that is not listed in `serverRooms` is reported. */
export const serverOrderRule: Rule = {
  ...order,
  check: (files) => [
    ...files
      .filter(
        (file) =>
          getTopFolder(file.path) === 'server' &&
          !serverRooms.includes(getRoom(file.path)) &&
          !file.path.endsWith('.d.ts'),
      )
      .map((file) => ({ path: file.path, line: 1, text: `there is no room ${getRoom(file.path)}` })),
    ...order.check(files),
  ],
}
