import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { createFolder } from '../../test/engines/open-stores.ts'
import { openEmbeddedEngine, setParameters } from './embedded-engine.ts'
import { defaultLimits as limits, FactError } from './engine.ts'

const encodeTsv = (lines: readonly string[]): Uint8Array =>
  Buffer.from(lines.map((line) => `${line}\n`).join(''))

test('setParameters quotes values', () => {
  expect(setParameters({ p0: "it's", p1: ["a'b", '\\'], p2: 7, p3: null })).toBe(
    String.raw`set param_p0 = 'it\'s', param_p1 = '[\'a\\\'b\',\'\\\\\']', param_p2 = '7', param_p3 = '\\N'`,
  )
})

test('setParameters escapes tabs, newlines and backslashes', () => {
  expect(setParameters({ p0: '\t\n\\' })).toBe(String.raw`set param_p0 = '\\t\\n\\\\'`)
})

test('The embedded engine leaves no files of inserts, failed inserts or a killed process', async () => {
  const { folder, remove } = createFolder()
  const facts = path.join(folder, `it's facts`)
  fs.mkdirSync(`${facts}-incoming`, { recursive: true })
  fs.writeFileSync(path.join(`${facts}-incoming`, '7.tsv'), '1')
  const separateEngine = openEmbeddedEngine(facts)
  try {
    expect(fs.readdirSync(`${facts}-incoming`)).toEqual([])
    await separateEngine.command('create table large (n UInt32) engine = MergeTree order by n', {}, limits)
    const numbers = Array.from({ length: 200_000 }, (_, n) => String(n))
    await separateEngine.insert('large', ['n'], encodeTsv(numbers))
    await expect(separateEngine.insert('large', ['n'], encodeTsv([...numbers, 'odd']))).rejects.toThrow(
      FactError,
    )
    expect(await separateEngine.rows('select count() as n from large', {}, limits)).toEqual([{ n: '200000' }])
    expect(fs.readdirSync(`${facts}-incoming`)).toEqual([])
  } finally {
    await separateEngine.close()
    remove()
  }
})
