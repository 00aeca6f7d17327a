import { describe, expect, it } from 'vitest'
import { declaredTexts, flattenKeys, getRoom, type Texts } from './start-i18n.ts'

const english = import.meta.glob<Texts>('../*/*.en.json', { eager: true, import: 'default' })
const spanish = import.meta.glob<Texts>('../*/*.es.json', { eager: true, import: 'default' })
const sources = import.meta.glob<string>('../**/*.{ts,tsx}', {
  eager: true,
  query: '?raw',
  import: 'default',
})

const modules = import.meta.glob('../**/*.{ts,tsx}')
// Imports the modules that declare texts in code.
await Promise.all(
  Object.entries(sources)
    .filter(([path, source]) => !path.includes('.test.') && source.includes("\ndeclareTexts('"))
    .map(([path]) => modules[path]?.()),
)

/** Texts of all files and declarations in a language, by key. */
const flattenTexts = (files: Record<string, Texts>, language: 'en' | 'es'): Map<string, string> =>
  new Map(
    [
      ...Object.entries(files).map(([path, texts]) => ({ room: getRoom(path), texts })),
      ...declaredTexts.map(({ room, texts }) => ({ room, texts: texts[language] })),
    ].flatMap(({ room, texts }) =>
      flattenKeys(texts).map((key): [string, string] => [`${room}:${key}`, getText(texts, key)]),
    ),
  )
const getText = (texts: Texts, key: string): string =>
  String(
    key
      .split('.')
      .reduce<Texts | string | undefined>(
        (node, overrides) => (typeof node === 'object' ? node[overrides] : undefined),
        texts,
      ),
  )
const places = (text: string): string[] =>
  [...text.matchAll(/\{\{(\w+)/g)].map((match) => match[1] ?? '').sort()

describe('texts', () => {
  it('are found where they are declared', () => expect(declaredTexts.length).toBeGreaterThanOrEqual(4))

  const en = flattenTexts(english, 'en')
  const es = flattenTexts(spanish, 'es')

  it('have the same keys in every language', () => {
    expect([...es.keys()].sort()).toEqual([...en.keys()].sort())
  })

  it('have the same placeholders in every language', () => {
    for (const [key, text] of en)
      expect({ key, places: places(es.get(key) ?? '') }).toEqual({ key, places: places(text) })
  })

  it('exist for every key that is a literal in the sources', () => {
    const named = Object.entries(sources)
      .filter(([path]) => !path.includes('.test.'))
      .flatMap(([, text]) => [...text.matchAll(/\bt\('([a-z]+:[\w.]+)'/g)].map((match) => match[1] ?? ''))
    const missing = named.filter((key) => !en.has(key) && !en.has(`${key}_other`))
    expect(missing).toEqual([])
  })
})
