import { webRooms } from './rooms.ts'
import { importRule, type Rule } from './rule.ts'
import { isTest, getTopFolder, getRoom } from './source-file.ts'

/** Files of the contract about units, periods, money and file formats, which have no domain words. */
const plainContract = ['period', 'money', 'place', 'units', 'problem', 'csv']

const order = importRule(
  '4',
  'web, downward only: i18n -> kit -> charts -> map -> data -> shell -> filters -> map-page -> rooms in their order -> screens -> main; kit and charts know no domain word',
  (file, target) => {
    if (target === undefined || getTopFolder(file.path) !== 'web') return undefined
    const room = getRoom(file.path)
    if (getTopFolder(target) === 'contract') {
      const isPlain = !['kit', 'charts'].includes(room) || plainContract.includes(getRoom(target))
      return isPlain ? undefined : `${room} imports ${target}`
    }
    if (getTopFolder(target) !== 'web') return undefined
    const isUpward = webRooms.indexOf(getRoom(target)) > webRooms.indexOf(room)
    return isUpward && !isTest(file.path) ? `${room} imports ${target}` : undefined
  },
)

export const webOrderRule: Rule = {
  ...order,
  check: (files) => [
    ...files
      .filter(
        (file) =>
          getTopFolder(file.path) === 'web' && /\.tsx?$/.test(file.path) && !file.path.endsWith('.d.ts'),
      )
      .filter((file) => !webRooms.includes(getRoom(file.path)))
      .map((file) => ({ path: file.path, line: 1, text: `there is no room ${getRoom(file.path)}` })),
    ...order.check(files),
  ],
}
