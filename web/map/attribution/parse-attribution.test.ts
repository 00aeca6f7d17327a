import { expect, it } from 'vitest'
import { parseAttribution } from './parse-attribution.ts'

it('reads text and links', () => {
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

it('links the name of OpenStreetMap to its licence where nothing is linked', () => {
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
])('takes over nothing that runs: %s', (html, parts) => expect(parseAttribution(html)).toEqual(parts))

it('is quick with what is long', () => {
  const at = performance.now()
  parseAttribution(`${'<a href='.repeat(2000)}${'<'.repeat(5000)}`)
  expect(performance.now() - at).toBeLessThan(500)
})
