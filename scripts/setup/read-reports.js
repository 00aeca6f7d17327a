// Reads the JSON reports of vitest and Playwright into one list: [{ name, outcome: 'passed' | 'failed' | 'skipped', file, ms, message? }, ...].
import { existsSync, readFileSync } from 'node:fs'
import { relative, resolve } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { ROOT } from './children.js'

/** The first lines of an error, without the colors of a terminal. */
const why = (message) =>
  message ? { message: stripVTControlCharacters(message).split('\n').slice(0, 12).join('\n') } : {}

const VITEST = {
  passed: 'passed',
  failed: 'failed',
  skipped: 'skipped',
  pending: 'skipped',
  todo: 'skipped',
  disabled: 'skipped',
}
const PLAYWRIGHT = { expected: 'passed', flaky: 'passed', unexpected: 'failed', skipped: 'skipped' }

export function vitestTests(report) {
  return report.testResults.flatMap((file) => {
    const tests = file.assertionResults.map((test) => ({
      name: `${file.name} > ${test.fullName}`,
      outcome: VITEST[test.status] ?? 'failed',
      file: file.name,
      ms: test.duration ?? 0,
      ...why(test.failureMessages?.[0]),
    }))
    // A file that cannot be loaded has no tests to fail.
    const broken = file.status === 'failed' && !tests.some((test) => test.outcome === 'failed')
    return broken ? [...tests, { name: file.name, outcome: 'failed', ...why(file.message) }] : tests
  })
}

export function playwrightTests(report) {
  const errors = (report.errors ?? []).map((error, at) => ({
    name: `playwright error ${at}`,
    outcome: 'failed',
    ...why(error.message),
  }))
  return [...report.suites.flatMap(suiteTests), ...errors]
}

function suiteTests(suite) {
  const own = (suite.specs ?? []).flatMap((spec) =>
    spec.tests.map((test) => ({
      name: `${spec.file}:${spec.line} > ${spec.title}`,
      outcome: PLAYWRIGHT[test.status] ?? 'failed',
      file: spec.file,
      ms: test.results?.reduce((sum, { duration = 0 }) => sum + duration, 0) ?? 0,
      ...(test.status === 'flaky' ? { flaky: true } : {}),
      ...why(test.results?.find((result) => result.error)?.error?.message),
    })),
  )
  return [...own, ...(suite.suites ?? []).flatMap(suiteTests)]
}

/** The files whose tests took longest, as lines with seconds, slowest first. */
export function slowestFiles(tests, count = 10) {
  const byFile = new Map()
  for (const { file, ms = 0 } of tests) if (file) byFile.set(file, (byFile.get(file) ?? 0) + ms)
  return [...byFile]
    .sort(([, a], [, b]) => b - a)
    .slice(0, count)
    .map(([file, ms]) => `${(ms / 1000).toFixed(1).padStart(7)} s  ${relative(ROOT, resolve(ROOT, file))}`)
}

/**
 * The tests of one part. A part that says it failed, or that ran nothing, counts as one failed test at least, whatever its report
 * says: a report may be missing, or know nothing of an error outside the tests.
 */
export function partTests(name, code, file, read) {
  const tests = file && existsSync(file) ? read(JSON.parse(readFileSync(file, 'utf8'))) : []
  const failed = tests.some((test) => test.outcome === 'failed')
  if (code !== 0 && !failed)
    return [...tests, { name: `${name} (ended with code ${code})`, outcome: 'failed' }]
  if (tests.length === 0) return [{ name: `${name} (ran nothing)`, outcome: 'failed' }]
  return tests
}
