import { describe, expect, it } from 'vitest'
import { declaredTexts, keysOf, roomOf, type Texts } from './start-i18n.ts'

const english = import.meta.glob<Texts>('../*/*.en.json', { eager: true, import: 'default' })
const spanish = import.meta.glob<Texts>('../*/*.es.json', { eager: true, import: 'default' })
const sources = import.meta.glob<string>('../**/*.{ts,tsx}', {
  eager: true,
  query: '?raw',
  import: 'default',
})

const modules = import.meta.glob('../**/*.{ts,tsx}')
// Some texts are declared by the code that they belong to.
await Promise.all(
  Object.entries(sources)
    .filter(([path, source]) => !path.includes('.test.') && source.includes("\ndeclareTexts('"))
    .map(([path]) => modules[path]?.()),
)

/** Texts of all files and declarations in a language. */
const flat = (files: Record<string, Texts>, language: 'en' | 'es'): Map<string, string> =>
  new Map(
    [
      ...Object.entries(files).map(([path, texts]) => ({ room: roomOf(path), texts })),
      ...declaredTexts.map(({ room, texts }) => ({ room, texts: texts[language] })),
    ].flatMap(({ room, texts }) =>
      keysOf(texts).map((key): [string, string] => [`${room}:${key}`, textAt(texts, key)]),
    ),
  )
const textAt = (texts: Texts, key: string): string =>
  String(
    key
      .split('.')
      .reduce<Texts | string | undefined>(
        (at, part) => (typeof at === 'object' ? at[part] : undefined),
        texts,
      ),
  )
const places = (text: string): string[] =>
  [...text.matchAll(/\{\{(\w+)/g)].map((match) => match[1] ?? '').sort()

describe('texts', () => {
  it('are found where they are declared', () => expect(declaredTexts.length).toBeGreaterThanOrEqual(4))

  const en = flat(english, 'en')
  const es = flat(spanish, 'es')

  it('have the same keys in every language', () => {
    expect([...es.keys()].sort()).toEqual([...en.keys()].sort())
  })

  it('fill in the same values in every language', () => {
    for (const [key, text] of en)
      expect({ key, places: places(es.get(key) ?? '') }).toEqual({ key, places: places(text) })
  })

  it('exist for every key that the sources name in full', () => {
    const named = Object.entries(sources)
      .filter(([path]) => !path.includes('.test.'))
      .flatMap(([, text]) => [...text.matchAll(/\bt\('([a-z]+:[\w.]+)'/g)].map((match) => match[1] ?? ''))
    const missing = named.filter((key) => !en.has(key) && !en.has(`${key}_other`))
    expect(missing).toEqual([])
  })
})
