import { expect, test } from 'vitest'
import { readLines } from './read-lines.ts'

async function* parts(...texts: string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield Buffer.from(text, 'latin1')
}
const all = async (lines: AsyncGenerator<string>): Promise<string[]> => {
  const texts: string[] = []
  for await (const line of lines) texts.push(line)
  return texts
}
const wide = { maxBytes: 1000, maxLineBytes: 100 }

test('readLines finds lines at any chunk boundaries, without empty ones', async () => {
  expect(await all(readLines(parts('one\ntw', 'o\n\n', '  \nth', 'r', 'ee'), wide))).toEqual([
    'one',
    'two',
    'three',
  ])
  expect(await all(readLines(parts(), wide))).toEqual([])
})

test('readLines does not split a character between two chunks', async () => {
  const bytes = Buffer.from('Straße\n').toString('latin1')
  expect(await all(readLines(parts(bytes.slice(0, 5), bytes.slice(5)), wide))).toEqual(['Straße'])
})

test('readLines limits the length of lines and of the body', async () => {
  await expect(all(readLines(parts('x'.repeat(60), 'x'.repeat(60)), wide))).rejects.toMatchObject({
    part: 'line',
  })
  await expect(all(readLines(parts(`${'x'.repeat(101)}\n`), wide))).rejects.toMatchObject({ part: 'line' })
  await expect(
    all(readLines(parts(...Array.from({ length: 21 }, () => `${'x'.repeat(49)}\n`)), wide)),
  ).rejects.toMatchObject({ part: 'body' })
})
