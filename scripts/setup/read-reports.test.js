import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { readPartTests, readPlaywrightTests, slowestFiles, readVitestTests } from './read-reports.js'

const folder = mkdtempSync(join(tmpdir(), 'publicway-reports-'))
afterAll(() => rmSync(folder, { recursive: true }))

describe('vitest', () => {
  test('returns all tests with their outcomes', () => {
    const tests = [
      { fullName: 'adds', status: 'passed', duration: 1500 },
      { fullName: 'waits', status: 'pending' },
      { fullName: 'breaks', status: 'failed', failureMessages: ['\u001b[31mexpected 1\u001b[39m', 'later'] },
    ]
    expect(
      readVitestTests({ testResults: [{ name: 'a.test.ts', status: 'failed', assertionResults: tests }] }),
    ).toEqual([
      { name: 'a.test.ts > adds', outcome: 'passed', file: 'a.test.ts', ms: 1500 },
      { name: 'a.test.ts > waits', outcome: 'skipped', file: 'a.test.ts', ms: 0 },
      { name: 'a.test.ts > breaks', outcome: 'failed', file: 'a.test.ts', ms: 0, message: 'expected 1' },
    ])
  })

  test('counts a file that cannot be loaded as a failed test', () => {
    const report = {
      testResults: [
        { name: 'a.test.ts', status: 'failed', message: 'no such file\n'.repeat(20), assertionResults: [] },
      ],
    }
    expect(readVitestTests(report)).toEqual([
      { name: 'a.test.ts', outcome: 'failed', message: Array(12).fill('no such file').join('\n') },
    ])
  })
})

test('playwright: suites within suites, and errors outside of tests', () => {
  const spec = (title, status) => ({
    title,
    file: 'map.spec.ts',
    line: 3,
    tests: [
      {
        status,
        results: [{ duration: 30 }, status === 'unexpected' ? { error: { message: 'not there' } } : {}],
      },
    ],
  })
  const report = {
    errors: [{ message: 'the server did not start' }],
    suites: [
      {
        specs: [spec('opens', 'expected')],
        suites: [{ specs: [spec('zooms', 'unexpected'), spec('pans', 'flaky')] }],
      },
    ],
  }
  expect(readPlaywrightTests(report)).toEqual([
    { name: 'map.spec.ts:3 > opens', outcome: 'passed', file: 'map.spec.ts', ms: 30 },
    { name: 'map.spec.ts:3 > zooms', outcome: 'failed', file: 'map.spec.ts', ms: 30, message: 'not there' },
    { name: 'map.spec.ts:3 > pans', outcome: 'passed', flaky: true, file: 'map.spec.ts', ms: 30 },
    { name: 'playwright error 0', outcome: 'failed', message: 'the server did not start' },
  ])
})

describe('a part', () => {
  const good = join(folder, 'good.json')
  writeFileSync(good, '[{ "name": "a", "outcome": "passed" }]')
  const asIs = (report) => report

  test('has the tests of its report', () => {
    expect(readPartTests('unit', 0, good, asIs)).toEqual([{ name: 'a', outcome: 'passed' }])
  })

  test('counts as failed if it ends with an error code that its report does not explain', () => {
    expect(readPartTests('unit', 1, good, asIs)).toContainEqual({
      name: 'unit (ended with code 1)',
      outcome: 'failed',
    })
    expect(readPartTests('unit', 1, join(folder, 'none.json'), asIs)).toHaveLength(1)
  })

  test('counts as failed if it ran nothing', () => {
    expect(readPartTests('unit', 0, join(folder, 'none.json'), asIs)).toEqual([
      { name: 'unit (ran nothing)', outcome: 'failed' },
    ])
  })
})

test('lists the slowest files first, with the sum of their tests', () => {
  const ran = (file, ms) => ({ name: 'x', outcome: 'passed', file, ms })
  const tests = [ran('a.ts', 400), ran('b.ts', 900), ran('a.ts', 800), ran('c.ts', 10), { name: 'types' }]
  expect(slowestFiles(tests, 2)).toEqual(['    1.2 s  a.ts', '    0.9 s  b.ts'])
})
