import { resolve } from 'node:path'
import { expect, it } from 'vitest'
import { createChunkNamer, webChunks } from './web-chunks.ts'

const root = '/app'
const webFile = (name) => resolve(root, `web/${name}`)
const engine = '/app/node_modules/maplibre-gl/dist/maplibre-gl.mjs'
const screens = ['live', 'trips', 'routes', 'users', 'roles', 'files'].map((name) => webFile(`${name}.tsx`))
/** File -> its static imports and its dynamic imports. */
const imports = {
  [webFile('screens.tsx')]: [[], screens],
  [webFile('identity/login-screen.tsx')]: [[webFile('kit/field.tsx')], []],
  [webFile('users/onboarding-screen.tsx')]: [[webFile('kit/field.tsx'), webFile('kit/notice.tsx')], []],
  [webFile('shell/shell.tsx')]: [
    [webFile('kit/field.tsx'), webFile('kit/notice.tsx'), webFile('shell/shelf.tsx')],
    [],
  ],
  [webFile('shell/shelf.tsx')]: [[webFile('shell/shell.tsx'), webFile('kit/menu.tsx')], []],
  [webFile('live.tsx')]: [[webFile('map.ts'), webFile('kit/table.tsx'), webFile('kit/menu.tsx')], []],
  [webFile('trips.tsx')]: [[webFile('map.ts'), webFile('kit/table.tsx')], []],
  [webFile('routes.tsx')]: [[webFile('map.ts'), webFile('kit/table.tsx'), webFile('volumes.ts')], []],
  [webFile('users.tsx')]: [[webFile('kit/table.tsx'), webFile('people.ts')], []],
  [webFile('roles.tsx')]: [[webFile('people.ts')], []],
  [webFile('map.ts')]: [[engine, webFile('bridge.ts')], []],
}
const nameChunk = createChunkNamer(root, (id) =>
  imports[id] ? { importedIds: imports[id][0], dynamicallyImportedIds: imports[id][1] } : null,
)

it.each([
  ['kit/field.tsx', 'sign-in', 'the sign-in page and the frame need it'],
  ['kit/notice.tsx', 'linked', 'a page that a mail links to and the frame need it'],
  ['shell/shelf.tsx', 'frame', 'the frame needs it'],
  ['kit/menu.tsx', 'frame', 'the frame needs it indirectly, and a screen needs it'],
  ['kit/table.tsx', 'common', 'maps and other screens need it'],
  ['map.ts', 'maps', 'only three maps need it'],
  ['bridge.ts', 'maps', 'only three maps need it, indirectly'],
  ['people.ts', null, 'only two screens need it'],
  ['volumes.ts', null, 'only one screen needs it'],
  ['nobody.ts', null, 'nothing imports it statically'],
])('puts %s into the chunk %s: %s', (name, chunk) => expect(nameChunk(webFile(name))).toBe(chunk))

it('leaves the map engine in a file of its own', () => expect(nameChunk(engine)).toBeNull())

it('reads the module graph once, when the build knows it', () => {
  const [first, chunks] = webChunks(root)
  expect(first).toMatchObject({ name: 'first', tags: ['$initial'] })
  let lookups = 0
  const context = {
    getModuleInfo: (id) => (
      lookups++,
      imports[id] ? { importedIds: imports[id][0], dynamicallyImportedIds: imports[id][1] } : null
    ),
  }
  expect([
    chunks.name(webFile('kit/table.tsx'), context),
    chunks.name(webFile('people.ts'), context),
  ]).toEqual(['common', null])
  const before = lookups
  chunks.name(webFile('map.ts'), context)
  expect(lookups).toBe(before)
})
