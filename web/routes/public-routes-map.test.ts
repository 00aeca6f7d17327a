import { expect, it } from 'vitest'
import { publicRoutesSearch } from './public-routes-map.tsx'

it('reads what makes sense and leaves out the rest', () => {
  expect(publicRoutesSearch({ month: '2026-02', route: 7, results: true, view: [1, 2, 3] })).toEqual({
    month: '2026-02',
    route: '7',
    results: true,
    view: [1, 2, 3],
  })
  expect(publicRoutesSearch({ month: '2026-13', route: 'x', results: 'yes', view: [1] })).toEqual({})
})
