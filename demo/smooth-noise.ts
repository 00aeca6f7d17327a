import { hashNumbers } from './hash-numbers.ts'

/** Returns noise in [-1, 1] that changes smoothly over about one unit of x or y. */
export function computeSmoothNoise(seed: number, x: number, y: number): number {
  const x0 = Math.floor(x)
  const y0 = Math.floor(y)
  const fx = ease(x - x0)
  const fy = ease(y - y0)
  const south = mix(corner(seed, x0, y0), corner(seed, x0 + 1, y0), fx)
  const north = mix(corner(seed, x0, y0 + 1), corner(seed, x0 + 1, y0 + 1), fx)
  return mix(south, north, fy)
}

function corner(seed: number, x: number, y: number): number {
  return hashNumbers(seed, x, y) / 2147483648 - 1
}

function ease(t: number): number {
  return t * t * (3 - 2 * t)
}

function mix(a: number, b: number, t: number): number {
  return a + (b - a) * t
}
