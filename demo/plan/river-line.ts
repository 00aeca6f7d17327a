import type { Point } from '../plane/point.ts'
import { smoothLine } from '../plane/smooth-line.ts'

/** The middle of the Meridian River from its upper valley to the sea, and its width at each vertex, in metres. */
export interface RiverLine {
  middle: Point[]
  width: number[]
}

/** x, y, width. */
const course: readonly (readonly [number, number, number])[] = [
  [-40000, 11500, 190],
  [-29000, 6000, 200],
  [-21000, 5200, 210],
  [-14500, 1500, 230],
  [-11500, 600, 235],
  [-9300, -700, 240],
  [-7000, -900, 250],
  [-5900, -400, 470],
  [-4900, 330, 260],
  [-3500, 1750, 270],
  [-1900, 2650, 300],
  [-100, 2550, 340],
  [1150, 1500, 380],
  [1600, 100, 400],
  [2250, -1150, 460],
  [3500, -2050, 760],
  [5000, -2650, 1450],
  [6800, -3150, 2300],
  [9000, -3700, 3400],
]

/** Draws the river; the same every time, whatever the seed, because roads and districts are planned around it. */
export function riverLine(): RiverLine {
  const middle = smoothLine(
    course.map(([x, y]) => [x, y]),
    90,
  )
  const widths = smoothLine(
    course.map(([x, , width]) => [x, width]),
    40,
  )
  const width = middle.map(([x]) => {
    const i = Math.max(
      1,
      widths.findIndex(([at]) => at >= x),
    )
    const [a, b] = [widths[i - 1]!, widths[i]!]
    return a[1] + ((b[1] - a[1]) * (x - a[0])) / (b[0] - a[0])
  })
  return { middle, width }
}
