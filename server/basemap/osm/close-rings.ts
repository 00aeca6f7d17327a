/** Rings of nodes from the ways of a multipolygon, which come in any order and direction. `open`: how many ends of ways meet no other. */
export function closeRings(ways: readonly number[][]): { rings: number[][]; open: number } {
  const rings: number[][] = []
  const atEnd = new Map<number, Set<number[]>>()
  const add = (node: number, way: number[]): void => {
    const there = atEnd.get(node)
    if (there) there.add(way)
    else atEnd.set(node, new Set([way]))
  }
  for (const way of ways) {
    if (way.length < 2) continue
    if (way[0] === way.at(-1)) {
      rings.push(way)
      continue
    }
    const own = [...way]
    add(own[0]!, own)
    add(own.at(-1)!, own)
  }
  const left = new Set([...atEnd.values()].flatMap((each) => [...each]))
  let open = 0
  for (const first of left) {
    left.delete(first)
    const ring = [...first]
    const take = (way: number[]): void => {
      left.delete(way)
      atEnd.get(way[0]!)?.delete(way)
      atEnd.get(way.at(-1)!)?.delete(way)
    }
    take(first)
    while (ring[0] !== ring.at(-1)) {
      const end = ring.at(-1)!
      const [next] = atEnd.get(end) ?? []
      if (!next) break
      take(next)
      const onward = next[0] === end ? next : next.toReversed()
      for (let at = 1; at < onward.length; at++) ring.push(onward[at]!)
    }
    if (ring[0] === ring.at(-1)) rings.push(ring)
    else open++
  }
  return { rings: rings.filter((ring) => ring.length >= 4), open }
}
