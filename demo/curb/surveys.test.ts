import { expect, test } from 'vitest'
import { hourMs } from '#contract/period.ts'
import { dayNumber } from '../day-number.ts'
import { createLocalDays } from '../trips/local-days.ts'
import { makeParkedCars } from './parked-cars.ts'
import { smallCurb } from './small-curb.ts'
import { makeSurvey, listSurveyedPlaces } from './surveys.ts'

const timezone = 'America/New_York'
const places = smallCurb()
const days = createLocalDays(timezone)
/** A Wednesday. */
const day = dayNumber('2026-06-10')

test('A survey records each space of streets without sensors at each hour', () => {
  const [header = '', ...rows] = makeSurvey(places, { seed: 5, timezone, day }).trimEnd().split('\n')
  const columns = header.split(',')
  const surveyed = listSurveyedPlaces(places)
  expect(surveyed.map(({ block }) => block)).toEqual([1, 2])
  expect(rows.length).toBe(20)
  expect(columns.slice(6, 20)).toEqual([
    ...['7', '8', '9', '10', '11'].map((hour) => `${hour}:00 AM`),
    ...['12', '1', '2', '3', '4', '5', '6', '7', '8'].map((hour) => `${hour}:00 PM`),
  ])
  const noon = columns.indexOf('12:00 PM')
  const spaces = rows.map((row) => row.split(','))
  for (const [route, place] of surveyed.entries()) {
    const timeMs = days(day).startMs + 12 * hourMs + route * 60_000
    const cars = makeParkedCars(place, { seed: 5, day, local: days(day), next: days(day + 1) })
    for (let space = 0; space < place.spaces; space++) {
      const read = spaces[route * 10 + space]?.[noon] ?? '?'
      const isTaken = cars.some((car) => car.space === space && car.fromMs <= timeMs && timeMs < car.untilMs)
      const words = ['Construction', 'Unknown']
      expect(words.includes(read) || (read !== '') === isTaken).toBe(true)
    }
  }
  const validReads = spaces.map((fields) => fields[noon] ?? '').filter((read) => read.length < 4)
  expect(validReads.filter(Boolean).length / validReads.length).toBeGreaterThan(0.6)
})
