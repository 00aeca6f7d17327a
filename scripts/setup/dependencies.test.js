import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { findDependencyProblems, formatLicenseList, listPackages } from './dependencies.js'

const readJson = (name) => JSON.parse(readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8'))
const hash = `sha512-${'a'.repeat(86)}==`
const makeLock = (packages) => ({ packages: { '': {}, ...packages } })
const sound = { version: '1.0.0', license: 'MIT', integrity: hash }

test('the dependencies of this repository have allowed licenses, hashes and no unexpected scripts', () => {
  expect(findDependencyProblems(readJson('package-lock.json'), readJson('package.json'))).toEqual([])
})

test('the list of licenses is up to date', () => {
  const lock = readJson('package-lock.json')
  expect(readFileSync(new URL('../../docs/licenses.md', import.meta.url), 'utf8')).toBe(
    formatLicenseList(lock),
  )
})

test('reports unknown and disallowed licenses, install scripts and missing hashes', () => {
  const problems = findDependencyProblems(
    makeLock({
      'node_modules/fine': sound,
      'node_modules/none': { ...sound, license: undefined },
      'node_modules/a/node_modules/closed': { ...sound, license: 'SEE LICENSE IN LICENSE.md' },
      'node_modules/script': { ...sound, hasInstallScript: true },
      'node_modules/bare': { ...sound, integrity: undefined },
      'node_modules/weak': { ...sound, integrity: 'sha1-abc' },
    }),
    { dependencies: { fine: '1.0.0', loose: '^1.0.0' }, devDependencies: { other: 'latest' } },
  )
  expect(problems.map((problem) => problem.split(/[ :]/)[0])).toEqual([
    'none',
    'closed',
    'script',
    'bare',
    'weak',
    'loose',
    'other',
  ])
})

test('only builds for other platforms get the license of their siblings', () => {
  const optional = { version: '1.0.0', optional: true, cpu: ['arm64'] }
  const found = listPackages(
    makeLock({
      'node_modules/@x/binding-linux-x64': sound,
      'node_modules/@x/binding-darwin-arm64': optional,
      'node_modules/@y/binding-darwin-arm64': optional,
      'node_modules/@x/binding-other': { version: '1.0.0' },
    }),
  )
  expect(found.map(({ license }) => license)).toEqual(['MIT', 'MIT', null, null])
})

test('lists only packages of the server', () => {
  const text = formatLicenseList(
    makeLock({ 'node_modules/server-side': sound, 'node_modules/tester': { ...sound, dev: true } }),
  )
  expect(text).toContain('## MIT\nserver-side 1.0.0')
  expect(text).not.toContain('tester')
})
