import { createRandom, hashNumbers, salts } from '../hash-numbers.ts'
import { createLocalDays } from '../trips/local-days.ts'
import type { CurbPlace } from './curb-place.ts'
import { toLocalInstant } from './local-instant.ts'
import { makeParkedCars } from './parked-cars.ts'
import { hasPayments } from './payments.ts'

const maxSurveyedPlaces = 40
/** First and last hour at which each space is recorded. */
const [firstHour, lastHour] = [7, 20]

const formatClock = (hour: number): string => `${((hour + 11) % 12) + 1}:00 ${hour < 12 ? 'AM' : 'PM'}`

/** Lists the surveyed places: the first metered ones without sensors that have no end. */
export const listSurveyedPlaces = (places: readonly CurbPlace[]): CurbPlace[] =>
  places
    .filter((place) => hasPayments(place) && !place.hasSensor && place.until === null)
    .slice(0, maxSurveyedPlaces)

/** Makes a survey of a day in Boston's columns: a row per space with fragments of plates by hour. */
export function makeSurvey(
  places: readonly CurbPlace[],
  { seed, timezone, day }: { seed: number; timezone: string; day: number },
): string {
  const days = createLocalDays(timezone)
  const [local, next] = [days(day), days(day + 1)]
  const hours = Array.from({ length: lastHour - firstHour + 1 }, (_, index) => firstHour + index)
  const rows = listSurveyedPlaces(places).flatMap((place, routeIndex) => {
    const cars = [
      ...makeParkedCars(place, { seed, day: day - 1, local: days(day - 1), next: local }),
      ...makeParkedCars(place, { seed, day, local, next }),
    ]
    const random = createRandom(hashNumbers(seed + salts.survey, place.number, day))
    return Array.from({ length: place.spaces }, (_, space) => {
      // Occasionally a space is closed for a day.
      const isClosed = random() < 0.012
      const reads = hours.map((hour) => {
        // The surveyor reaches each street some minutes after the hour.
        const timeMs = toLocalInstant(local, hour * 60 + (routeIndex % 12))
        const car = cars.find((car) => car.space === space && car.fromMs <= timeMs && timeMs < car.untilMs)
        if (isClosed && hour >= 9 && hour < 16) return 'Construction'
        if (random() < 0.004) return 'Unknown'
        return car ? makeFragment(car.key) : ''
      })
      const where = [place.streetName, '', '', '', place.zoneId]
      return ['Team A', routeIndex + 1, 'Right', space + 1, space + 1, 'Metered', ...reads, ...where].join(
        ',',
      )
    })
  })
  const header = [
    'Data Entry Group Member',
    'Route Number',
    'Side of Street',
    'Relative Spot Number',
    'Absolute Spot Number',
    'Regulation',
    ...hours.map(formatClock),
    'Street Name',
    'Street Direction',
    'Start Bound Street',
    'End Bound Street',
    'Curb Zone ID',
  ]
  return `${[header.join(','), ...rows].join('\n')}\n`
}

const letters = 'ABCDEFGHJKLMNPRSTUVWXYZ'
const makeFragment = (key: number): string =>
  `${key % 10}${letters[(key >>> 4) % letters.length]}${letters[(key >>> 9) % letters.length]}`
