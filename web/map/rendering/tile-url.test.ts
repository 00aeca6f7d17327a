import { expect, it } from 'vitest'
import { tileUrl } from './tile-url.ts'

const layer = { region_id: 'porto cala', shape_layer_uuid: 'u-1', content_hash: 'a/b' }

it('contains the layer, its content hash and the half hour', () => {
  expect(tileUrl(layer, 'https://city.example', 3_600_000)).toBe(
    'https://city.example/v2/regions/porto%20cala/layers/u-1/vector/{z}/{x}/{y}?v=a%2Fb&bucket=2',
  )
})
it('is the same within a half hour', () => {
  expect(tileUrl(layer, '', 1_800_000)).toBe(tileUrl(layer, '', 3_599_999))
})
