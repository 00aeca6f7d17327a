import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { completeLockfile, findMissingOptionalPackages } from './complete-lockfile.js'

const lock = {
  lockfileVersion: 3,
  packages: {
    '': { name: 'city' },
    'node_modules/engine': {
      version: '2.0.0',
      resolved: 'https://packages.example/engine.tgz',
      optionalDependencies: {
        '@engine/linux-x64-gnu': '2.0.0',
        '@engine/darwin-arm64': '^2.0.0',
        '@engine/wasm32-wasi': '2.0.0',
      },
    },
    'node_modules/engine/node_modules/@engine/linux-x64-gnu': { version: '2.0.0', optional: true },
  },
}

test('finds optional packages without an entry in the folders in which Node looks', () => {
  expect(findMissingOptionalPackages(lock)).toEqual([
    ['@engine/darwin-arm64', '^2.0.0'],
    ['@engine/wasm32-wasi', '2.0.0'],
  ])
})

test('accepts an entry in a folder above the package', () => {
  const nested = {
    packages: {
      'node_modules/a/node_modules/b': { optionalDependencies: { c: '1.0.0', d: '1.0.0' } },
      'node_modules/a/node_modules/c': {},
      'node_modules/d': {},
    },
  }
  expect(findMissingOptionalPackages(nested)).toEqual([])
})

test('adds missing packages with their platform, sorted, and removes all addresses', () => {
  const { packages } = completeLockfile(lock)
  expect(packages['node_modules/@engine/darwin-arm64']).toEqual({
    version: '2.0.0',
    optional: true,
    os: ['darwin'],
    cpu: ['arm64'],
  })
  expect(packages['node_modules/@engine/wasm32-wasi']).toEqual({
    version: '2.0.0',
    optional: true,
    cpu: ['wasm32'],
  })
  expect(packages['node_modules/engine']).not.toHaveProperty('resolved')
  expect(Object.keys(packages)).toEqual(Object.keys(packages).toSorted())
  expect(findMissingOptionalPackages({ packages })).toEqual([])
})

test('adds the C library if the name contains it', () => {
  const linux = {
    packages: { 'node_modules/e': { optionalDependencies: { 'e-linux-arm64-musl': '1.0.0' } } },
  }
  expect(completeLockfile(linux).packages['node_modules/e-linux-arm64-musl']).toMatchObject({
    os: ['linux'],
    libc: ['musl'],
  })
})

test('throws for a package whose name does not contain a platform', () => {
  const odd = { packages: { 'node_modules/e': { optionalDependencies: { fast: '1.0.0' } } } }
  expect(() => completeLockfile(odd)).toThrow('fast: its name does not contain the platform')
})

describe("this repository's lock file", () => {
  const text = readFileSync(new URL('../../package-lock.json', import.meta.url), 'utf8')
  const own = JSON.parse(text)

  test('contains the optional packages of all platforms (fix: node scripts/setup/complete-lockfile.js)', () => {
    expect(findMissingOptionalPackages(own)).toEqual([])
  })

  test.each([
    [
      'chdb',
      [
        '@chdb/lib-linux-x64-gnu',
        '@chdb/lib-linux-arm64-gnu',
        '@chdb/lib-darwin-arm64',
        '@chdb/lib-darwin-x64',
      ],
    ],
    [
      'oxlint',
      ['@oxlint/binding-linux-x64-gnu', '@oxlint/binding-linux-arm64-gnu', '@oxlint/binding-darwin-arm64'],
    ],
    [
      'rolldown',
      [
        '@rolldown/binding-linux-x64-gnu',
        '@rolldown/binding-linux-arm64-gnu',
        '@rolldown/binding-darwin-arm64',
      ],
    ],
    ['esbuild', ['@esbuild/linux-x64', '@esbuild/linux-arm64', '@esbuild/darwin-arm64']],
    [
      'typescript',
      [
        '@typescript/typescript-linux-x64',
        '@typescript/typescript-linux-arm64',
        '@typescript/typescript-darwin-arm64',
      ],
    ],
  ])('holds %s for Linux and macOS', (_name, packages) => {
    expect(packages.filter((name) => !own.packages[`node_modules/${name}`]?.optional)).toEqual([])
  })

  test('contains no address of a registry', () => {
    expect(text).not.toContain('"resolved"')
  })
})
