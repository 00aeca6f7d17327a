import { join } from 'node:path'
import { expect, it } from 'vitest'
import { directImports, importDirectly, readIndex } from './direct-imports.ts'

const index = readIndex(
  `import { a, b as c } from "./parts/ab.mjs";\nimport { own } from "elsewhere";\nexport { default as IconA } from './icons/a.mjs';\nexport { a, c };`,
  '/lib',
)

it('reads from an index file where each name is defined', () => {
  expect([...index]).toEqual([
    ['a', { name: 'a', file: '/lib/parts/ab.mjs' }],
    ['c', { name: 'b', file: '/lib/parts/ab.mjs' }],
    ['IconA', { name: 'default', file: '/lib/icons/a.mjs' }],
  ])
})

it('imports names from their files under the names that the importer chose, without types and other libraries', () => {
  const code = `import { a, type T, c as own } from 'lib'\nimport {\n  IconA,\n} from 'lib'\nimport { a } from 'other'\nimport type { T } from 'lib'\n`
  expect(importDirectly(code, new Map([['lib', index]]))).toBe(
    `import { a as a } from '/lib/parts/ab.mjs'; import { b as own } from '/lib/parts/ab.mjs'\nimport { default as IconA } from '/lib/icons/a.mjs'\nimport { a } from 'other'\nimport type { T } from 'lib'\n`,
  )
})

it('throws for a name that the library does not export', () => {
  expect(() => importDirectly(`import { gone } from 'lib'`, new Map([['lib', index]]))).toThrow(
    'lib has no gone in its index file',
  )
})

it('replaces the imports of the libraries that the app uses, in its own files only', () => {
  const plugin = directImports({
    '@mantine/core': 'esm/index.mjs',
    '@tabler/icons-react': 'dist/esm/tabler-icons-react.mjs',
  })
  plugin.configResolved({ root: process.cwd() })
  const code = `import { Button } from '@mantine/core'\nimport { IconMap } from '@tabler/icons-react'`
  expect(plugin.transform(code, join(process.cwd(), 'web/kit/x.tsx'))).toMatch(
    /import \{ Button as Button \} from '\S+\/Button\.mjs'\nimport \{ default as IconMap \} from '\S+\/IconMap\.mjs'/,
  )
  expect(plugin.transform(code, join(process.cwd(), 'node_modules/x/index.js'))).toBeNull()
})
