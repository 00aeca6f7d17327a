import fs from 'node:fs'
import { expect, it } from 'vitest'
import { bar } from '#web/kit/theme.ts'

const read = (path: string): Buffer => fs.readFileSync(new URL(`../../../${path}`, import.meta.url))
const manifest = JSON.parse(read('public/live.webmanifest').toString()) as {
  start_url: string
  scope: string
  display: string
  theme_color: string
  background_color: string
  icons: { src: string; sizes: string; type: string; purpose?: string }[]
}
/** Width and height are in the first chunk of a PNG. */
const pngSize = (path: string): string => `${read(path).readUInt32BE(16)}x${read(path).readUInt32BE(20)}`

it('opens the page from which it is served, as a separate app', () => {
  expect(new URL(manifest.start_url, 'https://city/port-meridian/mobile/live.webmanifest').pathname).toBe(
    '/port-meridian/mobile/live',
  )
  expect([manifest.display, manifest.scope]).toEqual(['standalone', '/'])
})

it('has the icons that phones require, in the declared sizes', () => {
  const pngs = manifest.icons.filter(({ type }) => type === 'image/png')
  expect(pngs.map(({ src, sizes }) => pngSize(`public${src}`) === sizes)).toEqual(pngs.map(() => true))
  expect(pngs.map(({ sizes, purpose }) => [sizes, purpose])).toEqual([
    ['192x192', undefined],
    ['512x512', undefined],
    ['512x512', 'maskable'],
  ])
  expect(pngSize('public/icons/apple-touch-icon.png')).toBe('180x180')
})

it('has the color of the top bar, like the page itself', () => {
  expect([manifest.theme_color, manifest.background_color]).toEqual([bar.back, bar.back])
  expect(read('index.html').toString()).toContain(`<meta name="theme-color" content="${bar.back}" />`)
})
