import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readDistance, readDuration, readNumber } from './read-quantity.ts'

test('readNumber reads every number from its text', () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
      expect(readNumber(String(value))).toBe(value + 0 === 0 ? 0 : value)
    }),
  )
  fc.assert(
    fc.property(fc.integer({ min: -999_999_999, max: 999_999_999 }), (value) => {
      expect(readNumber(value.toLocaleString('en-US'))).toBe(value)
    }),
  )
})

test('readNumber reads digits with a point as Number does', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^-?\d{0,12}\.?\d{0,8}$/), (text) => {
      expect(readNumber(text)).toBe(/\d/.test(text) ? Number(text) : Number.NaN)
    }),
  )
})

test.each([
  ['+1.5', 1.5],
  ['.5', 0.5],
  ['5.', 5],
  ['1e3', 1000],
  ['1,234.5', 1234.5],
  ['-0', -0],
])('readNumber reads %j', (text, value) => expect(readNumber(text)).toBe(value))

test.each([
  '',
  ' ',
  '.',
  '-',
  'abc',
  '1,2',
  '1,23',
  '12,34,567',
  '1 000',
  '0x10',
  '1e',
  'NaN',
  'Infinity',
  '1e999',
  '--1',
  '1.2.3',
  '１',
])('readNumber reads no number in %j', (text) => expect(readNumber(text)).toBeNaN())

test('readDistance converts distances to meters', () => {
  expect([
    readDistance('2', 'm'),
    readDistance('2', 'km'),
    readDistance('2', 'mi'),
    readDistance('10', 'ft'),
  ]).toEqual([2, 2000, 3218.688, 3.048])
  expect(readDistance('1e308', 'km')).toBeNaN()
  expect(readDistance('', 'km')).toBeNaN()
})

test('readDuration converts durations to seconds', () => {
  expect([readDuration('90', 's'), readDuration('1.5', 'min'), readDuration('0.5', 'h')]).toEqual([
    90, 90, 1800,
  ])
  expect([
    readDuration('0:05:09', 'h:mm:ss'),
    readDuration('127:00:01', 'h:mm:ss'),
    readDuration('-0:00:30', 's'),
    readDuration('1:2:3.9', 'min'),
  ]).toEqual([309, 457_201, -30, 3723])
  for (const text of ['90', '5:09', '', '1:2:3:4', 'x:00:00', `${'9'.repeat(400)}:00:00`])
    expect(readDuration(text, 'h:mm:ss')).toBeNaN()
})
