import { expect, it } from 'vitest'
import { negotiateByDayFormat } from './by-day-response.ts'

it.each([
  ['', 'geojson'],
  ['*/*', 'geojson'],
  ['text/csv', 'csv'],
  ['application/json, text/plain, */*', 'json'],
  ['application/*', 'geojson'],
  ['text/*', 'csv'],
  ['application/geo+json;q=0.1, Text/CSV;q=0.9', 'csv'],
  ['text/csv;q=0, */*', 'geojson'],
  ['application/json;q=0.5, */*;q=0.1', 'json'],
  ['application/geo+json, text/csv', 'geojson'],
  ['text/csv; q=x, application/json', 'json'],
  ['image/png', 'geojson'],
])('Accept %j selects %s', (accept, format) => {
  expect(negotiateByDayFormat(undefined, new Headers({ accept }))).toBe(format)
  expect(negotiateByDayFormat('csv', new Headers({ accept }))).toBe('csv')
})
