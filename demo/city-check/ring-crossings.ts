/** How often the edges of rings (in degrees) cross or touch one another anywhere but at common ends. */
export function ringCrossings(rings: readonly (readonly (readonly number[])[])[]): number {
  const edges = rings.flatMap((ring) => ring.slice(1).map((b, i) => [ring[i]!, b] as const))
  const squares = new Map<string, number[]>()
  edges.forEach(([a, b], e) => {
    for (const key of squaresOf(a, b)) squares.set(key, [...(squares.get(key) ?? []), e])
  })
  const found = new Set<string>()
  for (const inSquare of squares.values()) {
    for (let i = 0; i < inSquare.length; i++) {
      for (let j = i + 1; j < inSquare.length; j++) {
        if (crosses(edges[inSquare[i]!]!, edges[inSquare[j]!]!)) found.add(`${inSquare[i]} ${inSquare[j]}`)
      }
    }
  }
  return found.size
}

type Edge = readonly [readonly number[], readonly number[]]

function crosses([a, b]: Edge, [c, d]: Edge): boolean {
  const [abc, abd, cda, cdb] = [side(a, b, c), side(a, b, d), side(c, d, a), side(c, d, b)]
  if (same(a, c) || same(a, d) || same(b, c) || same(b, d)) return false
  return abc * abd < 0 && cda * cdb < 0
}

function side(a: readonly number[], b: readonly number[], p: readonly number[]): number {
  return Math.sign((b[0]! - a[0]!) * (p[1]! - a[1]!) - (b[1]! - a[1]!) * (p[0]! - a[0]!))
}

function same(a: readonly number[], b: readonly number[]): boolean {
  return a[0] === b[0] && a[1] === b[1]
}

function squaresOf(a: readonly number[], b: readonly number[]): string[] {
  const keys: string[] = []
  const at = (degrees: number): number => Math.floor(degrees * 200)
  for (let i = at(Math.min(a[0]!, b[0]!)); i <= at(Math.max(a[0]!, b[0]!)); i++) {
    for (let j = at(Math.min(a[1]!, b[1]!)); j <= at(Math.max(a[1]!, b[1]!)); j++) keys.push(`${i} ${j}`)
  }
  return keys
}
