import { describe, expect, it } from 'vitest'
import { BoundaryFileError } from './boundary-file-error.ts'
import { parseXml } from './parse-xml.ts'

function walk(text: string): string[] {
  const events: string[] = []
  parseXml(text, {
    open: (name, attributes) =>
      events.push(`<${name}${[...attributes].map(([key, value]) => ` ${key}=${value}`).join('')}>`),
    text: (content) => events.push(content),
    close: (name) => events.push(`</${name}>`),
  })
  return events
}

function readError(text: string): BoundaryFileError {
  try {
    walk(text)
  } catch (error) {
    if (error instanceof BoundaryFileError) return error
    throw error
  }
  throw new Error('was read')
}

describe('parseXml', () => {
  it('reports elements, attributes, text and CDATA, without prefixes', () => {
    expect(
      walk(
        `<?xml version="1.0"?>\n<!-- <a> -->\n<k:a xmlns:k="u" b='1' k:c = "2 > 1"><d/>x<![CDATA[<b>&amp;]]></k:a >\n`,
      ),
    ).toEqual(['<a k=u b=1 c=2 > 1>', '<d>', '</d>', 'x', '<b>&amp;', '</a>'])
  })

  it('replaces the five entities and character references, and no others', () => {
    expect(walk('<a t="&quot;&#65;">&lt;&#x4E2D;&apos;&nbsp;&#0;&#xD800;&amp;lt;</a>')).toEqual([
      '<a t="A>',
      "<中'&nbsp;&#0;&#xD800;&lt;",
      '</a>',
    ])
  })

  it('rejects any document type', () => {
    const bomb = '<!DOCTYPE a [<!ENTITY x "lol"><!ENTITY y "&x;&x;">]><a>&y;</a>'
    expect(readError(bomb)).toMatchObject({ code: 'unsafe-xml' })
    expect(readError('<!doctype html><html></html>').code).toBe('unsafe-xml')
    expect(readError('<a><!ENTITY b SYSTEM "file:///etc/passwd"></a>').code).toBe('unsafe-xml')
  })

  it('rejects deep nesting immediately', () => {
    expect(readError('<a>'.repeat(1_000_000)).code).toBe('unsafe-xml')
    expect(walk('<a>'.repeat(200) + '</a>'.repeat(200))).toHaveLength(400)
  })

  it.each([
    ['<a><b></a></b>', '</a> closes what was not open (line 1)'],
    ['<a>\n<b>\n', 'it ends before </b>'],
    ['<a b=c></a>', '<a> does not end'],
    ['<a b="<"></a>', '<a> does not end'],
    ['<a', '<a> does not end'],
    ['<a><!-- </a>', 'it ends too early'],
    ['<a><![CDATA[ </a>', 'it ends too early'],
    ['<a>1 < 2</a>', 'a “<” starts no element'],
    ['</a>', '</a> closes what was not open'],
    ['<a/><b/>', 'more than one outermost element'],
    ['text', 'text outside its first element'],
    ['', 'it has no element'],
  ])('reports what is wrong with %s', (text, reason) => {
    expect(readError(text)).toMatchObject({ code: 'not-xml' })
    expect(readError(text).message).toContain(reason)
  })
})
