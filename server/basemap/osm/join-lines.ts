/** A line through nodes. */
export interface NodeLine {
  id: number
  nodes: number[]
}

/**
 * Lines that go on from one to the next become one, named by the least of their ids. Only where exactly two ends meet: at a fork nobody can
 * say which goes on, and a line that others cross stays what it is.
 */
export function joinLines(lines: readonly NodeLine[]): NodeLine[] {
  const ends = new Map<number, number[]>()
  lines.forEach(({ nodes }, at) => {
    for (const node of [nodes[0]!, nodes.at(-1)!]) {
      const there = ends.get(node)
      if (there) there.push(at)
      else ends.set(node, [at])
    }
  })
  const used = new Set<number>()
  /** The line that goes on at a node, other than the one that came there. */
  const after = (node: number, from: number): number | null => {
    const meeting = ends.get(node) ?? []
    const next = meeting.length === 2 ? meeting.find((at) => at !== from) : undefined
    return next === undefined || used.has(next) ? null : next
  }
  const joined: NodeLine[] = []
  lines.forEach((line, start) => {
    if (used.has(start)) return
    used.add(start)
    let id = line.id
    const grow = (nodes: number[]): number[] => {
      let from = start
      for (let next = after(nodes.at(-1)!, from); next !== null; next = after(nodes.at(-1)!, from)) {
        used.add(next)
        const more = lines[next]!
        id = Math.min(id, more.id)
        const onward = more.nodes[0] === nodes.at(-1) ? more.nodes : more.nodes.toReversed()
        for (let at = 1; at < onward.length; at++) nodes.push(onward[at]!)
        from = next
      }
      return nodes
    }
    const forward = grow([...line.nodes])
    const nodes = forward[0] === forward.at(-1) ? forward : grow(forward.reverse()).reverse()
    joined.push({ id, nodes })
  })
  return joined
}
