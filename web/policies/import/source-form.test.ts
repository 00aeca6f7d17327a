import { describe, expect, it } from 'vitest'
import { readSource } from './source-form.tsx'
import { isSelectedByAll, canImport } from './import-entry.tsx'

const file = (name: string, body: unknown) =>
  new File([typeof body === 'string' ? body : JSON.stringify(body)], name)
const policies = { version: '2.0.0', policies: [] }
const geographies = { version: '2.0.0', geographies: [] }

describe('readSource', () => {
  it('distinguishes the two files by content, in any order', async () => {
    const source = { file_name: 'p.json', policies, geographies }
    expect(await readSource([file('p.json', policies), file('g.json', geographies)])).toEqual(source)
    expect(await readSource([file('g.json', geographies), file('p.json', policies)])).toEqual(source)
  })

  it('accepts files wrapped as in MDS 1.2', async () => {
    expect(
      await readSource([
        file('p.json', { version: '1.2.0', data: { policies: [] } }),
        file('g.json', geographies),
      ]),
    ).toMatchObject({ file_name: 'p.json', policies: { data: { policies: [] } } })
  })

  it('requires both files, and valid JSON', async () => {
    const faults: [File[], string][] = [
      [[], 'needTwo'],
      [[file('p.json', policies)], 'needTwo'],
      [[file('a.json', '7'), file('b.json', 'null')], 'needTwo'],
      [[file('p.json', policies), file('g.json', '<html>')], 'noJson'],
    ]
    for (const [files, fault] of faults) expect(await readSource(files)).toMatchObject({ fault })
  })
})

it('invalid or already imported policies cannot be selected', () => {
  const here = {
    constant_policy_uuid: 'x',
    policy_name: 'x',
    modified_time: '2026-11-20T10:00:00.000Z',
    is_published: false,
    is_changed: false,
    is_edited: false,
  }
  expect(canImport({ faults: [], here: null })).toBe(true)
  expect(canImport({ faults: [], here })).toBe(false)
  expect(canImport({ faults: [], here: { ...here, is_changed: true } })).toBe(true)
  expect(canImport({ faults: [{ field: 'rules', message: 'are none' }], here: null })).toBe(false)
  expect(
    [
      { ...here, is_changed: true },
      { ...here, is_changed: true, is_edited: true },
    ].map((here) => isSelectedByAll({ faults: [], here: here })),
  ).toEqual([true, false])
})
