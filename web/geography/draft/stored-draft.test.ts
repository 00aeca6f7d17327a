import { afterEach, expect, it, vi } from 'vitest'
import { emptyDraft, putShape } from './draft.ts'
import { storeDraft, loadDraft } from './stored-draft.ts'

const geom = { type: 'Point', coordinates: [1, 2] } as const
const draft = putShape(
  putShape(emptyDraft, 'new:1', null, {
    name: 'New',
    description: null,
    geom: { ...geom, coordinates: [1, 2] },
  }),
  'a',
  { name: 'North', description: null, geom: { ...geom, coordinates: [1, 2] }, modified_time: 't1' },
  null,
)

function storage(full = false) {
  const items = new Map<string, string>()
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => items.get(key) ?? null,
    removeItem: (key: string) => items.delete(key),
    setItem: (key: string, value: string) => {
      if (full) throw new Error('QuotaExceededError')
      items.set(key, value)
    },
  })
  return items
}

afterEach(() => vi.unstubAllGlobals())

it('restores a draft after a reload, by region and layer', () => {
  storage()
  expect(storeDraft('r', 'l', draft)).toBe(true)
  expect([...loadDraft('r', 'l')]).toEqual([...draft])
  expect(loadDraft('r', 'other').size).toBe(0)
})

it('leaves no copy of an empty draft', () => {
  const items = storage()
  storeDraft('r', 'l', draft)
  storeDraft('r', 'l', emptyDraft)
  expect(items.size).toBe(0)
})

it('ignores a copy that cannot be read', () => {
  const items = storage()
  for (const text of [
    '{',
    '"x"',
    '[{"id":1}]',
    '[{"id":"a","base":null,"now":null}]',
    '[{"id":"a","base":{"name":"x","geom":{"coordinates":[]}},"now":null}]',
  ]) {
    items.set('publicway.draft.r.l', text)
    expect(loadDraft('r', 'l').size).toBe(0)
  }
})

it('reports full storage without failing', () => {
  storage(true)
  expect(storeDraft('r', 'l', draft)).toBe(false)
})
