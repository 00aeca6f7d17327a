// Checks every file against the rules of ARCHITECTURE.md. The rules themselves are tested in architecture/.
import { expect, test } from 'vitest'
import { readRepository } from './architecture/read-repository.ts'
import { printBreach } from './architecture/rule.ts'
import { rules } from './architecture/rules.ts'

const files = readRepository()

test('reads the repository', () => {
  expect(files.map((file) => file.path)).toEqual(
    expect.arrayContaining(['package.json', 'test/architecture.test.ts', '.npmrc']),
  )
})

test.each(rules.map((rule) => [`${rule.number}: ${rule.text}`, rule] as const))('rule %s', (_title, rule) => {
  expect(rule.check(files).map((breach) => printBreach(rule, breach))).toEqual([])
})
