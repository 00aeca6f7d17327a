import { expect, test } from 'vitest'
import { FactError } from './engine.ts'
import { parseJsonRows } from './json-rows.ts'

const row = (n: number): string =>
  `\t\t{\n\t\t\t"n": ${n},\n\t\t\t"text": ${JSON.stringify(`a },\n\t\t{\n ${'x'.repeat(100)}`)}\n\t\t}`
const makeResponse = (count: number, tail = `\n\t],\n\n\t"rows": ${count}\n}\n`): string =>
  `{\n\t"meta":\n\t[\n\t\t{\n\t\t\t"name": "n"\n\t\t}\n\t],\n\n\t"data":\n\t[\n${Array.from({ length: count }, (_, n) => row(n)).join(',\n')}${tail}`

test.each([1, 3, 20_000])('parseJsonRows reads all of %i rows', async (count) => {
  const rows = (await parseJsonRows(makeResponse(count))) as { n: number }[]
  expect(rows).toHaveLength(count)
  expect(rows.every(({ n }, index) => n === index)).toBe(true)
})

test.each([3, 20_000])('parseJsonRows throws the error that follows %i rows', async (count) => {
  const failure = parseJsonRows(makeResponse(count, ',\n\t\t{\n\t\t\t"n": Code: 395. DB::Exception: too far'))
  await expect(failure).rejects.toBeInstanceOf(FactError)
  await expect(failure).rejects.toMatchObject({ code: 395, message: expect.stringContaining('too far') })
})

test.each([3, 20_000])('parseJsonRows throws if a response of %i rows is cut off', async (count) => {
  await expect(parseJsonRows(makeResponse(count).slice(0, -200))).rejects.toThrow('broke off')
})
