import { expect, it } from 'vitest'
import { parseAttribution } from './parse-attribution.ts'

it('parses text and links', () => {
  expect(
    parseAttribution(
      '<a href="https://protomaps.com" target="_blank">Protomaps</a> &copy; <a href=\'https://www.openstreetmap.org\'> OpenStreetMap</a>',
    ),
  ).toEqual([
    { text: 'Protomaps', href: 'https://protomaps.com' },
    { text: ' © ', href: null },
    { text: ' OpenStreetMap', href: 'https://www.openstreetmap.org' },
  ])
  expect(parseAttribution('City of Alder')).toEqual([{ text: 'City of Alder', href: null }])
  expect(parseAttribution('  ')).toEqual([])
})

it('links plain OpenStreetMap text to its copyright page', () => {
  expect(parseAttribution('© OpenStreetMap contributors')).toEqual([
    { text: '© OpenStreetMap contributors', href: 'https://www.openstreetmap.org/copyright' },
  ])
})

it.each([
  ['<a href="javascript:alert(1)">x</a>', [{ text: 'x', href: null }]],
  ['<a href="&#106;avascript:alert(1)">x</a>', [{ text: 'x', href: null }]],
  ['<a href="data:text/html,x">x</a>', [{ text: 'x', href: null }]],
  ['<img src=x onerror=alert(1)>City', [{ text: 'City', href: null }]],
  ['<a href=https://a.example onclick="x()"><b>A</b></a>', [{ text: 'A', href: 'https://a.example' }]],
  ['a &lt;script&gt; &#x110000; &unknown; b', [{ text: 'a <script> &unknown; b', href: null }]],
  ['cut <a href="https://a.example', [{ text: 'cut ', href: null }]],
])('drops scripts and markup: %s', (html, parts) => expect(parseAttribution(html)).toEqual(parts))

it('parses long input fast', () => {
  const startedAt = performance.now()
  parseAttribution(`${'<a href='.repeat(2000)}${'<'.repeat(5000)}`)
  expect(performance.now() - startedAt).toBeLessThan(500)
})
