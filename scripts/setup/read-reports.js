// Reads the JSON reports of vitest and Playwright into one list: [{ name, outcome: 'passed' | 'failed' |
// 'skipped', file, ms, message? }, ...].
import { existsSync, readFileSync } from 'node:fs'
import { relative, resolve } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { ROOT } from './children.js'

/** Returns the first lines of an error message, without terminal colors, as a field of a test. */
const toMessageField = (message) =>
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

export function readVitestTests(report) {
  return report.testResults.flatMap((file) => {
    const tests = file.assertionResults.map((test) => ({
      name: `${file.name} > ${test.fullName}`,
      outcome: VITEST[test.status] ?? 'failed',
      file: file.name,
      ms: test.duration ?? 0,
      ...toMessageField(test.failureMessages?.[0]),
    }))
    // A file that cannot be loaded has no tests, so it counts as one failed test itself.
    const isBroken = file.status === 'failed' && !tests.some((test) => test.outcome === 'failed')
    return isBroken
      ? [...tests, { name: file.name, outcome: 'failed', ...toMessageField(file.message) }]
      : tests
  })
}

export function readPlaywrightTests(report) {
  const errors = (report.errors ?? []).map((error, index) => ({
    name: `playwright error ${index}`,
    outcome: 'failed',
    ...toMessageField(error.message),
  }))
  return [...report.suites.flatMap(readSuiteTests), ...errors]
}

function readSuiteTests(suite) {
  const tests = (suite.specs ?? []).flatMap((spec) =>
    spec.tests.map((test) => ({
      name: `${spec.file}:${spec.line} > ${spec.title}`,
      outcome: PLAYWRIGHT[test.status] ?? 'failed',
      file: spec.file,
      ms: test.results?.reduce((sum, { duration = 0 }) => sum + duration, 0) ?? 0,
      ...(test.status === 'flaky' ? { flaky: true } : {}),
      ...toMessageField(test.results?.find((result) => result.error)?.error?.message),
    })),
  )
  return [...tests, ...(suite.suites ?? []).flatMap(readSuiteTests)]
}

/** Formats lines with the slowest test files and their seconds, slowest first. */
export function slowestFiles(tests, count = 10) {
  const byFile = new Map()
  for (const { file, ms = 0 } of tests) if (file) byFile.set(file, (byFile.get(file) ?? 0) + ms)
  return [...byFile]
    .sort(([, a], [, b]) => b - a)
    .slice(0, count)
    .map(([file, ms]) => `${(ms / 1000).toFixed(1).padStart(7)} s  ${relative(ROOT, resolve(ROOT, file))}`)
}

/**
 * Reads the tests of one part from its report. A part that ended with an error code or ran nothing has at
 * least one failed test, because its report may be missing or may not contain an error outside the tests.
 */
export function readPartTests(name, code, file, read) {
  const tests = file && existsSync(file) ? read(JSON.parse(readFileSync(file, 'utf8'))) : []
  const failed = tests.some((test) => test.outcome === 'failed')
  if (code !== 0 && !failed)
    return [...tests, { name: `${name} (ended with code ${code})`, outcome: 'failed' }]
  if (tests.length === 0) return [{ name: `${name} (ran nothing)`, outcome: 'failed' }]
  return tests
}
