/** Bound on the relative rounding error of a cross product in doubles (Shewchuk 1997, ccwerrboundA). */
const mostError = 3.4e-16
/** Any coordinate that is not smaller than 2^-148 degrees times this is whole. */
const whole = 2 ** 200

const exact = (value: number): bigint => BigInt(Math.round(value * whole))

/** On which side of the line from a to b the point p lies: 1 left, -1 right, 0 on it. Without rounding. */
export function sideOf(ax: number, ay: number, bx: number, by: number, px: number, py: number): number {
  const left = (ax - px) * (by - py)
  const right = (ay - py) * (bx - px)
  const cross = left - right
  if (Math.abs(cross) > mostError * (Math.abs(left) + Math.abs(right))) return Math.sign(cross)
  const [x, y] = [exact(px), exact(py)]
  const product = (exact(ax) - x) * (exact(by) - y) - (exact(ay) - y) * (exact(bx) - x)
  return product > 0n ? 1 : product < 0n ? -1 : 0
}
