const FIRST = [
  'Adams',
  'Bayard',
  'Chapman',
  'Drayton',
  'Eastman',
  'Franklin',
  'Gadsden',
  'Harlan',
  'Irving',
  'Jasper',
  'Keats',
  'Linden',
  'Madison',
  'Noble',
  'Orleans',
  'Pulaski',
  'Ridley',
  'Sumner',
  'Tilden',
  'Union',
  'Vernon',
  'Warren',
  'Wright',
  'Liberty',
]
const LAST = ['Square', 'Park', 'Green', 'Playground', 'Gardens', 'Common']

/** Whether a block is a small park, drawn from 32 random bits; strips along water mostly are. */
export function pocketPark(
  bits: number,
  isStrip: boolean,
  area: number,
  x: number,
  y: number,
): { name: string; parkKind: string } | undefined {
  const share = (bits >>> 12) / 1048576
  if (isStrip) {
    // The port and the freeway margins are no lawns.
    const isPort = x > 1500 && x < 4600 && y < -900
    return share < 0.8 && !isPort && area > 4000 ? { name: 'Waterfront Park', parkKind: 'park' } : undefined
  }
  if (share > 0.028 || area < 7000 || area > 90_000) return undefined
  return { name: `${FIRST[bits % FIRST.length]} ${LAST[(bits >>> 5) % LAST.length]}`, parkKind: 'park' }
}
