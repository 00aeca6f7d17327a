import { expect, it, vi } from 'vitest'
import { formatNote, sendLayer, readOptionValue } from './send-layer.ts'

it('accepts an option once for all files or once per file', () => {
  expect([0, 1].map((index) => readOptionValue('name-property', ['NAME'], 2, index))).toEqual([
    'NAME',
    'NAME',
  ])
  expect([0, 1, 2].map((index) => readOptionValue('name-property', ['NAME', '', 'TAZ'], 3, index))).toEqual([
    'NAME',
    undefined,
    'TAZ',
  ])
  expect(readOptionValue('level', undefined, 3, 1)).toBeUndefined()
  expect(() => readOptionValue('name-property', ['A', 'B'], 3, 0)).toThrow(
    '--name-property is given 2 times for 3 files',
  )
})

it('sends the confirmation of a layer outside the region only if it is given', async () => {
  vi.spyOn(console, 'log').mockReturnValue(undefined)
  const paths = []
  const api = {
    sendFile: async (path) => (paths.push(path), { layer: { layer_name: 'A', shape_count: 1 }, notes: [] }),
  }
  await sendLayer(api, 'alder', 'a.geojson', { name: 'A' })
  await sendLayer(api, 'alder', 'a.geojson', { name: 'A', acceptOutside: true })
  expect(paths.map((path) => new URLSearchParams(path.split('?')[1]).get('accept_outside'))).toEqual([
    null,
    'true',
  ])
})

it('names the position and name of a feature once', () => {
  expect(formatNote({ position: 3, name: 'Ash', code: 'c', text: 'Its ring was closed.' })).toBe(
    '  feature 3 (Ash): Its ring was closed.',
  )
  expect(
    formatNote({ position: 3, name: null, code: 'c', text: 'Feature 3 (“Ash”) has a latitude of 91.' }),
  ).toBe('  Feature 3 (“Ash”) has a latitude of 91.')
  expect(formatNote({ position: null, code: 'c', text: 'The file has heights.' })).toBe(
    '  The file has heights.',
  )
})
