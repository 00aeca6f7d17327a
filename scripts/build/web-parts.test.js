import { resolve } from 'node:path'
import { expect, it } from 'vitest'
import { newParts, webParts } from './web-parts.ts'

const root = '/app'
const own = (name) => resolve(root, `web/${name}`)
const engine = '/app/node_modules/maplibre-gl/dist/maplibre-gl.mjs'
const screens = ['live', 'trips', 'routes', 'users', 'roles', 'files'].map((name) => own(`${name}.tsx`))
const needs = {
  [own('screens.tsx')]: [[], screens],
  [own('identity/login-screen.tsx')]: [[own('kit/field.tsx')], []],
  [own('users/onboarding-screen.tsx')]: [[own('kit/field.tsx'), own('kit/notice.tsx')], []],
  [own('shell/shell.tsx')]: [[own('kit/field.tsx'), own('kit/notice.tsx'), own('shell/shelf.tsx')], []],
  [own('shell/shelf.tsx')]: [[own('shell/shell.tsx'), own('kit/menu.tsx')], []],
  [own('live.tsx')]: [[own('map.ts'), own('kit/table.tsx'), own('kit/menu.tsx')], []],
  [own('trips.tsx')]: [[own('map.ts'), own('kit/table.tsx')], []],
  [own('routes.tsx')]: [[own('map.ts'), own('kit/table.tsx'), own('volumes.ts')], []],
  [own('users.tsx')]: [[own('kit/table.tsx'), own('people.ts')], []],
  [own('roles.tsx')]: [[own('people.ts')], []],
  [own('map.ts')]: [[engine, own('bridge.ts')], []],
}
const partOf = newParts(root, (id) =>
  needs[id] ? { importedIds: needs[id][0], dynamicallyImportedIds: needs[id][1] } : null,
)

it.each([
  ['kit/field.tsx', 'sign-in', 'the sign-in page and the frame need it'],
  ['kit/notice.tsx', 'linked', 'a page that a mail leads to and the frame need it'],
  ['shell/shelf.tsx', 'frame', 'the frame needs it'],
  ['kit/menu.tsx', 'frame', 'the frame needs it by way of another, and a screen'],
  ['kit/table.tsx', 'common', 'maps and others need it'],
  ['map.ts', 'maps', 'three maps need it and nobody else'],
  ['bridge.ts', 'maps', 'they need it by way of another'],
  ['people.ts', null, 'two screens need it'],
  ['volumes.ts', null, 'one screen needs it'],
  ['nobody.ts', null, 'nobody needs it at once'],
])('%s goes with %s: %s', (name, part) => expect(partOf(own(name))).toBe(part))

it('the map engine stays a file of its own', () => expect(partOf(engine)).toBeNull())

it('the graph is asked once, when the build knows it', () => {
  const [first, parts] = webParts(root)
  expect(first).toMatchObject({ name: 'first', tags: ['$initial'] })
  let asked = 0
  const context = {
    getModuleInfo: (id) => (
      asked++,
      needs[id] ? { importedIds: needs[id][0], dynamicallyImportedIds: needs[id][1] } : null
    ),
  }
  expect([parts.name(own('kit/table.tsx'), context), parts.name(own('people.ts'), context)]).toEqual([
    'common',
    null,
  ])
  const before = asked
  parts.name(own('map.ts'), context)
  expect(asked).toBe(before)
})
