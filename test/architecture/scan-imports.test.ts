import { expect, test } from 'vitest'
import { scanImports } from './scan-imports.ts'

test.each([
  ["import { a } from './a.ts';", './a.ts'],
  ["import a, { type B, c as d } from './a.ts';", './a.ts'],
  ["import * as all from '#web/a.ts';", '#web/a.ts'],
  ["import type { A } from './a.ts';", './a.ts'],
  ["import {\n  a,\n  b,\n} from './a.ts';", './a.ts'],
  ["import './a.css';", './a.css'],
  ['export { a } from "./a.ts";', './a.ts'],
  ["export * from './a.ts';", './a.ts'],
  ["const { a } = await import('./a.ts');", './a.ts'],
  ["type A = import('./a.ts').A;", './a.ts'],
  ["import worker from './a.ts?worker&url';", './a.ts?worker&url'],
])('finds the module in %s', (code, specifier) => {
  expect(scanImports(code).map((found) => found.specifier)).toEqual([specifier])
})

test('returns the line of each import, in order', () => {
  const code =
    "import { a } from './a.ts';\n\nexport const b = () => import('./b.ts');\nexport type { c } from './c.ts';"
  expect(scanImports(code)).toEqual([
    { specifier: './a.ts', line: 1, typeOnly: false },
    { specifier: './b.ts', line: 3, typeOnly: false },
    { specifier: './c.ts', line: 4, typeOnly: true },
  ])
})

test('does not take the module of the next import for an export without a module', () => {
  const code = "export const from = 1;\nexport function f() {}\nimport { a } from './a.ts';"
  expect(scanImports(code)).toEqual([{ specifier: './a.ts', line: 3, typeOnly: false }])
})
