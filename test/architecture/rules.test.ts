// Tests of the rules: each must report its examples of violations, and must not report the examples that are
// almost violations.
import { describe, expect, test } from 'vitest'
import { examples } from './examples.ts'
import { printBreach } from './rule.ts'
import { rules } from './rules.ts'
import { toSourceFile } from './to-source-file.ts'

const getTitle = (files: Record<string, string>) =>
  Object.entries(files)
    .map(([path, text]) => `${path}: ${text.trim().slice(0, 60)}`)
    .join(' | ')
const read = (files: Record<string, string>) =>
  Object.entries(files).map(([path, text]) => toSourceFile(path, text))

test.each(rules.map((rule) => [rule.text, rule] as const))(
  'each rule has an example of a violation: %s',
  (_text, rule) => {
    expect(examples.some((example) => example.rule === rule && example.caught.length > 0)).toBe(true)
  },
)

describe.each(examples.map((example) => [example.rule.text, example] as const))(
  '%s',
  (_text, { rule, caught, innocent }) => {
    test.each(caught.map((files) => [getTitle(files), files] as const))('reports %s', (_title, files) => {
      expect(rule.check(read(files))).not.toEqual([])
    })

    test.each(innocent.map((files) => [getTitle(files), files] as const))('accepts %s', (_title, files) => {
      expect(rule.check(read(files))).toEqual([])
    })
  },
)

test('prints a breach with its file and line, and the number and text of the rule', () => {
  const rule = rules[0]!
  const [breach] = rule.check([
    toSourceFile('contract/trip.ts', "import { z } from 'zod';\n// a comment\nimport fs from 'node:fs';\n"),
  ])
  expect(printBreach(rule, breach!)).toBe(`contract/trip.ts:3  rule 1 (${rule.text}): imports node:fs`)
})
