import { hashNumbers } from '../hash-numbers.ts'
import type { Zone } from '../plan/zones.ts'
import type { GridLine } from './draw-grid.ts'
import { streetWords } from './street-words.ts'

/** The name of a street of a zone's grid: the same on its whole length. */
export function streetName(
  seed: number,
  zone: Zone,
  { along, number }: Pick<GridLine, 'along' | 'number'>,
): string {
  const index = number < 0 ? -2 * number - 1 : 2 * number
  switch (zone.naming) {
    case 'numbers':
      return along ? `${word('people', index + 7)} Road` : `W ${ordinal(number + 70)} Street`
    case 'numbers-and-trees':
      return along
        ? `${word('trees', index + (zone.bank === 'north' ? 19 : 0))} Street`
        : `${zone.bank === 'north' ? 'N ' : ''}${ordinal(number + 50)} Street`
    default: {
      const kind = along ? 'Street' : ['Avenue', 'Lane', 'Place', 'Avenue'][hashNumbers(seed, index, 5) % 4]!
      return `${word(zone.naming, index + (along ? 0 : 23))} ${kind}`
    }
  }
}

function word(list: keyof typeof streetWords, index: number): string {
  const words = streetWords[list]
  const round = Math.floor(index / words.length)
  return `${['', 'East ', 'Upper ', 'New '][round % 4]}${words[index % words.length]}`
}

function ordinal(n: number): string {
  const tens = n % 100
  const ending = tens > 10 && tens < 14 ? 'th' : (['th', 'st', 'nd', 'rd'][n % 10] ?? 'th')
  return `${n}${ending}`
}
